package suite

import (
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// maxSteps is how long a path may be. No server takes an object that is deeper.
const maxSteps = 1000

// ParsePath parses what request.Path.String prints; nil for any other text. A number in brackets is an index, and the name of a
// member where there is no list.
func ParsePath(written string) (p request.Path) {
	for rest := written; rest != ""; {
		if len(p) == maxSteps {
			return nil
		}
		end := strings.IndexAny(rest, ".[")
		switch {
		case rest[0] == '[':
			if end = crd.Brackets(rest); end < 3 {
				return nil
			}
			p = append(p, bracketed(rest[1:end-1]))
		case end == 0:
			return nil
		case end < 0:
			end = len(rest)
			fallthrough
		default:
			p = append(p, request.Key(rest[:end]))
		}
		if rest = rest[end:]; strings.HasPrefix(rest, ".") {
			if rest = rest[1:]; rest == "" {
				return nil
			}
		}
	}
	return p
}

func bracketed(text string) request.Step {
	if n, err := strconv.Atoi(text); err == nil && crd.IsIndex(text) {
		return request.Index(n)
	}
	return request.Key(text)
}

// ParseConstraint reads a constraint: a path and the keyword of the schema there, or "rule" with a part of the rule's text in
// brackets. In the path, [*] or any index stands for the items of a list.
func ParseConstraint(written string) (c Constraint, ok bool) {
	at, text, isRule := strings.Cut("."+written, ".rule[")
	if isRule && strings.HasSuffix(text, "]") {
		c.Path, c.Keyword, c.Rule = ParsePath(strings.TrimPrefix(at, ".")), "rule", strings.TrimSuffix(text, "]")
		return c, c.Rule != "" && (at == "" || c.Path != nil)
	}
	p := ParsePath(written)
	if len(p) == 0 || p[len(p)-1].IsIndex() {
		return c, false
	}
	c.Path, c.Keyword = p[:len(p)-1], p[len(p)-1].Key
	return c, true
}
