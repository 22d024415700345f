package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// strict counts changes of every version alike.
func strict() *lint.Config {
	severe := lint.Error
	return &lint.Config{Preset: lint.All, Compatibility: lint.Compatibility{Alpha: &severe, Status: &severe}}
}

// inOrder finds CRDs in a manifest by their names, and of one name by their order.
func inOrder(path string, src []byte) func(name, path string, nth int) *older.CRD {
	all := map[string][]*older.CRD{}
	for _, d := range manifest.Parse(path, src).Documents {
		if d.Root != nil {
			found, _ := crd.Find(d.Root.YNode())
			for _, c := range found {
				all[c.Name()] = append(all[c.Name()], &older.CRD{CRD: c, Document: d})
			}
		}
	}
	return func(name, _ string, nth int) *older.CRD {
		if nth < len(all[name]) {
			return all[name][nth]
		}
		return nil
	}
}

// breaking are the warnings and errors that `crdlift breaking` has about a change.
func breaking(path string, before, after []byte) []*lint.Finding {
	l := &engine.Linter{Rules: rules.AllRules, Options: lint.Options{Config: strict(), Changes: true}, Sources: vicinity.Sources{Old: inOrder(path, before)}}
	findings := l.File(path, after).Findings
	return slices.DeleteFunc(findings, func(f *lint.Finding) bool { return !f.Rule.NeedsOld || f.Severity < lint.Warning })
}

// exactly converts files exactly, to either version, and wants that nothing breaks. It gives the number of CRDs.
func exactly(t *testing.T, to policy.Target, paths []string) int {
	var mu sync.Mutex
	converted := 0
	rules.InParallel(len(paths), func(i int) {
		src, err := os.ReadFile(paths[i])
		if err != nil {
			t.Error(err)
			return
		}
		out, err := convert.Explained(paths[i], src, policy.Options{To: to, UnapprovedAPI: to == policy.V1}, rules.Explainer())
		if err != nil {
			return // which the converter's own tests tell
		}
		n := 0
		for j, c := range crd.Parse(src) {
			if out.CRDs[j].State == policy.Converted && string(c.Version) != string(to) { // leftovers come to life when they move
				n++
			}
		}
		if n == 0 {
			return
		}
		for _, f := range breaking(paths[i], src, out.Output) {
			t.Errorf("%s to %s: %s: %s [%s]", paths[i], to, f.Path, f.Message, f.Rule.ID)
		}
		mu.Lock()
		defer mu.Unlock()
		converted += n
	})
	t.Logf("%d CRDs were converted to %s", converted, to)
	return converted
}

// TestExactConversionBreaksNothing is the promise of docs/guides/compare.md that a conversion is no change.
func TestExactConversionBreaksNothing(t *testing.T) {
	t.Parallel()
	inputs := rules.Manifests(corpus.Below(t, "../testdata/convert"))
	inputs = slices.DeleteFunc(inputs, func(path string) bool { return !strings.HasPrefix(filepath.Base(path), "input.") })
	if n := exactly(t, policy.V1, inputs); n < 120 {
		t.Errorf("%d CRDs were converted, want at least 120", n)
	}
	if n := exactly(t, policy.V1beta1, inputs); n < 5 {
		t.Errorf("%d CRDs were converted back, want at least 5", n)
	}
}

func TestExactConversionBreaksNothingOnCorpus(t *testing.T) {
	t.Parallel()
	exactly(t, policy.V1, corpus.Sample(t, rules.Volume(t, "v1beta1"), 16))
	exactly(t, policy.V1beta1, corpus.Sample(t, rules.Volume(t, "v1"), 32))
}
