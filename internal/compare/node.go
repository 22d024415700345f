package compare

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
)

// A Node is a schema of both sides, or of one side together with its counterpart on the other.
type Node struct {
	Parent   *Node  // nil for the root of a version
	Via      string // the keyword that holds it: "properties", "items", "allOf", ...; "" for the root
	Name     string // of the property, or the index in a list
	Old, New *v1.JSONSchemaProps
	Path     string // of the values it describes, as the users of the custom resource know it
	Junctor  string // the outermost of the allOf, anyOf, oneOf and not around it; "" when there is none

	required sets.Set[string] // of New, when a property has asked
	was, is  []string         // steps from the root of the schema
	effect   func(Effect) Effect
	// excuse, candidates and rejections are computed on demand.
	excuse     *excuse
	candidates []any
	every      int // so many of the candidates, from the first, are all values that Old accepts; 0 if that is not known
	refusals   map[string]Refusal
	// keptBefore and keepsNow are true if the CRD as a whole keeps unknown fields.
	keptBefore, keepsNow bool
	untyped              bool // the old schema itself had no type
}

// reversed is a node whose sides are the other way round; nil for nil.
func (n *Node) reversed() *Node {
	if n == nil {
		return nil
	}
	return &Node{
		Parent: n.Parent.reversed(), Via: n.Via, Name: n.Name, Old: n.New, New: n.Old, Path: n.Path, Junctor: n.Junctor,
		was: n.is, is: n.was, effect: n.effect, keptBefore: n.keepsNow, keepsNow: n.keptBefore,
	}
}

// below is a schema below a node.
func (n *Node) below(via, name string, old, new *v1.JSONSchemaProps) *Node {
	child := &Node{
		Parent: n, Via: via, Name: name, Old: old, New: new, Path: n.Path, Junctor: n.Junctor,
		was: step(n.was, via), is: step(n.is, via), effect: n.effect, keptBefore: n.keptBefore, keepsNow: n.keepsNow,
	}
	switch via {
	case "properties":
		child.was, child.is = step(child.was, name), step(child.is, name)
		if strings.ContainsAny(name, ".[]") {
			child.Path = crd.Under(n.Path, name)
		} else {
			child.Path = crd.Join(n.Path, name)
		}
	case "items", "additionalProperties":
		child.Path += "[*]"
	default:
		if child.Junctor == "" {
			child.Junctor = via
		}
	}
	switch via {
	case "not":
		child.effect = func(e Effect) Effect { return n.effect(flip(e)) }
	case "oneOf":
		child.effect = func(e Effect) Effect { return n.effect(blur(e)) }
	}
	return child
}

// branch is a branch of a junctor, at an index on each side.
func (n *Node) branch(via string, i, j int, old, new *v1.JSONSchemaProps) *Node {
	child := n.below(via, index(j), old, new)
	child.was, child.is = step(child.was, index(i)), step(child.is, index(j))
	return child
}

// flip is the effect below a not.
func flip(e Effect) Effect {
	switch e {
	case Loosens:
		return Tightens
	case Tightens:
		return Loosens
	}
	return e
}

// blur is the effect below a oneOf, where another branch may match too.
func blur(e Effect) Effect {
	if e == Neutral {
		return Neutral
	}
	return Either
}

// keyword notes a change of a keyword of a node.
func (c *comparer) keyword(n *Node, keyword, item string, kind Kind, effect Effect, old, new any) *Change {
	return c.add(&Change{
		Field: keyword, Item: item, Kind: kind, Effect: n.effect(effect), Old: old, New: new, Node: n,
		was: place{side: c.old, version: c.name, schema: true, steps: step(n.was, keyword)},
		is:  place{side: c.new, version: c.name, schema: true, steps: step(n.is, keyword)},
	})
}

// at makes a change point below the keyword it is about.
func (change *Change) at(was, is []string) *Change {
	change.was.steps = append(change.was.steps[:len(change.was.steps):len(change.was.steps)], was...)
	change.is.steps = append(change.is.steps[:len(change.is.steps):len(change.is.steps)], is...)
	return change
}

// Required reports whether the node is a property that is required now.
func (n *Node) Required() bool {
	if n.Via != "properties" {
		return false
	}
	if n.Parent.required == nil {
		n.Parent.required = sets.New(n.Parent.New.Required...)
	}
	return n.Parent.required.Has(n.Name)
}

// Structural reports whether the node is part of the tree by which objects are pruned: not in a junctor.
func (n *Node) Structural() bool { return n.Junctor == "" }

// Kept reports whether fields that the node did not declare were stored, Keeps whether they are now.
func (n *Node) Kept() bool  { return n.keptBefore || keeps(n.Old) }
func (n *Node) Keeps() bool { return n.keepsNow || keeps(n.New) }

func keeps(s *v1.JSONSchemaProps) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}

// isObject reports whether the node is a whole object with metadata: the custom resource, or an embedded one. The
// apiVersion, kind and metadata of those are never pruned.
func (n *Node) isObject() bool { return n.Structural() && (n.Parent == nil || n.New.XEmbeddedResource) }

// inMetadata reports whether the node is the metadata of such an object, or in it: its fields are ObjectMeta's, whatever
// the schema declares.
func (n *Node) inMetadata() bool {
	for ; n.Parent != nil; n = n.Parent {
		if n.Via == "properties" && n.Name == "metadata" && n.Parent.isObject() {
			return true
		}
	}
	return false
}

// always are the fields that every object has, declared or not.
func always(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// KeptHere reports whether the node itself, rather than the CRD as a whole, kept undeclared fields.
func (n *Node) KeptHere() bool { return keeps(n.Old) || free(n.Old) }

// Retyped reports whether values of the node's old type may be rejected for their type.
func (n *Node) Retyped() bool { return typeEffect(types(n.Old), types(n.New)) >= Tightens }

// AcceptsAnything reports whether a member schema of a Change accepts and keeps every value. Null may be dropped.
func AcceptsAnything(schema any) bool {
	s, ok := schema.(*v1.JSONSchemaProps)
	return ok && s != nil && keeps(s) && equality.Semantic.DeepEqual(*s, v1.JSONSchemaProps{XPreserveUnknownFields: s.XPreserveUnknownFields, Nullable: s.Nullable, Description: s.Description})
}
