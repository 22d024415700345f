package rules

import (
	"maps"
	"slices"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// TestPlaces checks the place of every finding of every fixture: the path leads to a node of a CRD in the manifest, and
// the position is that of the node or of its key. What is missing now that was there before stands at the node that it
// is missing from.
func TestPlaces(t *testing.T) {
	t.Parallel()
	checked, excused := 0, map[string]bool{}
	for _, f := range fixtures(t) {
		text := manifest.Parse(f.path, f.src)
		for _, found := range f.report(t).Findings {
			if found.Pos.File != f.path || found.Rule.Suite { // in the CRD that the fixture's objects are judged by, or by the names of cases
				continue
			}
			checked++
			complaint := misplacement(text, found)
			if complaint == "" {
				continue
			}
			excuse := found.Rule.ID
			if elsewhere[excuse] == "" {
				excuse += " of " + f.path
			}
			if excused[excuse] = true; elsewhere[excuse] == "" {
				t.Errorf("%s:%d:%d: %s: %s: %s", f.path, found.Pos.Line, found.Pos.Column, found.Rule.ID, found.Path, complaint)
			}
		}
	}
	if checked < 1800 {
		t.Errorf("the fixtures have only %d findings", checked)
	}
	for _, excuse := range slices.Sorted(maps.Keys(elsewhere)) {
		if !excused[excuse] {
			t.Errorf("%s need not be excused", excuse)
		}
	}
}

// elsewhere are the rules, and the rules of single fixtures, whose findings do not stand at a node that their path leads
// to, and why.
var elsewhere = map[string]string{
	"cel-compile-error":            "points to the part of the expression that is wrong",
	"cel-message-expression-error": "points to the part of the expression that is wrong",
	"yaml-directive":               "a directive is no node",
	"yaml-syntax":                  "there are no nodes",
	"migrate-left-over":            "points to a part of a text",
	"migrate-unwritable":           "points to what cannot be changed, such as a merge key",

	"migrate-not-alike of testdata/migrate/migrate-not-alike/want.yaml": "a template has no nodes",

	"object-refused-always of testdata/upgrade/object-refused-always/want.yaml": "the rule of the root is about spec alone",

	"scope-invalid of testdata/engine/document-head-misspelt/want.yaml":         "what belongs below spec stands beside it",
	"storage-version-count of testdata/engine/document-head-misspelt/want.yaml": "what belongs below spec stands beside it",
}

// misplacement is what is wrong with the place of a finding, "" for nothing.
func misplacement(text *manifest.File, f *lint.Finding) string {
	d := text.Documents[f.Document]
	if d.Root == nil {
		return "the document does not parse"
	}
	complaint := "the document has no CRD"
	for _, n := range mappings(d.Root.YNode()) {
		steps := crd.Steps(f.Path)
		if len(steps) == 0 && f.Object != nil { // the object as a whole
			steps = []string{"kind"}
		}
		at := follow(n, steps, f.Rule.NeedsOld || f.Object != nil)
		if at == nil {
			complaint = "the path leads nowhere"
		} else if slices.Contains(at.positions(d), f.Pos) {
			return ""
		} else {
			complaint = "the position is not that of the node or its key"
		}
	}
	return complaint
}

// mappings are the CRDs and custom resources of a document, what was meant to be one, and the manifests that lack a separator between them.
func mappings(root *yaml.Node) (all []*yaml.Node) {
	apart := crd.Apart(root)
	for _, part := range append([]*yaml.Node{root}, apart...) {
		found, _ := crd.Find(part)
		for _, c := range append(found, crd.Meant(part)...) {
			all = append(all, c.Node)
		}
	}
	resources, _ := objects.Find(root)
	for _, o := range resources {
		all = append(all, o.Node)
	}
	return append(all, apart...)
}

// An entry is a node with its key in a mapping, nil for the item of a list.
type entry struct{ key, value *yaml.Node }

// follow returns the entry at the end of a path, nil if there is none. In a path of the older manifest, items of lists
// have their names for indexes, and it ends early where the newer one has nothing.
func follow(n *yaml.Node, steps []string, older bool) *entry {
	at := &entry{value: n}
	for _, step := range steps {
		next := at.below(step, older)
		if next == nil {
			if older {
				return at
			}
			return nil
		}
		at = next
	}
	return at
}

// below returns what a step of a path leads to, nil for nothing.
func (e *entry) below(step string, named bool) *entry {
	n := crd.Deref(e.value)
	if n.Kind != yaml.SequenceNode {
		if k, v := crd.Lookup(n, step); k != nil {
			return &entry{k, v}
		}
		return nil
	}
	for i, item := range n.Content {
		if crd.Item("", i) == crd.Under("", step) || named && slices.Contains(namesOf(item), step) {
			return &entry{value: item}
		}
	}
	return nil
}

// namesOf are what paths may call an item of a list.
func namesOf(item *yaml.Node) []string {
	return []string{item.Value, crd.StringAt(item, "name"), crd.StringAt(item, "jsonPath")}
}

// positions are where a finding may stand: at the key; and at the value, if that is a scalar or empty, or has no key. A
// collection stands where it begins.
func (e *entry) positions(d *manifest.Document) []lint.Position {
	var all []lint.Position
	add := func(n *yaml.Node) {
		if start, end, ok := d.Span(n); ok {
			all = append(all, d.File.Range(start, end))
		}
	}
	if e.key != nil {
		add(e.key)
	}
	if e.key == nil || len(e.value.Content) == 0 {
		add(crd.FirstKey(e.value))
	}
	return all
}
