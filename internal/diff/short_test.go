package diff

import (
	"slices"
	"strings"
	"testing"
)

// TestShort diffs every text of up to four lines of three kinds with every other, and looks at what stayed: the lines increase,
// a line that either side has once stays wherever it can, and between two of those as much stays as can.
func TestShort(t *testing.T) {
	t.Parallel()
	texts := [][]string{nil}
	for last := texts; len(texts) < 1+3+9+27+81; {
		var longer [][]string
		for _, text := range last {
			for _, line := range []string{"x\n", "y\n", "z\n"} {
				longer = append(longer, append(slices.Clone(text), line))
			}
		}
		texts, last = append(texts, longer...), longer
	}
	for _, a := range texts {
		for _, b := range texts {
			if wrong := misaligned(a, b, align(a, b)); wrong != "" {
				t.Fatalf("%q and %q: %s: %v", a, b, wrong, align(a, b))
			}
			old, new := []byte(strings.Join(a, "")), []byte(strings.Join(b, ""))
			if diff := Unified("a/f", "b/f", old, new); diff != nil && string(applied(t, old, diff)) != string(new) {
				t.Fatalf("%q and %q: the diff does not give the new text:\n%s", a, b, diff)
			}
		}
	}
}

// misaligned says what is wrong with the lines of b that those of a correspond to.
func misaligned(a, b []string, partner []int) string {
	next := 0
	for i, j := range partner {
		switch {
		case j < 0:
		case j < next || a[i] != b[j]:
			return "a line stays that is another, or out of order"
		default:
			next = j + 1
		}
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		if partner[0] < 0 {
			return "the first line does not stay"
		}
		a, b, partner = a[1:], b[1:], less(partner[1:])
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, partner = a[:len(a)-1], b[:len(b)-1], partner[:len(partner)-1]
	}
	var once, stayed []int // the places in b of lines that either side has once
	var begin [2]int
	for i, line := range append(slices.Clone(a), "") {
		isOnce := i < len(a) && count(a, line) == 1 && count(b, line) == 1
		if isOnce {
			once = append(once, slices.Index(b, line))
		}
		if j := len(b); i == len(a) || isOnce && partner[i] >= 0 {
			if i < len(a) {
				j = partner[i]
				stayed = append(stayed, j)
			}
			kept := 0
			for _, of := range partner[begin[0]:i] {
				if of >= 0 {
					kept++
				}
			}
			if kept != common(a[begin[0]:i], b[begin[1]:j]) {
				return "not as much stays as can"
			}
			begin = [2]int{i + 1, j + 1}
		}
	}
	if len(stayed) != longest(once, -1) {
		return "not every line stays that is there once"
	}
	return ""
}

func less(values []int) []int {
	values = slices.Clone(values)
	for i := range values {
		values[i]--
	}
	return values
}

func count(lines []string, of string) (n int) {
	for _, line := range lines {
		if line == of {
			n++
		}
	}
	return n
}

// common is how many lines two texts have in common, in order.
func common(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// longest is how many of some values increase, from one on; negative ones do not count.
func longest(values []int, above int) int {
	if len(values) == 0 {
		return 0
	}
	without := longest(values[1:], above)
	if values[0] > above {
		return max(without, 1+longest(values[1:], values[0]))
	}
	return without
}

// TestLongestIncreasing tries all short lists.
func TestLongestIncreasing(t *testing.T) {
	t.Parallel()
	values := make([]int, 6)
	for n := range 6 * 6 * 6 * 6 * 6 * 6 {
		for i := range values {
			values[i] = n%6 - 1
			n /= 6
		}
		chosen := LongestIncreasing(values)
		if len(chosen) != longest(values, -1) {
			t.Fatalf("of %v it takes %v", values, chosen)
		}
		above, after := -1, -1
		for _, i := range chosen {
			if i <= after || values[i] <= above {
				t.Fatalf("of %v it takes %v, which do not increase", values, chosen)
			}
			above, after = values[i], i
		}
	}
}
