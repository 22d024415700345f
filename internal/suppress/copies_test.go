package suppress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// A repository has the files of a run at "repo": a source, and what becomes of it.
type repository struct {
	*Run
	files []*File
}

// inRepository is a repository with some files, each about widgets.example.com. A name that ends in "?" is a file of which findings
// are told elsewhere; "a<b" is a that is made from b.
func inRepository(t *testing.T, baseline string, files ...string) repository {
	t.Helper()
	r := repository{Run: &Run{Config: &lint.Config{Path: "repo/.crdlift.yaml"}, Rules: lint.Rules{sizeRule}, Runs: func(*lint.Rule) bool { return true }}}
	var err error
	if r.Baseline, err = ReadBaseline("repo/baseline.yaml", []byte("version: 1\nfiles:\n"+baseline), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		path, elsewhere := strings.CutSuffix(name, "?")
		path, source, made := strings.Cut(path, "<")
		if made {
			source = "repo/" + source
		}
		r.files = append(r.files, &File{
			FileReport: &lint.FileReport{Path: "repo/" + path}, Judged: []Subject{{Resource: "widgets.example.com", Elsewhere: elsewhere, Source: source}},
		})
	}
	return r
}

var sizeRule = &lint.Rule{ID: "size", Severity: lint.Warning}

// found adds a finding to the first file, which copies have as well.
func (r repository) found(path string, copies ...string) {
	f := &lint.Finding{Rule: sizeRule, Severity: lint.Warning, Resource: "widgets.example.com", Path: path, Source: lint.Source{Pos: lint.Point(r.files[0].Path, 1, 1)}}
	for _, file := range copies {
		f.Copies = append(f.Copies, lint.Point("repo/"+file, 1, 1))
	}
	r.files[0].Findings = append(r.files[0].Findings, f)
}

// entry is one of a baseline.
func entry(file, path string, count int) string {
	return fmt.Sprintf("- {path: %s, findings: [{rule: size, resource: widgets.example.com, path: %s, count: %d}]}\n", file, path, count)
}

// TestBaselineOfCopies: a finding at the source is known by the entry of any file that has it, and what a baseline of before has of
// copies is not gone.
func TestBaselineOfCopies(t *testing.T) {
	t.Parallel()
	for story, test := range map[string]struct {
		baseline string
		files    []string
		found    func(repository)
		want     []string // what is new
		gone     int
	}{
		"every file has an entry, from before copies were folded": {
			entry("bases", "a", 1) + entry("chart", "a", 1) + entry("dist", "a", 1), []string{"bases", "chart", "dist"},
			func(r repository) { r.found("a", "chart", "dist") }, nil, 0,
		},
		"the source alone has one": {entry("bases", "a", 1), []string{"bases", "chart?"}, func(r repository) { r.found("a", "chart") }, nil, 0},
		"a copy alone has one, which was the source": {
			entry("dist", "a", 1), []string{"bases", "chart?", "dist?"}, func(r repository) { r.found("a", "chart", "dist") }, nil, 0,
		},
		"a copy that was not looked at has one":              {entry("dist", "a", 1), []string{"bases"}, func(r repository) { r.found("a", "dist") }, nil, 0},
		"a file that is no copy has one":                     {entry("test", "a", 1), []string{"bases", "test?"}, func(r repository) { r.found("a", "chart") }, []string{"a"}, 0},
		"a copy is judged by itself, and its source has one": {entry("bases", "a", 1), []string{"chart<bases"}, func(r repository) { r.found("a") }, nil, 0},
		"of what is judged, nothing is made from it":         {entry("bases", "a", 1), []string{"chart", "dist<bases"}, func(r repository) { r.found("a") }, []string{"a"}, 0},
		"the entries of files do not add up": {
			entry("bases", "a", 1) + entry("chart", "a", 1), []string{"bases", "chart?"},
			func(r repository) { r.found("a", "chart"); r.found("a", "chart") }, []string{"a"}, 0,
		},
		"a copy has it more often": {
			entry("bases", "a", 1) + entry("chart", "a", 2), []string{"bases", "chart?"},
			func(r repository) { r.found("a", "chart"); r.found("a", "chart") }, nil, 0,
		},
		"it is mended everywhere": {
			entry("bases", "a", 1) + entry("chart", "a", 1) + entry("test", "a", 1), []string{"bases", "chart?", "test?"}, func(repository) {}, nil, 1,
		},
		"it is mended in a file with findings of its own": {entry("bases", "a", 1) + entry("chart", "a", 1), []string{"bases", "chart"}, func(repository) {}, nil, 2},
		"another one is new":                              {entry("bases", "a", 1), []string{"bases"}, func(r repository) { r.found("b", "chart") }, []string{"b"}, 1},
	} {
		r := inRepository(t, test.baseline, test.files...)
		test.found(r)
		for range 2 { // as editors do
			for _, f := range r.files {
				r.Mark(f)
			}
		}
		var fresh []string
		all := &lint.Report{Findings: r.files[0].Findings}
		for _, f := range all.Findings {
			if f.Ignored == "" {
				fresh = append(fresh, f.Path)
			}
		}
		if diff := cmp.Diff(test.want, fresh); diff != "" {
			t.Errorf("%s: %s", story, diff)
		}
		if gone := r.Gone(r.files); gone != test.gone {
			t.Errorf("%s: %d are gone, want %d", story, gone, test.gone)
		}
		written, err := ReadBaseline("repo/baseline.yaml", WriteBaseline("repo/baseline.yaml", all, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for file, counts := range written.Counts {
			for _, count := range counts {
				n += count
			}
			if "repo/"+file != r.files[0].Path {
				t.Errorf("%s: a baseline written anew has an entry of %s", story, file)
			}
		}
		if n != len(all.Findings) {
			t.Errorf("%s: a baseline written anew has %d of %d findings", story, n, len(all.Findings))
		}
	}
}

// TestUnusedElsewhere: what a file whose findings are told elsewhere ignores may well be needed, in a run that judges all files alike.
func TestUnusedElsewhere(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]int{"chart": 2, "chart?": 0} {
		r := inRepository(t, "", "bases", file)
		r.found("a", "chart")
		r.Rules = append(r.Rules, UnusedRule)
		r.Config.Ignores = []lint.Ignore{{File: "chart", Rule: "size", Reason: "so"}}
		r.files[1].Comments = []*Comment{{All: true, Reason: "so", Names: []RuleName{{ID: "size", Unused: &lint.Finding{Rule: UnusedRule}}}}}
		if n := len(r.Unused(r.files)) + len(r.files[1].Findings); n != want {
			t.Errorf("%s: %d ignores are unused, want %d", file, n, want)
		}
	}
}
