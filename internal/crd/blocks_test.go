package crd_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
)

// Blocks have all that is below their keys, and nothing beside it.
func TestBlocks(t *testing.T) {
	for src, want := range map[string]string{
		"a:\n  b: 1\n\n# c\nd: 2\n":                   "  b: 1\n\n# c\n",
		"a:\n- b: 1\n  c: 2\n- d\nx:\n- e\n":          "- b: 1\n  c: 2\n- d\n",
		"- a:\n    b: 1\n- c: 2\n":                    "    b: 1\n",
		"z:\n  y: 1\na:\n  z:\n    b: 1\n":            "  y: 1\n|  z:\n    b: 1\n",
		"z:\n  a:\n    b: 1\na:\n  c: 2\nz:\n  d: 3":  "  a:\n    b: 1\n|  c: 2\n|  d: 3",
		"a: {b: 1}\na: 2\nxa:\n  b: 1\n\"a\":\n  c\n": "",
		"a:":                 "",
		"a:\n":               "",
		"a:\nb: 1\na: # c\n": "",
	} {
		got := ""
		for b := range crd.Blocks([]byte(src), "a", "z") {
			if got != "" {
				got += "|"
			}
			got += src[b.Body:b.End]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}
