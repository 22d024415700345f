package crds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiserver/pkg/cel"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var celIssue = text.Pattern(`ERROR: <input>:(\d+):(\d+): ([^\n]*)`)

func explainCompileError(p *engine.Pass, r engine.Refusal, what string) {
	m := celIssue().FindStringSubmatch(r.Detail)
	if m == nil {
		fault := text.Foreign(r.Detail)
		switch {
		case strings.Contains(r.Detail, "must evaluate to a bool"):
			fault = text.Sprintf("it must return true or false; write a comparison")
		case strings.Contains(r.Detail, "must evaluate to a string"):
			fault = text.Sprintf("it must return a string; wrap it in string()")
		}
		p.Refusef(r.At, "%s does not compile: %s", what, fault)
		return
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	where := fmt.Sprintf("column %d", column)
	if line > 1 {
		where = fmt.Sprintf("line %d, column %d", line, column)
	}
	s, _ := p.CRD.LocateSchema(r.Field)
	fault, hint := celFault(m[3], s)
	f := p.Refusef(r.At, "%s does not compile at %s: %s%s", what, where, fault, cmp.Or(hint, "; correct the expression"))
	pointInto(f, r.At.Node, line, column)
}

// pointInto moves a finding about a scalar to the line and column of its text, where that is written as it is read.
func pointInto(f *engine.Finding, n *yaml.Node, line, column int) {
	n = crd.Deref(n)
	if line != 1 || n == nil || n.Kind != yaml.ScalarNode || strings.ContainsAny(n.Value, "\r\n") {
		return
	}
	start := f.Pos.Column - 1
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		start++
	}
	excerpt, value := []rune(f.Excerpt), []rune(n.Value)
	at := start - max(f.From-1, 0) // in the excerpt, which may be a part of the line
	if column > len(value)+1 || at+len(value) > len(excerpt) || string(excerpt[at:at+len(value)]) != n.Value {
		return
	}
	f.Pos.Column = start + column
	f.Pos.EndLine, f.Pos.EndColumn = f.Pos.Line, max(f.Pos.Column, start+1+len(value))
}

var (
	celContainer = text.Pattern(` \(in container '[^']*'\)`)
	celField     = text.Pattern(`^undefined field '([^']*)'`)
	celReference = text.Pattern(`^undeclared reference to '([^']*)'`)
	celExpecting = text.Pattern(` expecting .*`)
)

// celFault is the compiler's complaint, without what only its authors understand, and what was meant instead.
func celFault(complaint string, s *crd.Schema) (fault text.Text, hint string) {
	complaint = celContainer().ReplaceAllString(complaint, "")
	if m := celField().FindStringSubmatch(complaint); m != nil {
		return text.Sprintf("the schema has no field %s", text.Quoted(m[1])), nearestHint(m[1], celNames(s))
	}
	if m := celReference().FindStringSubmatch(complaint); m != nil {
		names := celNames(s)
		hint = nearestHint(m[1], append([]string{"self", "oldSelf", "has", "size", "matches", "isURL", "isQuantity", "duration", "timestamp"}, names...))
		if slices.Contains(names, m[1]) {
			hint = "; " + text.DidYouMean("self."+m[1])
		}
		return text.Sprintf("there is no %s", text.Quoted(m[1])), hint
	}
	for _, f := range celTypeFaults {
		if m := f.complaint().FindStringSubmatch(complaint); m != nil {
			return f.fault(m), ""
		}
	}
	return text.Sprintf(`"%s"`, text.Foreign(celExpecting().ReplaceAllString(complaint, ""))), ""
}

// celNames are the names that fields of a schema and below it have in expressions.
func celNames(s *crd.Schema) []string {
	if s == nil {
		return nil
	}
	var names []string
	for sub := range s.All() {
		if sub.Via == "properties" && sub != s {
			if name, ok := cel.Escape(sub.Name); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// nearestHint names the candidate that a misspelt word was meant to be, when one is near.
func nearestHint(word string, candidates []string) string {
	near := text.Nearest(word, candidates)
	if len(near) == 0 {
		return ""
	}
	return "; " + text.DidYouMean(near[0])
}

var costFactor = text.Pattern(`exceeds budget by factor of (more than 100x|[\d.]+x)`)

// factor is how much of its budget an estimate is, as upstream says it: "more than 100x", "2.5x".
func factor(detail string) string {
	m := costFactor().FindStringSubmatch(detail)
	if m == nil {
		return "more than 1x"
	}
	if f, err := strconv.ParseFloat(strings.TrimSuffix(m[1], "x"), 64); err == nil {
		if f < 1.01 {
			return "slightly more than 1x"
		}
		return strconv.FormatFloat(f, 'g', 3, 64) + "x"
	}
	return m[1]
}

// textOf finds a conversion to a string. The estimate knows no bound of its result, not even of a number's.
var textOf = text.Pattern(`\bstring\(`)

func explainCost(p *engine.Pass, r engine.Refusal) {
	switch r.Row {
	case apiserver.RuleShareTooCostly:
		return // comes with the error about all rules
	case apiserver.RulesTooCostly:
		explainTotalCost(p, r)
		return
	}
	what, instead := "the rule", "compare without string()"
	if r.Row == apiserver.MessageExpressionTooCostly {
		what, instead = "messageExpression", "write message instead"
	}
	expression := crd.StringAt(r.At.Node)
	s, _ := p.CRD.LocateSchema(r.Field)
	advice := text.Sprintf("simplify it, or set lower limits on what it reads")
	open := unbounded(p, s, expression)
	if len(open) > 0 {
		advice = text.Sprintf("set %s", text.Names(open.names()))
	} else if textOf().MatchString(expression) {
		advice = text.Sprintf("string() counts as unlimited text, whatever minimum and maximum say; %s", instead)
	}
	p.Refusef(r.At, "%s may cost %s the API server's budget; %s", what, factor(r.Detail), advice).Remedy = open.remedy()
}

// explainTotalCost speaks at the dearest of the rules that the server says cost much together, unless one of them breaks the
// budget by itself.
func explainTotalCost(p *engine.Pass, r engine.Refusal) {
	_, rest := p.CRD.LocateSchema(r.Field)
	root, _ := strings.CutSuffix(r.Field, "."+strings.Join(rest, "."))
	all := slices.DeleteFunc(slices.Clone(p.Refusals()), func(r engine.Refusal) bool { return !strings.HasPrefix(r.Field, root+".") })
	if slices.ContainsFunc(all, func(r engine.Refusal) bool { return r.Row != apiserver.RuleShareTooCostly }) {
		return
	}
	at := r.At
	for _, share := range apiserver.Shares(p.Whole(), root) {
		if i := slices.IndexFunc(all, func(r engine.Refusal) bool { return r.Field == share.Field }); i >= 0 {
			at = all[i].At
			break
		}
	}
	first, _ := p.CRD.SchemaAt(at.Path)
	advice := text.Sprintf("set lower limits on what they read")
	open := unbounded(p, first, crd.StringAt(at.Node))
	if len(open) > 0 {
		advice = text.Sprintf("set %s", text.Names(open.names()))
	}
	p.Refusef(at, "all rules of this version together may cost %s the API server's budget, and this one much of it; %s", factor(r.Detail), advice).Remedy = open.remedy()
}

type missingBound struct {
	schema  *crd.Schema
	keyword string
}

type missingBounds []missingBound

// names are the bounds as messages say them.
func (all missingBounds) names() []string {
	return Mapped(all, func(b missingBound) string { return b.keyword + " on " + cmp.Or(b.schema.FieldPath(), "the root") })
}

// remedy are the bounds as changes; how high they are is for a person to say.
func (all missingBounds) remedy() []lint.Change {
	if len(all) == 0 {
		return nil
	}
	return Mapped(all, func(b missingBound) lint.Change { return origin.ToChoose(b.schema.Path, b.keyword) })
}

// unbounded returns the bounds that an expression may need to cost less, of its lists and maps if one has none.
func unbounded(p *engine.Pass, s *crd.Schema, expression string) missingBounds {
	things, texts := unboundedParts(p, s, expression)
	if len(things) > 0 {
		return things
	}
	return texts
}

// unboundedParts returns the bounds of the lists, maps and strings whose size an expression's cost may depend on and that have
// none: those above its schema, and those below it that it mentions.
func unboundedParts(p *engine.Pass, s *crd.Schema, expression string) (things, texts missingBounds) {
	if s == nil {
		return nil, nil
	}
	for up := s.Parent; up != nil; up = up.Parent {
		if up.Type() != "string" {
			things = appendUnbounded(things, up)
		}
	}
	for _, sub := range mentioned(p, s, expression) {
		if sub.Type() == "string" {
			texts = appendUnbounded(texts, sub.Schema)
		} else {
			things = appendUnbounded(things, sub.Schema)
		}
	}
	return things, texts
}

func appendUnbounded(open missingBounds, s *crd.Schema) missingBounds {
	if s.InJunctor() {
		return open
	}
	bound := ""
	switch s.Type() {
	case "array":
		bound = "maxItems"
	case "object":
		if s.Get("additionalProperties") != nil {
			bound = "maxProperties"
		}
	case "string":
		if s.Get("enum") == nil && s.Get("format") == nil {
			bound = "maxLength"
		}
	}
	if bound == "" || s.Get(bound) != nil {
		return open
	}
	return append(open, missingBound{s, bound})
}

var identifier = text.Pattern(`\w+`)

// A nthSchema is one of those at and below another, with its place in their order.
type nthSchema struct {
	*crd.Schema
	n int
}

// mentioned are the schema at which an expression stands and those below it that it mentions: every field on the way to
// them is one of its words.
func mentioned(p *engine.Pass, top *crd.Schema, expression string) (all []nthSchema) {
	type key struct{ path string }
	below := engine.Memo(p, key{top.Path}, func() map[string][]nthSchema { return byNearestField(top) })
	words := map[string]bool{"": true}
	for _, word := range identifier().FindAllString(expression, -1) {
		words[word] = true
	}
	for word := range words {
		for _, s := range below[word] {
			if mentions(top, s.Schema, words) {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b nthSchema) int { return cmp.Compare(a.n, b.n) })
	return all
}

// byNearestField are a schema and those below it by the field that they describe, or have a part of: its name as CEL has it.
// Asked for each of a thousand rules, all of a thousand fields would be too many.
func byNearestField(top *crd.Schema) map[string][]nthSchema {
	by, n := map[string][]nthSchema{}, 0
	for s := range top.All() {
		field := s
		for field != top && field.Via != "properties" {
			field = field.Parent
		}
		name, ok := "", true // of the schema itself
		if field != top {
			name, ok = cel.Escape(field.Name)
		}
		if ok {
			by[name] = append(by[name], nthSchema{s, n})
		}
		n++
	}
	return by
}

// mentions reports whether the words of an expression at a schema name every field on the way to one below it.
func mentions(top, s *crd.Schema, words map[string]bool) bool {
	for ; s != nil && s != top; s = s.Parent {
		if s.Via == "properties" {
			if name, ok := cel.Escape(s.Name); !ok || !words[name] {
				return false
			}
		}
	}
	return true
}
