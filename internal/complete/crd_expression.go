package complete

import (
	"bytes"
	"cmp"
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/cel"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// isExpression reports whether the part is one in CEL.
func (p *part) isExpression() bool {
	return p.in.name() == "ValidationRule" && (p.node.Key == "rule" || p.node.Key == "messageExpression")
}

// completeExpression offers the fields of the value that is written before an offset in an expression: self, oldSelf, or what is
// below.
func (w *writer) completeExpression(p *part, offset int) {
	src := w.text.Source
	start := w.Start + len(bytes.TrimRight(src[w.Start:offset], identifier))
	end := w.End - len(bytes.TrimLeft(src[offset:w.End], identifier))
	path, found := selection(src[w.Start:start])
	if !found {
		return
	}
	schema := p.schema()
	at, whole := schema.node, schema.isRoot()
	for _, step := range path {
		if step == anyItem {
			at = cmp.Or(at.Child("items"), at.Child("additionalProperties"))
		} else {
			at = selectable(at, whole)[step]
		}
		whole = false
	}
	word := writer{Spot: skeleton.Spot{Start: start, End: end}, text: w.text}
	for name, field := range selectable(at, whole) {
		doc, _, _ := strings.Cut(said(field, "description"), "\n\n")
		word.add(Item{Label: name, Kind: Field, Insert: name, Detail: cmp.Or(said(field, "type"), "integer or string"), Doc: doc})
	}
	w.items = append(w.items, word.items...)
}

// identifier are the letters of names in CEL.
const identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// anyItem is the step into a list or a map, whatever the index.
const anyItem = "[]"

// selection are the fields by which an expression that ends in a dot leads from self or oldSelf; found is false for one that does
// not.
func selection(src []byte) (path []string, found bool) {
	for {
		src = bytes.TrimSuffix(src, []byte("?")) // a.?b
		before, isField := bytes.CutSuffix(src, []byte("."))
		if !isField {
			return nil, false
		}
		for bytes.HasSuffix(before, []byte("]")) {
			open := opening(before)
			if open < 0 {
				return nil, false
			}
			before, path = before[:open], append([]string{anyItem}, path...)
		}
		src = bytes.TrimRight(before, identifier)
		switch name := string(before[len(src):]); {
		case name == "":
			return nil, false
		case (name == "self" || name == "oldSelf") && !bytes.HasSuffix(src, []byte(".")):
			return path, true
		default:
			path = append([]string{name}, path...)
		}
	}
}

// opening is where the bracket opens that an expression ends with; -1 where it does not.
func opening(src []byte) int {
	depth := 0
	for i := len(src) - 1; i >= 0; i-- {
		depth += map[byte]int{']': 1, '[': -1}[src[i]]
		if depth == 0 {
			return i
		}
	}
	return -1
}

// object is what rules know of every object.
var object = sync.OnceValue(func() *skeleton.Node {
	return skeleton.Of([]byte("{apiVersion: {type: string}, kind: {type: string}, "+
		"metadata: {type: object, properties: {name: {type: string}, generateName: {type: string}}}}"), 0)
})

// selectable are the schemas of the fields that an expression may select from a value, by the names that CEL has for them, as
// SchemaDeclType declares them: those whose type is known.
func selectable(schema *skeleton.Node, whole bool) map[string]*skeleton.Node {
	all := map[string]*skeleton.Node{}
	for _, c := range children(schema.Child("properties")) {
		if name, is := cel.Escape(c.Key); is && isDeclared(c) {
			all[name] = c
		}
	}
	if whole || said(schema, embedded) == "true" {
		for _, c := range object().Children {
			all[c.Key] = c
		}
	}
	return all
}

// isDeclared reports whether expressions know the values of a schema.
func isDeclared(n *skeleton.Node) bool {
	switch said(n, "type") {
	case "array":
		return isDeclared(n.Child("items"))
	case "":
		return said(n, intOrString) == "true"
	}
	return true
}
