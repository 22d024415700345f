package main

import (
	"os/exec"
	"strings"
	"testing"
)

// heavy begins the names of packages that only servers need: with them the program is a third larger and takes half as
// long again to start.
var heavy = []string{
	"go.etcd.io/", "k8s.io/client-go/informers", "k8s.io/apiextensions-apiserver/pkg/registry/customresource$",
	"k8s.io/apiextensions-apiserver/pkg/apiserver$", "k8s.io/apiextensions-apiserver/pkg/apiserver/conversion",
}

// TestLinked keeps out of the program what the judges of custom resources and of conversions have their own steps for.
func TestLinked(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 100 {
		t.Fatalf("only %d packages are linked", len(packages))
	}
	for _, p := range packages {
		for _, begins := range heavy {
			if strings.HasPrefix(p+"$", begins) {
				t.Errorf("%s is linked", p)
			}
		}
	}
}

// TestConvertAlone: a program that only converts has no rules of the linter in it.
func TestConvertAlone(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "./convert").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "crdlift/internal/conversion\n") {
		t.Fatalf("the list of packages lacks the conversion:\n%s", out)
	}
	for _, p := range strings.Fields(string(out)) {
		if strings.HasSuffix(p, "crdlift/rules") || strings.HasSuffix(p, "crdlift/internal/engine") {
			t.Errorf("%s is linked", p)
		}
	}
}

// TestInstalled: pre-commit and `go install ./...` build each program that ./... names, and users want one.
func TestInstalled(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != "github.com/crdlift/crdlift" {
		t.Errorf("go install ./... installs\n%s", got)
	}
}
