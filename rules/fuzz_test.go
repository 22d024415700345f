package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// fuzzed is the linter that fuzzing tries: every rule, and the edits of every fix.
func fuzzed() *engine.Linter {
	return &engine.Linter{Rules: allRules, Options: lint.Options{Config: &lint.Config{Preset: lint.All}, Edits: true}}
}

// seeds adds the first manifest with findings of every rule, up to a few of each topic: more would only be slower.
func seeds(f *testing.F, add func(src []byte)) {
	f.Helper()
	topics, err := filepath.Glob(filepath.Join(fixtureRoot, "*"))
	if err != nil || len(topics) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, topic := range topics {
		files, err := filepath.Glob(filepath.Join(topic, "*", "want.yaml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files[:min(len(files), 3)] {
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			add(src)
		}
	}
	for i, path := range manifests(corpus.Below(f, corpus.Cases())) {
		if src, err := os.ReadFile(path); err == nil && i%8 == 0 && len(src) < 4000 {
			add(src)
		}
	}
	add([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: &m\n  name: *m\nspec: {versions: [*m]}\n"))
	add([]byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"\ud800"},"spec":{"validation":{"openAPIV3Schema":{"properties":{"a":{"anyOf":[{}]}}}}}}`))
	add([]byte("apiVersion: apiextensions.k8s.io/v1\r\nkind: CustomResourceDefinition\r\nspec:\r\n  versions:\r\n  - {name: v1, schema: {openAPIV3Schema: {properties: {a: {type: [string, 1], enum: 3, default: .inf}}}}}\r\n"))
}

// checkFindings checks what every finding promises.
func checkFindings(t *testing.T, src []byte, findings []*lint.Finding) {
	t.Helper()
	lines := strings.Split(string(bytes.TrimPrefix(src, []byte("\ufeff"))), "\n")
	inside := func(line, column int) bool {
		return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCountInString(lines[line-1])+1
	}
	for _, f := range findings {
		p := f.Pos
		if !utf8.Valid(src) {
			continue // a line of no characters
		}
		if !inside(p.Line, p.Column) || !inside(p.EndLine, p.EndColumn) || p.EndLine < p.Line || p.EndLine == p.Line && p.EndColumn < p.Column {
			t.Errorf("%s is at %+v, which is not in the file: %s", f.Rule.ID, p, f.Message)
		}
		if strings.Contains(f.Message, "please report it") && f.Rule.ID != engine.UnmatchedRule || strings.Contains(f.Message, "\n") || f.Message == "" {
			t.Errorf("%s: %q", f.Rule.ID, f.Message)
		}
		if f.Fix == nil {
			continue
		}
		for _, e := range f.Fix.Edits {
			if !inside(e.Line, e.Column) || !inside(e.EndLine, e.EndColumn) {
				t.Errorf("%s: an edit outside of the file: %+v", f.Rule.ID, e)
				return
			}
		}
		if edited := edited(lines, f.Fix.Edits); broken([]byte(edited)) > broken(src) {
			t.Errorf("%s: %q makes text that does not parse:\n%s", f.Rule.ID, f.Fix.Title, edited)
		}
	}
}

// edited makes the edits of a fix as an editor would, which knows lines and columns only.
func edited(lines []string, edits []lint.TextEdit) string {
	text := strings.Join(lines, "\n")
	offset := func(line, column int) int {
		at := len(strings.Join(lines[:line-1], "\n"))
		if line > 1 {
			at++
		}
		for range column - 1 {
			_, width := utf8.DecodeRuneInString(text[at:])
			at += width
		}
		return at
	}
	for _, e := range slices.Backward(edits) {
		text = text[:offset(e.Line, e.Column)] + e.Text + text[offset(e.EndLine, e.EndColumn):]
	}
	return text
}

// spoken is what counts of findings when two runs are compared.
func spoken(findings []*lint.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Pos.File+" "+f.Rule.ID+" "+f.Path+" "+f.Message)
	}
	return all
}

// FuzzLint lints a file twice, with what it was before or without.
func FuzzLint(f *testing.F) {
	seeds(f, func(src []byte) {
		f.Add(src, []byte(nil))
		f.Add(src, bytes.ReplaceAll(src, []byte("type: string"), []byte("type: integer")))
		f.Add(bytes.ReplaceAll(src, []byte("type: object"), nil), src)
	})
	f.Fuzz(func(t *testing.T, src, old []byte) {
		l := fuzzed()
		if old != nil {
			l.Old = oldSide("old.yaml", old)
		}
		report := func() *lint.Report { return l.Report([]*engine.FileReport{l.File("fuzz.yaml", src)}) }
		first, second := report(), report()
		checkFindings(t, src, first.Findings)
		if diff := cmp.Diff(spoken(first.Findings), spoken(second.Findings)); diff != "" {
			t.Errorf("two runs differ:\n%s", diff)
		}
	})
}

// FuzzFix makes all fixes of a file: what parsed still parses, and a second run has nothing to do.
func FuzzFix(f *testing.F) {
	seeds(f, func(src []byte) { f.Add(src, true) })
	seeds(f, func(src []byte) {
		f.Add(bytes.ReplaceAll(src, []byte("type: object"), []byte("nullable: true")), false)
	})
	f.Fuzz(func(t *testing.T, src []byte, unsafe bool) {
		l := fuzzed()
		l.Edits = false
		fixed := l.Fix("fuzz.yaml", src, unsafe)
		checkFindings(t, fixed.Output, fixed.Left.Findings)
		if broken(fixed.Output) > broken(src) {
			t.Errorf("does not parse any more:\n%s", fixed.Output)
		}
		if fixed.GaveUp != "" {
			return
		}
		if again := l.Fix("fuzz.yaml", fixed.Output, unsafe); !bytes.Equal(again.Output, fixed.Output) {
			t.Errorf("a second run changes %q:\n%s", spoken(again.Findings), cmp.Diff(string(fixed.Output), string(again.Output)))
		}
	})
}

// broken counts the documents that do not parse.
func broken(src []byte) int {
	n := 0
	for _, d := range manifest.Parse("fuzz.yaml", src).Documents {
		if d.Err != nil {
			n++
		}
	}
	return n
}
