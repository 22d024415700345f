package compare

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// Unanchored reports whether a pattern is meant for a whole value but matches a part of one: witness is a value that it
// accepts, with text around the part that the pattern describes. It is "" for a pattern that is anchored, for one that
// is clearly meant for a beginning (`^http`), an end (`\.yaml$`) or any part (`example`, `\S`), and where the text
// around does not matter (`.*`). Mixed is true if some alternatives are anchored and others are not: `^a|b$` is
// `(^a)|(b$)`.
func Unanchored(pattern string) (witness string, mixed bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	alternatives := alternativesOf(parsed)
	begin, end, open := 0, 0, (*syntax.Regexp)(nil)
	for _, a := range alternatives {
		begins, ends := anchored(a, syntax.OpBeginText, syntax.OpBeginLine), anchored(a, syntax.OpEndText, syntax.OpEndLine)
		if begins {
			begin++
		}
		if ends {
			end++
		}
		if !begins && (open == nil || !ends) {
			open = a
		}
	}
	n := len(alternatives)
	mixed = begin > 0 || end > 0 && end < n
	switch {
	case begin == n:
		return "", false
	case n == 1 && (isLiteral(open) || isOneCharacter(pattern, open)):
		return "", false
	case end == n && !mixed && !beginsWithClass(open):
		return "", false
	}
	return around(pattern, open), mixed
}

// Anchored is a pattern that matches whole values only, where another matches a part of one.
func Anchored(pattern string) string {
	bare := strings.TrimPrefix(pattern, "^")
	if !strings.HasSuffix(bare, `\$`) {
		bare = strings.TrimSuffix(bare, "$")
	}
	if ofDuration().MatchString(bare) {
		return "^(" + bare + ")+$" // or 1h30m would be rejected, of which it has matched a part
	}
	whole := "^" + bare + "$"
	if p, err := syntax.Parse(whole, syntax.Perl); err == nil && p.Op == syntax.OpConcat &&
		p.Sub[0].Op == syntax.OpBeginText && p.Sub[len(p.Sub)-1].Op == syntax.OpEndText {
		return whole
	}
	return "^(" + bare + ")$" // to alternatives, ^ and $ bind closer than |
}

// ofDuration is a pattern of a number and one of the units of durations, which programs read one after the other.
var ofDuration = text.Pattern(`^(\[0-9\]|\\d)\+\((([nuµm]?s|[mhdwy])\|)+([nuµm]?s|[mhdwy])\)$`)

// around returns a short value that has text around the part that an alternative of the pattern describes.
func around(pattern string, alternative *syntax.Regexp) string {
	accepts, err := regexp.Compile(pattern)
	if err != nil {
		return ""
	}
	whole, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil {
		return ""
	}
	shortest := ""
	for _, repeat := range []int{1, 2, 0} {
		s := speller{repeat: repeat}
		s.spell(alternative.Simplify())
		for _, text := range []string{"!!" + s.String() + "!!", "!!" + s.String()} {
			if accepts.MatchString(text) && !whole.MatchString(text) {
				if shortest == "" || len(text) < len(shortest) {
					shortest = text
				}
				break // both sides say more than one
			}
		}
	}
	return shortest
}

// alternativesOf are the alternatives that a pattern has as a whole.
func alternativesOf(re *syntax.Regexp) []*syntax.Regexp {
	re = bare(re)
	if re.Op != syntax.OpAlternate {
		return []*syntax.Regexp{re}
	}
	var all []*syntax.Regexp
	for _, sub := range re.Sub {
		all = append(all, alternativesOf(sub)...)
	}
	return all
}

// bare is an expression without the groups around it.
func bare(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	return re
}

// anchored reports whether an expression has an assertion at its edge, whatever alternative is taken.
func anchored(re *syntax.Regexp, text, line syntax.Op) bool {
	switch re = bare(re); re.Op {
	case text, line:
		return true
	case syntax.OpConcat:
		if text == syntax.OpBeginText {
			return anchored(re.Sub[0], text, line)
		}
		return anchored(re.Sub[len(re.Sub)-1], text, line)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !anchored(sub, text, line) })
	}
	return false
}

// isLiteral reports whether an expression matches a single text, as an expression for a substring does.
func isLiteral(re *syntax.Regexp) bool {
	switch re = bare(re); re.Op {
	case syntax.OpLiteral, syntax.OpEmptyMatch, syntax.OpEndText, syntax.OpEndLine, syntax.OpWordBoundary:
		return true
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !isLiteral(sub) })
	}
	return false
}

// isOneCharacter reports whether a pattern asks for a character of some kind, as `\S` does of a value that is not to be
// blank: with anchors, it would take values of one character alone. `a|b`, which the parser takes for `[ab]`, lists values.
func isOneCharacter(pattern string, re *syntax.Regexp) bool {
	switch bare(re).Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return !strings.Contains(pattern, "|")
	}
	return false
}

// beginsWithClass reports whether an expression begins with a character of some kind. An expression such as
// `[0-9]+\.yaml$` is not meant for an end: one digit would be enough.
func beginsWithClass(re *syntax.Regexp) bool {
	switch re = bare(re); re.Op {
	case syntax.OpCharClass:
		return true
	case syntax.OpConcat, syntax.OpPlus, syntax.OpRepeat, syntax.OpStar, syntax.OpQuest:
		return beginsWithClass(re.Sub[0])
	}
	return false
}
