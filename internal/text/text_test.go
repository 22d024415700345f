package text

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	t.Parallel()
	const rule = "self.all(p1, self.all(p2, p1.group == p2.group && p1.kind == p2.kind))"
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		text         Text
		whole, brief string
	}{
		{Quoted(rule), `"` + rule + `"`, `"self.all(p1, self.all(p2, p1.group == p2.group && p1.kind…"`},
		{Quoted(long), `"` + long + `"`, `"` + long[:59] + `…"`}, // no word ends near
		{Quoted("a\tb"), `"a\tb"`, `"a\tb"`},
		{Quoted(`"`), `"\""`, `"\""`},
		{Value(3), "3", "3"},
		{Value("[1,2," + long), "[1,2," + long, ("[1,2," + long)[:39] + "…"},
		{Foreign("must be " + rule + " always"), "must be " + rule + " always", "must be self.all(p1, self.all(p2, p1.group == p2.group &&…"},
		{Path("spec.a"), "spec.a", "spec.a"},
		{Path("spec.configs[*].oauth2.accessTokenValidation.introspection.introspectionUrl"),
			"spec.configs[*].oauth2.accessTokenValidation.introspection.introspectionUrl", "….introspection.introspectionUrl"},
		{Names(nil), "", ""},
		{Names([]string{"a", "b", "c", "d"}), "a, b, c, d", "a, b, c, d"},
		{Names([]string{"a", "b", "c", "d", "e", "f"}), "a, b, c, d, e, f", "a, b, c, d and 2 more"},
		{Names([]string{long, "b"}), long + ", b", long[:39] + "…, b"},
		{Names([]string{long[:39], long[:39], "c"}), long[:39] + ", " + long[:39] + ", c", long[:39] + " and 2 more"},
		{Sprintf("%d of %s is %s", 1, Path("spec.a"), "rejected"), "1 of spec.a is rejected", "1 of spec.a is rejected"},
		{Sprintf("%s is %s", Quoted(long), "rejected"), `"` + long + `" is rejected`, `"` + long[:59] + `…" is rejected`},
		{Sprintf("%s; %s", Sprintf("%s is rejected", Quoted(long)), "stop"), `"` + long + `" is rejected; stop`, `"` + long[:59] + `…" is rejected; stop`},
	} {
		if got := c.text.String(); got != c.whole {
			t.Errorf("whole: got %s, want %s", got, c.whole)
		}
		if got := c.text.Brief(); got != c.brief {
			t.Errorf("brief: got %s, want %s", got, c.brief)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"two words", 9, "two words"},
		{"two  words", 9, "two words"},
		{"one two three", 9, "one two…"},
		{"one two three", 8, "one two…"},  // the word ends just there
		{"a bcdefghijkl", 9, "a bcdefg…"}, // it would lose too much
		{"größere Wörter", 8, "größere…"},
	} {
		if got := cut(c.text, c.limit); got != c.want {
			t.Errorf("%s, %d: got %s, want %s", c.text, c.limit, got, c.want)
		}
	}
}
