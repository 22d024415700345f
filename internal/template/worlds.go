package template

import (
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
)

// A World says which branch of each block is looked at; -1 is none.
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
	parents []*Block // by block; nil for one in no other
	in      []int    // the branch of the parent that the block is in
	dead    []bool   // the block is in a branch that is never taken
	needed  [][]bool // by block and alternative: no world shows it yet
	left    int      // how many those are
}

func newChooser(t *Template) *chooser {
	c := &chooser{Template: t, parents: make([]*Block, len(t.Blocks)), in: make([]int, len(t.Blocks)), dead: make([]bool, len(t.Blocks)), needed: make([][]bool, len(t.Blocks))}
	var open []*Block
	for _, b := range t.Blocks {
		begin := b.Branches[0].Action
		for len(open) > 0 && open[len(open)-1].End < begin {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			p := open[len(open)-1]
			c.parents[b.Index], c.in[b.Index] = p, len(p.Branches)-1
			for i := range p.Branches {
				if begin < p.after(i) {
					c.in[b.Index] = i
					break
				}
			}
			c.dead[b.Index] = c.alternative(p, c.in[b.Index]) < 0
		}
		open = append(open, b)
		c.needed[b.Index] = make([]bool, b.alternatives())
		for i := range c.needed[b.Index] {
			if !c.isDead(b, i) {
				c.needed[b.Index][i] = true
				c.left++
			}
		}
	}
	return c
}

// alternative is the one with which a branch of a block is taken; -1 where that never is.
func (c *chooser) alternative(b *Block, branch int) int {
	for i := range b.alternatives() {
		if (b.alternatives() == 1 || b.choice(i) == branch) && !c.isDead(b, i) {
			return i
		}
	}
	return -1
}

// isDead reports whether an alternative is never taken: its block is where the same condition was decided otherwise.
func (c *chooser) isDead(b *Block, alternative int) bool {
	if c.dead[b.Index] || b.alternatives() == 1 {
		return c.dead[b.Index]
	}
	for p, in := c.parents[b.Index], c.in[b.Index]; p != nil; p, in = c.parents[p.Index], c.in[p.Index] {
		if p.alternatives() > 1 && p.said() == b.said() && p.choice(alternative) != in {
			return true
		}
	}
	return false
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
		for p, in := c.parents[b.Index], c.in[b.Index]; p != nil; p, in = c.parents[p.Index], c.in[p.Index] {
			if _, decided := chosen[p.said()]; !decided {
				chosen[p.said()] = c.alternative(p, in)
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
		w[b.Index] = b.choice(i)
		p := c.parents[b.Index]
		if shown[b.Index] = p == nil || shown[p.Index] && (p.alternatives() == 1 || w[p.Index] == c.in[b.Index]); shown[b.Index] && c.needed[b.Index][i] {
			c.needed[b.Index][i] = false
			c.left--
		}
	}
	return w
}

// below are the alternatives of each block that are left, or have some that are left in them.
func (c *chooser) below() [][]bool {
	below := make([][]bool, len(c.Blocks))
	for _, b := range slices.Backward(c.Blocks) {
		if below[b.Index] == nil {
			below[b.Index] = make([]bool, b.alternatives())
		}
		any := false
		for i, needed := range c.needed[b.Index] {
			below[b.Index][i] = below[b.Index][i] || needed
			any = any || below[b.Index][i]
		}
		p := c.parents[b.Index]
		if !any || p == nil {
			continue
		}
		if below[p.Index] == nil {
			below[p.Index] = make([]bool, p.alternatives())
		}
		for i := range below[p.Index] {
			below[p.Index][i] = below[p.Index][i] || p.alternatives() == 1 || p.choice(i) == c.in[b.Index]
		}
	}
	return below
}

// alternatives counts the texts that a block may leave.
func (b *Block) alternatives() int {
	switch {
	case !b.conditional() || !b.own:
		return 1
	case !b.hasElse() && b.shapes && !b.guards:
		return len(b.Branches) + 1
	}
	return len(b.Branches)
}

// choice is the branch of a block in a world.
func (b *Block) choice(alternative int) int {
	last := b.alternatives() - 1
	i := min(alternative, last)
	if b.swapped {
		i = last - i
	}
	if i == len(b.Branches) {
		return -1
	}
	return i
}
