package text

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ word, known, want string }{
		{"tpye", "type title", "type"},                              // swapped
		{"jsonpath", "name jsonPath JSONPath", "jsonPath JSONPath"}, // by case alone, both as near
		{"minLenght", "minLength maxLength", "minLength"},
		{"requird", "required requires", "required"},
		{"items", "items item", "item"}, // not itself
		{"x", "y", ""},                  // all of it would have to change
		{"", "a", ""},
		{"größe", "große grobe", "große"}, // letters, not bytes
		{"x-kubernetes-something", "x-kubernetes-map-type", ""},
	} {
		if got := Nearest(c.word, strings.Fields(c.known)); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: got %q, want %s", c.word, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	if got := Count(0, "file") + ", " + Count(1, "file") + ", " + Count(2, "file"); got != "0 files, 1 file, 2 files" {
		t.Error(got)
	}
}

func TestAnd(t *testing.T) {
	for want, items := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := And(items); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOr(t *testing.T) {
	t.Parallel()
	for want, items := range map[string][]string{"a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}, "a, b, c or d": {"a", "b", "c", "d"}} {
		if got := Or(items); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	if got := DidYouMean("items"); got != "did you mean items?" {
		t.Error(got)
	}
	if got := DidYouMean("item", "items", "itemsPerPage"); got != "did you mean item or items or itemsPerPage?" {
		t.Error(got)
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got := OneLine(" a\n\tb  c "); got != "a b c" {
		t.Errorf("%q", got)
	}
}

func TestMisspelt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ word, known, want string }{
		{"warnnig", "info warning error", `"warnnig" (did you mean "warning"?)`},
		{"warn", "info warning error", `"warn" (did you mean "warning"?)`},
		{"WARN", "info warning error", `"WARN" (did you mean "warning"?)`},
		{"wa", "info warning error", `"wa"`},                           // too short to tell
		{"minimum", "minimums-a minimums-b", `"minimum"`},              // of several
		{"colour", "info warning error", `"colour"`},                   // of none
		{"eror", "error errors-all", `"eror" (did you mean "error"?)`}, // the nearest comes first
	} {
		if got := Misspelt(c.word, strings.Fields(c.known)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
