package skeleton

import (
	"reflect"
	"strings"
	"testing"
)

// TestAll has the trees that Of has somewhere in each document.
func TestAll(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"one":                {"a: 1\n", 1},
		"none":               {"", 1},
		"two":                {"a: 1\n---\nb: 2\n", 2},
		"a marker first":     {"--- {a: 1}\n---\nb: 2", 3},
		"an end":             {"a: 1\n...\nb: 2\n", 2},
		"an end at the end":  {"a: 1\n...\n", 2},
		"nothing behind":     {"a: 1\n---", 2},
		"lines of Windows":   {"a: 1\r\n---\r\nb: 2\r\n", 2},
		"a marker in a text": {"a: |\n  ---\nb: 2\n", 1},
	} {
		all := All([]byte(test.text))
		if len(all) != test.want {
			t.Errorf("%s: %d documents", name, len(all))
		}
		for _, root := range all {
			if keys := strings.TrimSpace(test.text[root.Start:root.End]); keys == "" {
				continue
			}
			if of := Of([]byte(test.text), root.End); !reflect.DeepEqual(of, root) {
				t.Errorf("%s: %+v, not %+v", name, root, of)
			}
		}
	}
}
