package template

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
)

// maxConditions bounds the conditions of which all combinations are tried.
const maxConditions = 4

// Choices are worlds enough to tell whether a rewrite depends on the branches: all combinations of a few conditions; of many,
// all, none, each alone, and all but each. Conditions of the same text are chosen alike. A condition around whole documents
// without an else holds: a rewrite does not depend on it.
func (t *Template) Choices() []World {
	var conditions []string
	most := map[string]int{} // alternatives by condition
	for _, b := range t.Blocks {
		if n := b.options(); n > 1 {
			said := b.said()
			if most[said] == 0 {
				conditions = append(conditions, said)
			}
			most[said] = max(most[said], n)
		}
	}
	var all []World
	add := func(chosen map[string]int) {
		w := make(World, len(t.Blocks))
		for _, b := range t.Blocks {
			w[b.Index] = b.option(chosen[b.said()])
		}
		if !slices.ContainsFunc(all, func(o World) bool { return slices.Equal(o, w) }) {
			all = append(all, w)
		}
	}
	if len(conditions) <= maxConditions {
		combine(conditions, most, map[string]int{}, add)
		return all
	}
	const tried = 32 // conditions that are chosen alone
	add(map[string]int{})
	last := map[string]int{}
	for _, c := range conditions {
		last[c] = most[c] - 1
	}
	add(last)
	for _, c := range conditions[:min(len(conditions), tried)] {
		for i := range most[c] {
			add(map[string]int{c: i})
			but := maps.Clone(last)
			but[c] = i
			add(but)
		}
	}
	return all
}

// combine goes through all combinations.
func combine(conditions []string, most, chosen map[string]int, add func(map[string]int)) {
	if len(conditions) == 0 {
		add(chosen)
		return
	}
	for i := range most[conditions[0]] {
		chosen[conditions[0]] = i
		combine(conditions[1:], most, chosen, add)
	}
}

// said is the condition of a block, without its negation.
func (b *Block) said() string {
	said := b.Branches[0].Condition
	if b.swapped {
		said, _ = opposite(said)
	}
	return b.Keyword + " " + strings.Trim(said, "()")
}

// options counts the texts that a block may leave as a rewrite sees them.
func (b *Block) options() int {
	switch {
	case !b.conditional() || !b.own:
		return 1
	case b.hasElse() || b.guards && len(b.Branches) == 1:
		return len(b.Branches)
	}
	return len(b.Branches) + 1
}

func (b *Block) option(i int) int {
	last := b.options() - 1
	i = min(i, last)
	if b.swapped && last > 0 {
		i = last - i
	}
	if i == len(b.Branches) {
		return -1
	}
	return i
}

// A Cut is what a template becomes when branches are chosen, with its output still in it.
type Cut struct {
	Text  []byte
	kept  []int // where the parts of the text begin in it
	begin []int // and in the source
}

// Origin is the place in the template of an offset in the text.
func (c *Cut) Origin(at int) int {
	i, found := slices.BinarySearch(c.kept, at)
	if !found {
		i--
	}
	return c.begin[i] + at - c.kept[i]
}

// Cut takes out of a template the control actions that are alone on their lines, and the branches that are not chosen.
func (t *Template) Cut(w World) *Cut {
	c := &Cut{}
	at := 0
	keep := func(to int) {
		if to > at {
			c.kept, c.begin = append(c.kept, len(c.Text)), append(c.begin, at)
			c.Text = append(c.Text, t.Source[at:to]...)
		}
	}
	drop := func(from, to int) {
		keep(from)
		at = max(at, to)
	}
	for _, p := range t.cuts(w) {
		drop(p[0], p[1])
	}
	keep(len(t.Source))
	if c.kept == nil {
		c.kept, c.begin = []int{0}, []int{0}
	}
	return c
}

// cuts are the spans that a cut leaves out, in order; those of inner blocks may lie in others.
func (t *Template) cuts(w World) (all [][2]int) {
	for _, b := range t.Blocks {
		if !b.own {
			continue
		}
		for i, branch := range b.Branches {
			all = append(all, t.lines(branch.Action))
			if b.conditional() && w[b.Index] != i {
				all = append(all, [2]int{t.lines(branch.Action)[1], t.lines(b.after(i))[0]})
			}
		}
		all = append(all, t.lines(b.End))
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// lines are the lines of a control action; only the action where others with another purpose share them.
func (t *Template) lines(action int) [2]int {
	r := t.runs[t.runOf[action]]
	for i := r.first; i <= r.last; i++ {
		if i != action && t.Actions[i].Keyword() == "" && !t.Actions[i].IsComment {
			return [2]int{t.Actions[action].Start, t.Actions[action].End}
		}
	}
	end := t.Actions[r.last].End
	if i := strings.IndexByte(t.Source[end:], '\n'); i >= 0 {
		end += i + 1
	} else {
		end = len(t.Source)
	}
	return [2]int{t.lineStart(t.Actions[r.first].Start), end}
}

// Prove proves that a template was changed in the same way whichever branches are taken: of each choice, the change of the
// cut template is the cut of the changed one.
func (t *Template) Prove(changed []byte, change func(*Cut) ([]byte, error)) error {
	after, err := Parse(changed)
	if err != nil {
		return err
	}
	if len(after.Blocks) != len(t.Blocks) {
		return errOrder
	}
	choices := t.Choices()
	if len(choices) == 1 && len(t.Blocks) == 0 {
		return nil
	}
	for _, w := range choices {
		made, err := change(t.Cut(w))
		if err != nil {
			return err
		}
		if !bytes.Equal(made, after.Cut(w).Text) {
			return t.depends(w)
		}
	}
	return nil
}

// depends is the error for a change that is another one under a choice of branches.
func (t *Template) depends(w World) error {
	for _, b := range t.Blocks {
		if b.options() > 1 && w[b.Index] != 0 {
			a := t.Actions[b.Branches[0].Action]
			return &Unsafe{oneLine(t.Source[a.Start:a.End]), 1 + strings.Count(t.Source[:a.Start], "\n"), "decides about what would change"}
		}
	}
	return errors.New("what would change depends on the conditions of the template")
}
