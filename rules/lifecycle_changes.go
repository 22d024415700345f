package rules

import (
	"fmt"
	"math"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

type comparisonKey struct{}

// comparison says what changed since the old CRD: nothing when one of the two cannot be read.
func comparison(p *lint.Pass) *compare.Comparison {
	return lint.Memo(p, comparisonKey{}, func() *compare.Comparison {
		all, err := compare.CRDs(p.Old().CRD, p.CRD)
		if err != nil { // of the new side, other rules speak
			all = &compare.Comparison{Old: &v1.CustomResourceDefinition{}, New: &v1.CustomResourceDefinition{}}
		}
		return all
	})
}

// oldVersion and newVersion are the versions of a name; nil when there is none.
func oldVersion(p *lint.Pass, name string) *v1.CustomResourceDefinitionVersion {
	return comparison(p).OldVersion(name)
}

func newVersion(p *lint.Pass, name string) *v1.CustomResourceDefinitionVersion {
	return comparison(p).NewVersion(name)
}

// inUse says whether objects may exist in a version on both sides: it was served or stored, and still is.
func inUse(p *lint.Pass, name string) bool {
	old, new := oldVersion(p, name), newVersion(p, name)
	return old != nil && new != nil && (old.Served || old.Storage) && (new.Served || new.Storage)
}

// servedOnBoth says whether clients can use a version on both sides.
func servedOnBoth(p *lint.Pass, name string) bool {
	old, new := oldVersion(p, name), newVersion(p, name)
	return old != nil && new != nil && old.Served && new.Served
}

// A remark is what a rule has to say about a change. The text says "{in}" where the versions go.
type remark struct {
	text     string
	severity lint.Severity // at most
	change   *compare.Change
}

// fewRemarks are so many that each is worth a finding of its own where the same happened to many fields.
const fewRemarks = 3

// collapse puts what a rule says about many fields in the same words into one remark, at the first of them: such
// changes come along when a type that is used in many places does. Errors are told one by one.
func collapse(all []remark) []remark {
	type words struct{ version, text string }
	count := map[words]int{}
	wordsOf := func(r remark) words {
		return words{r.change.Version, strings.Replace(r.text, fieldOf(r.change, ""), "", 1)}
	}
	for _, r := range all {
		if r.severity < lint.Error {
			count[wordsOf(r)]++
		}
	}
	var out []remark
	for _, r := range all {
		w := wordsOf(r)
		n := count[w]
		if n > fewRemarks && r.severity < lint.Error {
			field := fieldOf(r.change, "")
			r.text = strings.Replace(r.text, field, fmt.Sprintf("%s (like %d other fields)", field, n-1), 1)
			count[w] = 0
		}
		if n > 0 || r.severity == lint.Error {
			out = append(out, r)
		}
	}
	return out
}

// remarks reports what a rule says about changes. The same about several versions is one finding, at the first of them.
func remarks(p *lint.Pass, all []remark) {
	type group struct {
		remark
		versions []string
	}
	var groups []*group
	byText := map[string]*group{}
	for _, r := range all {
		key := fmt.Sprint(r.severity, r.text)
		g := byText[key]
		if g == nil {
			g = &group{remark: r}
			byText[key] = g
			groups = append(groups, g)
		}
		if v := r.change.Version; v != "" && (len(g.versions) == 0 || g.versions[len(g.versions)-1] != v) {
			g.versions = append(g.versions, v)
		}
	}
	for _, g := range groups {
		in := ""
		if len(g.versions) > 0 {
			in = " in " + names(g.versions).String()
		}
		f := p.Report(g.change.Is(), wording.Cut(strings.Replace(g.text, "{in}", in, 1), 155)).AtMost(g.severity)
		p.Was(f, g.change.Was(), "was here")
	}
}

// inSchemas makes the Run of a rule that looks at changes of schemas of versions that are in use. The judge says ""
// about what it does not mind.
func inSchemas(judge func(*lint.Pass, *compare.Change) (text string, severity lint.Severity)) func(*lint.Pass) {
	return func(p *lint.Pass) { remarks(p, judged(p, judge)) }
}

// inManyFields is inSchemas for changes that often come in numbers.
func inManyFields(judge func(*lint.Pass, *compare.Change) (text string, severity lint.Severity)) func(*lint.Pass) {
	return func(p *lint.Pass) { remarks(p, collapse(judged(p, judge))) }
}

func judged(p *lint.Pass, judge func(*lint.Pass, *compare.Change) (text string, severity lint.Severity)) []remark {
	var all []remark
	for _, c := range schemaChanges(p) {
		if text, severity := judge(p, c); text != "" {
			all = append(all, remark{text, severity, c})
		}
	}
	return all
}

type schemaChangesKey struct{}

// schemaChanges are the changes of schemas that are causes: those of versions in use, without what follows from a type
// that became another one, and without junctors, where it takes all branches together to say anything.
func schemaChanges(p *lint.Pass) []*compare.Change {
	return lint.Memo(p, schemaChangesKey{}, func() []*compare.Change {
		retyped := map[*compare.Node]bool{}
		var all []*compare.Change
		for _, c := range comparison(p).Changes {
			if c.Node == nil || !inUse(p, c.Version) {
				continue
			}
			if c.Field == "type" && c.Node.Structural() && c.Effect >= compare.Tightens {
				retyped[c.Node] = true
			}
			if !inJunctor(c) && (c.Field == "type" && retyped[c.Node] || !belowAny(retyped, c.Node)) {
				all = append(all, c)
			}
		}
		return all
	})
}

func belowAny(set map[*compare.Node]bool, n *compare.Node) bool {
	for ; n != nil; n = n.Parent {
		if set[n] {
			return true
		}
	}
	return false
}

// inJunctor says whether a change is one of a junctor, or below one.
func inJunctor(c *compare.Change) bool { return changedJunctor(c) != "" }

func changedJunctor(c *compare.Change) string {
	switch {
	case c.Node.Junctor != "":
		return c.Node.Junctor
	case c.Field == "allOf" || c.Field == "anyOf" || c.Field == "oneOf" || c.Field == "not":
		return c.Field
	}
	return ""
}

// fieldOf names the field that a change is about, with a member of it where one is given; long paths lose their middle.
func fieldOf(c *compare.Change, member string) string {
	path := c.Node.Path
	if member != "" {
		if path != "" {
			path += "."
		}
		path += member
	}
	if path == "" {
		return "the resource"
	}
	if r := []rune(path); len(r) > 70 {
		return string(r[:20]) + "…" + string(r[len(r)-49:])
	}
	return path
}

// terse is a value in a message, cut where it is long.
func terse(v any) string {
	if v == nil {
		return "none"
	}
	if s, ok := v.(string); ok {
		return quoted(s).String()
	}
	text := fmt.Sprint(v)
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1e15 {
		text = fmt.Sprintf("%.0f", f)
	}
	return wording.Cut(text, 30)
}
