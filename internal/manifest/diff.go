package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// contextLines surround each change in a unified diff.
	contextLines = 3
	// maxGap is how many lines, both sides together, the minimal diff is asked to align at once. It takes quadratic
	// time on sides that have nothing in common, and has to come back within a second. It also keeps every line's
	// number a valid rune, below the surrogates that go-diff's own numbering has to work around.
	maxGap = 1 << 14
)

// Unified gives the difference of two versions of a file as a unified diff that `git apply` and `patch -p1` take;
// nil when there is none. The names go into the header, quoted as git does where need be; the prefixes a/ and b/ are
// the caller's. The result depends on nothing but the arguments.
func Unified(oldName, newName string, old, new []byte) []byte {
	if bytes.Equal(old, new) {
		return nil
	}
	a, b := lines(old), lines(new)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", headerName(oldName), headerName(newName))
	for _, h := range hunks(changes(a, b), len(a)) {
		h.print(&out, a, b)
	}
	return out.Bytes()
}

// lines cuts a text behind each line feed. A carriage return belongs to its line.
func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	all := strings.SplitAfter(string(text), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// A change replaces the lines a0 to a1 of the old file by the lines b0 to b1 of the new; lines count from 0, ends are
// exclusive, one of the two may be empty.
type change struct{ a0, a1, b0, b1 int }

// changes gives what differs, in order; between two changes the files agree.
func changes(a, b []string) []change {
	partner := align(a, b)
	var found []change
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if i < len(a) && partner[i] == j {
			i, j = i+1, j+1
			continue
		}
		c := change{a0: i, b0: j}
		for i < len(a) && partner[i] < 0 {
			i++
		}
		j = len(b)
		if i < len(a) {
			j = partner[i]
		}
		c.a1, c.b1 = i, j
		found = append(found, c)
	}
	return found
}

// align finds for each line of a the line of b that it stays to be, -1 for none; the lines found increase.
//
// The equal start and end are set aside first. What is left is cut at the lines that occur once on either side, as
// patience diff does, which keeps the hunks at places a reader knows and the pieces small; go-diff aligns the pieces.
func align(a, b []string) []int {
	partner := make([]int, len(a))
	for i := range partner {
		partner[i] = -1
	}
	al := aligner{a: a, b: b, partner: partner}
	al.between(change{0, len(a), 0, len(b)}, al.uniqueLines, func(c change) {
		al.between(c, func(c change) []int {
			if c.a1-c.a0+c.b1-c.b0 <= maxGap {
				return nil
			}
			return al.equallyFrequentLines(c)
		}, al.minimal)
	})
	return partner
}

type aligner struct {
	a, b    []string
	partner []int
}

// between aligns the equal start and end of a region and its anchors, and hands on what lies between them.
func (al *aligner) between(c change, anchors func(change) []int, rest func(change)) {
	c = al.trim(c)
	next := change{a0: c.a0, b0: c.b0}
	at := anchors(c)
	for _, k := range longestIncreasing(at) {
		next.a1, next.b1 = c.a0+k, at[k]
		al.partner[next.a1] = next.b1
		rest(al.trim(next))
		next.a0, next.b0 = next.a1+1, next.b1+1
	}
	next.a1, next.b1 = c.a1, c.b1
	rest(al.trim(next))
}

// trim aligns the lines that a region starts and ends with on either side, and gives what is left.
func (al *aligner) trim(c change) change {
	for c.a0 < c.a1 && c.b0 < c.b1 && al.a[c.a0] == al.b[c.b0] {
		al.partner[c.a0] = c.b0
		c.a0, c.b0 = c.a0+1, c.b0+1
	}
	for c.a0 < c.a1 && c.b0 < c.b1 && al.a[c.a1-1] == al.b[c.b1-1] {
		c.a1, c.b1 = c.a1-1, c.b1-1
		al.partner[c.a1] = c.b1
	}
	return c
}

// uniqueLines gives for each line of a region's old side that occurs once on either side its place in b, -1 for others.
func (al *aligner) uniqueLines(c change) []int {
	type count struct{ inA, inB, at int }
	counts := map[string]count{}
	for _, line := range al.a[c.a0:c.a1] {
		n := counts[line]
		n.inA++
		counts[line] = n
	}
	for j := c.b0; j < c.b1; j++ {
		if n := counts[al.b[j]]; n.inA == 1 {
			n.inB, n.at = n.inB+1, j
			counts[al.b[j]] = n
		}
	}
	places := make([]int, c.a1-c.a0)
	for i := range places {
		places[i] = -1
		if n := counts[al.a[c.a0+i]]; n.inA == 1 && n.inB == 1 {
			places[i] = n.at
		}
	}
	return places
}

// equallyFrequentLines pairs the first occurrence of a line with the first, the second with the second and so on,
// where both sides have the line equally often: good enough for regions that are too large for better.
func (al *aligner) equallyFrequentLines(c change) []int {
	inB := map[string][]int{}
	for j := c.b0; j < c.b1; j++ {
		inB[al.b[j]] = append(inB[al.b[j]], j)
	}
	inA := map[string]int{}
	for _, line := range al.a[c.a0:c.a1] {
		inA[line]++
	}
	places := make([]int, c.a1-c.a0)
	for i := range places {
		places[i] = -1
		line := al.a[c.a0+i]
		if rest := inB[line]; len(rest) > 0 && len(rest) == inA[line] {
			places[i], inB[line] = rest[0], rest[1:]
			inA[line]--
		}
	}
	return places
}

// minimal aligns a region by go-diff. Lines that only one side has can have no partner and are left out beforehand:
// that is what makes a large block quick that moved and was re-indented. A region that is too large all the same is
// replaced as a whole.
func (al *aligner) minimal(c change) {
	number := map[string]rune{}
	for _, line := range al.b[c.b0:c.b1] {
		number[line] = 0
	}
	var left, right []rune
	var fromA, fromB []int
	for i := c.a0; i < c.a1; i++ {
		if n, ok := number[al.a[i]]; ok {
			if n == 0 {
				n = rune(len(left) + 1)
				number[al.a[i]] = n
			}
			left, fromA = append(left, n), append(fromA, i)
		}
	}
	for j := c.b0; j < c.b1; j++ {
		if n := number[al.b[j]]; n != 0 {
			right, fromB = append(right, n), append(fromB, j)
		}
	}
	if len(left)+len(right) > maxGap {
		return
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the result must not depend on the machine's speed
	i, j := 0, 0
	for _, d := range dmp.DiffMainRunes(left, right, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		case diffmatchpatch.DiffEqual:
			for range n {
				al.partner[fromA[i]] = fromB[j]
				i, j = i+1, j+1
			}
		}
	}
}

// A hunk is the changes that share context lines.
type hunk struct {
	changes       []change
	before, after int // context lines in front of the first change and behind the last
}

// hunks groups changes. The old file has n lines.
func hunks(all []change, n int) []hunk {
	var found []hunk
	for k, c := range all {
		if k > 0 && c.a0-all[k-1].a1 <= 2*contextLines {
			last := &found[len(found)-1]
			last.changes = append(last.changes, c)
		} else {
			found = append(found, hunk{changes: []change{c}, before: min(contextLines, c.a0)})
		}
		found[len(found)-1].after = min(contextLines, n-c.a1)
	}
	return found
}

func (h hunk) print(out *bytes.Buffer, a, b []string) {
	first, last := h.changes[0], h.changes[len(h.changes)-1]
	at := first.a0 - h.before
	fmt.Fprintf(out, "@@ -%s +%s @@\n",
		lineRange(at, last.a1+h.after), lineRange(first.b0-h.before, last.b1+h.after))
	for _, c := range h.changes {
		printLines(out, ' ', a[at:c.a0])
		printLines(out, '-', a[c.a0:c.a1])
		printLines(out, '+', b[c.b0:c.b1])
		at = c.a1
	}
	printLines(out, ' ', a[at:at+h.after])
}

// lineRange is a hunk's place in one of the files. An empty one is named by the line in front of it.
func lineRange(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(end)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func printLines(out *bytes.Buffer, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// headerName writes a file name as git does: in quotes with C's escapes if a character of it would end the name or
// upset a terminal, and with a tab behind it if it has a space, where the name would end otherwise.
func headerName(name string) string {
	odd := func(r rune) bool { return r == '"' || r == '\\' || r == utf8.RuneError || !unicode.IsPrint(r) }
	if !strings.ContainsFunc(name, odd) {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, r := range []byte(name) {
		switch {
		case r == '"' || r == '\\':
			quoted.WriteByte('\\')
			quoted.WriteByte(r)
		case r < ' ' || r >= 0x7f:
			fmt.Fprintf(&quoted, `\%03o`, r)
		default:
			quoted.WriteByte(r)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}
