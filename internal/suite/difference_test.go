package suite_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

func TestDifference(t *testing.T) {
	t.Parallel()
	list := func(items ...any) []any { return items }
	for _, test := range []struct {
		from, to any
		want     string
	}{
		{int64(1), 1.0, ""},
		{int64(1), int64(2), "set: {v: 2}"},
		{nil, map[string]any{}, "set: {v: {}}"},
		{map[string]any{"a": nil, "b": int64(1)}, map[string]any{"a": int64(1)}, "set: {v.a: 1} unset: [v.b]"},
		{map[string]any{}, map[string]any{"a": map[string]any{"b": int64(1)}}, "set: {v.a.b: 1}"},
		{map[string]any{}, map[string]any{"a": map[string]any{"0": int64(1)}}, `set: {v.a: {"0": 1}}`},
		{list("a", "b"), list("a", "c"), `set: {"v[1]": c}`},
		{list("a", "b"), list("c"), "set: {v: [c]}"},
		{"", list(), "set: {v: []}"},
		{list(), "", `set: {v: ""}`},
	} {
		c := plain("")
		c.Change = suite.Difference(request.Object{"v": test.from}, request.Object{"v": test.to})
		if got := strings.Join(strings.Fields(strings.TrimPrefix(string(suite.CasesYAML([]*suite.Case{c})), `- name: ""`)), " "); got != test.want {
			t.Errorf("%v differs from %v by %s, want %s", test.to, test.from, got, test.want)
		}
	}
}
