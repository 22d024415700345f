package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIn is what the test program does in place of the peers that compare two CRDs: it insists on two files that are there.
// It returns the exit code.
func standIn(args []string) int {
	var files []string
	switch {
	case len(args) == 7 && args[0] == "check-manifests" && args[3] == "--existing-crd-filename" && args[5] == "--new-crd-filename":
		files = []string{args[4], args[6]}
	case len(args) == 2 && strings.HasPrefix(args[0], "file://") && strings.HasPrefix(args[1], "file://"):
		files = []string{strings.TrimPrefix(args[0], "file://"), strings.TrimPrefix(args[1], "file://")}
	default:
		return 3
	}
	for i, want := range []string{"older", "newer"} {
		if _, err := os.Stat(files[i]); err != nil || filepath.Base(filepath.Dir(files[i])) != want {
			return 4
		}
	}
	return 1
}

// TestPeers measures stand-ins for the peers that compare CRDs, and names those that are not there.
func TestPeers(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	older, newer := filepath.Join(dir, "older"), filepath.Join(dir, "newer")
	for _, name := range []string{"a.yaml", "b.yaml"} {
		for _, side := range []string{older, newer} {
			if _, err := put(side, name, "a: b\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := ages(older, newer)
	if err != nil || len(s.ages) != 2 {
		t.Fatalf("%v, %v", s, err)
	}
	b := &bench{ctx: t.Context(), dir: dir, rounds: 1, withPeers: true, measure: measure, lookPath: func(name string) (string, error) {
		if name == "pluto" {
			return "", errors.New("not found")
		}
		return program, nil
	}}
	if err := os.Mkdir(b.home(), 0o755); err != nil {
		t.Fatal(err)
	}
	broken := peer{"broken", "", func(_ *bench, _ subject, c *contestant) error {
		c.args = append(c.args, "file://", "file://")
		return nil
	}, []int{1}}
	i := slices.IndexFunc(linters, func(p peer) bool { return p.program == "pluto" })
	text, err := b.hold(heat{caption: "Two CRDs", subject: s, peers: append(slices.Clone(comparers), linters[i], broken), show: plain})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Two CRDs; medians of 1 round", "\n| crdify", "\n| crd-schema-checker", "\nNot measured: pluto was not on `PATH`; broken"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\n| broken") || !strings.HasSuffix(text, " failed.\n") {
		t.Errorf("of a peer that fails, it says\n%s", text)
	}
	b.withPeers = false
	if found, missing, err := b.find(comparers, s); found != nil || missing != nil || err != nil {
		t.Errorf("without peers: %v, %v, %v", found, missing, err)
	}
}
