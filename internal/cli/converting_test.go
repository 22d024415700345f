package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/run"
)

// upper is a fake conversion with a recognizable result, which fails on purpose.
func upper(_ string, src []byte, _ policy.Options) (*convert.Result, error) {
	if bytes.Contains(src, []byte("panic")) {
		panic("on purpose\nover two lines")
	}
	return &convert.Result{Output: bytes.ToUpper(src)}, nil
}

func TestWorkSurvivesPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crd.yaml")
	write(t, path, "panic\n")
	c := convertRun{Run: &run.Run{Session: run.NewSession(nil, nil, nil)}, flags: convertFlags{rewriteModes: rewriteModes{write: true}}, file: upper}
	out := c.work(run.Input{Path: path})
	if out.trouble == nil || !strings.Contains(out.trouble.Error(), "please report it: on purpose") ||
		!strings.Contains(out.trouble.Error(), "converting_test.go:") {
		t.Errorf("got %v", out.trouble)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "panic\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestMirrorStaysInside(t *testing.T) {
	root := t.TempDir()
	in, out, outside := filepath.Join(root, "in"), filepath.Join(root, "out"), filepath.Join(root, "outside")
	for _, name := range []string{"a.yaml", "escape/b.yaml", "link.yaml", "inner.yaml"} {
		write(t, filepath.Join(in, filepath.FromSlash(name)), "x\n")
	}
	write(t, filepath.Join(outside, "link.yaml"), "untouched\n")
	write(t, filepath.Join(out, "target.yaml"), "old\n")
	for link, target := range map[string]string{
		"escape": outside, "link.yaml": filepath.Join("..", "outside", "link.yaml"), "inner.yaml": "target.yaml",
	} {
		if err := os.Symlink(target, filepath.Join(out, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	t.Chdir(in)
	f := &run.Inputs{}
	f.Find(".")
	m, err := run.NewMirror(out, "", f.All)
	if err != nil {
		t.Fatal(err)
	}
	c := convertRun{Run: &run.Run{Session: run.NewSession(nil, nil, nil)}, flags: convertFlags{rewriteModes: rewriteModes{outputDir: out}}, file: upper, mirror: m}
	failed := map[string]bool{}
	for _, in := range f.All {
		failed[filepath.ToSlash(in.Mirror)] = c.work(in).trouble != nil
	}
	for name, want := range map[string]bool{"a.yaml": false, "inner.yaml": true, "link.yaml": true, "escape/b.yaml": true} {
		if got, ok := failed[name]; got != want || !ok {
			t.Errorf("%s: failed is %v, want %v", name, got, want)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(out, "a.yaml"): "X\n", filepath.Join(out, "target.yaml"): "old\n",
		filepath.Join(outside, "link.yaml"): "untouched\n",
	} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(outside, "b.yaml")); err == nil {
		t.Error("a file was written outside of the folder")
	}
}
