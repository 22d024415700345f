package template

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A Block is what a control action begins and `{{ end }}` ends.
type Block struct {
	Index    int // among the blocks, by their beginnings
	Keyword  string
	Branches []Branch
	End      int // the action that ends it

	HoldsDocuments bool // whole documents are in it

	parent *Block // that it is in; nil for one in no other
	in     int    // the branch of the parent

	own     bool // all its control actions are on lines without text
	shapes  bool // what is in it is more than metadata
	swapped bool // its condition is the opposite of another block's
}

// A Branch is the text between two control actions of a block.
type Branch struct {
	Action    int    // that begins it
	Condition string // "" for that of a plain else
}

// after is the control action that ends a branch.
func (b *Block) after(branch int) int {
	if branch+1 < len(b.Branches) {
		return b.Branches[branch+1].Action
	}
	return b.End
}

// hasElse reports whether one of the branches is taken in any case.
func (b *Block) hasElse() bool {
	return len(b.Branches) > 1 && b.Branches[len(b.Branches)-1].Condition == ""
}

// IsCondition reports whether text of the block may be left out.
func (b *Block) IsCondition() bool { return b.Keyword != "define" && b.Keyword != "block" }

// nest pairs control actions with their ends. It returns false for actions that do not pair, which no template has that Go's
// parser accepts.
func (t *Template) nest() bool {
	var open []*Block
	for i, a := range t.Actions {
		word := a.Keyword()
		switch word {
		case "if", "with", "range", "define", "block":
			b := &Block{Index: len(t.Blocks), Keyword: word}
			b.Branches = append(b.Branches, Branch{i, condition(a.Body, word)})
			if len(open) > 0 {
				b.parent = open[len(open)-1]
				b.in = len(b.parent.Branches) - 1
			}
			t.Blocks, open = append(t.Blocks, b), append(open, b)
		case "else", "end":
			if len(open) == 0 {
				return false
			}
			b := open[len(open)-1]
			if word == "else" {
				said := strings.TrimPrefix(strings.TrimPrefix(condition(a.Body, word), "if "), "with ")
				b.Branches = append(b.Branches, Branch{i, strings.TrimLeft(said, " ")})
				continue
			}
			b.End, open = i, open[:len(open)-1]
		}
	}
	return len(open) == 0
}

func condition(body, word string) string { return strings.Join(strings.Fields(body[len(word):]), " ") }

// topKey finds the key of a document that a line begins with.
var topKey = text.Pattern(`^["']?([A-Za-z][\w-]*)["']?:`)

// classify finds out of each block what depends on it. The top-level key above it says whether it is in metadata.
func (t *Template) classify() {
	type key struct {
		at   int
		name string
	}
	var keys, heads []key // heads are the keys that make a text a document
	at := 0
	for line := range strings.Lines(t.Source) {
		if m := topKey().FindStringSubmatch(line); m != nil {
			keys = append(keys, key{at, m[1]})
			if m[1] == "kind" || m[1] == "apiVersion" {
				heads = append(heads, key{at, m[1]})
			}
		}
		at += len(line)
	}
	conditions := map[string]bool{}
	for _, b := range t.Blocks {
		conditions[b.Branches[0].Condition] = true
	}
	nextKey, nextHead := 0, 0
	for _, b := range t.Blocks {
		start, end := t.Actions[b.Branches[0].Action].End, t.Actions[b.End].Start
		for nextKey < len(keys) && keys[nextKey].at < start {
			nextKey++
		}
		for nextHead < len(heads) && heads[nextHead].at < start {
			nextHead++
		}
		b.HoldsDocuments = nextHead < len(heads) && heads[nextHead].at < end
		in := ""
		if nextKey > 0 {
			in = keys[nextKey-1].name
		}
		b.shapes = in == "spec" || nextKey < len(keys) && keys[nextKey].at < end
		said, negated := opposite(b.Branches[0].Condition)
		b.swapped = negated && len(b.Branches) < 3 && (conditions[said] || conditions[strings.Trim(said, "()")])
		b.own = t.aloneOnLines(b)
	}
}

// older finds the comparison with versions before another.
var older = text.Pattern(`(\bsemverCompare +")<(=?)( *[^"<>=,| ]+")`)

// opposite is what a negative condition is the opposite of: one with not, or about older versions.
func opposite(condition string) (of string, negative bool) {
	if of, negative = strings.CutPrefix(condition, "not "); negative {
		return of, true
	}
	m := older().FindStringSubmatchIndex(condition)
	if m == nil || strings.Count(condition, "semverCompare") > 1 {
		return condition, false
	}
	than := ">="
	if m[4] < m[5] {
		than = ">"
	}
	return condition[:m[3]] + than + condition[m[6]:], true
}

// aloneOnLines reports whether no line of a control action of the block has text besides actions.
func (t *Template) aloneOnLines(b *Block) bool {
	all := []int{b.End}
	for _, branch := range b.Branches {
		all = append(all, branch.Action)
	}
	return !slices.ContainsFunc(all, func(i int) bool { return !t.onOwnLine(i) })
}
