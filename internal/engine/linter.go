// Package engine is the engine of the linter: it runs rules over the CustomResourceDefinitions of files, finds the
// positions of findings, applies fixes and proves them, and honours what the configuration, comments and a baseline
// ignore. Rules are values that are passed to it; it has only those about its own operation.
package engine

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A Linter runs rules. Its methods may be called from several goroutines.
type Linter struct {
	lint.Options
	vicinity.Sources
	Rules []*Rule
	// Kind is what the run judges; nil for CRDs.
	Kind Kind
	// Others are rules that other runs have, which the configuration and comments may name.
	Others lint.Rules
	// Conversions are tests of the conversion between versions. The run reports what they find then, and does not judge CRDs; nil for
	// a run that tests none.
	Conversions *Conversions
	// Record collects what a report depends on beside the file and the options, for Keep; nil where nobody wants to know.
	Record *vicinity.Record
	// Answers are those that API servers gave on CRDs before, by their nodes; nil for none. They are not asked again.
	Answers map[*yaml.Node]apiserver.Verdict
}

// around is what is around a file.
func (l *Linter) around(file string) vicinity.Vicinity {
	return vicinity.Vicinity{Sources: l.Sources, Path: file, Record: l.Record}
}

func (l *Linter) Configuration() *lint.Config {
	if l.Config == nil {
		return &lint.Config{}
	}
	return l.Config
}
