package carry

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// Template migrates the objects of a Helm template that was opened. Its values are not known, so that only the apiVersion changes, where it
// is plain text and the versions are alike. Edits count from the start of the file.
func (c *Carrier) Template(o *manifest.Contents) *Result {
	out := &Result{}
	if o.Template == nil {
		return out
	}
	judged := map[int]int{} // the apiVersions that were, in whatever world: where they begin and end
	for _, world := range o.Worlds {
		for _, d := range world.Documents {
			if d = d.Parsed(); d.Root != nil {
				t := &tending{Carrier: c, d: d, out: out}
				t.template(d.Opaque(), judged)
			}
		}
	}
	slices.SortFunc(out.Edits, func(a, b rewrite.Edit) int { return a.Start - b.Start })
	for _, n := range c.Text([]byte(o.Template.Source)) {
		known := false
		for start, end := range judged {
			known = known || start <= n.Start && n.End <= end
		}
		if !known {
			out.Notes = append(out.Notes, n)
		}
	}
	slices.SortStableFunc(out.Notes, func(a, b Note) int { return a.Start - b.Start })
	return out
}

// template carries what is in a document of a template, but for what was judged already.
func (t *tending) template(opaque *manifest.Opaque, judged map[int]int) {
	root := t.d.Root.YNode()
	whole := map[*yaml.Node]bool{}
	t.stay = t.patched(root)
	for _, s := range subjectsIn(root) {
		whole[s.Node] = true
	}
	within(root, func(n *yaml.Node) bool {
		to := reference(n)
		if to == nil {
			return true
		}
		_, at := crd.Lookup(n, "apiVersion")
		_, kind := crd.Lookup(n, "kind")
		start, end, ok := t.d.Span(at)
		if judged[start] != 0 || !ok || !whole[n] && t.References == IgnoreReferences {
			return true
		}
		judged[start] = end
		item := Item{Object: to, To: to.Version}
		if opaque.Prints(at) || opaque.Prints(kind) {
			if whole[n] {
				t.out.LeftAlone++
			}
			return true
		}
		t.templated(&item, at, !whole[n])
		if whole[n] {
			t.out.Items = append(t.out.Items, item)
		}
		return true
	})
}

// templated carries an object of a template, or a reference to one, whose apiVersion is plain text.
func (t *tending) templated(item *Item, at *yaml.Node, refers bool) {
	m := t.kindOf(item.Group, item.Version, item.Kind)
	if item.Definition = m.Definition; m.Definition == nil {
		if item.State = NoCRD; m.Verdict == objects.BuiltIn {
			item.State = Passed
		}
		return
	}
	way, state, why := t.way(m.Definition, item.Version)
	item.State = state
	start, end, _ := t.d.Span(at)
	version := strings.LastIndex(string(t.d.File.Source[start:end]), "/"+item.Version)
	switch {
	case why != "":
		t.note(Note{Rule: "migrate-refused", Object: item.Object, Node: at, Message: text.Reason(why)})
	case state != Moved:
	case refers && t.References == ReportReferences:
		t.note(leftOver(at, item.APIVersion()))
	case !refers && !way.Alike:
		item.State = Refused
		t.note(Note{Rule: "migrate-not-alike", Object: item.Object, Node: at,
			Message: text.Sprintf("crdlift cannot migrate this template, because %s and %s differ; render it, migrate the result, and copy the changes into the template", way.From, way.To)})
	case t.stay[item.APIVersion()+" "+item.Kind]:
		t.note(unfollowed(at, item.APIVersion()))
	case version < 0 || at.Kind != yaml.ScalarNode:
		item.State = Refused
		t.note(Note{Rule: "migrate-unwritable", Object: item.Object, Node: at,
			Message: text.Sprintf("the apiVersion is an alias, or written with escapes; write it plainly")})
	default:
		item.To = way.To
		if refers {
			t.out.References++
		}
		begin := start + version + 1
		t.out.Edits = append(t.out.Edits, rewrite.Edit{Start: begin, End: begin + len(item.Version), New: way.To})
	}
}
