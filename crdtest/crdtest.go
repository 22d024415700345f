// Package crdtest tests CustomResourceDefinitions from a Go test: which custom resources an API server takes, which it rejects
// and why, and what it stores of them.
//
// [Run] makes subtests of the cases in files named *.crdtest.yaml. With [For], the cases stand in Go, and their objects have
// the types of the API. No API server runs: the program crdlift judges the objects as one does, in milliseconds. With [Serve],
// crdlift is the API server of tests with clients and controllers.
//
// The package has no dependencies. The program is installed apart from the module under test, whose versions of Kubernetes'
// modules stay what they are:
//
//	go install github.com/crdlift/crdlift@latest
package crdtest

import (
	"fmt"
	"strings"
	"testing"
)

// module is the name of this module in messages.
const module = "crdtest"

// Options say what is tested, and how.
type Options struct {
	// Paths are files with cases, and folders, which are searched for *.crdtest.yaml files; the test's folder when it is empty.
	// Only [Run] has a use for it.
	Paths []string
	// CRDs are manifests with CustomResourceDefinitions, and folders of manifests: what is served, or for suites that do not name
	// theirs.
	CRDs []string
	// Args are further arguments of crdlift test, such as "--kubernetes-version=1.33" or "--cover-min=rules=100", or of crdlift
	// serve, such as "--also=v1/ConfigMap,v1/Secret".
	Args []string
	// Binary is the program; when it is empty, that in the environment variable CRDLIFT, or else crdlift in PATH, or else the
	// one of a tool line in go.mod.
	Binary string
	// SkipMissing skips the test where the program is not there. Without it, the test fails.
	SkipMissing bool
}

// Run runs the cases in files. Each suite is a subtest, and each of its cases one of that. Findings that are ignored in the
// configuration of crdlift, and those that are no errors, never fail.
func Run(t *testing.T, o Options) {
	t.Helper()
	paths := o.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	watch(paths...)
	binary, err := find(o.Binary)
	if err != nil && o.SkipMissing {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	found, err := o.test(t, binary, nil, paths)
	if err != nil {
		t.Fatal(err)
	}
	found.others(t)
	for i, first := range found.Tests {
		if i > 0 && found.Tests[i-1].suite() == first.suite() {
			continue
		}
		t.Run(first.Suite, func(t *testing.T) {
			t.Helper()
			for _, c := range found.Tests[i:] {
				if c.suite() != first.suite() {
					break
				}
				t.Run(c.Name, func(t *testing.T) {
					t.Helper()
					found.tell(t, c, "")
				})
			}
		})
	}
}

// test has the program test what it is given.
func (o *Options) test(t *testing.T, binary string, stdin []byte, paths []string) (*report, error) {
	watch(o.CRDs...)
	args := []string{"test", "--output", "json", "--quiet"}
	dir, err := covering()
	if err != nil {
		return nil, err
	}
	if dir != "" {
		args = append(args, "--cover-min", "all=0") // which has the report say it, and demands nothing of a part
	}
	for _, crds := range o.CRDs {
		args = append(args, "--crds", crds)
	}
	args = append(args, o.Args...)
	if stdin == nil {
		args = append(args, "--")
	}
	var found report
	found.said, err = run(t, binary, stdin, append(args, paths...), &found)
	for _, c := range found.Tests {
		watch(c.File, c.CRD)
	}
	if err == nil && dir != "" && len(found.Coverage) > 0 {
		err = writeCoverage(t, dir, found.Coverage)
	}
	return &found, err
}

// A report is what the program says of cases.
type report struct {
	Findings []caseFinding    `json:"findings"`
	Tests    []result         `json:"tests"`
	Coverage []map[string]any `json:"coverage"`
	said     string           // beside the report
}

// A caseFinding is one that may be of a case.
type caseFinding struct {
	finding
	Suite string `json:"suite"`
	Case  string `json:"case"`
}

// A result is what became of a case.
type result struct {
	Suite   string `json:"suite"`
	Name    string `json:"name"`
	File    string `json:"file"`
	CRD     string `json:"crd"` // its file
	Passed  bool   `json:"passed"`
	Skipped string `json:"skipped"`
}

// suite tells the suite from others of the same name.
func (c *result) suite() string { return c.File + "\x00" + c.Suite }

// tell tells of a case, with what was sent if it fails.
func (r *report) tell(t *testing.T, c result, sent string) {
	t.Helper()
	if c.Skipped != "" {
		t.Skip(c.Skipped)
	}
	told := false
	for _, f := range r.Findings {
		if f.Suite == c.Suite && f.Case == c.Name && f.File == c.File {
			f.tell(t, sent)
			told = true
		}
	}
	if !c.Passed && !told {
		t.Error("failed, and the report does not say why" + sent)
	}
}

// others tells what is about no case.
func (r *report) others(t *testing.T) {
	t.Helper()
	if r.said != "" {
		t.Log(r.said)
	}
	for _, f := range r.Findings {
		if f.Case == "" {
			f.tell(t, "")
		}
	}
}

func (f *caseFinding) tell(t *testing.T, sent string) {
	t.Helper()
	var text strings.Builder
	if sent == "" {
		fmt.Fprintf(&text, "%s:%d:%d: ", f.File, f.Line, f.Column)
	}
	fmt.Fprintf(&text, "%s: %s [%s]", f.Severity, f.Message, f.Rule)
	for _, p := range f.Related { // the CRD, and the Go type that it is made from
		fmt.Fprintf(&text, "\n  = %s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	}
	switch {
	case f.Ignored != "":
		t.Logf("%s\nignored: %s", &text, f.Ignored)
	case f.Severity == "error":
		t.Error(text.String() + sent)
	default:
		t.Log(text.String())
	}
}
