package rules

import (
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
)

// TestOneRunnerOfSuites: files are run in parallel, and what their cases test is known to one.
func TestOneRunnerOfSuites(t *testing.T) {
	t.Parallel()
	for range 100 {
		s, kinds := &Suites{Cover: &Cover{}}, make([]engine.Kind, 8)
		var wait sync.WaitGroup
		for i := range kinds {
			wait.Go(func() { kinds[i] = s.kind() })
		}
		wait.Wait()
		for _, k := range kinds {
			if k != kinds[0] {
				t.Fatal("there are several")
			}
		}
	}
}
