package specimen_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// TestObjects has crdlift look at kinds and objects: kinds without findings, objects with their mistakes and no others.
func TestObjects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	run := func(args ...string) (code int, stdout, stderr string) {
		var out, err bytes.Buffer
		code = cli.Run(args, strings.NewReader(""), &out, &err)
		return code, out.String(), err.String()
	}
	for i := range 50 {
		k := specimen.Kind{Number: i}
		write(fmt.Sprintf("crds/%d.yaml", i), k.CRD())
		for n := range 4 {
			write(fmt.Sprintf("good/%d-%d.yaml", i, n), specimen.Object{Kind: k, Number: n}.YAML())
		}
	}
	crds := filepath.Join(dir, "crds")
	code, stdout, stderr := run("lint", "--config", "off", "--fail-on", "info", crds)
	if want := "no findings; checked 50 CRDs in 50 files"; code != 0 || !strings.Contains(stderr, want) {
		t.Errorf("lint: exit code %d, want %q\n%s%s", code, want, stdout, stderr)
	}
	code, stdout, stderr = run("validate", "--config", "off", "--fail-on", "info", "--crds", crds, filepath.Join(dir, "good"))
	if want := "no findings in 200 objects"; code != 0 || !strings.HasPrefix(stderr, want) {
		t.Errorf("validate: exit code %d, want %q\n%s%s", code, want, stdout, stderr)
	}
	for mistake, want := range map[specimen.Mistake]string{
		specimen.WrongType: "object-type", specimen.NotInEnum: "object-enum",
		specimen.UnknownField: "object-unknown-field", specimen.BrokenRule: "object-rule",
	} {
		path := write(want+".yaml", specimen.Object{Kind: specimen.Kind{Number: 7}, Mistake: mistake}.YAML())
		code, stdout, stderr := run("validate", "--config", "off", "--crds", crds, path)
		if code != 1 || !strings.Contains(stdout, "["+want+"]\n") || !strings.HasPrefix(stderr, "1 error") {
			t.Errorf("%s: exit code %d\n%s%s", want, code, stdout, stderr)
		}
	}
}

// TestSameObjects makes objects twice: figures are comparable only if they are of the same ones.
func TestSameObjects(t *testing.T) {
	t.Parallel()
	made := func(kind, number int) string {
		k := specimen.Kind{Number: kind}
		return k.CRD() + specimen.Object{Kind: k, Number: number}.YAML()
	}
	one, again := made(1, 4), made(1, 4)
	if one != again {
		t.Error("an object or a CRD is not made the same way twice")
	}
	if one == made(1, 5) || one == made(2, 4) {
		t.Error("two objects or CRDs are the same")
	}
}
