package specimen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// TestSpecimens has crdlift look at manifests: were they invalid, or would rules speak about them, benchmarks would measure
// something else than they say.
func TestSpecimens(t *testing.T) {
	t.Parallel()
	lint, convert := "lint --config off --fail-on info", "convert --check"
	for _, tt := range []struct {
		crd     specimen.CRD
		command string
		code    int
		summary string
	}{
		{specimen.CRD{Version: "v1", Parts: 3, Rules: 2}, lint, 0, "no findings; checked 1 CRD in 1 file"},
		{specimen.CRD{Version: "v1", Number: 12345, Parts: 1}, convert, 0, "1 file, 1 CRD: 0 to convert, 1 already there, 0 need you"},
		{specimen.CRD{Version: "v1beta1", Parts: 3}, convert, 1, "1 file, 1 CRD: 1 to convert, 0 already there, 0 need you"},
	} {
		file := filepath.Join(t.TempDir(), "crd.yaml")
		if err := os.WriteFile(file, []byte(tt.crd.YAML()), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		code := cli.Run(append(strings.Fields(tt.command), file), strings.NewReader(""), &stdout, &stderr)
		if code != tt.code || !strings.Contains(stderr.String(), tt.summary) {
			t.Errorf("%s of %+v: exit code %d, want %d and %q\n%s%s", tt.command, tt.crd, code, tt.code, tt.summary, &stdout, &stderr)
		}
	}
}

func TestSized(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v1beta1"} {
		for _, size := range []int{20_000, 1_000_000} {
			c := specimen.Sized(version, 7, size)
			text := c.YAML()
			if len(text) < size*95/100 || len(text) > size*105/100 {
				t.Errorf("%s: a CRD of %d bytes has %d", version, size, len(text))
			}
			if !strings.Contains(text, "name: example00007s.example.com\n") {
				t.Errorf("%s: not number 7", version)
			}
		}
	}
}
