package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sources use each other in each of the ways that make a tie, and in some that make none.
var sources = map[string]string{
	"shop.go":  "package shop\n\ntype Shop struct{ open bool }\n\nfunc (s *Shop) Close() { s.open = limit > 0 }\n",
	"limit.go": "package shop\n\nimport \"unsafe\"\n\nvar limit = int(unsafe.Sizeof('a'))\n",
	"use.go":   "package shop\n\nfunc use(limit int) bool { s := new(Shop); s.Close(); return s.open && limit > 0 }\n",
	"alone.go": "package shop\n\ntype alone struct{ open bool }\n\nfunc (a alone) Close() bool { return a.open }\n",
}

func TestUses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names := slices.Sorted(maps.Keys(sources))
	uses, err := usesOf("shop", dir, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[tie]map[string]bool{
		{"shop.go", "limit.go"}: {"limit": true},
		{"use.go", "shop.go"}:   {"Shop": true, "Close": true, "open": true},
	}
	if !reflect.DeepEqual(uses, want) {
		t.Errorf("got %v, want %v", uses, want)
	}
	if floors, up := build(names, uses); floors != 3 || up != nil {
		t.Errorf("got %d floors and %v up, want 3 and none", floors, up)
	}
}

func TestBuild(t *testing.T) {
	t.Parallel()
	files := strings.Fields("a b c d e")
	for _, test := range []struct {
		ties       string
		floors, up int
	}{
		{"", 1, 0},
		{"ab bc cd de", 5, 0},
		{"ab bc ca", 3, 1},
		{"ab ba cd dc", 2, 2},
		{"ab ac ad ae ba", 2, 1},
		{"ba ca da ea ab", 2, 1},
		{"ab bc cd de ea ca", 5, 1},
	} {
		uses := map[tie]bool{}
		for t := range strings.FieldsSeq(test.ties) {
			uses[tie{t[:1], t[1:]}] = true
		}
		if floors, up := build(files, uses); floors != test.floors || len(up) != test.up {
			t.Errorf("%s: got %d floors and %v up, want %d and %d", test.ties, floors, up, test.floors, test.up)
		}
	}
}

// TestRun counts the ties of this package, which has one file.
func TestRun(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(&out, true, "."); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(out.String()); !slices.Equal(got[5:], []string{"github.com/crdlift/crdlift/test/ties", "1", "1", "0", "0"}) {
		t.Errorf("got %q", out.String())
	}
}
