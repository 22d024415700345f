package rules

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// TestMarkerShares counts how many findings on manifests of controller-gen name the markers that fix them. Of the warnings
// and errors of the recommended rules it is nine in ten, except for those about the conversion: Go types do not say
// anything of it, and a patch adds it. An option that is named instead of markers is as good.
func TestMarkerShares(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at all generated manifests of the corpus")
	}
	rules, generated := map[string]*share{}, 0
	var serious, conversion share
	recommended, strict := &Linter{}, &Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
	for _, path := range corpus.Files(t, "v1") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(src, []byte("controller-gen.kubebuilder.io/version")) {
			continue
		}
		generated++
		for _, f := range strict.File(path, src).Findings {
			if rules[f.Rule.ID] == nil {
				rules[f.Rule.ID] = &share{}
			}
			rules[f.Rule.ID].add(f)
		}
		for _, f := range recommended.File(path, src).Findings {
			switch {
			case f.Severity < lint.Warning:
			case strings.HasPrefix(f.Path, "spec.conversion"):
				conversion.add(f)
			default:
				serious.add(f)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		t.Logf("%5d of %5d %s", rules[id].marked, rules[id].all, id)
	}
	t.Logf("%d files; of the recommended rules' warnings and errors, %d of %d, and %d of %d about the conversion", generated, serious.marked, serious.all, conversion.marked, conversion.all)
	if serious.all == 0 || 10*serious.marked < 9*serious.all {
		t.Errorf("%d of %d warnings and errors name markers", serious.marked, serious.all)
	}
}

// A share is how many of some findings name markers.
type share struct{ marked, all int }

func (s *share) add(f *lint.Finding) {
	s.all++
	if len(f.Markers()) > 0 || strings.Contains(f.Message, "run controller-gen crd:") {
		s.marked++
	}
}
