package changes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A refusal is how sure it is that tighter keywords reject something, and what.
type refusal struct {
	compare.Refusal
	severity lint.Severity // Off when nothing is rejected, Warning when nobody knows
}

// refusalOf finds out what keywords of a node reject.
func refusalOf(n *compare.Node, keywords ...string) refusal {
	r := refusal{n.Refusal(keywords...), lint.Error}
	switch {
	case r.None:
		r.severity = lint.Off
	case r.Unprintable:
		r.severity = lint.Info
	case r.Tried && !r.Found:
		r.severity = lint.Warning
	}
	return r
}

// say makes a remark with the refusal's severity and witness.
func (r refusal) say(format string, args ...any) *remark {
	m := newRemark(r.severity, format, args...)
	if text, ok := r.Witness.(string); r.Found && (!ok || utf8.RuneCountInString(text) <= maxWitness) {
		m.witness = r.Witness
	}
	return m
}

// A text of more than so many characters is described by its length in a message, and left out for programs.
const (
	maxShown   = 40
	maxWitness = 256
)

// consequence says what becomes of values, such as "now rejected": of the witness, or else of what is given, such as "other values are".
func (r refusal) consequence(others, becomes string) text.Text {
	witness, isText := r.Witness.(string)
	length := utf8.RuneCountInString(witness)
	switch {
	case r.Unprintable:
		return text.Sprintf("only texts with line breaks or control characters are %s", becomes)
	case r.Found && isText && length > maxShown:
		return text.Sprintf("texts of %d or more characters are %s", length, becomes)
	case r.Found:
		return text.Sprintf("%s is %s", words.ValueOf(r.Witness), becomes)
	case r.severity == lint.Error:
		return text.Sprintf("%s %s", others, becomes)
	}
	return text.Sprintf("crdlift does not know whether any value is %s", becomes)
}

// nowRefused is what becomes of values that were accepted.
const nowRefused = "now rejected"

// boundKeywords are the keywords whose changes of one field are told together: each draws a line through its values.
var boundKeywords = []string{
	"format", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf", "maxLength", "minLength", "pattern",
	"maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties",
}

// boundRemarks say what became stricter about the values of a field, once for each field.
func boundRemarks(p *engine.Pass) []*remark {
	tighter := slices.DeleteFunc(slices.Clone(schemaChanges(p)), func(c *compare.Change) bool {
		return c.Effect < compare.Tightens || c.Field != "enum" && !slices.Contains(boundKeywords, c.Field) ||
			refusalOf(c.Node, c.Field).severity == lint.Off
	})
	var all []*remark
	for _, changes := range ordered.Grouped(tighter, func(c *compare.Change) *compare.Node { return c.Node }) {
		// what is not in an enum is rejected, whatever else it is
		if !slices.ContainsFunc(changes, func(c *compare.Change) bool { return c.Field == "enum" }) {
			all = append(all, boundRemark(changes[0].Node, changes))
		}
	}
	return all
}

func boundRemark(n *compare.Node, changes []*compare.Change) *remark {
	certain := slices.DeleteFunc(slices.Clone(changes), func(c *compare.Change) bool { return refusalOf(n, c.Field).Unprintable })
	if len(certain) > 0 {
		changes = certain
	}
	var keywords []string
	var old, new any
	was, is := map[string]any{}, map[string]any{}
	for _, c := range changes {
		keywords = append(keywords, c.Field)
		old, new = c.Old, c.New
		if inWords(c) { // either side has the limit, and whether it is one of the values itself
			maps.Copy(was, asMap(c.Old))
			maps.Copy(is, asMap(c.New))
			continue
		}
		was[c.Field], is[c.Field] = c.Old, c.New
	}
	if len(changes) > 1 {
		old, new = was, is
	}
	found := refusalOf(n, keywords...)
	r := found.say("%s: %s{in}; %s", fieldOf(changes[0], ""), whatChanged(changes), beyond(found, changes, nowRefused)).lasting(changes[0], "")
	r.old, r.new = old, new
	return r.about(changes[0])
}

// whatChanged lists keywords with their values: "maxLength 63 and minLength 1 added".
func whatChanged(changes []*compare.Change) text.Text {
	var parts []text.Text
	for i, c := range changes {
		last := i == len(changes)-1 || changes[i+1].Kind != c.Kind || inWords(changes[i+1])
		switch {
		case inWords(c):
			parts = append(parts, mustBe(c))
		case c.Kind == compare.Changed && c.Old != nil:
			parts = append(parts, text.Sprintf("%s changed from %s to %s", c.Field, asWritten(c.Old, c.Was()), asWritten(c.New, c.Is())))
		case c.Kind == compare.Removed:
			parts = append(parts, text.Sprintf("%s %s removed", c.Field, asWritten(c.Old, c.Was())))
		case c.New == true:
			parts = append(parts, verb(c.Field, last))
		default:
			parts = append(parts, verb(text.Sprintf("%s %s", c.Field, asWritten(c.New, c.Is())), last))
		}
	}
	return listedTexts(parts)
}

// asWritten is a value as the manifest has it at a place: a number may have more digits there than a float keeps.
func asWritten(v any, at crd.Place) text.Text {
	if n := crd.Deref(at.Node); n != nil && n.Kind == yaml.ScalarNode && n.Value != "" {
		if _, ok := v.(float64); ok {
			return text.Value(n.Value)
		}
	}
	return words.ValueOf(v)
}

// verb adds the verb to the last of several things that were added.
func verb(what any, last bool) text.Text {
	if last {
		return text.Sprintf("%s added", what)
	}
	return text.Sprintf("%s", what)
}

// listedTexts is a list as a sentence has it.
func listedTexts(parts []text.Text) text.Text {
	all := parts[0]
	for i, part := range parts[1:] {
		between := ", "
		if i == len(parts)-2 {
			between = " and "
		}
		all = text.Sprintf("%s%s%s", all, between, part)
	}
	return all
}

// beyond says what becomes of the values that the new side rejects: in general where the bounds say it, or else by the witness.
func beyond(found refusal, changes []*compare.Change, becomes string) text.Text {
	var phrases []string
	for _, c := range changes {
		phrase := outsideBound(c.Field, c.New, found.Witness, asWritten(c.New, c.Is()).String())
		if inWords(c) {
			phrase = outsideExclusive(c)
		}
		if phrase != "" && (found.Found || found.severity == lint.Error) {
			phrases = append(phrases, phrase)
		}
	}
	if len(phrases) == len(changes) && (len(changes) == 1 || !found.Tried) {
		return text.Sprintf("%s are %s", strings.Join(phrases, " and "), becomes)
	}
	return found.consequence("values that break it are", becomes)
}

// outsideBound names the values beyond a bound, which is written in some way; "" where that needs an example.
func outsideBound(keyword string, bound, witness any, is string) string {
	n, whole := bound.(int64)
	switch {
	case keyword == "uniqueItems":
		return "lists with equal items"
	case keyword == "maximum" || keyword == "minimum":
		if _, ok := bound.(float64); !ok {
			return ""
		}
		return map[string]string{"maximum": "values above ", "minimum": "values below "}[keyword] + is
	case !whole:
		return ""
	}
	if text, ok := witness.(string); ok && keyword == "maxLength" {
		n = max(n, int64(utf8.RuneCountInString(text))-1) // a pattern may leave out some lengths
	}
	things, parts := lengthsOf[keyword][0], lengthsOf[keyword][1]
	switch {
	case things == "":
		return ""
	case keyword == "maxLength":
		return fmt.Sprintf("%s of %d or more %s", things, n+1, parts)
	case strings.HasPrefix(keyword, "max"):
		return fmt.Sprintf("%s with %d or more %s", things, n+1, parts)
	case n == 1:
		return "empty " + things
	}
	return fmt.Sprintf("%s with fewer than %d %s", things, n, parts)
}

// lengthsOf are the values that a keyword bounds, and what it counts.
var lengthsOf = map[string][2]string{
	"minLength": {"texts", "characters"}, "minItems": {"lists", "items"}, "minProperties": {"objects", "fields"},
	"maxLength": {"texts", "characters"}, "maxItems": {"lists", "items"}, "maxProperties": {"objects", "fields"},
}

// wordOf is a word such as a list type, or several, as a sentence has them.
func wordOf(v any) text.Text {
	switch v := v.(type) {
	case nil:
		return text.Sprintf("none")
	case string:
		return text.Value(v)
	case []any:
		return text.Names(crds.Mapped(v, func(word any) string { return fmt.Sprint(word) }))
	case map[string]any:
		return text.Names(slices.Sorted(maps.Keys(v)))
	}
	return text.Value(words.JSONOf(v))
}

// A maximum or minimum may be none of the values itself, which another keyword says. Such a limit is told as a sentence.

// inWords reports whether a change is told as a sentence of its own.
func inWords(c *compare.Change) bool {
	_, _, words := c.Limits()
	return words
}

// mustBe says in words which limit a change draws.
func mustBe(c *compare.Change) text.Text {
	was, is, _ := c.Limits()
	if was == "" {
		return text.Sprintf("must be %s", is)
	}
	return text.Sprintf("must be %s (was %s)", is, was)
}

// outsideExclusive names the values beyond a limit that is none of the values itself; "" where that needs an example.
func outsideExclusive(c *compare.Change) string {
	limit, limited := asMap(c.New)[c.Field].(float64)
	switch {
	case !limited || len(asMap(c.New)) < 2:
		return ""
	case c.Field == "maximum":
		return "values of " + words.JSONOf(limit) + " and more"
	}
	return "values of " + words.JSONOf(limit) + " and less"
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
