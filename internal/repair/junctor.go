package repair

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// junctorKeys are the keywords that hold schemas for the same value.
var junctorKeys = []string{"allOf", "anyOf", "oneOf", "not"}

// junctors repairs the branches in the junctors of a node.
func (r *repairer) junctors(n node) {
	outer := n
	for _, key := range junctorKeys {
		r.junctor(n, key, &outer, n.level == rootLevel)
	}
}

// junctor repairs one junctor of the schema at holder, which is the node itself or a branch of it.
func (r *repairer) junctor(holder node, key string, outer *node, inRoot bool) {
	j := holder.get(key)
	if j == nil {
		return
	}
	if key == "anyOf" && outer != nil && outer.isTrue(intOrStringKey) && isIntOrString(j) &&
		(holder.Node == outer.Node || holder.Node == outer.firstOfAll().Node) {
		return // the places where types are allowed: isIntOrStringAnyOfPattern and ...AllOfPattern upstream
	}
	branches := branchesIn(holder, key, outer, inRoot)
	if r.settleTypes(holder, key, branches, outer) {
		return // the junctor is gone
	}
	key = holder.became(key)
	before, empty := len(r.made), emptyBranches(holder.get(key))
	for _, b := range branches {
		r.branch(b)
	}
	if slices.ContainsFunc(r.made[before:], func(made *Repair) bool { return made.Class == policy.Changes }) {
		r.loosened(holder, key)
	}
	key = holder.became(key)
	if emptyBranches(holder.get(key)) > empty { // an empty branch of the author's is structural, and stays
		r.alwaysHolds(holder, key)
	}
}

// branchesIn are the branches of a junctor.
func branchesIn(holder node, key string, outer *node, inRoot bool) (branches []branch) {
	if key == "not" {
		if not, ok := holder.under(key); ok {
			branches = []branch{{not, outer, inRoot}}
		}
		return branches
	}
	for i, b := range branchesOf(holder.Node, key) {
		if b = crd.Deref(b); b.Kind == yaml.MappingNode {
			branches = append(branches, branch{node{Place: crd.Place{Node: b, Path: crd.Item(holder.path(key), i)}}, outer, inRoot})
		}
	}
	return branches
}

// became is the keyword of a junctor after a repair, which may have turned oneOf into anyOf.
func (n node) became(key string) string {
	if key == "oneOf" && n.get(key) == nil {
		return "anyOf"
	}
	return key
}

// loosened deals with a junctor whose branches accept more than before: a `not` could match now, and a oneOf match twice,
// and both would reject more.
func (r *repairer) loosened(holder node, key string) {
	const id = "schema-junctor-loosened"
	switch at := holder.at(key); {
	case key == "not":
		r.drop(holder, key, policy.Changes, id, "`not` used keywords that a structural schema cannot have; it was removed and more values are accepted now")
	case key != "oneOf":
	case !alike(holder.get(key)):
		r.addAt(at, policy.Changes, id, holder, "branches of oneOf accept more now; values that two of them accept by that are rejected", key)
	case holder.get("anyOf") != nil:
		r.drop(holder, key, policy.Changes, id, "nothing tells the branches of oneOf apart any more; it was removed and more values are accepted now")
	default:
		touched := holder.rename(key, "anyOf")
		r.addAt(at, policy.Changes, id, holder, "nothing tells the branches of oneOf apart any more; it became anyOf and more values are accepted now",
			key, "anyOf").Touched = touched
	}
}

// alike reports whether a branch says nothing, or the same as another one: then no value, or hardly one, fits exactly one
// of them.
func alike(list *yaml.Node) bool {
	known := map[string]bool{"{}": true}
	for _, b := range list.Content {
		text, err := yaml11.ToJSON(b)
		if err == nil && known[string(text)] {
			return true
		}
		known[string(text)] = true
	}
	return false
}

// quotedNot names a junctor in a message, where a bare not would turn it round.
func quotedNot(key string) string {
	if key == "not" {
		return "`not`"
	}
	return key
}

// emptyBranches counts the branches of a junctor that say nothing.
func emptyBranches(list *yaml.Node) (empty int) {
	if list == nil || list.Kind != yaml.SequenceNode {
		return 0
	}
	for _, b := range list.Content {
		if b = crd.Deref(b); b.Kind == yaml.MappingNode && len(b.Content) == 0 {
			empty++
		}
	}
	return empty
}

// hoistType moves a type that its junctors ask of every value to a node that has none.
func (r *repairer) hoistType(n node) {
	if n.typed() || n.has("type") {
		return
	}
	if key, typ := sharedType(n); typ != "" {
		touched := n.set("type", layout.String(typ))
		repair := r.add(policy.Safe, "schema-junctor-cleared", n,
			fmt.Sprintf("type: %s moved here from inside %s, where every branch had it", typ, key), "type")
		repair.Touched = touched
		r.acceptNull(n, repair)
	}
}

// sharedType is the one type that a junctor of a schema leaves, and which junctor that is; both are "" if there is none.
func sharedType(n node) (key, typ string) {
	for _, key := range junctorKeys {
		if typ := junctorAccepts(n.Node, key).single(); typ != "" {
			return key, typ
		}
	}
	return "", ""
}

// settleTypes deals with types inside a junctor, which a structural schema does not allow there. It reports whether
// the whole junctor was removed.
func (r *repairer) settleTypes(holder node, key string, branches []branch, outer *node) (gone bool) {
	outerType, before := "", len(r.made)
	if outer != nil {
		outerType = outer.text("type")
	}
	var impossible []branch
	for _, b := range branches {
		typ := b.text("type")
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
	if len(r.made) > before && r.alwaysHolds(holder, key) { // an empty branch of the author's is structural, and stays
		return true
	}
	if r.policy.Loosen {
		return r.loosenTypes(holder, key, branches, outer)
	}
	return false
}

// dropImpossible removes branches that no value of the type outside can satisfy. Those of allOf stay: with them no
// value is valid, which a person has to correct.
func (r *repairer) dropImpossible(holder node, key string, all, impossible []branch, outerType string) (gone bool) {
	switch {
	case key == "not":
		r.drop(holder, key, policy.Safe, "schema-junctor-cleared", fmt.Sprintf("`not` speaks of another type than %s and always holds; it was removed", outerType))
		return true
	case key == "allOf" || len(impossible) == len(all):
		return false
	}
	list := holder.get(key)
	repair := r.addAt(impossible[0].Place, policy.Safe, "schema-junctor-cleared", holder,
		fmt.Sprintf("a branch for another type than %s can never hold; it was removed", outerType), key)
	for _, b := range impossible {
		i := slices.IndexFunc(list.Content, func(c *yaml.Node) bool { return crd.Deref(c) == b.Node })
		repair.Touched = append(repair.Touched, layout.EveryNode(list.Content[i])...)
		repair.Touched = append(repair.Touched, layout.Separators(list)...)
		list.Content = slices.Delete(list.Content, i, i+1)
	}
	return false
}

// alwaysHolds removes an anyOf that has a branch without any keyword, or an allOf of nothing but such branches: every
// value satisfies it.
func (r *repairer) alwaysHolds(holder node, key string) bool {
	list := holder.get(key)
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return false
	}
	empty := emptyBranches(list)
	holds := key == "anyOf" && empty > 0 || key == "oneOf" && len(list.Content) == 1 && empty == 1 || key == "allOf" && empty == len(list.Content)
	if holds {
		r.drop(holder, key, policy.Safe, "schema-junctor-cleared", key+" had come to accept every value; it was removed")
	}
	return holds
}

// loosenTypes drops the types that are left. Without them an anyOf may accept more, a oneOf could match twice and
// reject, a `not` could reject more; those become anyOf or go.
func (r *repairer) loosenTypes(holder node, key string, branches []branch, outer *node) (gone bool) {
	typed, remove := false, key == "not" || key == "oneOf" && holder.get("anyOf") != nil
	for _, b := range branches {
		if b.text("type") != "" {
			typed, remove = true, remove || key != "allOf" && len(crd.Entries(b.Node)) == 1
		}
	}
	if !typed {
		return false
	}
	if remove {
		r.drop(holder, key, policy.Changes, "schema-junctor-loosened",
			quotedNot(key)+" distinguished values by type, which a structural schema cannot express; it was removed, and more values are accepted now")
		return true
	}
	at := holder.at(key)
	var touched []*yaml.Node
	for _, b := range branches {
		touched = append(touched, layout.Remove(b.Node, "type")...)
	}
	message := "types inside " + key + " were dropped, since a structural schema cannot have them; more values are accepted now"
	fields := []string{key}
	if key == "oneOf" {
		touched = append(touched, holder.rename(key, "anyOf")...)
		key = "anyOf"
		fields = append(fields, key)
	}
	r.addAt(at, policy.Changes, "schema-junctor-loosened", holder, message, fields...).Touched = touched
	return r.alwaysHolds(holder, key)
}
