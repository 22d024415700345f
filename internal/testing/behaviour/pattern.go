package behaviour

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// matching is a string of at least min and at most max characters (max < 0: any number) that matches the pattern, or
// false when none is found quickly.
func matching(pattern string, min, max int) (string, bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	parsed = parsed.Simplify()
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for _, repeat := range []int{1, 0, 2, 3, 5, min, 8, 12, 20, 40} {
		var b strings.Builder
		spell(&b, parsed, repeat)
		text := b.String()
		for len(text) < min && compiled.MatchString(text+"a") {
			text += "a"
		}
		if compiled.MatchString(text) && len(text) >= min && (max < 0 || len(text) <= max) {
			return text, true
		}
	}
	return "", false
}

// spell writes a string that the expression matches, if assertions are as good as empty. What may repeat does so the
// given number of times, within its bounds.
func spell(b *strings.Builder, re *syntax.Regexp, repeat int) {
	times := func(min, max int) {
		n := repeat
		if n < min {
			n = min
		}
		if max >= 0 && n > max {
			n = max
		}
		for range n {
			spell(b, re.Sub[0], repeat)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture:
		spell(b, re.Sub[0], repeat)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			spell(b, sub, repeat)
		}
	case syntax.OpAlternate:
		spell(b, re.Sub[repeat%len(re.Sub)], repeat)
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	}
}

// oneOf is a character of the class, given as pairs of bounds: a plain one when there is one.
func oneOf(class []rune) rune {
	for _, like := range "a1A-_. " {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= like && like <= class[i+1] {
				return like
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}
