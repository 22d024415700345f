package rules

import (
	"bytes"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// A tree is that of a repository, in memory.
type tree map[string][]byte

func (t tree) Files() (all []string) {
	for file := range t {
		all = append(all, file)
	}
	slices.Sort(all)
	return all
}

func (t tree) Read(file string) []byte { return t[file] }

// TestRepeats has each fixture in two files, at other lines of the second, which is said of it as if it were judged by itself, with
// edits. Rules that ask where a file is are silent about the copy.
func TestRepeats(t *testing.T) {
	t.Parallel()
	repeated := 0
	for _, f := range fixtures(t) {
		l := f.linter(t)
		if l.Kind != nil || l.Conversions != nil || l.Old != nil || bytes.Contains(f.src, []byte("%")) {
			continue
		}
		file, copied := f.path, path.Join(path.Dir(f.path), "copies", "of-"+path.Base(f.path))
		files := tree{file: f.src, copied: append([]byte("above: it\n---\n"), f.src...)}
		same, _ := repository.Look(files).Same(files.Files())
		l.Edits = true
		l.Config.Rules = map[string]lint.Severity{"file-name-convention": lint.Off, "copy-outdated": lint.Off} // with them, each file is judged
		alone := l.File(copied, files[copied])
		l.Repeats = &engine.Repeats{Same: same}
		judged := 0
		l.Rules = append(slices.Clone(l.Rules), &engine.Rule{ID: "counter", Severity: lint.Info, Run: func(*engine.Pass) { judged++ }})
		l.File(file, files[file])
		before := judged
		got := l.File(copied, files[copied])
		if before == 0 || judged > before {
			continue // it has no CRD that is judged, or is a template, several CRDs in one document, a comment for crdlift, or the first of both
		}
		repeated++
		dropAtSource(alone)
		if diff := cmp.Diff(reportText(t, l.Report([]*engine.FileReport{alone})), reportText(t, l.Report([]*engine.FileReport{got}))); diff != "" {
			t.Errorf("%s: %s", f.path, diff)
		}
		l.Repeats = &engine.Repeats{Same: same}
		l.File(copied, files[copied])
		before = judged
		if l.File(file, files[file]); judged == before { // whose findings lead to Go types
			t.Errorf("%s: what is said of a copy is repeated for the source", f.path)
		}
	}
	if repeated < 400 {
		t.Errorf("%d fixtures were repeated", repeated)
	}
}

func dropAtSource(r *engine.FileReport) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f *lint.Finding) bool {
		return slices.Contains([]string{"manifest-stale", "marker-ignored"}, f.Rule.ID)
	})
}
