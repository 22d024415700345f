package sample

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// A variant is a value that may be valid at a node, and what it is for.
type variant struct {
	about string
	value any
}

// turns say which value of a node is next, in objects that are made one after another.
type turns struct {
	seed uint64
	nth  int            // of the objects
	seen map[string]int // how often a node had a value in it
	room int            // for items of lists that are longer than usual
}

// next goes through the numbers below n from object to object and from item to item: all of them have their turn before one has
// its second, and each time in another order, so that two nodes do not always have the same ones together.
func (t *turns) next(at Path, n int) int {
	node := at.String()
	turn := t.nth + t.seen[node]
	t.seen[node]++
	hash := fnv.New64a()
	hash.Write([]byte(node))
	return rand.New(rand.NewPCG(t.seed+uint64(turn/n)<<32, hash.Sum64())).Perm(n)[turn%n]
}

// pick is one of n for a node.
func (m maker) pick(at Path, n int) int {
	if m.turns != nil {
		return m.turns.next(at, n)
	}
	return m.choose(n)
}

// telling is a value that mistakes of conversions change, every second time. The others are ordinary, since all that an object has
// is hidden by one value that a webhook does not take.
func (m maker) telling(s *shape, at Path) (any, bool) {
	if m.turns == nil {
		return nil, false
	}
	all := s.variants(at, m.next())
	if len(all) == 0 {
		return nil, false
	}
	i := m.pick(at, 2*len(all))
	if i >= len(all) {
		return nil, false
	}
	return all[i].value, true
}

// variants are the values of a number or text that mistakes of conversions change, and that are valid as far as its constraints
// tell. The texts have n in them, where it may be.
func (s *shape) variants(at Path, n int) (all []variant) {
	add := func(about string, values ...any) {
		for _, value := range values {
			all = append(all, variant{about, value})
		}
	}
	switch kind := s.kind(); kind {
	case "integer":
		add("zero", int64(0))
		add("a negative number", int64(-n))
		add("a number of 32 bits", int64(math.MaxInt32))
		if s.Format != "int32" {
			add("a number that a float cannot hold", int64(1)<<53+1+int64(2*n), int64(math.MaxInt64))
			add("a number of more than 32 bits", int64(1)<<32+int64(n))
		}
		add("a limit", s.ends()...)
		return slices.DeleteFunc(all, func(v variant) bool { return !s.takes(float64(v.value.(int64))) })
	case "number":
		add("zero", int64(0))
		add("a fraction", 0.1, float64(n)+0.25, 1e21)
		add("a fraction of many digits", s.between(n, 0.123456789012), s.between(n, 1.0/3), s.between(n, 1.0/64)) // the last of a float32, too
		add("a negative number", -0.5-float64(n))
		add("a whole number", int64(1)<<24+1) // the first that a float32 cannot hold
		add("a limit", s.ends()...)
		return slices.DeleteFunc(all, func(v variant) bool {
			number, is := v.value.(float64)
			if !is {
				number = float64(v.value.(int64))
			}
			return !s.takes(number) || s.Format == "float" && number != float64(float32(number))
		})
	case "int or string":
		if len(s.patterns) == 0 { // else a number may be rejected as a text is
			add("zero", int64(0))
		}
		add("a number", int64(80))
		add("per cent", "50%")
		return append(all, s.texts(at, n)...)
	case "string":
		return s.texts(at, n)
	}
	return nil
}

// takes reports whether a number is within the limits.
func (s *shape) takes(n float64) bool {
	return (s.Minimum == nil || n > *s.Minimum || n == *s.Minimum && !s.ExclusiveMinimum) &&
		(s.Maximum == nil || n < *s.Maximum || n == *s.Maximum && !s.ExclusiveMaximum) &&
		(s.MultipleOf == nil || *s.MultipleOf >= 1 && math.Mod(n, *s.MultipleOf) == 0)
}

// between is the fraction that comes after n or, where that is not within the limits, the one so far between these.
func (s *shape) between(n int, part float64) float64 {
	if number := float64(n) + part; s.takes(number) {
		return number
	}
	least, most := 0.0, 1.0
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		least, most = *s.Minimum, *s.Maximum
	case s.Minimum != nil:
		least, most = *s.Minimum, *s.Minimum+1
	case s.Maximum != nil:
		least, most = *s.Maximum-1, *s.Maximum
	}
	return least + part*(most-least)
}

// ends are the least and the largest number, as far as there are limits.
func (s *shape) ends() (all []any) {
	if s.kind() == "number" && s.MultipleOf == nil {
		for _, limit := range []*float64{s.Minimum, s.Maximum} {
			if limit != nil {
				all = append(all, Plain(*limit))
			}
		}
		return all
	}
	least, step, steps := s.whole()
	for i, limit := range []*float64{s.Minimum, s.Maximum} {
		if n := least + float64(i)*step*(steps-1); limit != nil && math.Abs(n) < 1<<53 {
			all = append(all, int64(n))
		}
	}
	return all
}

// oddTexts are texts that code changes which means well, or which it takes for something else.
var oddTexts = []struct{ about, form string }{
	{"blanks at both ends", " %[1]s-%[2]d "},
	{"capitals", "%[3]s-%[2]d"},
	{"special characters", "a <b> & \"c\" \u2028 ü \U0001F600 %[2]d"},
	{"lines", "%[1]s\n%[2]d\n"},
	{"slashes", "/%[1]s//%[2]d/"},
	{"a number that no number is written as", "0%[2]d.10"},
	{"a text that may stand for all", "*"},
	{"a text that is easily mistaken for another type", "yes"},
	{"a text that is easily mistaken for another type", "80"},
	{"a text that is easily mistaken for another type", "null"},
}

// everyday are texts that people write for a value that they leave to the program, and that programs take for none.
var everyday = []string{"latest", "default", "none", "auto", "true", "0"}

// oddForms are texts of formats and of times that are spelt as people and other programs than Go's spell them.
var oddForms = map[string][]string{
	"datetime": {"2020-01-01T02:00:%02[1]d+02:00", "2019-12-31T23:30:%02[1]d-00:30", "2020-01-01T00:00:%02[1]d.123456Z"},
	"byte":     {"+/%[1]d", "Pz8/Ag=="},
	"duration": {"1m%[1]ds", "1.5s", "250ms", "0s", "36h0m0s", "2160h0m0s", "1ms", "1m30s"},
}

// longest is how long texts are made at most to reach a limit, and long those without one.
const (
	longest = 4096
	long    = 300
)

// texts are variants of a text.
func (s *shape) texts(at Path, n int) (all []variant) {
	word, format := wordOf(at), strings.ReplaceAll(s.Format, "-", "")
	seen := map[string]bool{}
	accepted := s.accepts()
	add := func(about, text string) {
		if !seen[text] && accepted(text) {
			all = append(all, variant{about, text})
		}
		seen[text] = true
	}
	if len(s.patterns) == 0 {
		if format == "" && timed().MatchString(word) {
			format = "duration"
		}
		if _, known := formats[format]; known || scheduled().MatchString(word) {
			for _, form := range oddForms[format] {
				text := form
				if strings.Contains(form, "%") {
					text = fmt.Sprintf(form, n%49+10)
				}
				add("another spelling", text)
			}
			return all
		}
	}
	if s.Default == nil { // else an empty text is as good as none, for which there is the default
		add("an empty text", "")
	}
	for _, odd := range oddTexts {
		text := odd.form
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, word, n, strings.ToUpper(word))
		}
		add(odd.about, text)
	}
	if len(s.patterns) > 0 {
		for _, text := range naturally(word, n) {
			add("another text", text)
		}
		if accepted("36h") && !accepted("x36h") { // the pattern is one of durations
			for _, form := range append(oddForms["duration"][1:], "36h", "2160h") {
				add("another duration", form)
			}
		}
	}
	ordinary := fmt.Sprintf("%s-%d", word, n)
	least, most := length(s.MinLength, 0), length(s.MaxLength, long)
	if most > longest {
		most = long
	}
	add("a long text", ordinary+strings.Repeat("a", max(0, most-len(ordinary))))
	if 0 < least && least < len(ordinary) {
		add("a short text", ordinary[len(ordinary)-least:])
	}
	for _, word := range everyday {
		add("an everyday word", word)
	}
	return all
}

// accepts tells texts that the length and the patterns allow.
func (s *shape) accepts() func(string) bool {
	least, most := length(s.MinLength, 0), length(s.MaxLength, math.MaxInt)
	return func(text string) bool {
		for _, pattern := range s.patterns {
			if made := compile(pattern); made != nil && !made.MatchString(text) {
				return false
			}
		}
		n := utf8.RuneCountInString(text)
		return least <= n && n <= most
	}
}

// few is how many items of a list are as full as others.
const few = 3

// lengths are how many items a list may have: few, more than code that means a page or a digit takes, and the ends.
func (s *shape) lengths() []int {
	least, most := length(s.MinItems, 0), length(s.MaxItems, 100)
	if most > long {
		most = max(100, least)
	}
	all := []int{1, 1, 3, 2, 0, 11, most}
	for i := range all {
		all[i] = min(max(all[i], least), most)
	}
	return all
}

// size is how many items a list has this time.
func (m maker) size(s *shape, at Path) int {
	lengths := s.lengths()
	if m.turns == nil {
		return lengths[m.choose(5)]
	}
	n := lengths[m.pick(at, len(lengths))]
	if n > few {
		if m.turns.room <= 0 {
			n = max(few, length(s.MinItems, 0))
		}
		m.turns.room -= n
	}
	return n
}
