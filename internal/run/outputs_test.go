package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
)

// FuzzFlags reads values of flags: an accepted value prints as it was, and a rejected one has an error of one line.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{"64MiB", "1", "-1k", "9223372036854775807G", "text", "json=a=b", "sarif=", "json=\n", "xml", " 1 i", "\x1b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, given string) {
		var size, again limit.Size
		if err := size.Set(given); err == nil && (size <= 0 || again.Set(size.String()) != nil || again != size) {
			t.Errorf("%q is %d, which prints as %s", given, size, size)
		}
		all, err := ParseOutputs([]string{given})
		if err != nil {
			if line := text.Harmless(err.Error()); line == "" || strings.Contains(line, "\n") {
				t.Errorf("%q: %q", given, line)
			}
			return
		}
		back := all[0].Format
		if all[0].Path != "" {
			back += "=" + all[0].Path
		}
		if len(all) != 1 || back != given || !slices.Contains(report.Formats(), all[0].Format) {
			t.Errorf("%q is read as %+v", given, all)
		}
	})
}

// TestParseOutputs reads what --output may say. Each of several outputs has a place of its own.
func TestParseOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "there.json", "x\n")
	if err := os.Link("there.json", "again.json"); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for _, test := range []struct{ given, refused string }{
		{"", ""},
		{"json", ""},
		{"json=a.json", ""},
		{"text json=a.json sarif=b.sarif", ""},
		{"json=a.json text sarif=b.sarif", ""},
		{"json=/dev/null sarif=/dev/null", ""}, // a device takes several
		{"xml", `--output cannot be "xml"`},
		{"json=", "--output json= has no file name"},
		{"json=-", "--output json=-: - is not a file name"},
		{"text json", "text and json cannot both go to standard output"},
		{"text json=a.json text", "text and text cannot both go to standard output"},
		{"json=a.json sarif=a.json", "--output sarif=a.json writes the same file as --output json=a.json"},
		{"json=a.json text sarif=./a.json", "--output sarif=./a.json writes the same file as --output json=a.json"},
		{"json=there.json sarif=again.json", "--output sarif=again.json writes the same file as --output json=there.json"},
	} {
		given := strings.Fields(test.given)
		all, err := ParseOutputs(given)
		if test.refused == "" && err != nil || test.refused != "" && (err == nil || !strings.HasPrefix(err.Error(), test.refused)) {
			t.Errorf("%q: got %v, want %q", test.given, err, test.refused)
		}
		if err != nil {
			continue
		}
		if len(given) == 0 {
			given = []string{report.Text}
		}
		for i, o := range all {
			if back := strings.TrimSuffix(o.Format+"="+o.Path, "="); back != given[i] {
				t.Errorf("%q: output %d is %s", test.given, i, back)
			}
		}
	}
}

// TestOutputs asks what is needed of the inputs for the outputs, and who reads standard output.
func TestOutputs(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"text":              "on stdout",
		"text=a":            "[a]",
		"short html=a":      "on stdout [a] additions",
		"json":              "on stdout for programs edits additions",
		"json=a sarif=b":    "[a b] edits additions",
		"sarif":             "on stdout for programs edits",
		"markdown":          "on stdout for programs additions",
		"statistics json=a": "on stdout [a] edits additions",
	} {
		all, err := ParseOutputs(strings.Fields(given))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, is := range []struct {
			so   bool
			word string
		}{{all.OnStdout(), "on stdout"}, {all.ForPrograms(), "for programs"}, {len(all.paths()) > 0, fmt.Sprint(all.paths())},
			{all.carryEdits(), "edits"}, {all.tellAdditions(), "additions"}} {
			if is.so {
				got = append(got, is.word)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

// TestEach writes outputs, each as a whole to where it goes: nothing of one that fails.
func TestEach(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "old.json", "a text that is longer than the new one\n")
	all, err := ParseOutputs([]string{"json=old.json", "text", "sarif=new.sarif"})
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	written := func(fails string) error {
		return all.Each(&stdout, func(w io.Writer, format string) error {
			fmt.Fprintln(w, "in", format)
			if format == fails {
				return io.ErrClosedPipe
			}
			return nil
		})
	}
	if err := written(report.SARIF); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat("new.sarif"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a report was written: %v", err)
	}
	if err := written(""); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]string{"old.json": "in json\n", "new.sarif": "in sarif\n"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if got, want := stdout.String(), "in text\nin text\n"; got != want {
		t.Errorf("standard output is %q, want %q", got, want)
	}
	if err := written(report.Text); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	writeFile(t, "folder/a", "")
	if err := (Outputs{{report.JSON, "folder"}}).Each(nil, func(io.Writer, string) error { return nil }); err == nil || strings.Contains(err.Error(), "open ") {
		t.Errorf("a folder: got %v", err)
	}
}

// TestGuard: no report takes the place of what somebody has made, by whatever name it is called.
func TestGuard(t *testing.T) {
	t.Chdir(t.TempDir())
	const object = "apiVersion: v1\nkind: ConfigMap\n"
	for name, content := range map[string]string{
		"crd.yaml": object, "report.txt": "crd.yaml:1:1: it says kind: and apiVersion:\n", "old.json": "{}\n", "list.json": "{\"apiVersion\": \"v1\", \"kind\": \"List\"}",
		"second.txt": "a: 1\n---\n" + object, "kind.yaml": "kind: Kettle\n", "open.yaml": "kind: CustomResourceDefinition\n\t- [", "open.txt": "kind: CustomResourceDefinition\n\t- [",
		".crdlift.yaml": "rules: {}\n", "kustomization.yaml": "resources: []\n", "input.txt": "a\n", "baseline.txt": "b\n",
	} {
		writeFile(t, name, content)
	}
	if err := os.Symlink(".crdlift.yaml", "link.txt"); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	kept := []reserved{{"gone.yaml", theKustomization}, {"input.txt", theInput}, {"./input.txt", theComparedWith}, {"baseline.txt", theBaseline}}
	for path, what := range map[string]string{
		"crd.yaml": "a manifest", "list.json": "a manifest", "second.txt": "a manifest", "open.yaml": "a manifest", "open.txt": "", "report.txt": "", "old.json": "",
		"kind.yaml": "", "new.json": "", "gone.yaml": "", "input.txt": theInput, "baseline.txt": theBaseline, os.DevNull: "",
		".crdlift.yaml": "a configuration", "link.txt": "a configuration", "kustomization.yaml": "a kustomization",
	} {
		want := "none"
		if what != "" {
			want = fmt.Sprintf("--output json=%s would replace %s", path, what)
		}
		got := "none"
		if err := (Outputs{{Format: report.Text}, {report.JSON, path}}).guard(kept); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{".": "--output json=. is a folder", "nowhere/new.json": `--output json=nowhere/new.json cannot be written, because the folder "nowhere" does not exist`} {
		if err := (Outputs{{report.JSON, path}}).guard(kept); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}
