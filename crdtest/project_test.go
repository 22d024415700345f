package crdtest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A project is a module that requires this one.
type project struct {
	*testing.T
	dir   string
	env   []string
	wrote time.Time
}

func newProject(t *testing.T, more string) *project {
	t.Helper()
	module, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	p := &project{T: t, dir: t.TempDir(), wrote: time.Now().Add(-time.Hour)} // the go command keeps nothing that depends on a file of the last seconds
	p.write("go.mod", "module example.com/shop\n\ngo 1.24.0\n\nrequire github.com/crdlift/crdlift/crdtest v0.0.0\n\n"+
		"replace github.com/crdlift/crdlift/crdtest => "+module+"\n"+more)
	return p
}

// write writes a file that is newer than those before.
func (p *project) write(name, text string) {
	p.Helper()
	path := filepath.Join(p.dir, name)
	p.wrote = p.wrote.Add(time.Minute)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, p.wrote, p.wrote)); err != nil {
		p.Fatal(err)
	}
}

// test runs go test.
func (p *project) test(args ...string) string {
	p.Helper()
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "CRDLIFT="+program(p.T), "GOFLAGS=-mod=mod", "GOWORK=off")
	cmd.Env = append(cmd.Env, p.env...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// TestCached has the go command keep the result of a test until a CRD or a suite changes, which only the program reads.
func TestCached(t *testing.T) {
	t.Parallel()
	p := newProject(t, "")
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	crd, suite := read("shelves.yaml"), strings.Replace(read("shelf.crdtest.yaml"), "crd: ", "crd: ../crds/", 1)
	p.write("crds/shelves.yaml", crd)
	p.write("tests/shelf.crdtest.yaml", suite)
	p.write("api/api_test.go", `package api

import (
	"testing"

	"github.com/crdlift/crdlift/crdtest"
)

func TestFiles(t *testing.T) { crdtest.Run(t, crdtest.Options{Paths: []string{"../tests"}}) }

func TestGo(t *testing.T) {
	s := crdtest.For(t, "../crds", map[string]any{"apiVersion": "shop.example.com/v1", "kind": "Shelf", "spec": map[string]any{"min": 0}})
	s.Accept("zero", nil)
}
`)
	test := func(name, want string, not ...string) {
		t.Helper()
		out := p.test("-run", name, "./api")
		wants(t, out, want)
		for _, part := range not {
			if strings.Contains(out, part) {
				t.Errorf("the output has %q\n%s", part, out)
			}
		}
	}
	changed := strings.Replace(crd, "minimum: 0", "minimum: 1", 1)
	for _, name := range []string{"TestFiles", "TestGo"} {
		p.write("crds/shelves.yaml", crd)
		test(name, "ok", "(cached)")
		test(name, "(cached)")
		p.write("crds/shelves.yaml", changed)
		test(name, "spec.min must be at least 1")
	}
	p.write("crds/shelves.yaml", crd)
	test("TestFiles", "ok")
	p.write("tests/shelf.crdtest.yaml", strings.Replace(suite, "[-1]", "[1]", 1))
	test("TestFiles", "min/reject/1")
}

// TestCoverage has crdlift report add up what two packages test of a CRD: one has the minimum, the other the default, and
// what tells the rule of both from others.
func TestCoverage(t *testing.T) {
	t.Parallel()
	p := newProject(t, "")
	crd, err := os.ReadFile(filepath.Join("testdata", "shelves.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p.write("crds/shelves.yaml", string(crd))
	for name, cases := range map[string]string{
		"a": `s.Reject("min", crdtest.Set("spec.min", -1), "?min?"); s.Reject("rule", crdtest.Set("spec.min", 11), "must not exceed")`,
		"b": `s.Stored("max", nil, map[string]any{"spec.max": 10}); s.Reject("rule", crdtest.Set("spec.min", 12), "must not exceed"); s.Accept("same", crdtest.Set("spec.min", 10))`,
	} {
		p.write(name+"/"+name+"_test.go", `package `+name+`

import (
	"testing"

	"github.com/crdlift/crdlift/crdtest"
)

func TestGo(t *testing.T) {
	s := crdtest.For(t, "../crds", map[string]any{"apiVersion": "shop.example.com/v1", "kind": "Shelf", "spec": map[string]any{"min": 1}})
	`+strings.Replace(cases, `"?min?"`, `crdtest.At("spec.min", "minimum")`, 1)+`
}
`)
	}
	p.env = []string{"CRDLIFT_COVER=cover"}
	wants(t, p.test("./a"), `crdtest: CRDLIFT_COVER has to be an absolute path, and it is "cover"`)
	p.env = []string{"CRDLIFT_COVER=" + filepath.Join(p.dir, "cover")}
	for range 2 { // an earlier run does not count
		if out := p.test("-count=1", "./a", "./b"); strings.Contains(out, "FAIL") || !strings.Contains(out, "ok") {
			t.Fatal(out)
		}
	}
	report := exec.Command(program(t), "report", "cover")
	report.Dir = p.dir
	out, err := report.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wants(t, string(out), "\ncoverage of crds/shelves.yaml, shelves.shop.example.com v1: 3 of 8 constraints, rules 1 of 1, transition rules 0 of 1, mutants of tested rules 1 of 1\n")
	if strings.Contains(string(out), "crds/shelves.yaml:25") {
		t.Errorf("the minimum that a tests is missing\n%s", out)
	}
}

// TestTool finds the program by a tool line of go.mod.
func TestTool(t *testing.T) {
	p := newProject(t, "\ntool example.com/shop/crdlift\n")
	p.write("crdlift/main.go", `package main

import "fmt"

func main() {
	fmt.Println(`+"`"+`{"version": 1, "tests": [{"suite": "of the tool", "name": "a", "passed": true}]}`+"`"+`)
}
`)
	p.write("api/api_test.go", `package api

import (
	"os"
	"testing"

	"github.com/crdlift/crdlift/crdtest"
)

func TestTool(t *testing.T) {
	os.Unsetenv("CRDLIFT")
	crdtest.Run(t, crdtest.Options{})
}

func TestNamed(t *testing.T) { crdtest.Run(t, crdtest.Options{Binary: "no-such-program"}) }
`)
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(program)) // where no other crdlift is
	wants(t, p.test("-v", "./api"), "--- PASS: TestTool/of_the_tool/a ", "--- FAIL: TestNamed ", `"no-such-program": executable file not found`)
}
