package repair

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// intOrString recognises `anyOf: [{type: integer}, {type: string}]`, in any order, also as oneOf, and in the first branch
// of allOf, and writes it in a form that a structural schema may have. Where branches are loosened, it recognises
// all that takes integers and strings only.
func (r *repairer) intOrString(n node) {
	if n.isTrue(intOrStringKey) || n.has("type") || n.has(preserveKey) {
		return
	}
	at, fields := n.Place, []string{n.path(intOrStringKey)}
	var touched []*yaml.Node
	if holder, key := n.intOrStringAt(); key != "" {
		branches := holder.get(key)
		at = holder.at(key)
		if crd.StringAt(branches.Content[0], "type") != "integer" {
			touched = append(touched, layout.Separators(branches)...)
			slices.Reverse(branches.Content)
			fields = append(fields, holder.path("anyOf"))
		}
		if key == "oneOf" {
			touched = append(touched, holder.rename("oneOf", "anyOf")...)
			fields = append(fields, holder.path("anyOf"), holder.path("oneOf"))
		}
	} else if !r.policy.Loosen || accepts(n.Node) != integers|texts {
		return
	}
	touched = append(touched, n.set(intOrStringKey, layout.Bool(true))...)
	repair := r.addAt(at, policy.Safe, "schema-int-or-string-marked", n, "is an integer or a string; got "+intOrStringKey+": true")
	repair.Touched, repair.Fields = touched, fields
	r.acceptNull(n, repair)
}

// intOrStringAt finds the alternatives of an integer and a string in one of the places that structural schemas have for
// them (isIntOrStringAnyOfPattern and isIntOrStringAllOfPattern upstream), or could have; the key is "" where they are in
// none.
func (n node) intOrStringAt() (holder node, key string) {
	switch first := n.firstOfAll(); {
	case isIntOrString(n.get("anyOf")):
		return n, "anyOf"
	case isIntOrString(n.get("oneOf")) && !n.has("anyOf"):
		return n, "oneOf"
	case isIntOrString(first.get("anyOf")):
		return first, "anyOf"
	}
	return n, ""
}

// firstOfAll is the first branch of allOf; without a node where there is none.
func (n node) firstOfAll() (first node) {
	if all := branchesOf(n.Node, "allOf"); len(all) > 0 {
		first.Node, first.Path = crd.Deref(all[0]), crd.Item(n.path("allOf"), 0)
	}
	return first
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

// IsIntOrString reports whether a schema has no type but is declared to be an integer or a string, in one of the forms that
// IntOrString understands.
func IsIntOrString(n *yaml.Node) bool {
	s := node{Place: crd.Place{Node: crd.Deref(n)}}
	if s.Node == nil || s.Node.Kind != yaml.MappingNode || s.has("type") || s.typed() {
		return false
	}
	_, key := s.intOrStringAt()
	return key != ""
}
