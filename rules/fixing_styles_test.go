package rules

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/styles"
)

// TestFixStyles fixes manifests that are written in hundreds of other ways.
func TestFixStyles(t *testing.T) {
	t.Parallel()
	var sources [][]byte
	for _, f := range fixtures(t) {
		if bytes.Contains(f.src, []byte("# want")) && len(f.src) < 3000 {
			sources = append(sources, f.src)
		}
	}
	const cases = 300
	f := &fixing{fixed: map[string]int{}, left: map[string]int{}}
	for n := range cases {
		r, seed := styles.Random(n, cases)
		src, made := styles.Vary(sources[r.IntN(len(sources))], r, 1+r.IntN(4))
		f.checkText(t, fmt.Sprintf("case-%d-seed-%d-%q.yaml", n, seed, made), src, n%2 == 0)
	}
	t.Logf("%d of %d files had something to fix", f.changed, cases)
	if f.changed < cases/10 {
		t.Errorf("%d of %d files had something to fix: the cases show nothing", f.changed, cases)
	}
}
