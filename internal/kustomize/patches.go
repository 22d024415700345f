package kustomize

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A text is a document of a file that a build has read, or of a patch that is written inside one.
type text struct {
	*manifest.Document
	file  *manifest.File // the file as it is
	index int            // of the document in it
	whole *Spot          // of an inline patch whose lines are not those of the file: all of it
}

// spot returns the position of a node of the text.
func (t *text) spot(n *yaml.Node) (Spot, bool) {
	if t.whole != nil {
		return *t.whole, true
	}
	start, end, ok := t.Span(n)
	return Spot{t.file, t.index, start, end}, ok
}

// An operation is one of a JSON patch, RFC 6902.
type operation struct {
	text   *text
	node   *yaml.Node // all of it
	verb   string
	steps  []string // where it sets or removes something
	target *types.SelectorRegex
	labels []selection
}

// A selection is a selector of a patch's target, and the field of metadata that it selects by.
type selection struct {
	field string
	labels.Selector
}

// IsKustomization reports whether a file is called as kustomizations are.
func IsKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// readPatches collects the changes that a kustomization makes to resources: its inline patches, and the operations of
// all JSON patches. The texts are those of the files that were read, by their absolute paths.
func (s *sources) readPatches(path string, k *text, texts map[string][]*text) {
	root := k.Root.YNode()
	for _, field := range []string{"patchesStrategicMerge", "patches", "patchesJson6902"} {
		list := crd.Get(root, field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, item := range list.Content {
			item = crd.Deref(item)
			inline := item
			if item.Kind == yaml.MappingNode {
				inline = crd.Get(item, "patch")
			}
			if named := crd.StringAt(item, "path"); named != "" {
				s.addOperations(item, texts[filepath.Join(filepath.Dir(path), filepath.FromSlash(named))])
			} else if inline != nil && inline.Kind == yaml.ScalarNode {
				patch := k.inside(inline)
				s.addParts(patch)
				s.addOperations(item, patch)
			}
		}
	}
}

// inside reads a patch that is written as a scalar of a kustomization. Of a literal block, all around it is blanked out, so
// that the lines and columns of the patch are those of the file.
func (t *text) inside(n *yaml.Node) []*text {
	start, end, ok := t.Span(n)
	if !ok {
		return nil
	}
	source := t.file.Source
	header := bytes.IndexByte(source[start:end], '\n')
	if n.Style&yaml.LiteralStyle == 0 || header < 0 {
		return textsOf(manifest.Parse(t.file.Path, []byte(n.Value)), t.file, &Spot{t.file, t.index, start, end})
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
func textsOf(parsed, file *manifest.File, whole *Spot) (all []*text) {
	for _, d := range parsed.Documents {
		if d.Root != nil {
			all = append(all, &text{d, file, d.Index, whole})
		}
	}
	return all
}

// addParts notes the CRDs, and the patches of CRDs, of texts.
func (s *sources) addParts(texts []*text) {
	for _, t := range texts {
		found, _ := crd.Find(t.Root.YNode())
		for _, c := range found {
			s.written = append(s.written, sourceCRD{c, t})
		}
	}
}

// addOperations adds the operations of a JSON patch, given the entry of the kustomization that applies it. Other
// patches are not lists.
func (s *sources) addOperations(entry *yaml.Node, texts []*text) {
	var selector types.Selector
	if target := crd.Get(entry, "target"); target == nil || target.Decode(&selector) != nil {
		return
	}
	target, err := types.NewSelectorRegex(&selector)
	if err != nil {
		return // kustomize has refused it
	}
	var selections []selection
	for field, words := range map[string]string{"labels": selector.LabelSelector, "annotations": selector.AnnotationSelector} {
		if parsed, err := labels.Parse(words); err == nil && words != "" {
			selections = append(selections, selection{field, parsed})
		}
	}
	for _, t := range texts {
		list := t.Root.YNode()
		if list.Kind != yaml.SequenceNode {
			continue
		}
		for _, item := range list.Content {
			item = crd.Deref(item)
			s.operations = append(s.operations, operation{t, item, crd.StringAt(item, "op"), pointed(crd.StringAt(item, "path")), target, selections})
		}
	}
}

// pointed splits a JSON pointer, RFC 6901.
func pointed(pointer string) []string {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

// selects reports whether an operation is for a CRD, which has one of the names.
func (o *operation) selects(c *crd.CRD, names ...string) bool {
	group, version, _ := strings.Cut(crd.StringAt(c.APIVersion().Node), "/")
	if !o.target.MatchGvk(resid.Gvk{Group: group, Version: version, Kind: crd.Kind}) || !slices.ContainsFunc(names, o.target.MatchName) {
		return false
	}
	for _, selected := range o.labels {
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

// removed returns where an operation removes the value at a path of a CRD, of which the given number of steps still
// exist.
func (o *operation) removed(steps []string, there int) (Spot, bool) {
	if o.verb != "remove" || len(o.steps) <= there || !leads(o.steps, steps) {
		return Spot{}, false
	}
	return o.text.spot(crd.Get(o.node, "path"))
}

// lacking is where an operation removes a field that a mapping has not, though a message says that it should.
func (o *operation) lacking(steps []string, value *yaml.Node, message string) (Spot, bool) {
	last := len(o.steps) - 1
	if o.verb != "remove" || !slices.Equal(o.steps[:last], steps) || crd.Get(value, o.steps[last]) != nil {
		return Spot{}, false
	}
	words := strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if !slices.Contains(words, o.steps[last]) {
		return Spot{}, false
	}
	return o.text.spot(crd.Get(o.node, "path"))
}

// leads reports whether a pointer leads to a path, or to what holds it. A dash is the item that is appended to a list.
func leads(pointer, path []string) bool {
	if len(pointer) > len(path) {
		return false
	}
	for i, step := range pointer {
		if step != path[i] && (step != "-" || strings.Trim(path[i], "0123456789") != "") {
			return false
		}
	}
	return true
}
