// Package changes has the rules about what changed in a CRD. Read this file and remarks.go first: a rule makes remarks of the
// changes that it is about, one for what is alike in several versions.
package changes

import (
	"slices"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Rules are all rules about changes.
var Rules = comparing(versionRules, fieldRules, constraintRules, clientRules, converterRules, applyRules)

// comparing are the rules of some lists as ones that need an older CRD.
func comparing(lists ...[]*engine.Rule) []*engine.Rule {
	all := slices.Concat(lists...)
	for _, r := range all {
		r.NeedsOld = true
	}
	return all
}

// comparison says what changed since the old CRD: nothing when one of the two cannot be read.
func comparison(p *engine.Pass) *compare.Comparison {
	type key struct{}
	return engine.Memo(p, key{}, func() *compare.Comparison {
		all, err := compare.CRDs(p.Old().CRD, p.CRD)
		if err != nil { // of the new side, other rules speak
			all = &compare.Comparison{Old: &v1.CustomResourceDefinition{}, New: &v1.CustomResourceDefinition{}}
		}
		return all
	})
}

// oldVersion and newVersion are the versions of a name; nil when there is none.
func oldVersion(p *engine.Pass, name string) *v1.CustomResourceDefinitionVersion {
	return comparison(p).OldVersion(name)
}

func newVersion(p *engine.Pass, name string) *v1.CustomResourceDefinitionVersion {
	return comparison(p).NewVersion(name)
}

// inUse reports whether objects may exist in a version on both sides: it was served or stored, and still is.
func inUse(p *engine.Pass, name string) bool {
	old, new := oldVersion(p, name), newVersion(p, name)
	return old != nil && new != nil && (old.Served || old.Storage) && (new.Served || new.Storage)
}

func changesThat(p *engine.Pass, holds func(*compare.Change) bool) []*compare.Change {
	var all []*compare.Change
	for _, c := range comparison(p).Changes {
		if holds(c) {
			all = append(all, c)
		}
	}
	return all
}

// otherChanges are those outside of schemas.
func otherChanges(p *engine.Pass) []*compare.Change {
	return changesThat(p, func(c *compare.Change) bool { return c.Node == nil })
}

// servedChanges are those outside of schemas, of versions that clients can use on both sides.
func servedChanges(p *engine.Pass) []*compare.Change {
	return changesThat(p, func(c *compare.Change) bool {
		old, new := oldVersion(p, c.Version), newVersion(p, c.Version)
		return c.Node == nil && old != nil && new != nil && old.Served && new.Served
	})
}

// schemaChanges are the changes of schemas that are causes: those of versions in use, without what follows from a type
// that became another one or from a condition that got the validation of metav1.Condition, and without junctors, where it
// takes all branches together to say anything.
func schemaChanges(p *engine.Pass) []*compare.Change {
	type key struct{}
	return engine.Memo(p, key{}, func() []*compare.Change {
		return changesThat(p, func(c *compare.Change) bool {
			switch {
			case c.Node == nil || !inUse(p, c.Version) || inJunctor(c):
				return false
			case c.Effect >= compare.Tightens && !c.Loses && condition(c.Node) != nil:
				return false
			}
			return c.Field == "type" && c.Node.Retyped() || !retypedAbove(c.Node)
		})
	})
}

// causes are the changes outside of schemas, and the schemaChanges.
func causes(p *engine.Pass) []*compare.Change {
	return slices.Concat(otherChanges(p), schemaChanges(p))
}

// condition is the node around a node, or the node itself, that got the validation of metav1.Condition; nil when there is
// none.
func condition(n *compare.Node) *compare.Node {
	for depth := 0; n != nil && depth < 2; depth++ { // the fields of a condition are scalars
		if n.BecameCondition() {
			return n
		}
		n = n.Parent
	}
	return nil
}

// retypedAbove reports whether the type of a node, or of one around it, became another one.
func retypedAbove(n *compare.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Retyped() {
			return true
		}
	}
	return false
}

// inJunctor reports whether a change is one of a junctor, or below one.
func inJunctor(c *compare.Change) bool { return changedJunctor(c) != "" }

func changedJunctor(c *compare.Change) string {
	switch {
	case c.Node.Junctor != "":
		return c.Node.Junctor
	case c.Field == "allOf" || c.Field == "anyOf" || c.Field == "oneOf" || c.Field == "not":
		return c.Field
	}
	return ""
}
