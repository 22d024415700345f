package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, old, new string
		want           []Edit
	}{
		{"nothing", "a\n", "a\n", nil},
		{"a line before", "b\n", "a\nb\n", []Edit{{0, 0, "a\n"}}},
		{"a line after the last, which has no end", "a", "a\nb", []Edit{{0, 1, "a\nb"}}},
		{"one gone, another changed", "ä\nb\nc\nd\n", "b\nc\ne\n", []Edit{{0, 3, ""}, {7, 9, "e\n"}}},
		{"all of it", "", "a\n", []Edit{{0, 0, "a\n"}}},
	} {
		if diff := cmp.Diff(c.want, Edits([]byte(c.old), []byte(c.new))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
