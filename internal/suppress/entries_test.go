package suppress

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// someEntries are ignores and findings that meet now and then. The same seed makes the same ones.
func someEntries(r *rand.Rand) ([]lint.Ignore, []*lint.Finding) {
	paths := []string{"spec.names", "spec.versions[0].schema", "spec.versions[v1].schema", "spec.versions.v1.schema", "spec.versions[*].schema",
		"spec.versions[1].schema", "spec.a/b", "spec[a.b]", "spec.a?b", "**", "", `spec.{a}`, `spec.[a]`}
	rules := []*lint.Rule{{ID: "a"}, {ID: "b"}}
	var ignores []lint.Ignore
	for i := range 5 {
		one := lint.Ignore{Reason: fmt.Sprint(i), Path: paths[r.IntN(len(paths))]}
		if r.IntN(2) == 0 {
			one.Rule = rules[r.IntN(2)].ID
		}
		ignores = append(ignores, one)
	}
	var findings []*lint.Finding
	for range 8 {
		f := &lint.Finding{Rule: rules[r.IntN(2)], Path: paths[r.IntN(len(paths))]}
		if r.IntN(2) == 0 {
			f.Versions = []string{"v1"}
		}
		findings = append(findings, f)
	}
	return ignores, findings
}

// TestEntries wants the index to find the ignore that comes first in the configuration, as a search through all of them does.
func TestEntries(t *testing.T) {
	t.Parallel()
	hidden := 0
	for seed := range uint64(3000) {
		ignores, findings := someEntries(rand.New(rand.NewPCG(7, seed)))
		index, at := newEntries(ignores), byPath(findings)
		for _, f := range findings {
			want := ""
			for i := range ignores {
				if hides(&ignores[i], f, "crd.yaml") {
					want = ignores[i].Reason
					hidden++
					break
				}
			}
			got := ""
			if i := index.hiding(f, "crd.yaml"); i != nil {
				got = i.Reason
			}
			if got != want {
				t.Fatalf("seed %d: %q of %+v is hidden by %q, want %q", seed, f.Path, ignores, got, want)
			}
		}
		for path := range index.at {
			for _, i := range index.at[path] {
				for _, f := range findings {
					if hides(&ignores[i], f, "crd.yaml") {
						found := false
						for _, c := range at[path] {
							found = found || c == f
						}
						if !found {
							t.Fatalf("seed %d: %q is not found by the path of %+v", seed, f.Path, ignores[i])
						}
					}
				}
			}
		}
	}
	if hidden < 3000 {
		t.Errorf("only %d findings were hidden", hidden)
	}
}
