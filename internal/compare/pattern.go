package compare

import (
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxPatternStates bounds the search for texts that tell two patterns apart.
const maxPatternStates = 4000

// patternsApart looks for texts that match one pattern and not the other, the shortest ones first; when asked, only for
// those that can be printed. When there are none and all is true, every such text that matches the first matches the
// second. It follows both as automata at once.
func patternsApart(old, new string, plain bool) (texts []string, all bool) {
	a, b := automaton(old), automaton(new)
	if a == nil || b == nil {
		return nil, false
	}
	runes := alphabet(a, b)
	if plain {
		runes = slices.DeleteFunc(runes, func(r rune) bool { return !unicode.IsPrint(r) })
	}
	x, y := newWalk(a, runes), newWalk(b, runes)
	anchored := a.StartCond()&syntax.EmptyBeginText != 0 // otherwise a match may begin later in the text
	type pair struct{ old, new int }                     // states of both after a text
	type reached struct {
		pair
		text string
	}
	seen, queue := map[pair]bool{{}: true}, []reached{{}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if x.accepts(p.old) && !y.accepts(p.new) {
			if texts = append(texts, p.text); len(texts) == 12 {
				return texts, false
			}
		}
		toOld, toNew := x.next(p.old), y.next(p.new)
		for k, r := range runes {
			next := pair{toOld[k], toNew[k]}
			if old := x.states[next.old]; y.states[next.new].matched || anchored && len(old.at) == 0 && !old.matched || seen[next] {
				continue // no text with this prefix is sought, or it was examined before
			}
			if len(seen) == maxPatternStates {
				return texts, false
			}
			seen[next] = true
			queue = append(queue, reached{next, p.text + string(r)})
		}
	}
	return texts, len(texts) == 0
}

// maxLengthStates bounds the states that the search for a text of a length meets, maxSearchedLength the length.
const (
	maxLengthStates   = 200
	maxSearchedLength = 1 << 12
)

// A walk is where a text leads in an automaton whose states are numbered as they are met, the first of them 0.
type walk struct {
	*nondeterministic
	runes  []rune
	states []reachedState
	known  map[string]int
}

// A reachedState is a state after a character of a kind, with the states that each character leads to from there.
type reachedState struct {
	state
	prev rune
	to   []int // by the runes of the walk, nil until it is needed
}

func newWalk(a *nondeterministic, runes []rune) *walk {
	w := &walk{nondeterministic: a, runes: runes, known: map[string]int{}}
	w.add(a.begin(), -1)
	return w
}

// accepts reports whether a text that leads to a state matches.
func (w *walk) accepts(i int) bool { return w.ends(w.states[i].state, w.states[i].prev) }

func (w *walk) add(s state, prev rune) int {
	key := fmt.Sprint(prev, s.at, s.matched)
	if _, seen := w.known[key]; !seen {
		w.known[key] = len(w.states)
		w.states = append(w.states, reachedState{state: s, prev: prev})
	}
	return w.known[key]
}

func (w *walk) next(i int) []int {
	if w.states[i].to == nil {
		from := w.states[i]
		to := make([]int, len(w.runes))
		for k, r := range w.runes {
			to[k] = w.add(w.step(from.state, from.prev, r), kindOfRune(r))
		}
		w.states[i].to = to
	}
	return w.states[i].to
}

// textOfLength returns a text of so many characters that matches a pattern; ok is false when there is none, or it takes too
// long to find.
func textOfLength(pattern string, length int) (text string, ok bool) {
	a := automaton(pattern)
	if pattern == "" || a == nil || length > maxSearchedLength {
		return "", false
	}
	w := newWalk(a, slices.DeleteFunc(alphabet(a), func(r rune) bool { return !unicode.IsPrint(r) }))
	type step struct {
		from *step
		last rune
	}
	layer := map[int]*step{0: {}}
	for range length {
		next := map[int]*step{}
		for _, i := range slices.Sorted(maps.Keys(layer)) {
			for k, to := range w.next(i) {
				if next[to] == nil {
					next[to] = &step{layer[i], w.runes[k]}
				}
			}
		}
		if layer = next; len(w.states) > maxLengthStates {
			return "", false
		}
	}
	for _, i := range slices.Sorted(maps.Keys(layer)) {
		if w.accepts(i) {
			reversed := make([]rune, 0, length)
			for s := layer[i]; s.from != nil; s = s.from {
				reversed = append(reversed, s.last)
			}
			slices.Reverse(reversed)
			return string(reversed), true
		}
	}
	return "", false
}

// A state is the set of instructions that an automaton may be at. Patterns match anywhere in a text, so that one that
// has matched goes on to.
type state struct {
	at      []uint32 // sorted
	matched bool
}

// A nondeterministic automaton is a compiled pattern.
type nondeterministic struct{ *syntax.Prog }

func automaton(pattern string) *nondeterministic {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > 2000 {
		return nil
	}
	return &nondeterministic{prog}
}

func (n *nondeterministic) begin() state { return state{at: []uint32{uint32(n.Start)}} }

// follow are the instructions that read a character, reached from a state between two characters, and whether the
// pattern has matched by then.
func (n *nondeterministic) follow(s state, prev, next rune) (reading []uint32, matched bool) {
	context := syntax.EmptyOpContext(prev, next)
	seen := map[uint32]bool{}
	stack := append(slices.Clone(s.at), uint32(n.Start)) // a match may begin anywhere
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &n.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^context == 0 {
				stack = append(stack, i.Out)
			}
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail:
		default:
			reading = append(reading, pc)
		}
	}
	return reading, matched
}

func (n *nondeterministic) step(s state, prev, r rune) state {
	if s.matched {
		return s
	}
	reading, matched := n.follow(s, prev, r)
	if matched {
		return state{matched: true}
	}
	var next state
	for _, pc := range reading {
		if n.Inst[pc].MatchRune(r) {
			next.at = append(next.at, n.Inst[pc].Out)
		}
	}
	slices.Sort(next.at)
	next.at = slices.Compact(next.at)
	return next
}

// ends reports whether the text as it is matches.
func (n *nondeterministic) ends(s state, prev rune) bool {
	if s.matched {
		return true
	}
	_, matched := n.follow(s, prev, -1)
	return matched
}

// kindOfRune returns a character that assertions treat like the given one.
func kindOfRune(r rune) rune {
	switch {
	case r == '\n':
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return '-'
}

// alphabet has one character of every class that the patterns tell apart; plain ones where there are some.
func alphabet(patterns ...*nondeterministic) []rune {
	low := borders(patterns)
	var all []rune
	for i := range low {
		high := rune(unicode.MaxRune)
		if i+1 < len(low) {
			high = low[i+1] - 1
		}
		if r := exampleOf(low[i], high); utf8.ValidRune(r) {
			all = append(all, r)
		}
	}
	// Plain characters first, so that examples are plain.
	slices.SortStableFunc(all, func(a, b rune) int { return plainness(a) - plainness(b) })
	return all
}

// borders are the first characters of the classes that patterns tell apart.
func borders(patterns []*nondeterministic) []rune {
	low := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for _, p := range patterns {
		for i := range p.Inst {
			in := &p.Inst[i]
			folded := len(in.Rune) == 1 || syntax.Flags(in.Arg)&syntax.FoldCase != 0
			for _, r := range in.Rune {
				low = append(low, r, r+1)
				for f := unicode.SimpleFold(r); folded && f != r; f = unicode.SimpleFold(f) {
					low = append(low, f, f+1)
				}
			}
		}
	}
	slices.Sort(low)
	return slices.Compact(low)
}

// exampleOf is a character between two.
func exampleOf(low, high rune) rune {
	for _, r := range preferred {
		if low <= r && r <= high {
			return r
		}
	}
	if low == 0 && high >= '!' {
		return '!'
	}
	r := low
	for low <= unicode.MaxASCII && r < high && r < 0x200 && !unicode.IsPrint(r) {
		r++ // after the control characters, where the class goes on
	}
	return r
}

func plainness(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return 0
	case r < unicode.MaxASCII && unicode.IsPrint(r):
		return 1
	}
	return 2
}
