package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

var update = flag.Bool("update", false, "write the expected outputs of testdata anew")

// options are those of the expected outputs.
var options = Options{Version: "1.2.3", Rules: catalog, Doc: docOf, Repository: "https://github.com/example/widgets/blob/main/",
	Head: Head{Command: "lint", Repository: "example/widgets", Against: "v1.0.0"},
	Added: []lint.Addition{
		{Resource: "widgets.example.com", Versions: []string{"v1"}, Field: "spec.size", Kind: lint.Added, Text: "was added"}, {Resource: "widgets.example.com", Kind: lint.VersionAdded, Text: "is new"},
	}}

func write(t testing.TB, format string, r *lint.Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// formatFiles are the files in testdata that hold what each format makes of a report.
var formatFiles = map[string]string{
	Text: "full.txt", Short: "short.txt", JSON: "findings.json", SARIF: "crdlift.sarif", GitHub: "github.txt", GitLab: "gitlab.json", JUnit: "junit.xml", Markdown: "summary.md",
}

// TestGolden compares each format's output with a file that somebody has read.
func TestGolden(t *testing.T) {
	t.Parallel()
	colored := options
	colored.Color = true
	cases := map[string]string{}
	for folder, r := range map[string]*lint.Report{"": nasty(), "objects": ofObjects(), "conversions": ofConversions(), "repository": inRepository(), "tests": ofTests()} {
		at := func(name string) string { return filepath.Join(folder, name) }
		cases[at("colored.txt")] = strings.ReplaceAll(write(t, Text, r, colored), "\x1b", "ESC")
		for format, name := range formatFiles {
			cases[at(name)] = write(t, format, r, options)
		}
	}
	for name, got := range cases {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// checkHarmless searches for text that a terminal or a runner would interpret, other than a format's own commands.
func checkHarmless(t *testing.T, format string, out string) {
	t.Helper()
	for i, line := range strings.Split(out, "\n") {
		plain := strings.ReplaceAll(line, "\t", "")
		if format == GitHub {
			plain = strings.TrimPrefix(plain, text.CommandSign)
		}
		if text.Harmless(plain) != plain || strings.HasPrefix(strings.TrimSpace(plain), "::") || strings.Contains(plain, "##[") {
			t.Errorf("%s: line %d: %q", format, i+1, line)
		}
	}
}

// TestHarmlessEverywhere searches every format's output for text that a terminal would interpret.
func TestHarmlessEverywhere(t *testing.T) {
	t.Parallel()
	for _, of := range []func() *lint.Report{nasty, inRepository} {
		for _, format := range Formats() {
			o := Options{Rules: catalog, Copies: true}
			out := write(t, format, of(), o)
			checkHarmless(t, format, out)
			if again := write(t, format, of(), o); again != out {
				t.Errorf("%s: not the same twice", format)
			}
		}
	}
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	err := Write(&bytes.Buffer{}, "xml", &lint.Report{}, Options{})
	if err == nil || err.Error() != `"xml" is not one of text, short, statistics, json, sarif, github, gitlab, junit, markdown` {
		t.Errorf("got %v", err)
	}
	for _, format := range Formats() {
		if err := Write(full{}, format, nasty(), options); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}

var errFull = errors.New("no space left on device")

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestSummary(t *testing.T) {
	t.Parallel()
	ignored := &lint.Finding{Severity: lint.Error, Ignored: "because"}
	for _, tt := range []struct {
		report *lint.Report
		want   string
	}{
		{nasty(), "17 errors, 1 warning, 1 info (2 ignored); checked 3 CRDs in 4 files, skipped 1 other document and 2 Helm templates"},
		{&lint.Report{}, "no findings; found no files to check"},
		{&lint.Report{Files: []string{"a"}, Counts: lint.Counts{CRDs: 1}, Templates: []lint.Template{{Language: "Helm"}}}, "no findings; checked 1 CRD in 1 file, skipped 1 Helm template"},
		{&lint.Report{Files: []string{"a"}, Counts: lint.Counts{CRDs: 1, Others: 1}, Templates: []lint.Template{{Language: "Jinja"}, {Language: "Helm"}, {Language: "Jinja"}}},
			"no findings; checked 1 CRD in 1 file, skipped 1 other document, 1 Helm template and 2 Jinja templates"},
		{&lint.Report{Files: []string{"a"}, Counts: lint.Counts{Others: 31}, Findings: []*lint.Finding{ignored}},
			"no findings (1 ignored); checked no CRDs in 1 file, skipped 31 other documents"},
		{&lint.Report{Files: []string{"a"}, Findings: []*lint.Finding{{Severity: lint.Info}, {Severity: lint.Info}}},
			"2 infos; checked no CRDs in 1 file"},
		{&lint.Report{Files: []string{"a"}, CRDsLeftOut: 1}, "no findings; checked no CRDs in 1 file, skipped 1 CRD of tests, older releases or other projects (--all-files checks it)"},
		{&lint.Report{Files: []string{"a"}, CRDsLeftOut: 2, Counts: lint.Counts{Others: 1}},
			"no findings; checked no CRDs in 1 file, skipped 2 CRDs of tests, older releases or other projects (--all-files checks them) and 1 other document"},
		{&lint.Report{Files: []string{"a"}, CRDsLeftOut: 1, LeftOut: []*lint.Finding{{}}}, "no findings; checked no CRDs in 1 file"},
		{&lint.Report{Files: []string{"a"}, CRDsLeftOut: 1, Counts: lint.Counts{CRDs: 1}}, "no findings; checked 1 CRD in 1 file"},
	} {
		if got := Summary(tt.report); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
