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
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

const fixable = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
  namespace: default
spec:
  group: example.com
  names: {kind: CronTab, plural: crontabs}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object}
`

// TestSavedMeanwhile saves a file while crdlift works on it: the saved content stays.
func TestSavedMeanwhile(t *testing.T) {
	const saved = "# saved by an editor\n"
	t.Run("convert", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "crd.yaml")
		write(t, path, "crd\n")
		c := convertRun{Run: &run.Run{Session: run.NewSession(nil, nil, nil)}, flags: convertFlags{rewriteModes: rewriteModes{write: true}}}
		c.file = func(name string, src []byte, opt policy.Options) (*convert.Result, error) {
			write(t, path, saved)
			return &convert.Result{Output: bytes.ToUpper(src), CRDs: []convert.CRD{{State: policy.Converted}}}, nil
		}
		out := c.work(run.Input{Path: path})
		stays(t, path, saved, out.trouble)
		sum := summary{}
		sum.count(out)
		var text strings.Builder
		sum.print(&text, c.flags)
		if want := "1 file, 1 CRD: 0 converted, 0 already there, 0 need you; 1 file not written\n"; text.String() != want {
			t.Errorf("the summary is %q, want %q", text.String(), want)
		}
	})
	t.Run("lint", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "crd.yaml")
		write(t, path, fixable)
		spy := func(*lint.Finding) bool { // the linter asks it while it fixes
			write(t, path, saved)
			return true
		}
		r := &lintRun{Run: &run.Run{Session: run.NewSession(nil, nil, nil)}, flags: &lintFlags{fix: true}, linter: &rules.Linter{Options: lint.Options{Fixes: spy}}}
		out := r.work(run.Input{Path: path})
		stays(t, path, saved, out.trouble)
		if out.fixed == 0 || len(out.report.Findings) == 0 {
			t.Errorf("%d findings were fixed, %d are reported", out.fixed, len(out.report.Findings))
		}
	})
}

func stays(t *testing.T, path, want string, trouble error) {
	t.Helper()
	if trouble == nil || trouble.Error() != path+": changed since it was read; left alone" {
		t.Errorf("trouble: %v", trouble)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
