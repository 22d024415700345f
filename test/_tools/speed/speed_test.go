package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// runAs is a variable that makes the test program another one, which tests then measure.
const runAs = "CRDLIFT_SPEED_RUN_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(runAs) {
	case "crdlift":
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "crash":
		panic("a crash")
	}
	if len(os.Args) == 2 && os.Args[1] == "lsp" { // ways have no variable for the program that they run
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestRewrite puts what was measured between the marks of the page, and says where there are none.
func TestRewrite(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "internals", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := put(page, strings.ReplaceAll(string(text), "\r\n", "\n")); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(page, func(string) (string, error) { return "new table", nil }); err != nil {
		t.Error(err)
	}
	if err := rewrite(page, func(before string) (string, error) { return before, nil }); err != nil {
		t.Error(err)
	}
	if text, err = os.ReadFile(page); err != nil || bytes.Count(text, []byte("\nnew table")) != 1 {
		t.Errorf("got %s, %v", text, err)
	}
	if err := put(page, "no table"); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(page, nil); err == nil || !strings.Contains(err.Error(), "<!-- measured: make speed -->") {
		t.Errorf("got %v", err)
	}
}

// TestWrite looks whether there are as many files as the page says, and whether all kinds of mistakes are in objects, and
// objects in a list as well.
func TestWrite(t *testing.T) {
	t.Parallel()
	b := &bench{ctx: t.Context(), dir: t.TempDir(), lookPath: exec.LookPath, reference: "true"}
	at := func(name string) string { return filepath.Join(b.dir, name) }
	few := []batch{{"crds/%d.yaml", 3, definition}, {"objects/%d.yaml", 16, func(i int) string { return objectOf(i%3, i, 4) }}, {"kinds/%d.yaml", 50, definition}}
	if err := b.write(few, "crds"); err != nil {
		t.Fatal(err)
	}
	for _, files := range few {
		if dir, err := os.ReadDir(at(filepath.Dir(files.name))); err != nil || len(dir) != files.count {
			t.Errorf("%s: %d files, want %d (%v)", files.name, len(dir), files.count, err)
		}
	}
	validate := func(args ...string) (code int, out, summary string) {
		var o, s bytes.Buffer
		code = cli.Run(append([]string{"validate", "--config", "off", "--crds"}, args...), strings.NewReader(""), &o, &s)
		return code, o.String(), s.String()
	}
	code, out, summary := validate(at("crds"), at("objects"))
	if want := "4 errors, 2 infos in 4 of 16 objects"; code != 1 || !strings.HasPrefix(summary, want) {
		t.Errorf("exit code %d, want %q\n%s%s", code, want, out, summary)
	}
	for _, want := range []string{"object-type", "object-enum", "object-unknown-field", "object-rule"} {
		if !strings.Contains(out, "["+want+"]\n") {
			t.Errorf("no object has a mistake for %s\n%s", want, out)
		}
	}
	dump := at("dump.yaml")
	if err := writeDump(dump, 2_000_000); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dump)
	if err != nil || info.Size() < 2_000_000 || info.Size() > 2_010_000 {
		t.Errorf("the dump: %v, %v", info, err)
	}
	if code, out, summary := validate(at("kinds"), dump); code != 0 || !strings.Contains(summary, "objects") {
		t.Errorf("the dump: exit code %d\n%s%s", code, out, summary)
	}
}

// TestRace measures a tiny contest: two files, two rounds.
func TestRace(t *testing.T) {
	t.Parallel()
	b := &bench{ctx: t.Context(), dir: t.TempDir(), measure: measure}
	for _, name := range []string{"a.yaml", "b.yaml"} {
		if err := put(filepath.Join(b.dir, name), (specimen.CRD{Version: "v1beta1", Parts: 1}).YAML()); err != nil {
			t.Fatal(err)
		}
	}
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	check := contestant{name: "`check`", args: []string{program, "convert", "--check", "."}, env: []string{runAs + "=crdlift"}} // exits with 1
	version := contestant{name: "version", args: []string{program, "--version"}, times: 2, env: []string{runAs + "=crdlift"}}
	crash := contestant{args: []string{program}, env: []string{runAs + "=crash"}}
	peer := crash
	peer.name = kubeconform
	samples := map[string][]sample{}
	if err := b.race(2, []contestant{check, peer, version}, samples); err != nil {
		t.Fatal(err)
	}
	if len(samples) != 2 || len(samples[check.name]) != 2 || len(samples[version.name]) != 2 {
		t.Fatalf("got %v", samples)
	}
	for name, all := range samples {
		for _, s := range all {
			if s.wall <= 0 || s.cpu <= 0 && runtime.GOOS != "windows" || s.memory <= megabyte && runtime.GOOS != "windows" {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
	usage, missing := check, contestant{args: []string{filepath.Join(b.dir, "missing")}}
	usage.args = []string{program, "convert", "--no-such-flag"}
	for _, tt := range []struct {
		contestant
		want string
	}{{usage, "exit status 2"}, {crash, "panic: a crash"}, {missing, "missing"}} {
		if err := b.race(1, []contestant{version, tt.contestant}, samples); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want one with %q", err, tt.want)
		}
	}
}

// TestOpened has an editor talk to the language server, and to one that is none.
func TestOpened(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := put(filepath.Join(folder, "crd.yaml"), kind{spec: "{type: strin}"}.String()); err != nil {
		t.Fatal(err)
	}
	b := &bench{ctx: t.Context(), crdlift: program}
	if s, err := opened(b, way{args: "lsp"}, folder); err != nil || s.wall <= 0 {
		t.Errorf("got %v, %v", s, err)
	}
	if _, err := opened(b, way{args: "-test.list=^$"}, folder); err == nil || !strings.Contains(err.Error(), "the language server") {
		t.Errorf("a program that is no server: %v", err)
	}
	for i := range 200 { // of fewer, no progress is shown
		if err := put(filepath.Join(folder, fmt.Sprintf("%d.yaml", i)), kind{}.String()); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := looked(b, folder); err != nil || s.wall <= 0 {
		t.Errorf("got %v, %v", s, err)
	}
	b.crdlift = filepath.Join(folder, "missing")
	if _, err := opened(b, way{args: "lsp"}, folder); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a server that is missing: %v", err)
	}
}

// TestReference builds the programs, and has kubeconform's stand-in judge by the schemas that are made for it.
func TestReference(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the reference")
	}
	b := &bench{ctx: t.Context(), dir: t.TempDir(), rounds: 1, measure: measure, lookPath: func(string) (string, error) { return os.Args[0], nil }}
	b.reference = filepath.Join(b.dir, "reference")
	if err := b.build(b.reference, "../reference"); err != nil {
		t.Fatal(err)
	}
	if err := b.write([]batch{{"crds/%d.yaml", 2, definition}}, "crds"); err != nil {
		t.Fatal(err)
	}
	c := course{command: "lint", paths: "crds", bases: "parse judge -strict"}
	all := b.contestants(c)
	if len(all) != 4 || all[3].name != kubeconform || all[3].args[0] != os.Args[0] || all[3].args[len(all[3].args)-1] != "crds" {
		t.Fatalf("got %v", all)
	}
	samples := map[string][]sample{}
	if err := b.race(1, all[1:3], samples); err != nil || len(samples) != 2 {
		t.Errorf("got %v, %v", samples, err)
	}
	for kind, want := range map[string]string{"apiextensions.k8s.io-customresourcedefinition-*": "v1beta1", "*.example.com-example*": "v1"} {
		if files, err := filepath.Glob(filepath.Join(b.dir, "schemas", kind+".json")); err != nil || len(files) != 2 || !strings.HasSuffix(files[1], want+".json") {
			t.Errorf("the schemas are %v, %v", files, err)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"-rounds 0", "somewhere"} {
		if err := run(t.Context(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), "usage: speed") {
			t.Errorf("%s: got error %v", args, err)
		}
	}
}

// A busy machine makes one run slow, and a slower program both. Who interrupts the run does not wait for another.
func TestOnceMore(t *testing.T) {
	t.Parallel()
	slow := errors.New("lint is slower")
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	for _, test := range []struct {
		name string
		ctx  context.Context
		runs []error // what each says
		want error
		said string
	}{
		{"nothing is slow", t.Context(), []error{nil}, nil, ""},
		{"the machine was busy", t.Context(), []error{slow, nil}, nil, "speed: once more, for lint is slower\n"},
		{"the program is slower", t.Context(), []error{slow, slow}, slow, "speed: once more, for lint is slower\n"},
		{"interrupted", interrupted, []error{slow}, slow, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			ran := 0
			err := onceMore(test.ctx, &out, func() error {
				ran++
				return test.runs[ran-1]
			})
			if err != test.want || ran != len(test.runs) || out.String() != test.said {
				t.Errorf("%d runs, %v, %q", ran, err, out.String())
			}
		})
	}
}
