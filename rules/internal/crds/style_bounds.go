package crds

import (
	"math"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// boundPairs are the pairs of keywords that bound the same thing, and the types they apply to.
var boundPairs = []struct{ least, most, what string }{
	{"minimum", "maximum", "value"},
	{"minLength", "maxLength", "length"},
	{"minItems", "maxItems", "number of items"},
	{"minProperties", "maxProperties", "number of fields"},
}

// bounds reports bounds that no value of some types meets.
func bounds(p *engine.Pass, s *crd.Schema, types []string) {
	if s.Within(func(s *crd.Schema) bool { return s.Via == "not" }) || outOfRange(p, s) {
		return
	}
	for _, b := range boundPairs {
		if !isFor(b.least, types) {
			continue
		}
		least, ok := numberAt(s, b.least)
		most, ok2 := numberAt(s, b.most)
		counts := b.least != "minimum"
		switch {
		case ok2 && counts && most < 0:
			p.Reportf(s.At(b.most), "no %s of %s is valid: %s %s is less than 0; correct it", b.what, words.FieldName(s), b.most, valueAt(s, b.most))
		case !ok || !ok2:
		case least > most:
			p.Reportf(s.At(b.least), "no %s of %s is valid: %s %s is more than %s %s; correct one", b.what, words.FieldName(s), b.least, valueAt(s, b.least), b.most, valueAt(s, b.most))
		case counts:
		case least == most && (s.Flag("exclusiveMinimum") || s.Flag("exclusiveMaximum")):
			p.Reportf(s.At(b.least), "no value of %s is valid: minimum and maximum are both %s, which is excluded; correct one", words.FieldName(s), valueAt(s, b.least))
		case s.Type() == "integer" && most-least == 1 && s.Flag("exclusiveMinimum") && s.Flag("exclusiveMaximum"):
			p.Reportf(s.At(b.least), "no value of %s is valid: no integer lies between minimum %s and maximum %s, which are excluded; correct one", words.FieldName(s), valueAt(s, b.least), valueAt(s, b.most))
		}
	}
	if most, ok := numberAt(s, "maxProperties"); ok && s.Get("required") != nil && float64(len(s.Get("required").Content)) > most {
		p.Reportf(s.At("maxProperties"), "no value of %s is valid: more fields are required than maxProperties %s allows; raise it", words.FieldName(s), valueAt(s, "maxProperties"))
	}
	if isFor("multipleOf", types) {
		multiples(p, s)
	}
	if on, isBool := s.Bool("additionalProperties"); isBool && !on && s.Get("properties") == nil && isFor("additionalProperties", types) {
		p.Reportf(s.KeyOf("additionalProperties"), "no field is valid in %s: additionalProperties: false rejects each; declare its fields, and remove additionalProperties", words.FieldName(s))
	}
}

// boundedSince is the minor release since which servers check the format of numbers, and of their bounds with it.
const boundedSince = 36

// outOfRange reports bounds that are no values of the type or the format themselves: servers reject all values then. See
// numberValidator.Validate of kube-openapi, which goes on to compare, and keeps the error.
func outOfRange(p *engine.Pass, s *crd.Schema) (found bool) {
	typ := s.Type() // they do not ask what is around a junctor
	if typ != "integer" && typ != "number" {
		return false
	}
	format := s.Text("format")
	if p.Config.KubernetesVersion.Before(boundedSince) || !strings.HasPrefix(format, "int") && format != "float" && format != "double" {
		format = ""
	}
	for _, keyword := range []string{"multipleOf", "minimum", "maximum"} {
		bound, ok := numberAt(s, keyword)
		what, since := typ, ""
		switch {
		case !ok:
			continue
		case validate.IsValueValidAgainstRange(bound, typ, "", "", "") != nil:
		case validate.IsValueValidAgainstRange(bound, typ, format, "", "") != nil:
			what, since = format, " since Kubernetes 1.36"
		default:
			continue
		}
		found = true
		p.Reportf(s.At(keyword), "no value of %s is valid%s: %s %s is not %s; correct it", words.FieldName(s), since, keyword, valueAt(s, keyword), words.Article(what))
	}
	return found
}

// multiples reports a multipleOf of which there are no multiples: servers want one above 0, and cut off the fraction of one
// that they compare with a whole number (MultipleOfNativeType of kube-openapi).
func multiples(p *engine.Pass, s *crd.Schema) {
	switch of, ok := numberAt(s, "multipleOf"); {
	case !ok || of >= 1:
	case of <= 0:
		p.Reportf(s.At("multipleOf"), "no number is valid as %s: multipleOf %s is not more than 0; correct it", words.FieldName(s), valueAt(s, "multipleOf"))
	case s.Type() != "integer" && mayBeWhole(s):
		p.Reportf(s.At("multipleOf"), "no whole number is valid as %s: API servers read multipleOf %s as 0 there; check it in a CEL rule", words.FieldName(s), valueAt(s, "multipleOf"))
	}
}

// mayBeWhole reports whether the bounds and the enum of a schema hold a whole number.
func mayBeWhole(s *crd.Schema) bool {
	least, bounded := numberAt(s, "minimum")
	most, bounded2 := numberAt(s, "maximum")
	first, last := math.Ceil(least), math.Floor(most)
	if first == least && s.Flag("exclusiveMinimum") {
		first++
	}
	if last == most && s.Flag("exclusiveMaximum") {
		last--
	}
	enum := s.Get("enum")
	return (!bounded || !bounded2 || first <= last) && (enum == nil || slices.ContainsFunc(enum.Content, isWhole))
}
