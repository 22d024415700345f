package platforms

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestARMReplaces rewrites a file behind a symbolic link, and one that is read-only.
func TestARMReplaces(t *testing.T) {
	arm.ready(t)
	old := example(t, "convert", "crontabs.yaml")
	dir := folder(t, map[string]string{"real/crd.yaml": old, "read-only.yaml": old})
	if err := os.Symlink(filepath.Join("real", "crd.yaml"), filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "read-only.yaml"), 0o440); err != nil {
		t.Fatal(err)
	}
	want := native.run(t, run{dir: dir, args: []string{"convert", "link.yaml"}}).stdout
	got := arm.run(t, run{dir: dir, args: []string{"convert", "--write", "link.yaml", "read-only.yaml"}})
	if got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.stderr)
	}
	files := content(t, dir)
	if len(files) != 3 || files["link.yaml"] != "-> real/crd.yaml" || !strings.HasSuffix(files["real/crd.yaml"], "\n"+want) ||
		files["read-only.yaml"] != "-r--r-----\n"+want {
		t.Errorf("%q", files)
	}
}
