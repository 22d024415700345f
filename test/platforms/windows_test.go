package platforms

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWindowsPaths names files as users of Windows do. Outputs have slashes: they are read on other systems, too.
func TestWindowsPaths(t *testing.T) {
	windows.ready(t)
	lint := example(t, "lint", "backups.yaml")
	dir := folder(t, map[string]string{`a/b/crd.yaml`: lint, `a/c.yaml`: lint, `a/skipped/d.yaml`: lint,
		".crdlift.yaml": "exclude: ['a/skipped/**']\npaths: ['a/*']\n"})
	absolute := "Z:" + strings.ReplaceAll(dir, "/", `\`)
	if err := os.MkdirAll(drive("crds"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(drive("crds", "crd.yaml"), []byte(lint), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want string // how each line begins
		not  string
	}{
		{"backslashes", []string{"lint", "--output", "short", `a\b\crd.yaml`}, "a/b/crd.yaml:", `\b`},
		{"a folder with backslashes", []string{"lint", "--output", "short", `a\b`}, "a/b/crd.yaml:", `\b`},
		{"a folder that ends in one", []string{"lint", "--output", "short", `a\b\`}, "a/b/crd.yaml:", `\b`},
		{"dots", []string{"lint", "--output", "short", `.\a\..\a\c.yaml`}, "a/c.yaml:", `\c`},
		{"below the working directory", []string{"lint", "--output", "short", absolute + `\a\b`}, "a/b/crd.yaml:", "Z:"},
		{"another drive", []string{"lint", "--output", "short", `C:\crds`}, "C:/crds/crd.yaml:", `\crds`},
		{"a drive and slashes", []string{"lint", "--output", "short", `C:/crds/crd.yaml`}, "C:/crds/crd.yaml:", `\crds`},
		{"a small letter", []string{"lint", "--output", "short", `c:\crds`}, "c:/crds/crd.yaml:", `\crds`},
		{"the configuration's paths", []string{"lint", "--output", "short"}, "a/", "skipped"},
		{"an excluded file", []string{"lint", "--output", "short", "--allow-empty", `a\skipped\d.yaml`}, "", "skipped"},
	} {
		got := windows.run(t, run{dir: dir, args: c.args})
		lines := 0
		for line := range strings.Lines(got.stdout) {
			lines++
			if !strings.HasPrefix(line, c.want) || c.not != "" && strings.Contains(line, c.not) {
				t.Errorf("%s: %s", c.name, line)
			}
		}
		if (lines == 0) != (c.want == "") || got.code > 1 {
			t.Errorf("%s: exit code %d, %d lines\n%s", c.name, got.code, lines, got.stderr)
		}
	}
}

// TestWindowsOutputs writes reports to paths with a drive, whose colon is no separator.
func TestWindowsOutputs(t *testing.T) {
	windows.ready(t)
	dir := folder(t, map[string]string{"crd.yaml": example(t, "lint", "backups.yaml")})
	if err := os.MkdirAll(drive("out"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := windows.run(t, run{dir: dir, args: []string{"lint", "--output", `json=C:\out\report.json`, "--output", `sarif=C:/out/report.sarif`, `crd.yaml`}})
	if got.code != 1 || got.stdout != "" {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for name, want := range map[string]string{"report.json": `"file": "crd.yaml"`, "report.sarif": `"uri": "crd.yaml"`} {
		if text, err := os.ReadFile(drive("out", name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	// A report that would replace an input, by another name of it.
	absolute := "Z:" + strings.ReplaceAll(dir, "/", `\`) + `\CRD.yaml`
	for _, path := range []string{`.\crd.yaml`, absolute[:len(absolute)-len("CRD.yaml")] + "crd.yaml"} {
		if got := windows.run(t, run{dir: dir, args: []string{"lint", "--output", "json=" + path, "crd.yaml"}}); got.code != 2 {
			t.Errorf("%s: exit code %d\n%s", path, got.code, got.stderr)
		}
	}
	if got := windows.run(t, run{dir: dir, args: []string{"convert", "--output-dir", `C:\out\new`, "--to", "v1", `crd.yaml`}}); got.code != 0 && got.code != 1 {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
}

// TestWindowsReplaces rewrites files that Windows lets a program replace only with care.
func TestWindowsReplaces(t *testing.T) {
	windows.ready(t)
	old := example(t, "convert", "crontabs.yaml")
	long := strings.Repeat(strings.Repeat("d", 100)+"/", 3) + "crd.yaml" // more than the 260 characters of old programs
	dir := folder(t, map[string]string{"crd.yaml": old, "read-only.yaml": old, long: old})
	if err := os.Chmod(filepath.Join(dir, "read-only.yaml"), 0o444); err != nil {
		t.Fatal(err)
	}
	want := native.run(t, run{dir: dir, args: []string{"convert", "crd.yaml"}}).stdout
	got := windows.run(t, run{dir: dir, args: []string{"convert", "--write", "."}})
	if got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.stderr)
	}
	files := content(t, dir)
	if len(files) != 3 {
		t.Errorf("something is left over: %d files", len(files))
	}
	for name, text := range files {
		mode, text, _ := strings.Cut(text, "\n")
		if text != want {
			t.Errorf("%s is\n%s", name, text)
		}
		if readOnly := name == "read-only.yaml"; readOnly != (mode == "-r--r--r--") {
			t.Errorf("%s has the mode %s", name, mode)
		}
	}
}

// TestWindowsHeld rewrites a file that another program has open and does not share: it stays as it is, and is named.
func TestWindowsHeld(t *testing.T) {
	windows.ready(t)
	old := example(t, "convert", "crontabs.yaml")
	dir := folder(t, map[string]string{"held.yaml": old, "other.yaml": old})
	release := hold(t, dir, "held.yaml")
	got := windows.run(t, run{dir: dir, args: []string{"convert", "--write", "."}})
	release()
	if got.code != 2 || !strings.Contains(got.stderr, "held.yaml: ") {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
	files := content(t, dir)
	if !strings.HasSuffix(files["held.yaml"], old) {
		t.Errorf("held.yaml is\n%s", files["held.yaml"])
	}
	if strings.HasSuffix(files["other.yaml"], old) {
		t.Error("other.yaml is not converted")
	}
	if len(files) != 2 {
		t.Errorf("something is left over: %d files", len(files))
	}
}

// TestWindowsMessages has paths in messages written as in findings, whatever the system calls them.
func TestWindowsMessages(t *testing.T) {
	windows.ready(t)
	old := example(t, "convert", "crontabs.yaml")
	dir := folder(t, map[string]string{"a/crd.yaml": old, "b/crd.yaml": old, "sub/none.txt": ""})
	got := windows.run(t, run{dir: filepath.Join(dir, "sub"), args: []string{"convert", "--output-dir", "both", `..\a\crd.yaml`, `..\b\crd.yaml`}})
	const want = "crdlift: ../b/crd.yaml is not written, because the output of ../a/crd.yaml is both/crd.yaml, too; rename one of them, or use two output folders\n"
	if got.code != 2 || !strings.Contains(got.stderr, want) {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
}

// TestWindowsDevices names files as Windows names its devices, and a revision where there is no git.
func TestWindowsDevices(t *testing.T) {
	windows.ready(t)
	dir := folder(t, map[string]string{"crd.yaml": example(t, "lint", "backups.yaml")})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"lint", "NUL"}, "NUL: no CustomResourceDefinition in 1 file"},
		{[]string{"lint", "CON"}, "CON: "},
		{[]string{"lint", `C:\nowhere\crd.yaml`}, `C:\nowhere\crd.yaml: `},
		{[]string{"lint", `Q:\crd.yaml`}, `Q:\crd.yaml: `},
		{[]string{"lint", "--new-only", "git:HEAD", "crd.yaml"}, "the git program is not installed or not in PATH"},
		{[]string{"lint", "--new-only", "HEAD", "crd.yaml"}, `"HEAD" is not a file or folder, and the git program is not installed or not in PATH`},
	} {
		got := windows.run(t, run{dir: dir, args: c.args})
		if got.code != 2 || !strings.Contains(got.stderr, "crdlift: "+c.want) {
			t.Errorf("%v: exit code %d\n%s", c.args, got.code, got.stderr)
		}
	}
}
