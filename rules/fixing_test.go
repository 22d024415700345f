package rules

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// fixing counts what fixes did to many files.
type fixing struct {
	sync.Mutex
	files, changed int
	fixed, left    map[string]int // findings by rule: fixed, and with a fix that did no good
}

func (f *fixing) check(t *testing.T, path string, unsafe bool) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	f.checkText(t, path, src, unsafe)
}

// checkText fixes a text, twice: it still parses, no comment is lost, no other document changes, no CRD is judged worse,
// and the second time there is nothing to do.
func (f *fixing) checkText(t *testing.T, path string, src []byte, unsafe bool) {
	l := everyRule()
	fixed := l.Fix(path, src, unsafe)
	if again := l.Fix(path, fixed.Output, unsafe); !bytes.Equal(again.Output, fixed.Output) {
		t.Errorf("%s (unsafe: %v): a second run changes it again", path, unsafe)
	}
	f.Lock()
	f.files++
	if !bytes.Equal(src, fixed.Output) {
		f.changed++
	}
	for _, finding := range fixed.Findings {
		f.fixed[finding.Rule.ID]++
	}
	for _, finding := range fixed.Left.Findings {
		if finding.Fix != nil && (finding.Fix.Safe || unsafe) && finding.Ignored == "" {
			f.left[finding.Rule.ID]++
		}
	}
	f.Unlock()
	if bytes.Equal(src, fixed.Output) {
		return
	}
	before, after := manifest.Parse(path, src), manifest.Parse(path, fixed.Output)
	touched := map[int]bool{}
	for _, finding := range fixed.Findings {
		touched[finding.Document] = true
	}
	if _, err := rewrite.CheckNeighbours(before, fixed.Output, func(index int) bool { return touched[index] }); err != nil {
		t.Errorf("%s (unsafe: %v): %v", path, unsafe, err)
	}
	lost := map[string]int{}
	for _, d := range before.Documents {
		for _, c := range d.Comments() {
			lost[strings.TrimSpace(c.Text)]++
		}
	}
	for i, d := range after.Documents {
		for _, c := range d.Comments() {
			lost[strings.TrimSpace(c.Text)]--
		}
		if d.Err != nil && (i >= len(before.Documents) || before.Documents[i].Err == nil) {
			t.Errorf("%s (unsafe: %v): %v", path, unsafe, d.Err)
		}
	}
	for c, n := range lost {
		if n > 0 {
			t.Errorf("%s (unsafe: %v): a comment is lost: %s", path, unsafe, c)
		}
	}
	was, is := crd.Parse(src), crd.Parse(fixed.Output)
	if len(was) != len(is) {
		t.Errorf("%s (unsafe: %v): %d CRDs became %d", path, unsafe, len(was), len(is))
		return
	}
	for i := range was {
		d, err := was[i].Decode()
		if err != nil || !apiserver.OnCreate(d.Hub, was[i].Version).Accepted() {
			continue
		}
		if d, err = is[i].Decode(); err != nil {
			t.Errorf("%s (unsafe: %v): %v", path, unsafe, err)
		} else if v := apiserver.OnCreate(d.Hub, is[i].Version); !v.Accepted() {
			t.Errorf("%s (unsafe: %v): rejected now: %v", path, unsafe, v.Errors)
		}
	}
}

func (f *fixing) checkAll(t *testing.T, paths []string, unsafe bool) {
	f.fixed, f.left = map[string]int{}, map[string]int{}
	inParallel(len(paths), func(i int) { f.check(t, paths[i], unsafe) })
	t.Logf("unsafe: %v: %d of %d files changed", unsafe, f.changed, f.files)
	for _, id := range slices.Sorted(maps.Keys(f.fixed)) {
		t.Logf("  %-45s fixed %d, left %d", id, f.fixed[id], f.left[id])
	}
	for _, id := range slices.Sorted(maps.Keys(f.left)) {
		if f.fixed[id] == 0 {
			t.Logf("  %-45s fixed 0, left %d", id, f.left[id])
		}
	}
}

func TestFixesKeepTheirWord(t *testing.T) {
	t.Parallel()
	paths := slices.DeleteFunc(own(t), func(path string) bool { return strings.Contains(path, ".fixed.") })
	for _, unsafe := range []bool{false, true} {
		new(fixing).checkAll(t, paths, unsafe)
	}
}

func TestFixesKeepTheirWordOnCorpus(t *testing.T) {
	t.Parallel()
	paths := corpus.Sample(t, volume(t, "v1", "v1beta1", "fragments", "broken"), 24)
	for _, unsafe := range []bool{false, true} {
		new(fixing).checkAll(t, paths, unsafe)
	}
}
