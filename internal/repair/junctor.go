package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A junctor is allOf, anyOf, oneOf or not.
var junctorKeys = []string{"allOf", "anyOf", "oneOf", "not"}

// A branch is a schema inside a junctor. It speaks about the value that a node outside describes.
type branch struct {
	crd.Place
	outer  *node // describes the same value outside junctors; nil when nothing does
	inRoot bool  // reached from the root's junctors, where upstream wants every field declared outside as well
}

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

// junctors repairs what stands inside the junctors of a node.
func (r *repairer) junctors(n node) {
	outer := n
	for _, key := range junctorKeys {
		r.junctor(crd.Place{Node: n.Node, Path: n.Path}, key, &outer, n.level == rootLevel)
	}
}

// junctor repairs one junctor of the schema at holder, which is the node itself or a branch of it.
func (r *repairer) junctor(holder crd.Place, key string, outer *node, inRoot bool) {
	j := crd.Get(holder.Node, key)
	if j == nil {
		return
	}
	if key == "anyOf" && outer != nil && outer.isTrue(intOrStringKey) && isIntOrString(j) {
		return // the one place where types are allowed: isIntOrStringAnyOfPattern and ...AllOfPattern upstream
	}
	path := crd.Join(holder.Path, key)
	var branches []branch
	if key == "not" {
		if j.Kind == yaml.MappingNode {
			branches = []branch{{crd.Place{Node: j, Path: path}, outer, inRoot}}
		}
	} else if j.Kind == yaml.SequenceNode {
		for i, b := range j.Content {
			if b = crd.Deref(b); b.Kind == yaml.MappingNode {
				branches = append(branches, branch{crd.Place{Node: b, Path: crd.Under(path, itoa(i))}, outer, inRoot})
			}
		}
	}
	r.hoistType(key, branches, outer)
	if r.settleTypes(holder, key, branches, outer) {
		return // the junctor is gone
	}
	for _, b := range branches {
		r.branch(b)
	}
}

// hoistType moves a type that all branches share to the node outside that has none (H16).
func (r *repairer) hoistType(key string, branches []branch, outer *node) {
	if key == "not" || len(branches) == 0 || outer == nil || outer.typed() || outer.has("type") {
		return
	}
	typ := ""
	for _, b := range branches {
		t := crd.StringAt(b.Node, "type")
		if t == "" && key == "allOf" {
			continue // one branch of allOf is enough: all must hold
		}
		if t == "" || typ != "" && t != typ || !slices.Contains(validTypes, t) {
			return
		}
		typ = t
	}
	if typ == "" {
		return
	}
	touched := outer.set("type", String(typ))
	repair := r.add(Safe, "schema-junctor-forbidden-field", *outer,
		fmt.Sprintf("type: %s moved here from inside %s, where every branch had it", typ, key), "type")
	repair.Touched = touched
	r.acceptNull(*outer, repair)
}

// settleTypes deals with types inside a junctor, which a structural schema does not allow there (H16). It says whether
// the whole junctor was removed.
func (r *repairer) settleTypes(holder crd.Place, key string, branches []branch, outer *node) (gone bool) {
	outerType := ""
	if outer != nil {
		outerType = outer.text("type")
	}
	var impossible []branch
	for _, b := range branches {
		typ := crd.StringAt(b.Node, "type")
		switch {
		case typ == "" || !slices.Contains(validTypes, typ):
		case typ == outerType, typ == "number" && outerType == "integer":
			if key == "not" && len(crd.Entries(b.Node)) == 1 {
				continue // nothing would be left to forbid
			}
			r.dropFromBranch(b, "type", fmt.Sprintf("type: %s inside %s repeats the type outside", typ, key))
		case outerType != "" && !(typ == "integer" && outerType == "number"):
			impossible = append(impossible, b)
		}
	}
	if len(impossible) > 0 && r.dropImpossible(holder, key, branches, impossible, outerType) {
		return true
	}
	if r.alwaysHolds(holder, key) {
		return true
	}
	if r.policy.Loosen {
		return r.loosenTypes(holder, key, branches, outer)
	}
	return false
}

// dropImpossible removes branches that no value of the type outside can satisfy. Those of allOf stay: with them no
// value is valid, and that is a person's to mend.
func (r *repairer) dropImpossible(holder crd.Place, key string, all, impossible []branch, outerType string) (gone bool) {
	message := fmt.Sprintf("a branch for another type than %s can never hold; it was removed", outerType)
	n := node{Place: holder}
	switch {
	case key == "not":
		at := n.at(key)
		touched := append(EveryNode(n.get(key)), Remove(holder.Node, key)...)
		r.addAt(at, Safe, "schema-junctor-forbidden-field", n, fmt.Sprintf("`not` speaks of another type than %s and always holds; it was removed", outerType), key).Touched = touched
		return true
	case key == "allOf" || len(impossible) == len(all):
		return false
	}
	list := crd.Get(holder.Node, key)
	repair := r.addAt(impossible[0].Place, Safe, "schema-junctor-forbidden-field", n, message, key)
	for _, b := range impossible {
		i := slices.IndexFunc(list.Content, func(c *yaml.Node) bool { return crd.Deref(c) == b.Node })
		repair.Touched = append(repair.Touched, EveryNode(list.Content[i])...)
		repair.Touched = append(repair.Touched, separators(list)...)
		list.Content = slices.Delete(list.Content, i, i+1)
	}
	return false
}

// alwaysHolds removes an anyOf that has a branch without any keyword, or an allOf of nothing but such branches: every
// value satisfies it.
func (r *repairer) alwaysHolds(holder crd.Place, key string) bool {
	list := crd.Get(holder.Node, key)
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return false
	}
	empty := 0
	for _, b := range list.Content {
		if b = crd.Deref(b); b.Kind == yaml.MappingNode && len(b.Content) == 0 {
			empty++
		}
	}
	holds := key == "anyOf" && empty > 0 || key == "oneOf" && len(list.Content) == 1 && empty == 1 || key == "allOf" && empty == len(list.Content)
	if !holds {
		return false
	}
	n := node{Place: holder}
	at := n.at(key)
	touched := append(EveryNode(list), Remove(holder.Node, key)...)
	r.addAt(at, Safe, "schema-junctor-forbidden-field", n, key+" had come to accept every value; it was removed", key).Touched = touched
	return true
}

// loosenTypes drops the types that are left. Without them an anyOf may accept more, a oneOf could match twice and
// refuse, a `not` could refuse more; those become anyOf or go.
func (r *repairer) loosenTypes(holder crd.Place, key string, branches []branch, outer *node) (gone bool) {
	typed := false
	for _, b := range branches {
		typed = typed || crd.StringAt(b.Node, "type") != ""
	}
	if !typed {
		return false
	}
	n := node{Place: holder}
	at := n.at(key)
	remove := key == "not"
	for _, b := range branches {
		remove = remove || key != "allOf" && len(crd.Entries(b.Node)) == 1 && crd.StringAt(b.Node, "type") != ""
	}
	if remove {
		touched := append(EveryNode(crd.Get(holder.Node, key)), Remove(holder.Node, key)...)
		r.addAt(at, Changes, "schema-junctor-forbidden-field", n, key+" told values apart by type, which a structural schema cannot say; it was removed and more values are accepted now", key).Touched = touched
		return true
	}
	var touched []*yaml.Node
	for _, b := range branches {
		touched = append(touched, Remove(b.Node, "type")...)
	}
	fields := []string{key}
	if key == "oneOf" {
		touched = append(touched, n.rename("oneOf", "anyOf")...)
		fields = append(fields, "anyOf")
	}
	r.addAt(at, Changes, "schema-junctor-forbidden-field", n, "types inside "+key+" were dropped, since a structural schema cannot have them; more values are accepted now", fields...).Touched = touched
	return r.alwaysHolds(holder, key)
}

// branch repairs the keywords of one branch and goes on into what it nests.
func (r *repairer) branch(b branch) {
	for _, key := range []string{"description", "title", "$schema"} {
		if crd.Get(b.Node, key) != nil {
			r.dropFromBranch(b, key, key+" is not allowed inside a junctor and has no effect there; it was removed")
		}
	}
	for _, e := range crd.Entries(b.Node) {
		if strings.HasPrefix(e.Name, "x-kubernetes-") && e.Name != "x-kubernetes-validations" {
			r.dropFromBranch(b, e.Name, e.Name+" has no effect inside a junctor; it was removed")
		}
	}
	if crd.Get(b.Node, "nullable") != nil && crd.StringAt(b.Node, "type") == "" {
		r.dropFromBranch(b, "nullable", "nullable has no effect inside a junctor; it was removed")
	}
	if always, ok := crd.BoolAt(b.Node, "additionalProperties"); ok && always {
		r.dropFromBranch(b, "additionalProperties", "additionalProperties: true has no effect inside a junctor; it was removed")
	} else if r.policy.Loosen && crd.Get(b.Node, "additionalProperties") != nil {
		at := node{Place: b.Place}.at("additionalProperties")
		touched := append(EveryNode(crd.Get(b.Node, "additionalProperties")), Remove(b.Node, "additionalProperties")...)
		r.addAt(at, Changes, "schema-junctor-forbidden-field", node{Place: b.Place}, "additionalProperties inside a junctor was removed; more values are accepted now", "additionalProperties").Touched = touched
	}
	for _, e := range crd.Entries(crd.Get(b.Node, "properties")) {
		if child := crd.Deref(e.Value); child.Kind == yaml.MappingNode {
			place := crd.Place{Node: child, Path: crd.Under(crd.Join(b.Path, "properties"), e.Name)}
			outer := r.declared(b, "properties", e.Name)
			r.nested(branch{place, outer, b.inRoot}, e.Name)
			r.dropEmpty(b, "properties", e)
		}
	}
	if items := crd.Get(b.Node, "items"); items != nil && items.Kind == yaml.MappingNode {
		r.nested(branch{crd.Place{Node: items, Path: crd.Join(b.Path, "items")}, r.declared(b, "items", ""), b.inRoot}, "items")
	}
	for _, key := range junctorKeys {
		r.junctor(b.Place, key, b.outer, b.inRoot)
	}
}

// dropEmpty removes a member of a branch whose schema has become empty, and then says nothing.
func (r *repairer) dropEmpty(b branch, key string, e crd.Entry) {
	if len(crd.Deref(e.Value).Content) > 0 || e.Value.Kind == yaml.AliasNode {
		return
	}
	holder := crd.Get(b.Node, key)
	touched := append(Remove(holder, e.Name), e.Value)
	if len(holder.Content) == 0 {
		touched = append(touched, Remove(b.Node, key)...)
	}
	repair := r.add(Safe, "schema-junctor-forbidden-field", node{Place: b.Place}, e.Name+" says nothing inside the junctor any more; it was removed", key)
	repair.Touched = touched
}

// nested repairs a schema of a member or of items, inside a branch. Its type goes when the node outside has the same.
func (r *repairer) nested(b branch, name string) {
	typ := crd.StringAt(b.Node, "type")
	if typ != "" && b.outer != nil {
		outerType := b.outer.text("type")
		switch {
		case typ == outerType, typ == "number" && outerType == "integer":
			r.dropFromBranch(b, "type", fmt.Sprintf("type: %s of %s inside a junctor repeats the type outside", typ, name))
		case r.policy.Loosen:
			at := node{Place: b.Place}.at("type")
			touched := Remove(b.Node, "type")
			r.addAt(at, Changes, "schema-junctor-forbidden-field", node{Place: b.Place}, "a type inside a junctor was dropped, since a structural schema cannot have it; more values are accepted now", "type").Touched = touched
		}
	} else if typ != "" && r.policy.Loosen {
		at := node{Place: b.Place}.at("type")
		touched := Remove(b.Node, "type")
		r.addAt(at, Changes, "schema-junctor-forbidden-field", node{Place: b.Place}, "a type inside a junctor was dropped, since a structural schema cannot have it; more values are accepted now", "type").Touched = touched
	}
	r.branch(b)
}

// declared finds the node outside junctors that describes a member or the items, and declares one where upstream
// wants it or pruning would otherwise take what only the junctor mentions (H14).
func (r *repairer) declared(b branch, key, name string) *node {
	if b.outer == nil {
		return nil
	}
	o := *b.outer
	if key == "items" {
		if items := o.get("items"); items != nil && items.Kind == yaml.MappingNode {
			return &node{Place: crd.Place{Node: items, Path: o.path("items")}, level: itemLevel}
		}
		return nil
	}
	if _, v := crd.Lookup(o.get("properties"), name); v != nil && crd.Deref(v).Kind == yaml.MappingNode {
		return &node{Place: crd.Place{Node: crd.Deref(v), Path: crd.Under(o.path("properties"), name)}, level: fieldLevel}
	}
	if more := o.get("additionalProperties"); more != nil && more.Kind == yaml.MappingNode {
		return &node{Place: crd.Place{Node: more, Path: o.path("additionalProperties")}, level: fieldLevel}
	}
	pruned := !r.policy.Pruned && !r.policy.KeepUnknown && !o.marked()
	if !b.inRoot && !pruned || o.has("additionalProperties") || o.level == rootLevel && name == "metadata" {
		return nil
	}
	stub := Mapping(preserveKey, Bool(true))
	child := node{Place: crd.Place{Node: stub, Path: crd.Under(o.path("properties"), name)}, level: fieldLevel}
	var touched []*yaml.Node
	if properties := o.get("properties"); properties != nil && properties.Kind == yaml.MappingNode {
		touched = Set(properties, name, stub)
	} else {
		touched = o.set("properties", Mapping(name, stub))
	}
	repair := r.add(Safe, "schema-junctor-incomplete", o,
		fmt.Sprintf("%s is only described inside a junctor; it was declared outside as well", name), "properties")
	repair.Touched, repair.Mark = touched, true
	r.acceptNull(child, repair)
	return &child
}

// dropFromBranch removes a keyword from a branch and says why that changes nothing.
func (r *repairer) dropFromBranch(b branch, key, message string) {
	n := node{Place: b.Place}
	at := n.at(key)
	touched := append(EveryNode(n.get(key)), n.remove(key)...)
	repair := r.addAt(at, Safe, "schema-junctor-forbidden-field", n, message, key)
	repair.Touched = touched
	if len(b.Node.Content) == 0 {
		repair.Touched = append(repair.Touched, b.Node)
		b.Node.Style |= yaml.FlowStyle
	}
}

// EveryNode lists a node and all below it.
func EveryNode(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	all := []*yaml.Node{n}
	for _, c := range n.Content {
		all = append(all, EveryNode(c)...)
	}
	return all
}
