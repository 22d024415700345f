package gotypes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixable are the rules whose findings on the manifests of testdata/fixable.txtar --fix-go fixes.
var fixable = []string{
	"api-approval-missing", "default-and-required", "names-duplicate", "printer-column-age-missing", "schema-conditions-list-map",
	"status-subresource-missing",
}

// leftToPeople is the rule of a finding there whose markers a person has to decide on.
const leftToPeople = "default-unreachable"

// A lintFinding is a finding, as crdlift prints it.
type lintFinding struct {
	Rule, File, Path string
	Source           *struct{ Markers []struct{ Text string } }
}

// TestFixGo goes the whole way: the findings of manifests that controller-gen wrote are gone when it has run again after
// --fix-go.
func TestFixGo(t *testing.T) {
	dir := unpack(t, filepath.Join("testdata", "fixable.txtar"))
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	crdlift := filepath.Join(t.TempDir(), "crdlift")
	if said, err := exec.Command("go", "build", "-C", "../..", "-o", crdlift, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	generate := func() {
		cmd := exec.Command("sh", "-c", program+" crd paths=./... output:crd:dir=crds")
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	generate()
	lint := func(flags ...string) (findings []lintFinding) {
		cmd := exec.Command(crdlift, append([]string{"lint", "--preset", "all", "--fail-on", "never", "-o", "json", "crds"}, flags...)...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var report struct{ Findings []lintFinding }
		if err := json.Unmarshal(out, &report); err != nil {
			t.Fatal(err)
		}
		return report.Findings
	}
	found := map[string]bool{}
	for _, f := range lint() {
		if f.Source == nil || len(f.Source.Markers) == 0 {
			t.Errorf("%s at %s has no marker", f.Rule, f.Path)
		}
		found[f.Rule] = true
	}
	for _, rule := range append(fixable, leftToPeople) {
		if !found[rule] {
			t.Errorf("there is no finding of %s", rule)
		}
	}
	lint("--fix-go", "--unsafe-fixes")
	generate()
	left := lint()
	if len(left) != 1 || left[0].Rule != leftToPeople {
		t.Errorf("left are %+v", left)
	}
	types, err := os.ReadFile(filepath.Join(dir, "api", "v1", "lever_types.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\t//+kubebuilder:validation:Optional\n\t//+kubebuilder:default=1\n\tLength", "// +listType=map\n// +listMapKey=type\ntype Conditions",
	} {
		if !strings.Contains(string(types), want) {
			t.Errorf("the types lack %q:\n%s", want, types)
		}
	}
}
