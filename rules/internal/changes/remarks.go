package changes

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A remark is what a rule has to say about a change.
type remark struct {
	change   *compare.Change
	severity lint.Severity // at most
	format   string        // as text.Sprintf has it; "{in}" is where the versions go
	args     []any
	advice   string // what to do about it; "" where the text says enough
	blame    blame  // why no write of a stored object is excused; the zero blame where some are
	read     bool   // clients fail to read stored objects; without a configured cap of its own, the status is as bad as the rest then

	// of makes the remark about some items of the field, where this one is about one of them; nil for other remarks.
	of    func(items []string) *remark
	item  string // as of takes it
	among string // what those about the same items of the field have in common
	set   string // what stands for all items in its path, where it is about more than its change's; "" for others

	field             string // of custom resources; "" for what no schema describes
	old, new, witness any    // nil where there is nothing to show
}

func newRemark(severity lint.Severity, format string, args ...any) *remark {
	return &remark{severity: severity, format: format, args: args}
}

// advise adds what the author of the change is to do.
func (r *remark) advise(advice string) *remark {
	r.format += "; %s"
	r.args = append(r.args, advice)
	r.advice = advice
	return r
}

// about completes a remark by what the change itself says.
func (r *remark) about(c *compare.Change) *remark {
	r.change = c
	if c.Node != nil && r.field == "" {
		member := ""
		if c.Field == "properties" || c.Field == "required" {
			member = c.Item
		}
		r.field = memberPath(c.Node.Path, member)
	}
	if r.old == nil && r.new == nil {
		r.old, r.new = shownChange(c.Old), shownChange(c.New)
	}
	return r
}

// shownChange is a value of a change for programs; schemas are too long to repeat.
func shownChange(v any) any {
	if _, ok := v.(*v1.JSONSchemaProps); ok {
		return nil
	}
	return v
}

// text is the text of the remark about versions and items; about no items it is what those about the same ones have in
// common. It keeps nothing of the change, which goes with its file.
func (r *remark) text() func(versions, items []string) text.Text {
	format, args, of, among := r.format, r.args, r.of, r.among
	return func(versions, items []string) text.Text {
		if of != nil {
			if len(items) == 0 {
				items = []string{among}
			}
			return of(items).text()(versions, nil)
		}
		in := ""
		if len(versions) > 0 {
			in = " in " + strings.ReplaceAll(strings.Join(versions, ", "), "%", "%%")
		}
		return text.Sprintf(strings.Replace(format, "{in}", in, 1), args...)
	}
}

// path is where the remark belongs, by which it is known again.
func (r *remark) path() string {
	if r.set != "" {
		return r.change.IsPathOf(r.set)
	}
	return r.change.IsPath()
}

// limit is how severe a remark may be under the configuration's compatibility.
func (r *remark) limit(p *engine.Pass) lint.Severity {
	if p.Requires() { // a program needs what it was built for, whatever its API promises
		return r.severity
	}
	below := isStatus(r.field) && (!r.read || p.Config.Compatibility.Status != nil)
	return min(r.severity, limitOf(p, r.change.Version, below))
}

func isStatus(field string) bool { return field == "status" || strings.HasPrefix(field, "status.") }

// limitOf is how severe findings about a version may be; about the CRD as a whole, without a version, as severe as those
// about one of the versions that clients used.
func limitOf(p *engine.Pass, version string, below bool) lint.Severity {
	c := &p.Config.Compatibility
	if version != "" {
		return config.Limit(c, version, below)
	}
	most := lint.Off
	for _, v := range comparison(p).Old.Spec.Versions {
		if v.Served || v.Storage {
			most = max(most, config.Limit(c, v.Name, below))
		}
	}
	return most
}

// fewRemarks are so many that each is worth an entry of its own where the same happened to many fields: such changes come
// along when a type that is used in many places does. Errors always are.
const fewRemarks = 3

// remarks reports what a rule says about changes, of each version by itself. Where v1beta1 writes a schema once for all
// versions, they have one place, and are one finding, which is as severe as that of the most stable one.
func remarks(p *engine.Pass, all []*remark) {
	type place struct{ words, path string }
	var groups []*remarked
	known := map[place]*remarked{}
	for _, r := range all {
		severity := r.limit(p)
		if severity == lint.Off {
			continue
		}
		text := r.text()
		key := place{text(nil, nil).String(), r.path()}
		g := known[key]
		if g == nil {
			g = &remarked{remark: r, at: r.change.Is(), path: key.path, text: text, words: key.words}
			known[key] = g
			groups = append(groups, g)
		}
		g.severity = max(g.severity, severity)
		if v := r.change.Version; v != "" && !slices.Contains(g.versions, v) {
			g.versions = append(g.versions, v)
		}
	}
	tieRemarks(p, groups)
}

// A remarked is a remark that becomes a finding.
type remarked struct {
	*remark
	severity lint.Severity
	at       crd.Place
	path     string // of at, or of what has gone from there
	text     func(versions, items []string) text.Text
	words    string // what is the same in all versions, and of all items
	versions []string
}

func (r *remarked) report(p *engine.Pass) *engine.Finding {
	var items []string
	if r.of != nil {
		items = []string{r.item}
	}
	f := p.Reportf(r.at, "%s", r.text(r.versions, items)).AtMost(r.severity)
	f.At.Path, f.Item, f.Advice = r.path, r.item, r.advice
	f.Field, f.Versions, f.Old, f.New, f.Witness, f.About = r.field, r.versions, r.old, r.new, r.witness, r.text
	was := "was here"
	if p.Requires() {
		was = "the CRD of --require"
	}
	p.Was(f, r.change.Was(), was)
	if r.blame.at.Node != nil {
		p.Also(f, r.blame.at, r.blame.why)
	}
	return f
}

// tieRemarks reports remarks. The same about several versions, and about several items, is tied together; of warnings and
// infos also the same about many fields.
func tieRemarks(p *engine.Pass, groups []*remarked) {
	type words struct {
		severity lint.Severity
		text     string
	}
	versions, fields := map[words][]*engine.Finding{}, map[words][]words{} // the keys of fields are words without the field
	for _, g := range groups {
		f := g.report(p)
		said := words{f.Severity, g.words}
		alike := said
		if f.Severity < lint.Error {
			alike.text = strings.Replace(g.words, g.field, "", 1)
		}
		if versions[said] == nil {
			fields[alike] = append(fields[alike], said)
		}
		versions[said] = append(versions[said], f)
	}
	for _, list := range fields {
		var all []*engine.Finding
		for _, said := range list {
			engine.Together(versions[said])
			all = append(all, versions[said]...)
		}
		if len(list) > fewRemarks {
			engine.Together(all)
		}
	}
}

// memberPath is the path of a field, or of a member of it.
func memberPath(path, member string) string {
	if member == "" {
		return path
	}
	if path != "" {
		path += "."
	}
	return path + member
}

// fieldOf names the field that a change is about, with a member of it where one is given.
func fieldOf(c *compare.Change, member string) text.Text {
	if path := memberPath(c.Node.Path, member); path != "" {
		return text.Path(path)
	}
	return text.Sprintf("the resource")
}

// A judge says what there is to say about a change; nil about one that it does not mind.
type judge func(*engine.Pass, *compare.Change) *remark

func judging(id, summary string, severity lint.Severity, changes func(*engine.Pass) []*compare.Change, judge judge) *engine.Rule {
	return crds.Check(severity, id, summary, func(p *engine.Pass) { judgeEach(p, changes(p), judge) })
}

// judgeEach reports what there is to say about each of some changes.
func judgeEach(p *engine.Pass, changes []*compare.Change, judge judge) {
	var all []*remark
	for _, c := range changes {
		if r := judge(p, c); r != nil {
			all = append(all, r.about(c))
		}
	}
	remarks(p, all)
}
