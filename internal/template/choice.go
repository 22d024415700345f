package template

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/limit"
)

// Choices are worlds enough to tell whether a rewrite depends on the branches: all combinations of a few conditions; of many,
// all, none, each alone, and all but each, as far as there are not too many. Each branch is in one of them, or the error names
// a block of which that is not so. Conditions of the same text are chosen alike. A condition around whole documents without an
// else holds: a rewrite does not depend on it.
func (t *Template) Choices() ([]World, error) {
	all, _, err := t.choices()
	return all, err
}

// choices also counts the conditions that are tried alone, where not all combinations are.
func (t *Template) choices() (all []World, alone int, err error) {
	conditions, most := t.conditions()
	for _, b := range t.Blocks {
		if b.options() > limit.Choices/2 {
			err := t.unsafeBlock(b, fmt.Sprintf("begins more branches than the %d that are tried", limit.Choices/2))
			err.Limit = "template-choices"
			return nil, 0, err
		}
	}
	add := func(chosen map[string]int) {
		w := make(World, len(t.Blocks))
		for _, b := range t.Blocks {
			w[b.Index] = b.branch(chosen[b.said()], b.options())
		}
		if !slices.ContainsFunc(all, func(o World) bool { return slices.Equal(o, w) }) {
			all = append(all, w)
		}
	}
	if combined(conditions, most) {
		combine(conditions, most, map[string]int{}, add)
		return all, 0, nil
	}
	last, longest := map[string]int{}, 0
	for _, c := range conditions {
		last[c] = most[c] - 1
		longest = max(longest, last[c])
	}
	for i := range longest + 1 { // each branch once, those of different conditions together
		chosen := maps.Clone(last)
		for c := range chosen {
			chosen[c] = min(i, last[c])
		}
		add(chosen)
	}
	for _, c := range conditions {
		for i := range most[c] {
			if len(all) >= limit.Choices-1 {
				return all, alone, nil
			}
			add(map[string]int{c: i})
			but := maps.Clone(last)
			but[c] = i
			add(but)
		}
		alone++
	}
	return all, alone, nil
}

// conditions are those that a rewrite may depend on, with the number of their alternatives.
func (t *Template) conditions() (all []string, most map[string]int) {
	most = map[string]int{}
	for _, b := range t.Blocks {
		if n := b.options(); n > 1 {
			said := b.said()
			if most[said] == 0 {
				all = append(all, said)
			}
			most[said] = max(most[said], n)
		}
	}
	return all, most
}

// combined reports whether all combinations of conditions are tried.
func combined(conditions []string, most map[string]int) bool {
	combinations := 1
	for _, c := range conditions {
		combinations = min(combinations*most[c], limit.Choices+1)
	}
	return len(conditions) <= limit.Conditions && combinations <= limit.Choices
}

// TriedAlone says which conditions of a template were tried alone, if there are too many combinations to try all; "" else.
func (t *Template) TriedAlone() string {
	conditions, most := t.conditions()
	if combined(conditions, most) {
		return ""
	}
	_, alone, _ := t.choices()
	all, was := len(conditions), "were"
	switch alone {
	case all:
		return fmt.Sprintf("each of the %d conditions of this template was tried alone", all)
	case 1:
		was = "was"
	}
	return fmt.Sprintf("%d of the %d conditions of this template %s tried alone, and the others only together", alone, all, was)
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
	case !b.IsCondition():
		return 1
	case b.hasElse() || b.HoldsDocuments && len(b.Branches) == 1:
		return len(b.Branches)
	}
	return len(b.Branches) + 1
}

// branch is the branch that is taken with one of several alternatives, of which there are so many; -1 is none.
func (b *Block) branch(alternative, of int) int {
	i := min(alternative, of-1)
	if b.swapped {
		i = of - 1 - i
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

// Cut takes out of a template all control actions that begin, divide and end blocks, and the branches that are not chosen. What
// it leaves has no blocks, so that nothing which is made of it depends on a branch.
func (t *Template) Cut(w World) *Cut {
	c := &Cut{}
	at := 0
	keep := func(to int) {
		if to > at {
			c.kept, c.begin = append(c.kept, len(c.Text)), append(c.begin, at)
			c.Text = append(c.Text, t.Source[at:to]...)
		}
	}
	for _, p := range t.cuts(w) {
		keep(p[0])
		at = max(at, p[1])
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
		for i, branch := range b.Branches {
			all = append(all, t.lines(b, branch.Action))
			if b.IsCondition() && w[b.Index] != i || b.Keyword == "define" && !b.own {
				all = append(all, [2]int{t.lines(b, branch.Action)[1], t.lines(b, b.after(i))[0]})
			}
		}
		all = append(all, t.lines(b, b.End))
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	return all
}

// lines are the lines of a control action of a block; only the action where others with another purpose share them, and with
// the white space that it trims where text does.
func (t *Template) lines(b *Block, action int) [2]int {
	if !b.own {
		return t.trimmed(t.Actions[action])
	}
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
// cut template is the cut of the changed one. A cut has no blocks, so a change of it needs no such proof: one that asked for
// it again would not end.
func (t *Template) Prove(changed []byte, change func(*Cut) ([]byte, error)) error {
	after, err := Parse(changed)
	if err != nil {
		return err
	}
	if len(after.Blocks) != len(t.Blocks) {
		return errOrder
	}
	choices, err := t.Choices()
	if len(t.Blocks) == 0 || err != nil {
		return err
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

// unsafeBlock is an error about a block.
func (t *Template) unsafeBlock(b *Block, why string) *Unsafe {
	a := t.Actions[b.Branches[0].Action]
	return t.unsafe(a.Start, a.End, why)
}

// depends is the error for a change that is another one under a choice of branches.
func (t *Template) depends(w World) error {
	for _, b := range t.Blocks {
		if b.options() > 1 && w[b.Index] != 0 {
			return t.unsafeBlock(b, "decides about what would change")
		}
	}
	return errors.New("what would change depends on the conditions of the template")
}
