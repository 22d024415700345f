package rules

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// The tests of this file make one mistake in the text of a manifest and look where the new findings stand: at the entry
// with the mistake, or at the key that it belongs to.

// A spot is one entry of a mapping, and how to get there.
type spot struct {
	parent *yaml.Node
	steps  []string // of the entry
}

// spotsBelow lists the entries below spec and metadata. Merge keys and aliases have no place of their own.
func spotsBelow(n *yaml.Node, steps []string) []spot {
	var all []spot
	switch n.Kind {
	case yaml.MappingNode:
		for _, e := range crd.Entries(n) {
			if k, v := crd.Lookup(n, e.Name); k != e.Key || v.Kind == yaml.AliasNode {
				continue
			}
			at := append(slices.Clone(steps), e.Name)
			if len(steps) > 0 || e.Name == "spec" || e.Name == "metadata" {
				if len(steps) > 0 {
					all = append(all, spot{n, at})
				}
				all = append(all, spotsBelow(e.Value, at)...)
			}
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			all = append(all, spotsBelow(c, append(slices.Clone(steps), fmt.Sprint(i)))...)
		}
	}
	return all
}

// slips are what the tests do to an entry; each reports whether the entry is still there.
var slips = []struct {
	name string
	do   func(r *rand.Rand, s spot) (stays bool)
}{
	{"delete", func(_ *rand.Rand, s spot) bool {
		layout.Remove(s.parent, s.steps[len(s.steps)-1])
		return false
	}},
	{"change", func(r *rand.Rand, s spot) bool {
		values := []*yaml.Node{layout.String("x"), layout.String(""), layout.String("A b"), layout.Bool(true), yaml.NewScalarRNode("5").YNode(), yaml.NewScalarRNode("-1").YNode()}
		layout.Set(s.parent, s.steps[len(s.steps)-1], values[r.IntN(len(values))])
		return true
	}},
	{"insert", func(r *rand.Rand, s spot) bool {
		s.steps[len(s.steps)-1] = "misplaced"
		layout.Set(s.parent, "misplaced", layout.String("x"))
		return true
	}},
}

// A slipUp is a manifest with one mistake, and the lines where it may be reported.
type slipUp struct {
	text  []byte
	what  string
	lines map[int]bool
}

// slipUps makes mistakes in the only CRD of a text.
func slipUps(src []byte, r *rand.Rand, count int) []slipUp {
	var all []slipUp
	for range count {
		f := manifest.Parse("crd.yaml", src)
		if len(f.Documents) != 1 || f.Documents[0].Root == nil {
			return nil
		}
		d := f.Documents[0]
		spots := spotsBelow(d.Root.YNode(), nil)
		if len(spots) == 0 {
			return nil
		}
		s := spots[r.IntN(len(spots))]
		if r.IntN(2) == 0 { // schemas hold most entries, and matter less
			s = spots[r.IntN(min(len(spots), 40))]
		}
		slip := slips[r.IntN(len(slips))]
		stays := slip.do(r, s)
		written, err := rewrite.Of(d).Write(d.Root.YNode())
		if err != nil || written.Encoded != "" {
			continue
		}
		up := slipUp{text: rewrite.Apply(src, written.Edits), what: fmt.Sprintf("%s %v", slip.name, s.steps)}
		if up.lines = linesOf(up.text, s.steps, stays); up.lines != nil {
			all = append(all, up)
		}
	}
	return all
}

// linesOf are the lines of an entry's key and value, and of the key that holds the mapping it stands in, or the list of
// such mappings.
func linesOf(src []byte, steps []string, stays bool) map[int]bool {
	found := crd.Parse(src)
	if len(found) != 1 {
		return nil
	}
	lines := map[int]bool{}
	mark := func(steps []string) {
		at, complete := found[0].Resolve(steps)
		if !complete || len(steps) == 0 {
			return
		}
		lines[at.Node.Line] = true
		parent, _ := found[0].Resolve(steps[:len(steps)-1])
		if k, _ := crd.Lookup(parent.Node, steps[len(steps)-1]); k != nil {
			lines[k.Line] = true
		}
	}
	if _, err := strconv.Atoi(steps[len(steps)-1]); stays || err != nil { // what was deleted may be there by a merge key
		mark(steps)
	}
	up := steps[:len(steps)-1]
	mark(up)
	if _, err := strconv.Atoi(up[len(up)-1]); err == nil {
		mark(up[:len(up)-1])
	}
	return lines
}

// relating are rules about two entries that do not go together, which the API server rejects. After a mistake in one of
// them, such a rule may point at the other: it cannot know which one is wrong.
var relating = map[string]string{
	"api-approval-missing":                   "a protected group, and the annotation",
	"cel-compile-error":                      "a rule, and the fields it uses",
	"cel-field-path-invalid":                 "a fieldPath, and the field it names",
	"cel-optional-oldself-unused":            "optionalOldSelf, and the rule",
	"conversion-webhook-preserve-unknown":    "the strategy, and preserveUnknownFields",
	"default-invalid":                        "a default, and its schema",
	"default-unknown-fields":                 "a default, and its schema",
	"deprecation-warning-without-deprecated": "a deprecation warning, and deprecated",
	"metadata-name-mismatch":                 "metadata.name, and the plural and the group",
	"names-kind-equals-listkind":             "kind, and listKind",
	"per-version-identical":                  "what versions say, and the top level",
	"top-level-and-per-version":              "what versions say, and the top level",
	"storage-version-count":                  "a storage version, and another",
	"version-field-mismatch":                 "spec.version, and the first version",
	"schema-embedded-resource":               "an embedded resource, and its fields",
	"schema-junctor-forbidden-field":         "what anyOf may say, and int-or-string around it",
	"schema-junctor-incomplete":              "a field in anyOf, and its declaration",
	"schema-list-map-key-optional":           "a key of a list, and required",
	"schema-list-map-keys":                   "the list's type, and its keys",
	"schema-list-type-invalid":               "the list's type, and type",
	"schema-map-type-invalid":                "the map's type, and type",
	"schema-metadata-restricted":             "metadata, and what is restricted in it",
	"schema-required":                        "a version, and the schema at the top level",
	"selectable-field-free-form":             "a selectable field, and its schema",
	"selectable-field-no-schema":             "a selectable field, and its schema",
	"selectable-field-path-invalid":          "a selectable field, and its schema",
	"selectable-field-type":                  "a selectable field, and its schema",
	"webhook-config-forbidden":               "a client config, and the strategy",
}

// told identifies a finding apart from where it stands.
func told(f *lint.Finding) string { return f.Rule.ID + f.Path + f.Message }

// placement counts where new findings stand.
type placement struct {
	mu           sync.Mutex
	all          int
	related      int // at the other one of two entries that do not go together
	astray       int // elsewhere, and not for that
	astrayByRule map[string]int
	examples     map[string]string
}

func (p *placement) look(l *engine.Linter, before map[string]bool, up slipUp) {
	for _, f := range l.File("crd.yaml", up.text).Findings {
		if f.RefusedBy == "" || before[told(f)] {
			continue // what is said about a CRD as a whole stands where it begins
		}
		p.mu.Lock()
		p.all++
		if !up.lines[f.Pos.Line] {
			if relating[f.Rule.ID] == "" {
				p.astray++
			} else {
				p.related++
			}
			p.astrayByRule[f.Rule.ID]++
			p.examples[f.Rule.ID] = fmt.Sprintf("%s: line %d, not %v: %s", up.what, f.Pos.Line, slices.Sorted(maps.Keys(up.lines)), f.Message)
		}
		p.mu.Unlock()
	}
}

// placements makes mistakes in manifests that hold one CRD each.
func placements(t *testing.T, l *engine.Linter, paths []string, each int) *placement {
	t.Helper()
	p := &placement{astrayByRule: map[string]int{}, examples: map[string]string{}}
	inParallel(len(paths), func(i int) {
		src, err := os.ReadFile(paths[i])
		if err != nil {
			t.Error(err)
			return
		}
		found := crd.Parse(src)
		if len(found) != 1 || len(src) > 100_000 {
			return
		}
		before := map[string]bool{}
		for _, f := range l.File("crd.yaml", src).Findings {
			before[told(f)] = true
			lines := slices.Collect(linesIn(src))
			if f.Pos.Line < 1 || f.Pos.Column < 1 || f.Pos.Line > len(lines) || f.Pos.Column > lines[f.Pos.Line-1]+1 {
				t.Errorf("%s: %s stands at %d:%d, outside of the file", paths[i], f.Rule.ID, f.Pos.Line, f.Pos.Column)
			}
		}
		if !isAccepted(found[0]) {
			return // one mistake may hide, or bring to light, what others cause
		}
		of := fnv.New64a() // a new fixture makes no other mistakes in the rest
		of.Write([]byte(filepath.ToSlash(paths[i])))
		for _, up := range slipUps(src, rand.New(rand.NewPCG(11, of.Sum64())), each) {
			p.look(l, before, up)
		}
	})
	return p
}

// linesIn gives the length of every line in code points.
func linesIn(src []byte) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		n := 0
		for _, r := range string(src) {
			if r == '\n' {
				if !yield(n) {
					return
				}
				n = 0
				continue
			}
			n++
		}
		yield(n)
	}
}

// check fails when too few mistakes led to findings, or more of those than tolerated, in percent, stand elsewhere.
func (p *placement) check(t *testing.T, what string, atLeast, tolerated int) {
	t.Helper()
	t.Logf("%s: %d new findings; elsewhere are %d, and %d at an entry that the mistake does not go with", what, p.all, p.astray, p.related)
	for _, id := range slices.Sorted(maps.Keys(p.astrayByRule)) {
		t.Logf("  %d of %s; one: %s", p.astrayByRule[id], id, p.examples[id])
	}
	if p.astray*100 > p.all*tolerated {
		t.Errorf("%d of %d findings stand elsewhere than the mistake", p.astray, p.all)
	}
	if p.all < atLeast {
		t.Errorf("the mistakes led to %d findings, want %d at least", p.all, atLeast)
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	for id := range relating {
		if r := ByID(id); r == nil || r.Severity < lint.Error {
			t.Errorf("%s is not a rule about what the API server rejects", id)
		}
	}
	each, atLeast := 5, 2000
	if testing.Short() {
		each, atLeast = 2, 800
	}
	p := placements(t, everyRule(), ownManifests(t), each)
	p.check(t, "manifests of this repository", atLeast, 1)
	for id, n := range p.astrayByRule {
		// A mistake in a bound changes the cost of a rule that stands elsewhere.
		if relating[id] == "" && id != "cel-cost-exceeded" {
			t.Errorf("%d findings of %s stand elsewhere than the mistake; one: %s", n, id, p.examples[id])
		}
	}
}

func TestPositionsOnCorpus(t *testing.T) {
	t.Parallel()
	placements(t, everyRule(), corpus.Sample(t, volume(t, "v1", "v1beta1"), 6), 4).check(t, "corpus", 40, 1)
}
