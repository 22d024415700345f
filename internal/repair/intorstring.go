package repair

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// intOrString recognises `anyOf: [{type: integer}, {type: string}]`, in any order and also as oneOf, and writes it in
// the one form that a structural schema may have (H7).
func (r *repairer) intOrString(n node) {
	if n.isTrue(intOrStringKey) || n.has("type") || n.has(preserveKey) {
		return
	}
	key := "anyOf"
	if !isIntOrString(n.get(key)) {
		if key = "oneOf"; !isIntOrString(n.get(key)) || n.has("anyOf") {
			return
		}
	}
	fields := []string{intOrStringKey}
	var touched []*yaml.Node
	at := n.at(key)
	branches := n.get(key)
	if crd.StringAt(branches.Content[0], "type") != "integer" {
		touched = append(touched, separators(branches)...)
		slices.Reverse(branches.Content)
		fields = append(fields, "anyOf")
	}
	if key == "oneOf" {
		touched = append(touched, n.rename("oneOf", "anyOf")...)
		fields = append(fields, "anyOf", "oneOf")
	}
	touched = append(touched, n.set(intOrStringKey, Bool(true))...)
	repair := r.addAt(at, Safe, "schema-int-or-string-missing", n, "is an integer or a string; got "+intOrStringKey+": true", fields...)
	repair.Touched = touched
	r.acceptNull(n, repair)
}

func isIntOrString(n *yaml.Node) bool {
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
		return false
	}
	var types []string
	for _, b := range n.Content {
		b = crd.Deref(b)
		if b.Kind != yaml.MappingNode || len(crd.Entries(b)) != 1 {
			return false
		}
		types = append(types, crd.StringAt(b, "type"))
	}
	slices.Sort(types)
	return types[0] == "integer" && types[1] == "string"
}

// intOrStringBelow is the second form that upstream knows, with the anyOf in the first branch of allOf:
// isIntOrStringAllOfPattern.
func (s *Single) intOrStringBelow() {
	all := s.node.get("allOf")
	if all == nil || all.Kind != yaml.SequenceNode || len(all.Content) == 0 {
		return
	}
	first := crd.Get(all.Content[0], "anyOf")
	if !isIntOrString(first) {
		return
	}
	if crd.StringAt(first.Content[0], "type") != "integer" {
		slices.Reverse(first.Content)
	}
	s.node.set(intOrStringKey, Bool(true))
	s.add(Safe, "schema-int-or-string-missing", s.node, "is an integer or a string", intOrStringKey)
}

// IsIntOrString says whether a schema has no type but is told to be an integer or a string, in one of the forms that
// IntOrString understands.
func IsIntOrString(n *yaml.Node) bool {
	s := node{Place: crd.Place{Node: crd.Deref(n)}}
	if s.Node == nil || s.Node.Kind != yaml.MappingNode || s.has("type") || s.typed() {
		return false
	}
	if isIntOrString(s.get("anyOf")) || isIntOrString(s.get("oneOf")) && !s.has("anyOf") {
		return true
	}
	all := s.get("allOf")
	return all != nil && all.Kind == yaml.SequenceNode && len(all.Content) > 0 && isIntOrString(crd.Get(all.Content[0], "anyOf"))
}
