package rules

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// Markers are written for findings whose place is known for sure, if a program can write all of them.
func TestGoFixChooses(t *testing.T) {
	t.Parallel()
	finding := func(c lint.Confidence, safe bool, add ...lint.Marker) *lint.Finding {
		return &lint.Finding{Origin: &lint.Origin{Mark: lint.Mark{Symbol: "Spec.Size", Add: add}, Confidence: c, Safe: safe}}
	}
	optional := lint.Marker{Text: "+optional"}
	ignored := finding(lint.ExactOrigin, true, optional)
	ignored.Ignored = "accepted"
	versions := finding(lint.ExactOrigin, false, lint.Marker{Text: "+kubebuilder:storageversion"})
	versions.Origin.Manual = true
	fixed := FindGoTypes("/").Fix([]*lint.Finding{
		{}, ignored, finding(lint.ExactOrigin, true), finding(lint.StaleOrigin, true, optional), finding(lint.ForeignOrigin, true, optional),
		finding(lint.ExactOrigin, true, optional, lint.Marker{Text: "+kubebuilder:validation:MaxItems=<number>", Open: true}),
		finding(lint.ExactOrigin, true, lint.Marker{Text: "+kubebuilder:selectablefield:JSONPath=`.spec.size`", Needs: "v0.16.0"}),
		finding(lint.ExactOrigin, false, optional),
		finding(lint.ExactOrigin, true, optional), versions,
	}, false)
	// An unsafe change that would be rejected is not counted; testdata/script/fix-go.txtar has some that would not.
	if fixed.Manual != 1 || fixed.Open != 1 || fixed.TooNew != 1 || fixed.Unsafe != 0 || len(fixed.Findings) != 0 || len(fixed.Files) != 0 {
		t.Errorf("%+v", fixed)
	}
	if len(fixed.Left) != 1 || fixed.Left[0].Why != "its file was not read" {
		t.Errorf("left are %+v", fixed.Left)
	}
}

// A Go file is written where it is, and not through a link that has come up since it was read.
func TestGoFileBehindLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, elsewhere := filepath.Join(dir, "repository"), filepath.Join(dir, "elsewhere")
	for _, folder := range []string{filepath.Join(root, "api"), elsewhere} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "types.go"), []byte("package api\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, "linked")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.Symlink(root, filepath.Join(dir, "checkout")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{root, filepath.Join(dir, "checkout")} {
		plain := GoFile{root: root, at: filepath.Join(root, "api", "types.go")}
		if at, err := plain.Location(); err != nil || filepath.Base(filepath.Dir(filepath.Dir(at))) != "repository" {
			t.Errorf("%s: %v", at, err)
		}
		linked := GoFile{root: root, at: filepath.Join(root, "linked", "types.go")}
		if at, err := linked.Location(); !errors.Is(err, errLink) {
			t.Errorf("%s: %v", at, err)
		}
		gone := GoFile{root: root, at: filepath.Join(root, "api", "gone.go")}
		if at, err := gone.Location(); err == nil {
			t.Errorf("%s was found", at)
		}
	}
}
