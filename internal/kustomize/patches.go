package kustomize

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// An input is a document of a file that a build has read, or of a patch that is written inside one.
type input struct {
	*manifest.Document
	file  *manifest.File // the file as it is
	index int            // of the document in it
	whole *Spot          // of an inline patch whose lines are not those of the file: all of it
}

// spot returns the position of a node of the input.
func (t *input) spot(n *yaml.Node) (Spot, bool) {
	if t.whole != nil {
		return *t.whole, true
	}
	start, end, ok := t.Span(n)
	return Spot{File: t.file, Document: t.index, Start: start, End: end}, ok
}

// A source is what may have written a part of a CRD: a CRD of a file, or a patch.
type source struct {
	text       *input
	crd        *crd.CRD    // or the part of one that a strategic merge patch is; nil for a JSON patch
	operations []operation // of a JSON patch

	target *types.SelectorRegex // of a patch; nil where it names its CRD
	named  string               // by its target, perhaps as a pattern
	labels []selection
}

// An operation is one of a JSON patch, RFC 6902.
type operation struct {
	text  *input
	node  *yaml.Node // all of it
	verb  string
	steps []string // where it sets or removes something
	from  []string // where it takes the value from
}

// A selection is a selector of a patch's target, and the field of metadata that it selects by.
type selection struct {
	field string
	labels.Selector
}

// readPatches collects the patches of a kustomization in the order in which configureBuiltinTransformers of
// sigs.k8s.io/kustomize/api/internal/target applies them. The texts are those of the files that were read, by their absolute paths.
func (s *sources) readPatches(path string, k *input, texts map[string][]*input) {
	root := k.Root.YNode()
	for _, field := range []string{"patchesStrategicMerge", "patches", "patchesJson6902"} {
		for _, item := range items(root, field) {
			inline, named := item, crd.StringAt(item, "path")
			if item.Kind == yaml.MappingNode {
				inline = crd.Get(item, "patch")
			} else {
				named = item.Value
			}
			if texts := texts[filepath.Join(filepath.Dir(path), filepath.FromSlash(named))]; named != "" && len(texts) > 0 {
				s.addPatches(item, texts)
			} else if inline != nil && inline.Kind == yaml.ScalarNode {
				s.addPatches(item, k.inside(inline))
			}
		}
	}
}

// items are those of a list of a kustomization; none where there is no list.
func items(root *yaml.Node, field string) (all []*yaml.Node) {
	if list := crd.Get(root, field); list != nil && list.Kind == yaml.SequenceNode {
		for _, item := range list.Content {
			all = append(all, crd.Deref(item))
		}
	}
	return all
}

// inside reads a patch that is written as a scalar of a kustomization. Of a literal block, all around it is blanked out, so
// that the lines and columns of the patch are those of the file.
func (t *input) inside(n *yaml.Node) []*input {
	start, end, ok := t.Span(n)
	if !ok {
		return nil
	}
	source := t.file.Source
	header := bytes.IndexByte(source[start:end], '\n')
	if n.Style&yaml.LiteralStyle == 0 || header < 0 {
		return textsOf(manifest.Parse(t.file.Path, []byte(n.Value)), t.file, &Spot{File: t.file, Document: t.index, Start: start, End: end})
	}
	blanked := slices.Clone(source[:end])
	for i := range start + header {
		if blanked[i] != '\n' && blanked[i] != '\r' {
			blanked[i] = ' '
		}
	}
	all := textsOf(manifest.Parse(t.file.Path, blanked), t.file, nil)
	for _, one := range all {
		one.index = t.index
	}
	return all
}

// textsOf are the documents of a file that can be read.
func textsOf(parsed, file *manifest.File, whole *Spot) (all []*input) {
	for _, d := range parsed.Documents {
		if d.Root != nil {
			all = append(all, &input{d, file, d.Index, whole})
		}
	}
	return all
}

// addPatches adds patches, given the entry of the kustomization that applies them.
func (s *sources) addPatches(entry *yaml.Node, texts []*input) {
	var p source
	var selector types.Selector
	if target := crd.Get(entry, "target"); target != nil {
		var err error
		if target.Decode(&selector) != nil {
			return
		}
		if p.target, err = types.NewSelectorRegex(&selector); err != nil {
			return // kustomize has rejected it
		}
		p.named = selector.Name
	}
	for field, words := range map[string]string{"labels": selector.LabelSelector, "annotations": selector.AnnotationSelector} {
		if parsed, err := labels.Parse(words); err == nil && words != "" {
			p.labels = append(p.labels, selection{field, parsed})
		}
	}
	for _, t := range texts {
		p.text, p.crd, p.operations = t, nil, nil
		if root := t.Root.YNode(); root.Kind == yaml.SequenceNode {
			for _, item := range root.Content {
				p.operations = append(p.operations, newOperation(t, item))
			}
			s.patches = append(s.patches, p)
			continue
		}
		found := find(t.Root.YNode())
		if len(found) == 0 {
			s.others = append(s.others, p)
		}
		for _, p.crd = range found {
			s.patches = append(s.patches, p)
		}
	}
}

func newOperation(t *input, item *yaml.Node) operation {
	item = crd.Deref(item)
	return operation{t, item, crd.StringAt(item, "op"), pointed(crd.StringAt(item, "path")), pointed(crd.StringAt(item, "from"))}
}

// pointed splits a JSON pointer, RFC 6901.
func pointed(pointer string) []string {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

// selects reports whether a patch is for a CRD, which has one of the names.
func (p *source) selects(c *crd.CRD, names ...string) bool {
	if p.target == nil {
		return p.crd != nil && slices.Contains(names, p.crd.Name())
	}
	group, version, _ := strings.Cut(crd.StringAt(c.APIVersion().Node), "/")
	if !p.target.MatchGvk(resid.Gvk{Group: group, Version: version, Kind: cmp.Or(crd.StringAt(c.Node, "kind"), crd.Kind)}) || !slices.ContainsFunc(names, p.target.MatchName) {
		return false
	}
	for _, selected := range p.labels {
		set := labels.Set{}
		for _, e := range crd.Entries(crd.Get(crd.Get(c.Node, "metadata"), selected.field)) {
			set[e.Name] = crd.Deref(e.Value).Value
		}
		if !selected.Matches(set) {
			return false
		}
	}
	return true
}

// wrote returns where a patch has written a value of a CRD that was built; false where it has not. A part has a mapping
// only to hold something else, unless that is in a list, which takes the place of the CRD's. A schema may have kustomize merge
// the two: then there are more items.
func (p *source) wrote(t target, built *crd.CRD) (Spot, bool) {
	for _, o := range slices.Backward(p.operations) {
		if spot, ok := o.wrote(t.steps, t.value, t.onKey); ok {
			return spot, true
		}
	}
	if p.crd != nil && t.value.Kind != yaml.ScalarNode {
		n, whole := displaced(p.crd, t.steps)
		_, list := entry(p.crd.Node, t.steps[:n])
		_, made := entry(built.Node, t.steps[:n])
		if !whole || list.Kind == yaml.SequenceNode && len(list.Content) != len(made.Content) {
			return Spot{}, false
		}
	}
	return t.in(p)
}

// wrote returns where an operation has written the value at a path of a CRD, given that value and whether the finding
// is about the key; false where it has not.
func (o *operation) wrote(steps []string, value *yaml.Node, onKey bool) (Spot, bool) {
	if !leads(o.steps, steps) {
		return Spot{}, false
	}
	switch o.verb {
	case "add", "replace":
	case "move", "copy": // the value is elsewhere
		return o.text.spot(crd.Get(o.node, "path"))
	default:
		return Spot{}, false
	}
	k, v := entry(o.node, append([]string{"value"}, steps[len(o.steps):]...))
	if v == nil || !same(v, value) {
		return Spot{}, false
	}
	return o.text.spot(head(k, v, onKey))
}

// leads reports whether a pointer leads to a path, or to what holds it. A dash is the item that is appended to a list.
func leads(pointer, path []string) bool {
	if len(pointer) > len(path) {
		return false
	}
	for i, step := range pointer {
		if step != path[i] && (step != "-" || !crd.IsIndex(path[i])) {
			return false
		}
	}
	return true
}
