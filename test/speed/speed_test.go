package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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
	// Contests have no variable for the programs that they run.
	if len(os.Args) > 1 {
		switch first := os.Args[1]; {
		case first == "lsp":
			os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		case first == "check-manifests" || strings.HasPrefix(first, "file://"):
			os.Exit(standIn(os.Args[1:]))
		}
	}
	os.Exit(m.Run())
}

// TestMarks looks whether the page has a place for everything, before anybody waits for the figures.
func TestMarks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	for _, name := range slices.Concat([]string{"machine", "targets"}, names()) {
		if _, err := replace(text, name, "new"); err != nil {
			t.Error(err)
		}
	}
}

func TestWriteDocuments(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := writeDocuments(path, "v1", 110_000); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(text, []byte("---\napiVersion: ")); got != 6 || len(text) < 110_000 || len(text) > 130_000 {
		t.Errorf("%d documents, %d bytes", got, len(text))
	}
}

// TestWriteObjects looks whether there are as many files as the page says, and whether all kinds of mistakes are in them.
func TestWriteObjects(t *testing.T) {
	t.Parallel()
	crds, objects := filepath.Join(t.TempDir(), "crds"), filepath.Join(t.TempDir(), "objects")
	if err := (population{kinds: 3, objects: 16, wrong: 4}).write(crds, objects); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]int{crds: 3, objects: 16} {
		if f, err := survey(dir); err != nil || f.files != want {
			t.Errorf("%s has %d files, want %d (%v)", dir, f.files, want, err)
		}
	}
	var out, summary bytes.Buffer
	code := cli.Run([]string{"validate", "--no-config", "--crds", crds, objects}, strings.NewReader(""), &out, &summary)
	if want := "4 errors, 2 infos in 4 of 16 objects"; code != 1 || !strings.HasPrefix(summary.String(), want) {
		t.Errorf("exit code %d, want %q\n%s%s", code, want, &out, &summary)
	}
	for _, want := range []string{"object-type", "object-enum", "object-unknown-field", "object-rule"} {
		if !strings.Contains(out.String(), "["+want+"]\n") {
			t.Errorf("no object has a mistake for %s\n%s", want, &out)
		}
	}
}

// TestRace measures a tiny contest: two files, two rounds.
func TestRace(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	if _, err := writeFiles(dir, 2, specimen.CRD{Version: "v1beta1", Parts: 1}); err != nil {
		t.Fatal(err)
	}
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	check := contestant{name: "`check`", args: []string{program, "convert", "--check", dir}, env: []string{runAs + "=crdlift"}, done: []int{1}}
	version := contestant{name: "version", args: []string{program, "version"}, env: []string{runAs + "=crdlift"}}
	crash := contestant{args: []string{program}, env: []string{runAs + "=crash"}}
	peer := crash
	peer.name, peer.peer = "peer", "peer"
	var log, progress bytes.Buffer
	results, err := race(context.Background(), measure, home, 2, &log, &progress, []contestant{check, peer, version})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || results[0].name != check.name || results[1].name != version.name {
		t.Fatalf("got %v", results)
	}
	for _, r := range results {
		if len(r.samples) != 2 {
			t.Errorf("%s: %d samples, want 2", r.name, len(r.samples))
		}
		for _, s := range r.samples {
			if s.wall <= 0 || s.cpu <= 0 && runtime.GOOS != "windows" || s.memory <= megabyte && runtime.GOOS != "windows" {
				t.Errorf("%s: %+v", r.name, s)
			}
		}
	}
	if !strings.Contains(log.String(), "left out: ") || !strings.Contains(log.String(), "panic: a crash") {
		t.Errorf("of a peer that crashes, it says %q", &log)
	}
	order := regexp.MustCompile(`check|version|peer`).FindAllString(progress.String(), -1)
	if want := []string{"check", "peer", "version", "check", "version"}; !slices.Equal(order, want) {
		t.Errorf("ran %v, want %v", order, want)
	}

	check.done = nil // then, exit code 1 is a failure
	missing := contestant{args: []string{filepath.Join(home, "missing")}}
	for _, tt := range []struct {
		contestant
		want string
	}{{check, "exit status 1"}, {crash, "panic: a crash"}, {missing, "missing"}} {
		if _, err := race(context.Background(), measure, home, 1, io.Discard, io.Discard, []contestant{version, tt.contestant}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want one with %q", err, tt.want)
		}
	}
}

// TestRun builds the programs and runs a contest as `make speed` does.
func TestRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds crdlift and the reference")
	}
	dir := t.TempDir()
	if _, err := writeFiles(dir, 2, specimen.CRD{Version: "v1", Parts: 1}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(context.Background(), filepath.Join("..", ".."), []string{"-rounds", "1", "-only", "lint,breaking", "-peers=false", dir}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## targets\n", "## lint\n\n2 files, ", "\n| bare parse | ", "\n| reference | ", "\n| `crdlift lint` | ",
		"## breaking\n\n100 generated CRDs; ", "\n| `crdlift breaking` | ", "\n| `crdlift plan` | "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestRunUsage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"-only lint,sing", `"sing" is not one of lint, convert, large, objects, breaking, webhook, start, files, lsp, size, memory, ratios, growth, dump`},
		{"-rounds 0", "usage: speed"},
		{"one two", "usage: speed"},
		{"-check -write", "usage: speed"},
		{"-write -peers=false", "-write takes the peers and the corpus"},
		{"-write somewhere", "-write takes the peers and the corpus"},
	} {
		err := run(context.Background(), t.TempDir(), strings.Fields(tt.args), io.Discard)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want %q", tt.args, err, tt.want)
		}
	}
}
