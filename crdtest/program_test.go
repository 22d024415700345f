package crdtest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/crdtest"
)

// build builds the real program, of the repository that the module is in.
var build = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(dir, "crdlift")
	if out, err := exec.Command("go", "build", "-C", "..", "-o", binary, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
})

func program(t *testing.T) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// run runs a test of this file as a program of its own.
func run(t *testing.T, name string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+name+"$", "-test.v")
	cmd.Env = append(os.Environ(), append(env, "SCENARIO="+name, "CRDLIFT="+program(t))...)
	out, err := cmd.CombinedOutput()
	if failed := strings.Contains(string(out), "--- FAIL"); failed != (err != nil) {
		t.Errorf("the test ends with %v", err)
	}
	return string(out)
}

// alone reports whether a test is run as a program of its own.
func alone(t *testing.T) bool { return os.Getenv("SCENARIO") == t.Name() }

func TestProgram(t *testing.T) {
	t.Parallel()
	t.Run("cases in files", func(t *testing.T) {
		t.Parallel()
		wants(t, run(t, "TestFiles"), "--- PASS: TestFiles ", "--- PASS: TestFiles/shelf/min/accept/2 ", "--- PASS: TestFiles/shelf/min/reject/1 ",
			"--- SKIP: TestFiles/shelf/two_shelves ", "there is only one")
	})
	t.Run("cases in files that fail", func(t *testing.T) {
		t.Parallel()
		wants(t, run(t, "TestWrongFiles"), "--- FAIL: TestWrongFiles/wrong/min ", `wrong.crdtest.yaml:8:9: error: case "min" is `,
			"\n          = ", "testdata/shelves.yaml:25:", "--- PASS: TestWrongFiles/wrong/max ")
	})
	t.Run("cases in Go", func(t *testing.T) {
		t.Parallel()
		out := run(t, "TestShelves")
		wants(t, out, "--- PASS: TestShelves ")
		if n := strings.Count(out, "--- PASS: TestShelves/"); n != 16 || strings.Contains(out, "warning") {
			t.Errorf("%d cases passed\n%s", n, out)
		}
	})
	t.Run("cases in Go that fail", func(t *testing.T) {
		t.Parallel()
		out := run(t, "TestWrongShelves")
		source, err := os.ReadFile("program_test.go")
		if err != nil {
			t.Fatal(err)
		}
		wanted := 0
		for i, line := range strings.Split(string(source), "\n") {
			if want := regexp.MustCompile("// want (.+)$").FindStringSubmatch(line); want != nil && !strings.Contains(line, "regexp") {
				wanted++
				wants(t, out, fmt.Sprintf(" program_test.go:%d: %s", i+1, want[1]))
			}
		}
		if n := strings.Count(out, "--- FAIL: TestWrongShelves/"); n != wanted-1 { // one fails without a subtest
			t.Errorf("%d cases failed, and %d are wanted", n, wanted-1)
		}
		if n := strings.Count(out, "[test-coverage]"); n != 1 || strings.Contains(out, "the report does not say why") {
			t.Errorf("what is about no case is told %d times\n%s", n, out)
		}
		wants(t, out, "  = testdata/shelves.yaml:25:", "\n        sent:\n        {\n          \"object\": {\n", `"set": {`, `"old": {`)
	})
}

func wants(t *testing.T, out string, parts ...string) {
	t.Helper()
	failed := t.Failed()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			t.Errorf("the output lacks %q", part)
		}
	}
	if t.Failed() && !failed {
		t.Log(out)
	}
}

func TestFiles(t *testing.T) {
	if alone(t) {
		crdtest.Run(t, crdtest.Options{Paths: []string{"testdata"}})
	}
}

func TestWrongFiles(t *testing.T) {
	if !alone(t) {
		return
	}
	file := filepath.Join(t.TempDir(), "wrong.crdtest.yaml")
	if err := os.WriteFile(file, []byte(`crdtest: v1
base:
  apiVersion: shop.example.com/v1
  kind: Shelf
  spec: {min: 1}
cases:
- name: max
- name: min
  set: {spec.min: -1}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	crdtest.Run(t, crdtest.Options{Paths: []string{file}, CRDs: []string{filepath.Join("testdata", "shelves.yaml")}})
}

type Shelf struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Spec       ShelfSpec   `json:"spec"`
	Status     ShelfStatus `json:"status,omitempty"`
}

type ShelfSpec struct {
	Min   int    `json:"min"`
	Max   *int   `json:"max,omitempty"`
	Class string `json:"class,omitempty"`
}

type ShelfStatus struct {
	Used int `json:"used,omitempty"`
}

func shelf() *Shelf {
	return &Shelf{APIVersion: "shop.example.com/v1", Kind: "Shelf", Spec: ShelfSpec{Min: 1}}
}

func classed(class string) func(*Shelf) { return func(o *Shelf) { o.Spec.Class = class } }

func TestShelves(t *testing.T) {
	if !alone(t) {
		return
	}
	base := shelf()
	s := crdtest.For(t, filepath.Join("testdata", "shelves.yaml"), base)
	s.Accept("minimal", nil)
	s.Accept("a function", classed("fast"))
	s.Accept("no function", (func(*Shelf))(nil))
	s.Accept("another object", &Shelf{APIVersion: "shop.example.com/v1", Kind: "Shelf", Spec: ShelfSpec{Min: 2}})
	s.Reject("min above max", func(o *Shelf) { o.Spec.Min = 11 }, "min must not exceed max")
	s.Reject("not a number", crdtest.Set("spec.min", "x"), crdtest.At("spec.min", "type"))
	s.Reject("no min", crdtest.Unset("spec.min"), crdtest.At("spec.min", "required"))
	s.Reject("two causes", crdtest.Changes{classed("far too long a name"), crdtest.Set("spec.min", -1)},
		crdtest.At("spec.min", "minimum"), crdtest.Cause{At: "spec.class", By: "maxLength"})
	s.Reject("one of two causes", crdtest.Changes{classed("far too long a name"), crdtest.Set("spec.min", -1)}, crdtest.At("spec.min", ""), crdtest.Also)
	s.Update("class is immutable", classed("fast"), classed("slow"), crdtest.Rule("oldSelf"), crdtest.Also)
	s.Update("class may come", nil, crdtest.Changes{crdtest.Set("spec.class", "far too long a name"), crdtest.Unset("spec.class"), crdtest.Set("spec.class", "slow")})
	s.Update("class comes back", crdtest.Changes{crdtest.Set("spec.class", "fast"), crdtest.Unset("spec.class")}, crdtest.Set("spec.class", "slow"))
	s.Update("class by edits", crdtest.Set("spec.class", "fast"), crdtest.Set("spec.class", "slow"), crdtest.Rule("oldSelf"))
	s.Status("used", func(o *Shelf) { o.Status.Used = 1 })
	s.Status("used more than nothing", func(o *Shelf) { o.Status.Used = -1 }, crdtest.At("status.used", "minimum"))
	s.Stored("defaults", nil, map[string]any{"spec.max": 10, "spec.class": crdtest.Absent})
	if base.Spec.Class != "" {
		t.Error("a change has changed the base")
	}
}

func TestWrongShelves(t *testing.T) {
	if !alone(t) {
		return
	}
	s := crdtest.For(t, filepath.Join("testdata", "shelves.yaml"), shelf())
	s.Options.Args = []string{"--cover-min", "all=100"}
	s.Accept("rejected", crdtest.Set("spec.min", -1))                                                                                    // want error: case "rejected" is rejected
	s.Reject("accepted", nil, "min")                                                                                                     // want error: case "accepted" is accepted
	s.Reject("another cause", crdtest.Set("spec.min", -1), crdtest.At("spec.min", "maximum"))                                            // want error: case "another cause" is not rejected by maximum at spec.min, but for another cause
	s.Reject("no cause", crdtest.Set("spec.min", -1))                                                                                    // want crdtest: "no cause" does not say
	s.Reject("more causes", crdtest.Changes{crdtest.Set("spec.min", -1), classed("12345678901")}, crdtest.At("spec.class", "maxLength")) // want error: case "more causes" is also
	s.Reject("no such cause", crdtest.Set("spec.min", -1), 1)                                                                            // want crdtest: a cause is a string or a Cause, and this one is a int
	s.Update("another old", crdtest.Set("spec.min", -1), nil)                                                                            // want error: case "another old" cannot begin, as its old object is rejected
	s.Stored("another default", nil, map[string]any{"spec.max": 11})                                                                     // want error: case "another default": spec.max
	s.Stored("not absent", nil, map[string]any{"spec.max": crdtest.Absent})                                                              // want error: case "not absent": spec.max
	s.Accept("no such change", crdtest.Changes{func(Shelf) {}})                                                                          // want crdtest: a change is a func(*crdtest_test.Shelf), a *crdtest_test.Shelf, Set,
	s.Accept("no kind", &Shelf{})                                                                                                        // want error: case "no kind": the object lacks apiVersion or kind
	s.Accept("no JSON", crdtest.Set("spec.min", func() {}))                                                                              // want crdtest: json: unsupported type
	helped(t, s)                                                                                                                         // want error: case "helped" is rejected
	s.Accept("rejected", nil)                                                                                                            // want crdtest: there is a case "rejected" already
}

func helped(t *testing.T, s *crdtest.Suite) {
	t.Helper()
	s.Accept("helped", crdtest.Set("spec.min", -1))
}
