package objectpass

import (
	"reflect"
	"testing"
)

// TestAddDefaults adds what a server has besides, and changes nothing that is written.
func TestAddDefaults(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct {
		written, stored, want any
		added                 int
	}{
		"an entry":                  {object{"a": "x"}, object{"a": "x", "b": object{"c": "y"}}, object{"a": "x", "b": object{"c": "y"}}, 1},
		"what is dropped stays":     {object{"a": "x", "old": nil}, object{"a": "x"}, object{"a": "x", "old": nil}, 0},
		"what is converted stays":   {object{"a": int64(1)}, object{"a": 1.0}, object{"a": int64(1)}, 0},
		"null gives way":            {object{"a": nil}, object{"a": "x"}, object{"a": "x"}, 1},
		"in items":                  {[]any{object{}, "x"}, []any{object{"a": "y"}, "x"}, []any{object{"a": "y"}, "x"}, 1},
		"other items":               {[]any{object{}}, []any{object{"a": "y"}, "x"}, []any{object{}}, 0},
		"beside a placeholder":      {object{"${MORE}": "", "b": object{}}, object{"a": "y", "b": object{"c": "y"}}, object{"${MORE}": "", "b": object{}}, 0},
		"in place of a placeholder": {"${ALL}", object{"a": "y"}, "${ALL}", 0},
	} {
		before := reflect.ValueOf(test.written).Len()
		if got, added := addDefaults(test.written, test.stored); !reflect.DeepEqual(got, test.want) || added != test.added {
			t.Errorf("%s: got %v with %d defaults, want %v with %d", name, got, added, test.want, test.added)
		}
		if reflect.ValueOf(test.written).Len() != before {
			t.Errorf("%s: the value was changed", name)
		}
	}
}
