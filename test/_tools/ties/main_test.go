package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/checked"
)

func TestUses(t *testing.T) {
	t.Parallel()
	packages, err := checked.Load("./testdata/shop")
	if err != nil {
		t.Fatal(err)
	}
	uses := usesOf(packages[0])
	want := map[tie]map[string]bool{
		{"shop.go", "limit.go"}: {"limit": true},
		{"use.go", "shop.go"}:   {"Shop": true, "Close": true, "open": true},
	}
	if !reflect.DeepEqual(uses, want) {
		t.Errorf("got %v, want %v", uses, want)
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

func TestRun(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(&out, true, "./testdata/shop", "./testdata/ring"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"package", "files", "floors", "ties", "up",
		"github.com/crdlift/crdlift/test/_tools/ties/testdata/ring", "2", "2", "2", "1", "even.go", "->", "odd.go:", "odd",
		"github.com/crdlift/crdlift/test/_tools/ties/testdata/shop", "4", "3", "2", "0",
	}
	if got := strings.Fields(strings.ReplaceAll(out.String(), "\t", " ")); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
