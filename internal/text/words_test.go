package text

import (
	"math/rand/v2"
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

// TestNearestOfMany: of many words, those are found that a look at each would find.
func TestNearestOfMany(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(36, 2))
	random := func(letters []rune) string {
		word := make([]rune, rnd.IntN(12))
		for i := range word {
			word[i] = letters[rnd.IntN(len(letters))]
		}
		return string(word)
	}
	found := map[int]int{}
	for range 300 {
		letters := []rune("abcABCé")[:2+rnd.IntN(6)]
		var known []string
		for range rnd.IntN(60) {
			known = append(known, random(letters))
		}
		words := NewWords(known)
		for range 30 {
			word := random(letters)
			want, edits := nearestOfEach(word, known)
			if got := words.Nearest(word); !slices.Equal(got, want) {
				t.Fatalf("%q of %q: got %q, want %q", word, known, got, want)
			}
			if len(want) > 0 {
				found[edits]++
			}
		}
	}
	for edits := range 4 {
		if found[edits] < 20 {
			t.Errorf("%d words had others at %d edits, too few to tell", found[edits], edits)
		}
	}
}

// nearestOfEach is Nearest, as its comment has it.
func nearestOfEach(word string, known []string) (near []string, fewest int) {
	length := len([]rune(word))
	fewest = min(max(length/3, 1), 3, length-1)
	for _, k := range known {
		switch d := editsBetween([]rune(strings.ToLower(word)), []rune(strings.ToLower(k))); {
		case d > fewest || k == word:
		case d < fewest:
			near, fewest = []string{k}, d
		default:
			near = append(near, k)
		}
	}
	return near, fewest
}

// editsBetween counts the edits that make one word of another, from its end.
func editsBetween(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			if i == 0 || j == 0 {
				table[i][j] = i + j
				continue
			}
			replaced := table[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			table[i][j] = min(replaced, table[i-1][j]+1, table[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(a)][len(b)]
}

func TestCount(t *testing.T) {
	t.Parallel()
	if got := Count(0, "file") + ", " + Count(1, "file") + ", " + Count(2, "file"); got != "0 files, 1 file, 2 files" {
		t.Error(got)
	}
}

func TestMore(t *testing.T) {
	for n, want := range map[int]string{-1: "", 0: "", 2: " and 2 more"} {
		if got := More(n, " and %d more"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
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
