package answer_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
	"github.com/crdlift/crdlift/web/answer"
)

// broken is a CRD with two mistakes, of which one can be fixed.
const broken = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: namespaced # of which the server says that it is none
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              keep: {type: integer, default: many}
`

// sound is the same without them, with a field that has a default.
var sound = strings.NewReplacer("namespaced # of which the server says that it is none", "Namespaced", "many", "3").Replace(broken)

const object = `apiVersion: example.com/v1
kind: Backup
metadata: {name: daily, namespace: shop}
spec:
  kept: 4
`

// ask asks, and fails the test where there is an error instead of an answer.
func ask[T any](t *testing.T, q answer.Question) (out T) {
	t.Helper()
	text := raw(t, q)
	var failed struct{ Error string }
	if json.Unmarshal(text, &failed) == nil && failed.Error != "" {
		t.Fatal(failed.Error)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

func raw(t *testing.T, q answer.Question) []byte {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Ask(text)
}

func files(texts ...string) (out []answer.File) {
	for i, text := range texts {
		out = append(out, answer.File{Name: string(rune('a'+i)) + ".yaml", Text: text})
	}
	return out
}

// A report is what the JSON format of the command has, as far as it matters here.
type report struct {
	Findings []struct {
		answer.Finding
		Severity, Message string
		Fix               *struct {
			Safe  bool
			Edits []any
		}
	}
	Summary struct{ CRDs, Objects, Refused, Errors int }
}

func (r report) rules() (ids []string) {
	for _, f := range r.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

func TestFindings(t *testing.T) {
	t.Parallel()
	r := ask[report](t, answer.Question{Ask: "findings", Files: files(broken)})
	if got, want := r.rules(), []string{"scope-invalid", "default-invalid"}; !slices.Equal(got, want) {
		t.Fatalf("the findings are %q, want %q", got, want)
	}
	if first := r.Findings[0]; first.File != "a.yaml" || first.Line != 8 || first.Column != 10 || first.Fix == nil || first.Fix.Edits != nil {
		t.Errorf("the first finding is %+v, want one at a.yaml:8:10 with a fix whose edits are not made yet", first)
	}
	if r.Summary.CRDs != 1 || r.Summary.Errors != 2 {
		t.Errorf("the summary is %+v", r.Summary)
	}
}

// TestTogether has findings about CRDs and about objects in the order of the files, and those of both once.
func TestTogether(t *testing.T) {
	t.Parallel()
	r := ask[report](t, answer.Question{Ask: "findings", Files: files(object, sound, "kind: CustomResourceDefinition\n a: b: c\n")})
	if got, want := r.rules(), []string{"object-unknown-field", "yaml-syntax"}; !slices.Equal(got, want) {
		t.Fatalf("the findings are %q, want %q", got, want)
	}
	if r.Findings[0].File != "a.yaml" || r.Summary.CRDs != 1 || r.Summary.Objects != 1 {
		t.Errorf("the report is %+v", r)
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	type fixEdits struct {
		Edits []struct {
			Line, Column, EndLine, EndColumn int
			Text                             string
		}
	}
	q := answer.Question{Ask: "edit", Files: files(broken), Finding: &answer.Finding{Rule: "scope-invalid", File: "a.yaml", Line: 8, Column: 10}}
	got := ask[fixEdits](t, q)
	if len(got.Edits) != 1 || got.Edits[0].Line != 8 || !strings.Contains("Namespaced", got.Edits[0].Text) || got.Edits[0].Text == "" {
		t.Errorf("the fix is %+v", got)
	}
	q.Finding.Line = 9
	if got := ask[fixEdits](t, q); len(got.Edits) != 0 {
		t.Errorf("a finding that there is not has the fix %+v", got)
	}
	q.Finding = nil
	if got := ask[fixEdits](t, q); len(got.Edits) != 0 {
		t.Errorf("no finding has the fix %+v", got)
	}
}

type fixes struct {
	Files []struct{ Edits []lint.TextEdit }
	Fixed int
}

func TestFix(t *testing.T) {
	t.Parallel()
	got := ask[fixes](t, answer.Question{Ask: "fix", Files: files(broken, "# nothing\n")})
	if got.Fixed != 1 || len(got.Files[1].Edits) != 0 || !strings.Contains(edited(broken, got.Files[0].Edits), "scope: Namespaced # of which") {
		t.Errorf("%d fixed, and the files are %+v", got.Fixed, got.Files)
	}
}

// edited is a text with edits made in it, from the last to the first.
func edited(text string, edits []lint.TextEdit) string {
	all := strings.SplitAfter(text, "\n")
	for _, e := range slices.Backward(edits) {
		all = slices.Concat(all[:e.Line-1], []string{e.Text}, all[min(e.EndLine-1, len(all)):])
	}
	return strings.Join(all, "")
}

// TestFixObjects fixes a custom resource by the CRD of another file.
func TestFixObjects(t *testing.T) {
	t.Parallel()
	got := ask[fixes](t, answer.Question{Ask: "fix", Files: files(object, sound), Unsafe: true})
	if got.Fixed != 1 || strings.Contains(edited(object, got.Files[0].Edits), "kept") || len(got.Files[1].Edits) != 0 {
		t.Errorf("%d fixed, and the files are %+v", got.Fixed, got.Files)
	}
}

type conversion struct {
	Diff  string
	Edits []lint.TextEdit
	CRDs  []struct{ Name, State string }
	Notes []struct{ Class, Rule string }
	Error string
}

func TestConvert(t *testing.T) {
	t.Parallel()
	old := ask[[]conversion](t, answer.Question{Ask: "convert", Files: files(sound), Options: options(t, `{"to": "v1beta1", "onLoss": "drop"}`)})
	if len(old) != 1 || !strings.Contains(old[0].Diff, "\n+apiVersion: apiextensions.k8s.io/v1beta1\n") || old[0].CRDs[0].State != "converted" {
		t.Fatalf("the conversion to v1beta1 is %+v", old)
	}
	back := ask[[]conversion](t, answer.Question{Ask: "convert", Files: files(edited(sound, old[0].Edits), "# nothing\n"), Options: options(t, `{"to": "v1"}`)})
	if !strings.Contains(back[0].Diff, "\n+apiVersion: apiextensions.k8s.io/v1\n") || back[0].CRDs[0].Name != "backups.example.com" ||
		back[1].Diff != "" || len(back[1].Edits) != 0 {
		t.Errorf("the conversion back is %+v", back)
	}
}

// TestDiff converts what the command converts: the difference is what it prints, and the edits make what it writes, also where the
// text has no line end at its end, those of Windows, a byte order mark, or only one line.
func TestDiff(t *testing.T) {
	t.Parallel()
	crontabs, err := os.ReadFile("../../examples/convert/crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	old, folder := string(crontabs), t.TempDir()
	program, path := filepath.Join(folder, "crdlift"), filepath.Join(folder, "a.yaml")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"plain": old, "no end": strings.TrimSuffix(old, "\n"), "windows": strings.ReplaceAll(old, "\n", "\r\n"),
		"mark": "\ufeff" + old, "one line": `{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": {"name": "a.example.com"}, ` +
			`"spec": {"group": "example.com", "names": {"plural": "a", "kind": "A"}, "scope": "Cluster", "version": "v1", "preserveUnknownFields": false, ` +
			`"validation": {"openAPIV3Schema": {"type": "object"}}}}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		command := func(args ...string) string {
			out, err := exec.Command(program, append(args, path)...).Output()
			if err != nil && len(out) == 0 {
				t.Fatalf("%s: %v", name, err)
			}
			return string(out)
		}
		got := ask[[]conversion](t, answer.Question{Ask: "convert", Files: []answer.File{{Name: "a.yaml", Text: text}}, Options: options(t, `{"to": "v1"}`)})[0]
		// The command has the whole path of what is in no repository.
		if printed := strings.ReplaceAll(command("convert", "--diff"), strings.TrimPrefix(filepath.ToSlash(path), "/"), "a.yaml"); got.Diff != printed {
			t.Errorf("%s: the difference is\n%sthe command's is\n%s", name, got.Diff, printed)
		}
		if made, written := edited(text, got.Edits), command("convert"); made != written || made == text {
			t.Errorf("%s: the edits make\n%sthe command writes\n%s", name, made, written)
		}
	}
}

func TestConvertWhatItCannot(t *testing.T) {
	t.Parallel()
	got := ask[[]conversion](t, answer.Question{Ask: "convert", Files: files("kind: CustomResourceDefinition\n a: b: c\n"), Options: options(t, `{}`)})
	if got[0].Error == "" || got[0].Diff != "" || len(got[0].Edits) != 0 {
		t.Errorf("the conversion of broken text is %+v", got)
	}
	if text := string(raw(t, answer.Question{Ask: "convert", Options: options(t, `{"to": "v2"}`)})); !strings.HasPrefix(text, `{"error":`) {
		t.Errorf("a conversion to v2 is answered with %s", text)
	}
}

func options(t *testing.T, text string) (out policy.Options) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestObjects(t *testing.T) {
	t.Parallel()
	type objects struct {
		CRDs     int
		Objects  []struct{ Kind, Label, Verdict, File string }
		Previews []struct{ Name, Diff string }
		Report   report
	}
	accepted := strings.Replace(object, "  kept: 4", "  {}", 1)
	got := ask[objects](t, answer.Question{Ask: "objects", Files: files(accepted, sound)})
	if len(got.Objects) != 1 || got.Objects[0].Kind != "Backup" || got.Objects[0].Verdict != "accepted" || got.CRDs != 1 {
		t.Fatalf("the answer is %+v", got)
	}
	if len(got.Previews) != 1 || !strings.HasPrefix(got.Previews[0].Diff, "--- a/a.yaml\n+++ b/a.yaml\n@@") || !strings.Contains(got.Previews[0].Diff, "\n+  {keep: 3}\n") {
		t.Errorf("the previews are %+v", got.Previews)
	}
	refused := ask[objects](t, answer.Question{Ask: "objects", Files: files(strings.Replace(object, "kept: 4", "keep: four", 1), sound)})
	if refused.Objects[0].Verdict != "refused" || len(refused.Report.Findings) == 0 || refused.Report.Findings[0].Severity != "error" {
		t.Errorf("the answer about a wrong type is %+v", refused)
	}
}

// TestPages has a page for each rule and kind of note, with its address on the site.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, r := range slices.Concat(rules.All(), rules.Notes()) {
		got := ask[struct{ Markdown, URL string }](t, answer.Question{Ask: "page", Rule: r.ID})
		if !strings.HasPrefix(got.Markdown, "# "+r.ID+"\n") || !strings.HasSuffix(got.URL, "/rules/"+r.ID) {
			t.Errorf("the page of %s is at %q and begins %.40q", r.ID, got.URL, got.Markdown)
		}
	}
}

// TestVersion does not check the version of the API server's code: tests have none.
func TestVersion(t *testing.T) {
	t.Parallel()
	if got := ask[struct{ Version string }](t, answer.Question{Ask: "version"}); got.Version != answer.Build {
		t.Errorf("the version is %q", got.Version)
	}
}

func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		`{"ask":`:                      "is not understood",
		`{"ask": "all"}`:               `the question "all" is unknown; known are complete, convert, edit,`,
		`{"ask": "page", "rule": "x"}`: `there is no rule "x"`,
	} {
		var got struct{ Error string }
		if err := json.Unmarshal(answer.Ask([]byte(question)), &got); err != nil || !strings.Contains(got.Error, want) {
			t.Errorf("%s is answered with %q, %v; want %q", question, got.Error, err, want)
		}
	}
}

// TestAnything has an answer to every question about texts that are none.
func TestAnything(t *testing.T) {
	t.Parallel()
	crontabs, err := os.ReadFile("../../examples/convert/crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "\xff\x00", "---\n---\n", "[", "{{ if }}", "\ufeffa: b", "- 1\r\n- 2\r", string(crontabs)} {
		for _, ask := range answer.Questions() {
			out := raw(t, answer.Question{Ask: ask, Files: files(text, object), Rule: "scope-invalid"})
			if !json.Valid(out) || strings.Contains(string(out), "please report") {
				t.Errorf("%s of %q is answered with %s", ask, text, out)
			}
		}
	}
}

// TestComplete offers fields of the CRD in another file, says what they are, and rejects a place that is not there.
func TestComplete(t *testing.T) {
	t.Parallel()
	files := []answer.File{{Name: "crd.yaml", Text: sound}, {Name: "one.yaml", Text: strings.Replace(object, "kept: 4", "🌱: 1\n  k", 1)}}
	type edit struct {
		lint.TextEdit
		Label, Detail string
	}
	got := ask[[]edit](t, answer.Question{Ask: "complete", Files: files, Place: &answer.Place{File: "one.yaml", Line: 6, Column: 4}})
	want := []edit{{lint.TextEdit{Line: 6, Column: 3, EndLine: 6, EndColumn: 4, Text: "keep: "}, "keep", "integer, default 3"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	note := ask[lint.TextEdit](t, answer.Question{Ask: "explain", Files: files, Place: &answer.Place{File: "one.yaml", Line: 2, Column: 9}})
	if note.Line != 2 || note.Column != 7 || note.EndColumn != 13 || !strings.HasPrefix(note.Text, "**Backup** object") {
		t.Errorf("%+v", note)
	}
	if note := ask[lint.TextEdit](t, answer.Question{Ask: "explain", Files: files, Place: &answer.Place{File: "one.yaml", Line: 5, Column: 4}}); note.Text != "" {
		t.Errorf("of what no CRD has: %+v", note)
	}
	for _, place := range []*answer.Place{nil, {File: "two.yaml", Line: 1, Column: 1}, {File: "one.yaml", Line: 70, Column: 1}} {
		if text := string(raw(t, answer.Question{Ask: "complete", Files: files, Place: place})); !strings.Contains(text, "needs a place") {
			t.Errorf("%+v: %s", place, text)
		}
	}
}
