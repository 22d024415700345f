package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// TestWriteDump: the list and the small ones have the same objects, and crdlift says the same of both.
func TestWriteDump(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crds := filepath.Join(dir, "crds")
	if err := (population{kinds: many.kinds}).write(crds, filepath.Join(dir, "none")); err != nil {
		t.Fatal(err)
	}
	d := dumped{yaml: filepath.Join(dir, "dump.yaml"), parts: filepath.Join(dir, "parts")}
	if err := d.write(5 * megabyte); err != nil {
		t.Fatal(err)
	}
	if f, err := survey(d.parts); err != nil || f.files < 5 || d.objects < 1000 || d.size < 5*megabyte {
		t.Fatalf("%d files, %d objects, %d bytes (%v)", f.files, d.objects, d.size, err)
	}
	var lists []string
	for _, input := range []string{d.yaml, d.parts} {
		lists = append(lists, filepath.Join(dir, filepath.Base(input)+".tsv"))
		var out, summary bytes.Buffer
		code := cli.Run([]string{"validate", "--no-config", "--crds", crds, "--list", lists[len(lists)-1], input}, strings.NewReader(""), &out, &summary)
		if code != 1 {
			t.Errorf("%s: exit code %d\n%s%s", input, code, &out, &summary)
		}
	}
	if same, err := sameVerdicts(lists...); err != nil || !same {
		t.Errorf("the verdicts are not the same (%v)", err)
	}
	if err := os.WriteFile(lists[1], []byte("accepted\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if same, err := sameVerdicts(lists...); err != nil || same {
		t.Errorf("other verdicts are the same (%v)", err)
	}
}
