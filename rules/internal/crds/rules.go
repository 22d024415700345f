// Package crds has the rules about CustomResourceDefinitions, most topics in a file or a few that begin with its name.
//
// Authors of rules read this file first, for how a rule is declared; then enforced.go, for rules about what an API server
// rejects, with names.go as a topic of such rules; then schema.go, for rules about all schemas, with style_conventions.go as
// a topic of those. Files that topics share depend on no topic: places.go finds what a manifest states and where a path leads
// in custom resources, schema.go has the schemas and finds that of an error, and fixes.go makes fixes.
package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// The topics that take several files; those of one file stand in it.
var (
	Versions   = slices.Concat(versionRules, servingRules, deprecationRules)
	Conversion = slices.Concat(strategyRules, unconvertedRules)
	Pruning    = slices.Concat(presenceRules, droppedRules)
	Structure  = slices.Concat(keywordRules, typeRules, objectRules, junctorRules)
	Style      = slices.Concat(qualityRules, conventionRules)
	Defaults   = slices.Concat(enforcedDefaults, defaultPractices)
	CEL        = slices.Concat(enforcedCEL, celPractices)
)

// Check makes a rule of what nearly all rules have. What few have, they get by the functions below, or are written out.
func Check(severity lint.Severity, id, summary string, run func(*engine.Pass)) *engine.Rule {
	return &engine.Rule{ID: id, Summary: summary, Severity: severity, Run: run}
}

// convention makes a rule about what not every author minds.
func convention(id, summary string, run func(*engine.Pass)) *engine.Rule {
	return InAll(Check(lint.Info, id, summary, run))
}

// InAll has the strictest preset alone run a rule.
func InAll(r *engine.Rule) *engine.Rule {
	r.Preset = lint.All
	return r
}

// ofManifest keeps a rule to CRDs that are written as such.
func ofManifest(r *engine.Rule) *engine.Rule {
	r.OfManifest = true
	return r
}

// Following makes a rule silent where one of others has something to say of the same place: that is the cause.
func Following(causes []string, r *engine.Rule) *engine.Rule {
	r.Follows = causes
	return r
}

// idle makes a rule one that never has findings under some configurations: see engine.Rule.Idle.
func idle(when func(c *lint.Config, types bool) (why, todo string), r *engine.Rule) *engine.Rule {
	r.Idle = when
	return r
}

// dependent makes a rule silent where one of the values that it compares is of a wrong type: see engine.Rule.DependsOn.
func dependent(on []string, r *engine.Rule) *engine.Rule {
	r.DependsOn = on
	return r
}
