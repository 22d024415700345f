package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// workers is how many CRDs are on their way at a time. They spend most of it waiting: servers hold back the first
// object of a new CRD for two seconds.
const workers = 16

// A tally counts what happened to manifests, by what it is called in the summary.
type tally struct {
	t        *testing.T
	mu       sync.Mutex
	counts   map[string]int
	examples map[string][]string
}

// count adds to a figure; an example says which manifest that was, and why.
func (s *tally) count(figure string, n int, example ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[figure] += n
	if len(example) > 0 && len(s.examples[figure]) < 5 {
		s.examples[figure] = append(s.examples[figure], fmt.Sprint(example...))
	}
}

// fail is count for what must not happen.
func (s *tally) fail(figure string, m *crdManifest, why string) {
	s.count("FAILED: "+figure, 1)
	s.t.Errorf("%s: %s: %s", m, figure, why)
}

// check does something with every manifest of an API version: the repository's own, and a sample of the real ones.
func check(t *testing.T, version crd.Version, do func(*crdManifest, *tally) error) {
	t.Run("fixtures", func(t *testing.T) {
		all, _ := read(t, fixtures(t), version)
		each(t, all, do)
	})
	t.Run("corpus", func(t *testing.T) {
		all, repeats := read(t, realFiles(t, string(version)), version)
		t.Logf("%d CRDs, and %d that say the same as one of them", len(all), repeats)
		each(t, corpus.Sample(t, all, 25), do)
	})
}

// each does something with every manifest and prints the figures. Manifests of one API group come one after the other:
// two CRDs of one name cannot be there at a time, and those of one group can reject each other's names.
func each(t *testing.T, all []*crdManifest, do func(*crdManifest, *tally) error) {
	t.Helper()
	s := &tally{t: t, counts: map[string]int{}, examples: map[string][]string{}}
	begun := time.Now()
	groups := map[string][]*crdManifest{}
	for _, m := range all {
		groups[m.group] = append(groups[m.group], m)
	}
	var names []string
	for name := range groups {
		names = append(names, name)
	}
	// The largest first: at the end they would keep one worker busy alone.
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	})
	work := make(chan []*crdManifest)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for group := range work {
				for _, m := range group {
					if err := do(m, s); err != nil {
						s.fail("the server did not do as told", m, err.Error())
					}
				}
			}
		})
	}
	for _, name := range names {
		work <- groups[name]
	}
	close(work)
	wg.Wait()

	t.Logf("%d CRDs in %s", len(all), time.Since(begun).Round(time.Second))
	var figures []string
	for figure := range s.counts {
		figures = append(figures, figure)
	}
	slices.Sort(figures)
	for _, figure := range figures {
		t.Logf("%6d %s", s.counts[figure], figure)
		for _, example := range s.examples[figure] {
			t.Logf("       as %.400s", example)
		}
	}
}
