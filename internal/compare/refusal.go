package compare

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/crdlift/crdlift/internal/limit"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A Refusal describes the values that a node's old schema accepts and its new one rejects because of some keywords.
// Only single values are examined.
type Refusal struct {
	Tried   bool // the node holds a single value on both sides
	Found   bool // Witness is such a value
	Witness any  // the smallest that was found
	// None is true when every value that the old schema accepts was tried, and none is rejected.
	None bool
	// Unprintable is true when only texts with line breaks or other characters that cannot be printed are rejected.
	Unprintable bool
}

// Refusal looks for a value that the node's old schema accepts, and its new one rejects on account of some keywords, by
// upstream's validation. With no keyword, it may be for any. That none is found proves nothing, unless None is true.
func (n *Node) Refusal(keywords ...string) Refusal {
	key := strings.Join(keywords, " ")
	r, known := n.refusals[key]
	if !known {
		if n.refusals == nil {
			n.refusals = map[string]Refusal{}
		}
		r = n.refusal(keywords)
		n.refusals[key] = r
	}
	return r
}

func (n *Node) refusal(keywords []string) Refusal {
	if !n.IsScalar() {
		return Refusal{}
	}
	old, new := Validator(n.Old), Validator(n.New)
	if old == nil || new == nil {
		return Refusal{}
	}
	blame := new
	if len(keywords) > 0 {
		if blame = Validator(n.withKeywords(keywords)); blame == nil {
			blame = new
		}
	}
	if n.candidates == nil {
		n.candidates, n.every = candidates(n.Old, n.New)
	}
	all := n.candidates
	// Each branch and each value of an enum suggests values, and each value is checked against all of them, which is quadratic.
	some := all[:min(len(all), limit.WitnessValues/(size(n.Old)+size(n.New)))]
	r := Refusal{Tried: true}
	for _, v := range some {
		if old(v) && !new(v) && !blame(v) && (!r.Found || n.simpler(v, r.Witness)) {
			r.Found, r.Witness = true, v
		}
	}
	r.None = !r.Found && n.every > 0 && len(some) >= n.every
	if text, ok := r.Witness.(string); ok && !printable(text) {
		_, proven := patternsApart(n.Old.Pattern, n.New.Pattern, true)
		r.Unprintable = proven && slices.Equal(keywords, []string{"pattern"})
		r.Found, r.Witness = false, nil // such a text does not occur
	}
	return r
}

// withKeywords is the old schema with some keywords as the new one has them, and those that are compared together with
// them.
func (n *Node) withKeywords(names []string) *v1.JSONSchemaProps {
	mixed := n.Old.DeepCopy()
	to, from := reflect.ValueOf(mixed).Elem(), reflect.ValueOf(n.New).Elem()
	for _, k := range keywords {
		asked := slices.ContainsFunc(k.fields, func(name string) bool {
			field, _ := to.Type().FieldByName(name)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return slices.Contains(names, tag)
		})
		if !asked {
			continue
		}
		for _, name := range k.fields {
			to.FieldByName(name).Set(from.FieldByName(name))
		}
	}
	return mixed
}

// simpler reports whether a value is the better example: plain, nearer to the bound that it breaks, or shorter. Texts that
// are empty or blank come last, unless it is a matter of length: whoever leaves a field out does not send it.
func (n *Node) simpler(v, than any) bool {
	a, isText := v.(string)
	b, alsoText := than.(string)
	switch {
	case isText != alsoText:
		return isText
	case !isText:
		return n.distance(v) < n.distance(than)
	case printable(a) != printable(b):
		return printable(a)
	}
	aboutLength := n.New.MinLength != nil && *n.New.MinLength > 0
	blankA, blankB := strings.TrimSpace(a) == "", strings.TrimSpace(b) == ""
	if blankA != blankB && !aboutLength {
		return blankB
	}
	return len(a) < len(b)
}

// distance is how far a number is from the nearest bound of the new schema, or from zero where it has none.
func (n *Node) distance(v any) float64 {
	value := 0.0
	switch v := v.(type) {
	case int64:
		value = float64(v)
	case float64:
		value = v + 1e-9 // whole numbers first
	default:
		return math.Inf(1)
	}
	nearest := math.Inf(1)
	for _, bound := range []*float64{n.New.Minimum, n.New.Maximum} {
		if bound != nil {
			nearest = min(nearest, math.Abs(value-*bound))
		}
	}
	if math.IsInf(nearest, 1) {
		return math.Abs(value)
	}
	return nearest
}

// printable reports whether a text can be shown as it is.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
