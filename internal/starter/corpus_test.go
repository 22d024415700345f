package starter_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/starter"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// A figure is how many constraints cases test of those that count.
type figure struct{ tested, all int }

func (f figure) String() string { return fmt.Sprintf("%d of %d", f.tested, f.all) }

func (f *figure) add(r *coverage.Report, kinds ...coverage.Kind) {
	for _, c := range r.Constraints {
		if c.State >= coverage.Dead || len(kinds) > 0 && !slices.Contains(kinds, c.Kind) {
			continue
		}
		if f.all++; c.State == coverage.Tested {
			f.tested++
		}
	}
}

// holds fails the test where less than a share of a hundred is tested.
func (f figure) holds(t *testing.T, share int) {
	t.Helper()
	if f.tested*100 < f.all*share {
		t.Errorf("%s are tested; want %d%%", f, share)
	}
}

var rulesOf = []coverage.Kind{coverage.Rule, coverage.Transition}

// TestCorpus starts suites for real CRDs: all that it writes passes, is near to what is accepted, and tests what is promised. The share of
// samples is lower, as they have the CRDs of a few projects only.
func TestCorpus(t *testing.T) {
	t.Parallel()
	var ruled []string
	files := corpus.Files(t, "v1")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("x-kubernetes-validations")) {
			ruled = append(ruled, file)
		}
	}
	var all, rules figure
	least := 10
	if corpus.All() {
		least = 0
		files = everyNth(files, len(files)/100)
	} else {
		files = everyNth(corpus.Sample(t, files, 10), 10)
	}
	for _, file := range files {
		started(t, file, starter.All, func(r *coverage.Report) { all.add(r) })
	}
	for _, file := range corpus.Sample(t, ruled, 10) {
		var of figure
		started(t, file, starter.RulesOnly, func(r *coverage.Report) { of.add(r, rulesOf...) })
		rules.tested, rules.all = rules.tested+of.tested, rules.all+of.all
		t.Logf("%s: %s rules", filepath.Base(file), of)
	}
	t.Logf("with a case: %s constraints, %s rules", all, rules)
	all.holds(t, 84-least)
	rules.holds(t, 60-least)
}

// everyNth are one of n.
func everyNth(all []string, n int) (some []string) {
	for i := 0; i < len(all); i += max(n, 1) {
		some = append(some, all[i])
	}
	return some
}

// started starts a suite for each CRD of a file and has it covered.
func started(t *testing.T, file string, which starter.Which, covered func(*coverage.Report)) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range objects.Definitions(file, file, src, true) {
		s, why := starter.New(d, d.Storage(), starter.Options{Which: which})
		if s == nil {
			t.Logf("%s: %s", d.Name, why)
			continue
		}
		results := starter.Run(d, s.Suite.YAML())
		for _, r := range results {
			if !r.Passed() && r.Case.Skip == "" {
				t.Errorf("%s: the case %q of the suite that is started fails", d.Name, r.Case.Name)
			}
		}
		farFrom(t, d.Name, results)
		covered(coverage.Of(append(results, &suite.Result{Definition: d, Case: &suite.Case{}}), coverage.Options{})[0])
	}
}

// farFrom reports objects that are rejected though no object that is accepted in the same suite is near, as near as two values.
func farFrom(t *testing.T, name string, results []*suite.Result) {
	t.Helper()
	var accepted []request.Object
	for _, r := range results {
		for _, x := range r.Exchanges {
			if x.Outcome.Accepted() {
				accepted = append(accepted, x.Sent)
			}
			if x.Old != nil { // it was accepted, and has what the server adds
				accepted = append(accepted, x.Old)
			}
		}
	}
	for _, r := range results {
		for _, x := range r.Exchanges {
			near := func(o request.Object) bool { return starter.Distance(o, x.Sent) <= 2 }
			if !x.Outcome.Accepted() && !slices.ContainsFunc(accepted, near) {
				t.Errorf("%s: nothing that is accepted is near to what %q rejects", name, r.Case.Name)
			}
		}
	}
}
