package suites

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A Kind is what runs suites.
type Kind struct {
	*suite.Runner
	Want     func(name string) bool // which cases run, by the names of suite and case; nil for all
	Variants *suite.Variants        // of the CRDs of openshift's suites
	FailFast bool                   // stop at the first case of a file that fails
	List     bool                   // run none, and have the report list them
	Places   bool                   // note where the CRD says what rejects a case, for which all of it is parsed
	Rewrite  bool                   // write suites of openshift/api in our own format, and run nothing else
	Update   []suite.Kind           // failures that what a suite expects is to be written anew for
	// Accepted and Rejected are folders and files with objects to be taken and rejected.
	Accepted, Rejected []string
	// Found reports whether a walk found a file, rather than that it was named, so that its name has to tell what it is.
	Found func(path string) bool
	Cover *Cover // what is to be known of what the cases test; nil for nothing
}

// isObject reports whether a file has objects, each of which is a case, and whether they are to be rejected.
func (k *Kind) isObject(path string) (is, rejected bool) {
	below := func(folder string) bool {
		return folder == "." || path == folder || strings.HasPrefix(path, folder+"/")
	}
	rejected = slices.ContainsFunc(k.Rejected, below)
	return rejected || slices.ContainsFunc(k.Accepted, below), rejected
}

// MayHold reports whether a text could hold a suite.
func (k *Kind) MayHold(text []byte) bool {
	return bytes.Contains(text, []byte(suite.Key)) || bytes.Contains(text, []byte(suite.OpenShiftKey))
}

// Split returns the documents of a file.
func (k *Kind) Split(path string, text []byte, _ *template.MaskedTemplate, _ bool) *manifest.File {
	if is, _ := k.isObject(path); !is && !k.MayHold(text) && !suite.IsNamed(path) {
		return nil
	}
	return manifest.Split(path, text)
}

// Runs reports whether the run has a rule.
func (k *Kind) Runs(_ *engine.Linter, rule *lint.Rule) bool { return rule.Suite }

// Discreet is the kind itself: suites have no secrets.
func (k *Kind) Discreet(string, []byte) engine.Kind { return k }

// Show shows all of a change.
func (k *Kind) Show(_ string, before, after []byte) lint.ShownChange {
	return lint.ShownChange{Before: before, After: after, Changed: !bytes.Equal(before, after)}
}

// Report combines the reports on files. Of a CRD that the server rejects it is reported once.
func (k *Kind) Report(_ *engine.Linter, files []*engine.FileReport, combine func([]*engine.FileReport) *lint.Report) *lint.Report {
	told := map[string]bool{}
	for _, f := range files {
		kept := f.Findings[:0:0]
		for _, one := range f.Findings {
			if one.Rule.ID == string(crdRejected) {
				if told[one.Message] {
					continue
				}
				told[one.Message] = true
			}
			kept = append(kept, one)
		}
		f.Findings = kept
	}
	var covered []lint.Coverage
	if k.Cover != nil {
		covered = k.Cover.report(files)
	}
	out := combine(files)
	out.Coverage = covered
	type key struct{ file, suite, name string }
	fails := map[key]bool{}
	for _, f := range out.Findings {
		if f.Ignored == "" {
			fails[key{f.Pos.File, f.Suite, f.Case}] = true
		}
	}
	out.Tests = []lint.TestedCase{}
	for _, f := range files {
		for _, one := range f.Tests {
			one.Failed = one.Failed && (fails[key{f.Path, one.Suite, one.Name}] || fails[key{f.Path, path.Dir(one.Suite), one.Name}]) // by one of its CRDs
			out.Tests = append(out.Tests, one)
		}
	}
	return out
}

// Judge returns what runs the suites of a file.
func (k *Kind) Judge(l *engine.Linter, _ *manifest.File, out *engine.FileReport) engine.Judge {
	return &judge{Kind: k, linter: l, out: out}
}
