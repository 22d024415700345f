package repair

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A branch is a schema inside a junctor. It speaks about the value that a node outside describes.
type branch struct {
	node
	outer  *node // describes the same value outside junctors; nil when nothing does
	inRoot bool  // reached from the root's junctors, where upstream wants every field declared outside as well
}

// branch repairs the keywords of one branch and of those nested in it.
func (r *repairer) branch(b branch) {
	for _, key := range []string{"description", "title", "$schema"} {
		if b.get(key) != nil {
			r.dropFromBranch(b, key, key+" is not allowed inside a junctor and has no effect there; it was removed")
		}
	}
	for _, e := range crd.Entries(b.Node) {
		if strings.HasPrefix(e.Name, "x-kubernetes-") && e.Name != "x-kubernetes-validations" {
			r.dropFromBranch(b, e.Name, e.Name+" has no effect inside a junctor; it was removed")
		}
	}
	if b.get("nullable") != nil && b.text("type") == "" {
		r.dropFromBranch(b, "nullable", "nullable has no effect inside a junctor; it was removed")
	}
	if always, ok := crd.BoolAt(b.Node, "additionalProperties"); ok && always {
		r.dropFromBranch(b, "additionalProperties", "additionalProperties: true has no effect inside a junctor; it was removed")
	} else if r.policy.Loosen && b.get("additionalProperties") != nil {
		r.drop(b.node, "additionalProperties", policy.Changes, "schema-junctor-loosened", "additionalProperties inside a junctor was removed; more values are accepted now")
	}
	for _, e := range b.entries("properties") {
		if child := crd.Deref(e.Value); child.Kind == yaml.MappingNode {
			member := node{Place: crd.Place{Node: child, Path: crd.Under(b.path("properties"), e.Name)}}
			said := len(child.Content) > 0
			r.nested(branch{member, r.declared(b, "properties", e.Name), b.inRoot}, e.Name)
			if said { // an empty schema of the author's is structural, and stays
				r.dropEmpty(b, "properties", e)
			}
		}
	}
	if items, ok := b.under("items"); ok {
		r.nested(branch{items, r.declared(b, "items", ""), b.inRoot}, "items")
	}
	for _, key := range junctorKeys {
		r.junctor(b.node, key, b.outer, b.inRoot)
	}
}

// nested repairs a schema of a member or of items, inside a branch. Its type goes when the node outside has the same.
func (r *repairer) nested(b branch, name string) {
	typ, outerType := b.text("type"), ""
	if b.outer != nil {
		r.named[b.outer.Node] |= names(b.Node)
		outerType = b.outer.text("type")
	}
	switch {
	case typ == "":
	case typ == outerType, typ == "number" && outerType == "integer":
		r.dropFromBranch(b, "type", fmt.Sprintf("type: %s of %s inside a junctor repeats the type outside", typ, name))
	case r.policy.Loosen:
		r.drop(b.node, "type", policy.Changes, "schema-junctor-loosened", "a type inside a junctor was dropped, since a structural schema cannot have it; more values are accepted now")
	}
	r.branch(b)
}

// declared finds the node outside junctors that describes a member or the items, and declares one where upstream
// wants it or pruning would otherwise take what only the junctor mentions.
func (r *repairer) declared(b branch, key, name string) *node {
	if b.outer == nil {
		return nil
	}
	o := *b.outer
	if key == "items" {
		if items, ok := o.under("items"); ok {
			return &node{Place: items.Place, level: itemLevel}
		}
		return nil
	}
	if _, v := crd.Lookup(o.get("properties"), name); v != nil && crd.Deref(v).Kind == yaml.MappingNode {
		return &node{Place: crd.Place{Node: crd.Deref(v), Path: crd.Under(o.path("properties"), name)}, level: fieldLevel}
	}
	if more, ok := o.under("additionalProperties"); ok {
		return &node{Place: more.Place, level: fieldLevel}
	}
	pruned := !r.policy.Pruned && !r.policy.KeepUnknown && !o.marked()
	if !b.inRoot && !pruned || o.has("additionalProperties") || o.level == rootLevel && name == "metadata" {
		return nil
	}
	stub := layout.Mapping(preserveKey, layout.Bool(true))
	child := node{Place: crd.Place{Node: stub, Path: crd.Under(o.path("properties"), name)}, level: fieldLevel}
	var touched []*yaml.Node
	if properties := o.get("properties"); properties != nil && properties.Kind == yaml.MappingNode {
		touched = layout.Set(properties, name, stub)
	} else {
		touched = o.set("properties", layout.Mapping(name, stub))
	}
	repair := r.add(policy.Safe, "schema-declared-outside-junctor", o,
		fmt.Sprintf("%s is only described inside a junctor; it was declared outside as well", name), "properties")
	repair.Touched, repair.Mark = touched, true
	r.acceptNull(child, repair)
	return &child
}

// dropEmpty removes a member of a branch whose schema has become empty, and then says nothing.
func (r *repairer) dropEmpty(b branch, key string, e crd.Entry) {
	if len(crd.Deref(e.Value).Content) > 0 || e.Value.Kind == yaml.AliasNode {
		return
	}
	holder := b.get(key)
	touched := append(layout.Remove(holder, e.Name), e.Value)
	if len(holder.Content) == 0 {
		touched = append(touched, layout.Remove(b.Node, key)...)
	}
	repair := r.add(policy.Safe, "schema-junctor-cleared", b.node, e.Name+" no longer has an effect inside the junctor; it was removed", key)
	repair.Touched = touched
}

// dropFromBranch removes a keyword from a branch and says why that changes nothing.
func (r *repairer) dropFromBranch(b branch, key, message string) {
	repair := r.drop(b.node, key, policy.Safe, "schema-junctor-cleared", message)
	if len(b.Node.Content) == 0 {
		repair.Touched = append(repair.Touched, b.Node)
	}
}
