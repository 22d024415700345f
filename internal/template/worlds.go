package template

import (
	"math"
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
)

// A World says which branch of each block is read; -1 for no branch.
type World []int

// Worlds are the choices of branches that show each branch of `if`, `with` and `range` at least once, as far as there are not too
// many: the first branches, the second ones, and so on, and those that lie in others with these. A condition without else counts
// as one with an empty branch where more than metadata depends on it, unless whole documents do, of which nothing would be left.
// Conditions of the same text are chosen alike. Unseen is the block of the first branch that no world shows, and how many of
// these there are; nil and 0 as a rule.
func (t *Template) Worlds() (all []World, unseen *Block, branches int) {
	c := newChooser(t)
	for {
		before := c.left
		all = append(all, c.world(len(all)))
		if first := c.firstLeft(); first == nil || len(all) == limit.Branches || c.left == before {
			return all, first, c.left
		}
	}
}

// A chooser chooses worlds until all branches are shown.
type chooser struct {
	*Template
	around []span   // by block: the alternatives of its condition that are left where it stands, since the blocks around it decide
	taken  []span   // by block: the alternatives that are ever taken
	needed [][]bool // by block and alternative: no world shows it yet
	left   int      // how many those are
}

// A span is the alternatives from one to another.
type span struct{ from, to int }

func (s span) has(alternative int) bool { return s.from <= alternative && alternative <= s.to }

func newChooser(t *Template) *chooser {
	n := len(t.Blocks)
	c := &chooser{Template: t, around: make([]span, n), taken: make([]span, n), needed: make([][]bool, n)}
	left := map[string]span{} // by condition, at the block
	for i, b := range t.Blocks {
		if i > 0 {
			for ended := t.Blocks[i-1]; ended != b.parent; ended = ended.parent {
				left[ended.said()] = c.around[ended.Index]
			}
		}
		if p := b.parent; p != nil {
			left[p.said()] = c.inside(p, b.in)
		}
		around, decided := left[b.said()]
		if !decided {
			around = span{0, math.MaxInt}
		}
		c.around[i], c.taken[i] = around, around
		if b.alternatives() == 1 {
			c.taken[i] = span{0, 0}
		}
		if b.parent != nil && c.alternative(b.parent, b.in) < 0 {
			c.taken[i] = span{0, -1}
		}
		c.needed[i] = make([]bool, b.alternatives())
		for a := range c.needed[i] {
			if c.taken[i].has(a) {
				c.needed[i][a] = true
				c.left++
			}
		}
	}
	return c
}

// inside are the alternatives that are left in a branch of a block to others of the same condition.
func (c *chooser) inside(b *Block, branch int) span {
	s, i := c.around[b.Index], b.alternative(branch)
	s.from = max(s.from, i)
	if i < b.alternatives()-1 { // the last one is also that of what has more
		s.to = min(s.to, i)
	}
	return s
}

// alternative is the one with which a branch of a block is taken; -1 where that never is.
func (c *chooser) alternative(b *Block, branch int) int {
	if i := b.alternative(branch); c.taken[b.Index].has(i) {
		return i
	}
	return -1
}

// firstLeft is the first block with a branch that is not shown yet; nil for none.
func (c *chooser) firstLeft() *Block {
	for i, needed := range c.needed {
		if slices.Contains(needed, true) {
			return c.Blocks[i]
		}
	}
	return nil
}

// world chooses branches that show the first one which is left, and as many others as it can.
func (c *chooser) world(nth int) World {
	chosen := map[string]int{} // alternatives by condition
	if b := c.firstLeft(); b != nil {
		chosen[b.said()] = slices.Index(c.needed[b.Index], true)
		for ; b.parent != nil; b = b.parent {
			if _, decided := chosen[b.parent.said()]; !decided {
				chosen[b.parent.said()] = c.alternative(b.parent, b.in)
			}
		}
	}
	below := c.below()
	w, shown := make(World, len(c.Blocks)), make([]bool, len(c.Blocks))
	for _, b := range c.Blocks {
		i, decided := chosen[b.said()]
		if !decided {
			if i = slices.Index(below[b.Index], true); i < 0 {
				i = nth
			}
			chosen[b.said()] = i
		}
		i = min(i, b.alternatives()-1)
		w[b.Index] = b.branch(i, b.alternatives())
		p := b.parent
		if shown[b.Index] = p == nil || shown[p.Index] && (p.alternatives() == 1 || w[p.Index] == b.in); shown[b.Index] && c.needed[b.Index][i] {
			c.needed[b.Index][i] = false
			c.left--
		}
	}
	return w
}

// below are the alternatives of each block that are left, or have some that are left in them.
func (c *chooser) below() [][]bool {
	below := make([][]bool, len(c.Blocks))
	for i, needed := range c.needed {
		below[i] = slices.Clone(needed)
	}
	for _, b := range slices.Backward(c.Blocks) {
		if p := b.parent; p != nil && slices.Contains(below[b.Index], true) {
			below[p.Index][p.alternative(b.in)] = true
		}
	}
	return below
}

// alternatives counts the texts that a block may leave.
func (b *Block) alternatives() int {
	switch {
	case !b.IsCondition() || !b.own:
		return 1
	case !b.hasElse() && b.shapes && !b.HoldsDocuments:
		return len(b.Branches) + 1
	}
	return len(b.Branches)
}

// alternative is the one with which a branch is chosen: the opposite of branch.
func (b *Block) alternative(branch int) int {
	switch last := b.alternatives() - 1; {
	case last == 0:
		return 0
	case b.swapped:
		return last - branch
	}
	return branch
}
