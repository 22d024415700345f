package repair

import (
	"fmt"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// value repairs a schema node and everything below it.
func (r *repairer) value(n node) {
	if n.Node == nil || n.Node.Kind != yaml.MappingNode {
		return
	}
	r.dropSchemaURL(n)
	switch {
	case n.level == rootLevel:
		r.rootType(n)
	case n.meta && !n.embedded:
		r.rootMetadata(n)
	}
	if n.meta || n.typeMeta {
		r.typeMetaType(n)
	}
	untyped := !n.has("type") && !n.isTrue(intOrStringKey)
	r.freeForm(n)
	r.emptyChildren(n)
	r.intOrString(n)
	r.hoistType(n)
	if r.policy.InferTypes && untyped && !n.typed() && r.undecided(n) {
		r.mark(n, "speaks of values of several types")
	}
	r.junctors(n)
	r.missingType(n)
	if untyped && n.marked() && r.dropsNull(n) {
		repair := r.add(policy.Safe, "schema-null-kept", n, "has no type and accepted null; nullable: true keeps that")
		r.acceptNull(n, repair)
	}
	r.missingItems(n)
	r.keepUnknown(n)
	for _, child := range n.children() {
		r.value(child)
	}
}

// dropSchemaURL removes `$schema`, which v1beta1 took and v1 does not; nothing ever read it.
func (r *repairer) dropSchemaURL(n node) {
	if n.get("$schema") != nil {
		r.drop(n, "$schema", policy.Safe, "schema-keyword-removed", "$schema was removed; no server ever read it")
	}
}

// rootType writes the type of the root, which is always an object. A root of another type is left to the judge:
// no custom resource ever satisfied it. A format did the same as long as there was no type beside it
// (typeValidator.Validate of k8s.io/kube-openapi).
func (r *repairer) rootType(n node) {
	class, message := policy.Safe, "the root got its type: object"
	switch {
	case n.text("type") != "":
		return
	case checkedFormat(n.text("format")) && !r.policy.Loosen:
		return // a mark makes it valid without one
	case checkedFormat(n.text("format")):
		class, message = policy.Changes, "the root got its type: object; without it, its format rejected every object"
	}
	touched := n.set("type", layout.String("object"))
	r.add(class, "schema-type-written", n, message, "type").Touched = touched
}

// checkedFormat reports whether servers check a format where there is no type; they ignore others.
func checkedFormat(format string) bool {
	asked := &spec.Schema{SchemaProps: spec.SchemaProps{Format: format}}
	return format != "" && len(validation.GetUnrecognizedFormats(asked, version.MajorMinor(1, 21))) == 0
}

// typeMetaType writes the types that apiVersion, kind and metadata always have.
func (r *repairer) typeMetaType(n node) {
	if n.text("type") != "" || n.has("type") {
		return
	}
	typ := "string"
	if n.meta {
		typ = "object"
	}
	touched := n.set("type", layout.String(typ))
	r.add(policy.Safe, "schema-type-written", n, "got the only type that it can have: "+typ, "type").Touched = touched
}

// freeForm replaces `additionalProperties: true`, which keeps a member but empties the objects in it once unknown
// fields are pruned, by a mark that keeps all. A schema that already pruned keeps its ways.
func (r *repairer) freeForm(n node) {
	more := n.get("additionalProperties")
	if more == nil || r.policy.Pruned && n.level != rootLevel {
		return
	}
	always, isBool := crd.BoolAt(n.Node, "additionalProperties")
	empty := more.Kind == yaml.MappingNode && len(more.Content) == 0
	if !(isBool && always) && !empty {
		return
	}
	message := "additionalProperties: true became " + preserveKey + ": true, which keeps nested objects too"
	at := n.at("additionalProperties")
	touched := keepMembers(n)
	r.addAt(at, policy.Safe, "schema-free-form-marked", n, message, "additionalProperties", preserveKey).Touched = touched
}

// KeepMembers replaces `additionalProperties: true` of a schema by a mark that keeps the content of the members, too.
func KeepMembers(schema *yaml.Node) (touched []*yaml.Node) {
	return keepMembers(node{Place: crd.Place{Node: schema}})
}

func keepMembers(n node) []*yaml.Node {
	if n.has(preserveKey) {
		return n.remove("additionalProperties")
	}
	_, v := crd.Lookup(n.Node, "additionalProperties")
	touched := append(n.rename("additionalProperties", preserveKey), v)
	return append(touched, n.set(preserveKey, layout.Bool(true))...)
}

// emptyChildren turns null members of `properties` and a null `items` into empty schemas, as the server reads them.
func (r *repairer) emptyChildren(n node) {
	properties := n.get("properties")
	for _, e := range n.entries("properties") {
		if crd.IsNull(e.Value) {
			layout.Set(properties, e.Name, layout.Mapping())
		}
	}
}

// missingType makes a node without a type valid: by a mark, or by the type that its keywords imply.
func (r *repairer) missingType(n node) {
	if n.typed() || n.has("type") {
		return
	}
	if typ := n.implied(); typ != "" && r.policy.InferTypes && !r.undecided(n) {
		touched := n.set("type", layout.String(typ))
		r.add(policy.Changes, "schema-type-inferred", n, fmt.Sprintf("type: %s was inferred; values of other types were accepted and are rejected now", typ), "type").Touched = touched
		return
	}
	r.mark(n, "has no type and accepts any value")
}

// mark makes a node valid without a type.
func (r *repairer) mark(n node, why string) {
	touched := n.set(preserveKey, layout.Bool(true))
	repair := r.add(policy.Safe, "schema-untyped-marked", n, why+"; "+preserveKey+": true lets it stay so", preserveKey)
	repair.Touched = touched
	r.acceptNull(n, repair)
}

// dropsNull reports whether a node that accepted null by having no type would stop doing so: nulls are dropped before
// validation (PruneNonNullableNullsWithoutDefaults), and are then missing where they are required.
func (r *repairer) dropsNull(n node) bool {
	if n.level == rootLevel || n.meta || n.typeMeta || n.isTrue("nullable") || r.policy.Pruned {
		return false
	}
	// an untyped item accepts null, and null items are not dropped
	return n.level != itemLevel || n.isTrue(intOrStringKey) || !n.marked()
}

// acceptNull lets a node go on accepting null, if it would not.
func (r *repairer) acceptNull(n node, repair *Repair) {
	if !r.dropsNull(n) {
		return
	}
	repair.Touched = append(repair.Touched, n.set("nullable", layout.Bool(true))...)
	repair.Fields = append(repair.Fields, n.path("nullable"))
}

// missingItems describes the items of an array that said nothing about them.
func (r *repairer) missingItems(n node) {
	if n.text("type") != "array" || n.has("items") {
		return
	}
	touched := n.set("items", layout.Mapping(preserveKey, layout.Bool(true)))
	repair := r.add(policy.Safe, "schema-items-marked", n, "says nothing about its items; "+preserveKey+": true keeps them whatever they are", "items")
	repair.Touched, repair.Mark = touched, true
}

// keepUnknown marks an object so that fields which its schema does not declare are kept, as v1beta1 kept them by
// default. An object that declares nothing at all holds free-form data, which is kept under every policy.
func (r *repairer) keepUnknown(n node) {
	if r.policy.Pruned || n.marked() || n.text("type") != "object" || n.has("additionalProperties") || n.meta || n.embedded {
		return
	}
	free := n.declaresNothing()
	switch {
	case r.policy.KeepUnknown, r.policy.KeepUnknownAtRoot && n.level == rootLevel:
	case free && !n.isTrue(embeddedKey):
	default:
		r.prunes = true
		return
	}
	message := "unknown fields are kept as before, by " + preserveKey + ": true"
	if free {
		message = "declares none of its fields; they are kept as before, by " + preserveKey + ": true"
	}
	touched := n.set(preserveKey, layout.Bool(true))
	r.add(policy.Safe, "schema-unknown-fields-kept", n, message, preserveKey).Touched = touched
}
