package rules

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
)

func oldCRDs(path string, src []byte) []*older.CRD {
	var all []*older.CRD
	for _, c := range crd.Parse(src) {
		all = append(all, oldSide(path, src)(c.Name(), path, 0))
	}
	return all
}

// TestExperimentCorpus tries the changes that maintainers made between releases.
func TestExperimentCorpus(t *testing.T) {
	t.Parallel()
	e := newExperiment()
	for _, releases := range corpus.Sample(t, corpus.Releases(t), 16) { // it takes minutes to try all
		before := map[string]*older.CRD{}
		for _, path := range releases {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range oldCRDs(path, src) {
				if old := before[c.CRD.Name()]; old != nil && c.CRD.Version == crd.V1 {
					e.pair(t, path, old, c, "release")
				}
				before[c.CRD.Name()] = c
			}
		}
	}
	e.log(t)
	few, fewest := 2, 10 // a sample has about 60 damages, and as many errors
	switch {
	case corpus.All():
		few = 0
	case testing.Short():
		if e.damages == 0 || e.errors == 0 {
			t.Skip("no damage among the few changes of a short run")
		}
		fewest = 1
	}
	e.demand(t, few, fewest)
}

// TestExperimentMutants changes schemas at random: of the CRDs of the fixtures and, with the corpus, of some real ones.
func TestExperimentMutants(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob(fixtureRoot + "/lifecycle/*/old*.yaml")
	more, _ := filepath.Glob("../internal/testing/behaviour/testdata/*.yaml")
	paths = append(paths, more...)
	e := newExperiment()
	each, fewest := 16, 120 // the fixtures alone have about 250 damages and errors, and 30 in a short run
	if testing.Short() {
		each, fewest = 4, 15
	}
	own := len(paths)
	paths = append(paths, corpus.Sample(t, corpus.Below(t, filepath.Join(corpus.Dir(), "v1")), 100)...)
	for at, path := range paths {
		if at == own {
			each = 2 // of real ones there are many
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > 30<<10 {
			continue
		}
		for i, c := range oldCRDs(path, src) {
			if c.CRD.Version != crd.V1 || i > 2 {
				continue
			}
			for n := range each {
				mutated, about := mutateSchema(t, c.CRD, rand.New(rand.NewPCG(5, uint64(n))))
				if about == "" {
					continue
				}
				for _, m := range oldCRDs("mutant.json", mutated) {
					if refusedOnCreate(m) {
						continue
					}
					e.pair(t, path, c, m, about)
				}
			}
		}
	}
	e.log(t)
	e.demand(t, 0, fewest)
}

// demand fails if more than 3% of the damage is missed, or more than 5% of the errors are unconfirmed, and more than a
// number of each: in a small sample, chance decides on shares. It also fails if there are too few of either to tell.
func (e *experiment) demand(t *testing.T, few, fewest int) {
	t.Helper()
	if e.damages < fewest || e.errors < fewest {
		t.Errorf("only %d damages and %d errors, want at least %d of each", e.damages, e.errors, fewest)
	}
	missed, unconfirmed := e.damages-e.told, e.errors-e.confirmed
	if missed > few && missed*100 > e.damages*3 || unconfirmed > few && unconfirmed*100 > e.errors*5 {
		t.Error("too much is missed, or too many errors are unconfirmed")
	}
}

func mutateSchema(t *testing.T, c *crd.CRD, r *rand.Rand) ([]byte, string) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return nil, ""
	}
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	var nodes []map[string]any
	versions, _ := root["spec"].(map[string]any)["versions"].([]any)
	for _, v := range versions {
		schema, _ := v.(map[string]any)["schema"].(map[string]any)
		if s, ok := schema["openAPIV3Schema"].(map[string]any); ok {
			nodes = append(nodes, schemaNodes(s, true)...)
		}
	}
	if len(nodes) == 0 {
		return nil, ""
	}
	for range 50 {
		m := schemaEdits[r.IntN(len(schemaEdits))]
		if m.apply(nodes[r.IntN(len(nodes))], r) {
			raw, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			return raw, m.name
		}
	}
	return nil, ""
}
