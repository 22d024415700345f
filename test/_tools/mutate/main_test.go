package main

import (
	"strings"
	"testing"
)

// TestRun tries every mutant of a package whose test has no name of 100 letters, and none for a function.
func TestRun(t *testing.T) {
	t.Chdir("../../..")
	t.Setenv("CRDLIFT_SEED", "1")
	const args = "-mutants 100 -floor 95 ./test/_tools/mutate/testdata/fare"
	var out strings.Builder
	err := run(t.Context(), strings.Fields(args), &out)
	if err == nil || err.Error() != "under 95% killed in 1 of 1 packages" {
		t.Errorf("got %v", err)
	}
	const want = `
test/_tools/mutate/testdata/fare: 93% killed: 13 of 14 tried (0 of them by time) of 14 covered of 16
  lived: test/_tools/mutate/testdata/fare/fare.go:26:15: >= for >
CRDLIFT_SEED=1 takes the same mutants again
`
	if got := "\n" + out.String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestNothingChanged(t *testing.T) {
	t.Parallel()
	if none, err := choose(t.Context(), "HEAD", []string{"../../../internal/testing/corpus", "."}); len(none) != 0 || err != nil {
		t.Errorf("got %v, %v: what is for tests only, and programs without functions of their own, are not tried", none, err)
	}
}
