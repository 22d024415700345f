// Package engine is the engine of the linter: it runs rules over the CustomResourceDefinitions of files, finds the
// positions of findings, applies fixes and proves them, and honours what the configuration, comments and a baseline
// ignore. Rules are values that are passed to it; it has only those about its own operation.
//
// Read linter.go first: a run's options; then rule.go, pass.go and finding.go, the terms in which rules are written.
// refusal.go, judged.go, old.go and across.go are what a Pass and a Set know of a CRD, placeholder.go, opaque.go and document.go
// what is found around it, and own_rules.go lists the engine's own rules. run.go runs the rules over a CRD, file.go over a file,
// template.go over a Helm template, report.go over all of them; fix.go makes fixes and fix_effect.go proves them. Of generated manifests, source.go says where
// findings have to be fixed: remedy.go knows what has to change in them, wanted.go and wanted_kind.go which markers that
// takes, marks.go what those are above a declaration, origin.go, carrier.go and gotype.go where that is in Go, and
// origin_module.go where it is in another module; agreement.go and copies.go know which manifests are older than the types or
// may be, and gonotes.go why there may be no place. around.go looks at what a report depends on beside its file, asked.go notes
// it, and kept.go writes reports down for later runs.
//
// A run that tests conversions has other rules as well: conversion.go hands what was found to them.
//
// A run that judges custom resources has other rules, written in terms of object.go. object_run.go runs them; object_judge.go
// sends an object, object_upgrade.go says what becomes of one that is stored, and object_verdict.go has either in one word.
// discretion.go knows what must not be shown, preview.go shows what is stored, and piece.go takes lists that are too large for memory.
package engine

import (
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

// A Linter runs rules. Its methods may be called from several goroutines.
type Linter struct {
	lint.Options
	Rules []*Rule
	// Old finds the CRD of a name as it was before the change; it returns nil for a new one. Of several it takes the
	// one whose path is nearest to that of the file; nth counts the CRDs of that name above it in the file. Nil when
	// there is nothing to compare with: then the rules that need an old CRD do not run.
	Old func(name, path string, nth int) *older.CRD
	// Unknown reports whether the earlier form of the CRD of a name in a file cannot be determined, so that those Old
	// does not find are not called new. Nil for never.
	Unknown func(name, path string) bool
	// Go are the Go types that the manifests are generated from; nil if they are not to be looked for.
	Go *GoTypes
	// Objects are what custom resources are judged by. The run judges those then, and not CRDs; nil for a run that judges CRDs.
	Objects *Objects
	// Conversions are tests of the conversion between versions. The run reports what they find then, and does not judge CRDs; nil for
	// a run that tests none.
	Conversions *Conversions
	// Asked collects what a report depends on beside the file and the options, for Keep; nil where nobody wants to know.
	Asked *Asked
	// Answers are those that API servers gave on CRDs before, by their nodes; nil for none. They are not asked again.
	Answers map[*yaml.Node]apiserver.Verdict

	places *sync.Map // place by folder, of a Keeper, which asks for each file; nil where each is looked at
}

func (l *Linter) config() *lint.Config {
	if l.Config == nil {
		return &lint.Config{}
	}
	return l.Config
}
