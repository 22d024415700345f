package complete

import (
	"bytes"
	"strings"

	"k8s.io/apiserver/pkg/cel"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// isExpression reports whether the part is one in CEL.
func (p *part) isExpression() bool {
	return p.in.name() == "ValidationRule" && (p.node.Key == "rule" || p.node.Key == "messageExpression")
}

// A selected value is one that an expression leads to.
type selected struct {
	schema *skeleton.Node // nil for what no CRD describes
	object bool           // it has apiVersion, kind and metadata, as every object
	meta   bool           // it is the metadata of such a one
}

// completeExpression offers the fields of the value that is written before an offset in an expression: self, oldSelf, or what is
// below.
func (w *writer) completeExpression(p *part, offset int) {
	src, begin := w.text.Source, w.Start
	start := begin + len(bytes.TrimRight(src[begin:offset], identifier))
	end := offset + len(src[offset:w.End]) - len(bytes.TrimLeft(src[offset:w.End], identifier))
	path, found := selection(src[begin:start])
	if !found {
		return
	}
	schema := p.schema()
	at := selected{schema: schema.node, object: schema.isRoot() || said(schema.node, embedded) == "true"}
	for _, step := range path {
		at = at.below(step)
	}
	word := *w
	word.Start, word.End, word.items = start, end, nil
	for i, name := range at.names() {
		below := at.below(name)
		doc, _, _ := strings.Cut(said(below.schema, "description"), "\n\n")
		word.add(Item{Label: name, Kind: Field, Insert: name, Rank: i, Detail: below.is(), Doc: doc})
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
		switch src[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// names are the fields that an expression may select, as SchemaDeclType declares them: those of a known type, with names that CEL
// takes.
func (s selected) names() (names []string) {
	switch {
	case s.meta:
		return []string{"name", "generateName"}
	case s.object:
		names = []string{"apiVersion", "kind", "metadata"}
	}
	for _, c := range children(s.schema.Child("properties")) {
		name, is := cel.Escape(c.Key)
		if !is || s.object && (name == "apiVersion" || name == "kind" || name == "metadata") || !isDeclared(c) {
			continue
		}
		names = append(names, name)
	}
	return names
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

// below is what a field, or any item, of a value is.
func (s selected) below(step string) selected {
	if step == anyItem {
		below := s.schema.Child("items")
		if below == nil {
			below = s.schema.Child("additionalProperties")
		}
		return selected{schema: below, object: said(below, embedded) == "true"}
	}
	for _, c := range children(s.schema.Child("properties")) {
		if name, is := cel.Escape(c.Key); is && name == step {
			return selected{schema: c, object: said(c, embedded) == "true", meta: s.object && step == "metadata"}
		}
	}
	return selected{meta: s.object && step == "metadata"}
}

// is is the type of the value.
func (s selected) is() string {
	switch {
	case s.meta:
		return "object"
	case said(s.schema, intOrString) == "true":
		return "integer or string"
	case s.schema == nil:
		return "string"
	}
	return said(s.schema, "type")
}
