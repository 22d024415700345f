package compare

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/crdlift/crdlift/internal/text"
)

// compareValidations compares CEL rules, which belong together when they say the same, however they are written.
func compareValidations(c *comparer, n *Node) {
	old, new := n.Old.XValidations, n.New.XValidations
	was, is, pairs := pairRules(old, new)
	was, is, rewritten := pairRewritten(old, new, was, is)
	for _, i := range was {
		c.keyword(n, "x-kubernetes-validations", old[i].Rule, Removed, Loosens, plain(old[i]), nil).at([]string{index(i)}, nil)
	}
	for _, pair := range pairs {
		i, j := pair[0], pair[1]
		if equality.Semantic.DeepEqual(old[i], new[j]) {
			continue
		}
		effect := Neutral
		if on(old[i].OptionalOldSelf) != on(new[j].OptionalOldSelf) {
			effect = Either // whether it also speaks about objects that are new
		}
		c.keyword(n, "x-kubernetes-validations", new[j].Rule, Changed, effect, plain(old[i]), plain(new[j])).
			at([]string{index(i)}, []string{index(j)})
	}
	for _, r := range rewritten {
		c.keyword(n, "x-kubernetes-validations", new[r.is].Rule, Changed, r.effect, plain(old[r.was]), plain(new[r.is])).
			at([]string{index(r.was)}, []string{index(r.is)})
	}
	for _, j := range is {
		c.keyword(n, "x-kubernetes-validations", new[j].Rule, Added, Tightens, nil, plain(new[j])).at(nil, []string{index(j)})
	}
}

func on(b *bool) bool { return b != nil && *b }

// pairRules finds the rules of both sides that belong together: those with the same text, and of the others those with
// the same meaning. The rest are indexes of those that only one side has.
func pairRules(old, new []v1.ValidationRule) (was, is []int, pairs [][2]int) {
	was, is = indexes(old), indexes(new)
	for _, key := range []func(string) string{func(rule string) string { return rule }, canonical} {
		if len(was) == 0 || len(is) == 0 {
			break // parsing takes its time
		}
		var more [][2]int
		was, is, more = pairUp(was, is, func(i int) string { return key(old[i].Rule) }, func(j int) string { return key(new[j].Rule) })
		pairs = append(pairs, more...)
	}
	return was, is, pairs
}

// A rewriting is a rule that took the place of another one.
type rewriting struct {
	was, is int
	effect  Effect
}

// maxRewritten bounds how many rules are compared with one another.
const maxRewritten = 100

// pairRewritten finds, of rules that only one side has, those that took the place of others: one that lets through all that
// the other one does, or nothing else, and one with the same message.
func pairRewritten(old, new []v1.ValidationRule, was, is []int) (left, more []int, all []rewriting) {
	if len(was) == 0 || len(is) == 0 || len(was)*len(is) > maxRewritten {
		return was, is, nil
	}
	trees := map[string]*ast.AST{}
	for _, i := range was {
		trees[old[i].Rule] = parsed(old[i].Rule)
	}
	for _, j := range is {
		trees[new[j].Rule] = parsed(new[j].Rule)
	}
	effect := func(i, j int) Effect {
		a, b := old[i], new[j]
		x, y := trees[a.Rule], trees[b.Rule]
		switch {
		case x == nil || y == nil || on(a.OptionalOldSelf) != on(b.OptionalOldSelf):
			return Neutral
		case implies(x, y):
			return Loosens
		case implies(y, x), a.Message != "" && a.Message == b.Message:
			return Tightens
		}
		return Neutral
	}
	for _, i := range was {
		at := slices.IndexFunc(is, func(j int) bool { return effect(i, j) == Loosens })
		if at < 0 {
			at = slices.IndexFunc(is, func(j int) bool { return effect(i, j) == Tightens })
		}
		if at < 0 {
			left = append(left, i)
			continue
		}
		all = append(all, rewriting{i, is[at], effect(i, is[at])})
		is = slices.Delete(slices.Clone(is), at, at+1)
	}
	return left, is, all
}

// pairUp finds pairs of indexes of two lists whose elements have the same key, and returns the indexes of the others too.
func pairUp(old, new []int, oldKey, newKey func(int) string) (was, is []int, pairs [][2]int) {
	free := map[string][]int{} // new indexes
	for _, j := range new {
		free[newKey(j)] = append(free[newKey(j)], j)
	}
	for _, i := range old {
		key := oldKey(i)
		if len(free[key]) == 0 {
			was = append(was, i)
			continue
		}
		pairs = append(pairs, [2]int{i, free[key][0]})
		free[key] = free[key][1:]
	}
	return was, slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(free))...))), pairs
}

// indexes are those of all elements of a list.
func indexes[E any](list []E) []int {
	all := make([]int, len(list))
	for i := range list {
		all[i] = i
	}
	return all
}

// canonical is the text of a rule as CEL's own printer writes it, without comments, needless parentheses and the line
// breaks of its author. One that does not parse is compared as it is, white space aside.
func canonical(rule string) string {
	p := parsed(rule)
	if p == nil {
		return text.OneLine(rule)
	}
	printed, err := parser.Unparse(p.Expr(), p.SourceInfo())
	if err != nil {
		return text.OneLine(rule)
	}
	return printed
}
