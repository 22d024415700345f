package request

import (
	"encoding/json"
	"testing"
)

// TestPathSet changes one value of an object and leaves the others.
func TestPathSet(t *testing.T) {
	t.Parallel()
	item := Keys("list").To(Index(1))
	for _, c := range []struct {
		name     string
		at       Path
		remove   bool
		want     string
		possible bool
	}{
		{"a member", Keys("map", "a"), false, `{"list":[1,{"b":2}],"map":{"a":0},"text":"x"}`, true},
		{"a new member", Keys("map", "c"), false, `{"list":[1,{"b":2}],"map":{"a":3,"c":0},"text":"x"}`, true},
		{"a new member of a new object", Keys("new", "a", "b"), false, `{"list":[1,{"b":2}],"map":{"a":3},"new":{"a":{"b":0}},"text":"x"}`, true},
		{"an item", item, false, `{"list":[1,0],"map":{"a":3},"text":"x"}`, true},
		{"in an item", item.To(Key("b")), false, `{"list":[1,{"b":0}],"map":{"a":3},"text":"x"}`, true},
		{"an item that is not there", Keys("list").To(Index(2)), false, "", false},
		{"in a text", Keys("text", "a"), false, "", false},
		{"an item of an object", Keys("map").To(Index(0)), false, "", false},
		{"a member of a list", Keys("list", "a"), false, "", false},
		{"the object itself", nil, false, "", false},
		{"without a member", Keys("map", "a"), true, `{"list":[1,{"b":2}],"map":{},"text":"x"}`, true},
		{"without an item", Keys("list").To(Index(0)), true, `{"list":[{"b":2}],"map":{"a":3},"text":"x"}`, true},
		{"without what is not there", Keys("map", "c"), true, "", false},
		{"without the object itself", nil, true, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const before = `{"list":[1,{"b":2}],"map":{"a":3},"text":"x"}`
			o := Object{"list": []any{1, map[string]any{"b": 2}}, "map": map[string]any{"a": 3}, "text": "x"}
			done := false
			if c.remove {
				done = c.at.Remove(o)
			} else {
				done = c.at.Set(o, 0)
			}
			text, err := json.Marshal(o)
			if c.want == "" {
				c.want = before
			}
			if err != nil || done != c.possible || string(text) != c.want {
				t.Errorf("%t, %s, want %s", done, text, c.want)
			}
		})
	}
}
