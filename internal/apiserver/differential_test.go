package apiserver_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	v121 "github.com/crdlift/crdlift/internal/testing/v121"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The tests of this file compare the profile of v1beta1 with v0.21.14 itself.

func TestV121Fixtures(t *testing.T) {
	judge := v121.Start(t)
	var r record
	for _, f := range fixtures(t, "v1beta1") {
		if err := r.compare(judge, f.crd); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
	r.log(t, "fixtures")
}

// TestV121Mutants makes mistakes in the fixtures that are accepted, and wants every row to come up: the same mistakes each
// time, and others each night.
func TestV121Mutants(t *testing.T) {
	judge := v121.Start(t)
	var originals []*crd.CRD
	for _, f := range fixtures(t, "v1beta1") {
		if slices.Equal(f.want, []string{"accepted"}) {
			originals = append(originals, f.crd)
		}
	}
	each, seed := 1000, uint64(21)
	switch {
	case corpus.All():
		each, seed = 2500, corpus.Seed(t)
	case testing.Short():
		each = 100
	}
	var r record
	mutate(t, judge, &r, seed, each, originals)
	r.log(t, "mutants of fixtures")
	r.wantMixed(t)
	if testing.Short() {
		return // too few to meet every row
	}
	for _, f := range fixtures(t, "v1beta1") {
		if err := r.compare(judge, f.crd); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
	for _, id := range apiserver.Rows() {
		reason, known := unreached[id]
		switch hit := r.rows[id] > 0; {
		case hit && known:
			t.Errorf("%s came up %d times, though %s", id, r.rows[id], reason)
		case !hit && known:
			t.Logf("not reached: %s, %s", id, reason)
		case !hit:
			t.Errorf("%s never came up", id)
		}
	}
}

// TestV121Each holds the profile of v1beta1 against v0.21.14 for the changes of package fast's TestWholeEach.
func TestV121Each(t *testing.T) {
	t.Parallel()
	judge := v121.Start(t)
	for name, text := range mutants.Small() {
		var r record
		raw, err := yaml11.ToJSON(inputs.CRD(t, text).Node)
		if err != nil {
			t.Fatal(err)
		}
		if inputs.CRD(t, text).Version != crd.V1beta1 {
			continue
		}
		for _, change := range corpus.Sample(t, mutants.Each(raw), 100) {
			for _, mutant := range crd.Parse(mutants.With(raw, change)) {
				if err := r.compare(judge, mutant); err != nil {
					t.Errorf("%s, %v: %v", name, change, err)
				}
			}
		}
		r.log(t, name)
	}
}

func TestV121Corpus(t *testing.T) {
	originals := sample(t, 8)
	judge := v121.Start(t)
	var r record
	for _, c := range originals {
		if err := r.compare(judge, c); err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
	r.log(t, "corpus")
}

func TestV121CorpusMutants(t *testing.T) {
	nth := 6
	if testing.Short() {
		nth = 1 // of ten times as many: the share of a few hundred mutants is another one from day to day
	}
	originals := sample(t, nth)
	judge := v121.Start(t)
	var r record
	for seed := range uint64(2) { // with one mistake each: of those with two, more are rejected than wantMixed wants
		mutate(t, judge, &r, 1+seed<<32, 2, originals)
	}
	r.log(t, "mutants of the corpus")
	r.wantMixed(t)
}

// sample is one of nth of the real v1beta1 CRDs, whichever files they are in: those of one file are much alike.
func sample(t *testing.T, nth int) []*crd.CRD {
	t.Helper()
	var all []*crd.CRD
	for _, path := range corpus.Files(t, "v1beta1") {
		for _, c := range inputs.CRDs(t, path) {
			if c.Version == crd.V1beta1 {
				all = append(all, c)
			}
		}
	}
	return corpus.Sample(t, all, nth)
}

// mutate judges mutants of CRDs, a number of each, most with one mistake. The mutants depend on the seed alone.
func mutate(t *testing.T, judge *v121.Judge, r *record, seed uint64, each int, originals []*crd.CRD) {
	t.Helper()
	for i, c := range originals {
		raw, err := yaml11.ToJSON(c.Node)
		if err != nil {
			t.Fatal(err)
		}
		for n := range each {
			mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(seed+uint64(i), uint64(n))), 1+n%3/2)
			if err != nil {
				t.Fatal(err)
			}
			for _, mutant := range crd.Parse(mutated) {
				if err := r.compare(judge, mutant); errors.Is(err, errDiffers) {
					t.Errorf("%s, mutant %d, %q: %v", c.Name(), n, made, err)
				} else if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// wantMixed wants mutants that are worth judging: neither all rejected nor all accepted.
func (r *record) wantMixed(t *testing.T) {
	t.Helper()
	if share := float64(r.refused) / float64(r.asked); share < 0.3 || share > 0.7 {
		t.Errorf("%.0f%% of the mutants are rejected; it should be 30%% to 70%%", 100*share)
	}
}

// TestCases compares both versions with the verdicts that real servers gave on a collection of manifests.
func TestCases(t *testing.T) {
	corpus.Need(t)
	all := corpus.Below(t, corpus.Cases())
	var judged int
	for _, path := range all {
		dir := filepath.Dir(path)
		if filepath.Base(path) != "expected.json" || strings.Contains(dir, "update") {
			continue
		}
		var want struct {
			Accepted     *bool
			DecodeErrors []string
			Panic        string
			Errors       []struct{ Type, Field, Detail string }
		}
		if b, err := os.ReadFile(path); err != nil {
			t.Fatal(err)
		} else if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if want.Accepted == nil {
			continue // what is expected is not the verdict on one CRD
		}
		var errs field.ErrorList
		for _, e := range want.Errors {
			err := &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail}
			apiserver.Unswap(err)
			errs = append(errs, err)
		}
		found := inputs.CRDs(t, filepath.Join(dir, "crd.yaml"))
		if len(found) != 1 {
			t.Logf("%s has %d CRDs", dir, len(found))
			continue
		}
		judged++
		got, expected := profile(found[0], quick), opinionOf(errs)
		if got.refused == *want.Accepted {
			t.Errorf("%s: accepted is %t: %v", dir, !got.refused, got)
		}
		if (got.decode != "") != (len(want.DecodeErrors) > 0) || (got.panics != "") != (want.Panic != "") || !slices.Equal(got.errors, expected.errors) {
			t.Errorf("%s:\n  profile: %v\n  server:  %v %v", dir, got, expected, want.DecodeErrors)
		}
	}
	t.Logf("%d cases", judged)
}
