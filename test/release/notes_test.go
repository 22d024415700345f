package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestNotes cuts the text of a release out of a changelog.
func TestNotes(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("releases are made on Linux")
	}
	script, err := os.ReadFile(repository("packaging", "notes.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "packaging"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "packaging", "notes.sh"), string(script))
	write(t, filepath.Join(dir, "CHANGELOG.md"), `# Changelog

## Unreleased

- To come.

## v1.10.0, 2026-12-02

- [New](docs/new.md#part), see [there](https://example.com/a).

### Fixed

- A fault.

## v1.1.0

- Old.

## v1.0.0

## v0.9.0
- Oldest.
`)
	for tag, want := range map[string]string{
		"v1.10.0": "- [New](https://github.com/crdlift/crdlift/blob/v1.10.0/docs/new.md#part), see [there](https://example.com/a).\n\n" +
			"### Fixed\n\n- A fault.\n",
		"v1.1.0":      "- Old.\n",
		"v1.1":        "",
		"v1.0.0":      "",
		"v0.9.0":      "- Oldest.\n",
		"v2.0.0":      "",
		"v2.0.0-rc.1": "- To come.\n",
	} {
		cmd := exec.Command("bash", filepath.Join("packaging", "notes.sh"), tag)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		got, err := cmd.Output()
		if failed := err != nil; failed != (want == "") || string(got) != want {
			t.Errorf("%s: %v, %s\n%s", tag, err, &stderr, got)
		}
		if said := strings.Contains(stderr.String(), `no section "## `+tag+`"`); said != (want == "") {
			t.Errorf("%s: standard error is %s", tag, &stderr)
		}
	}
}
