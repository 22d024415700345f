package apiserver

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A row recognises one error of upstream's validation.
type row struct {
	id    string // of the catalogue
	rule  string
	types string // field.ErrorTypes that it has, separated by bars
	field string // regular expression for the path; empty matches all
	text  string // regular expression for the detail; empty matches all
}

type matcher struct {
	row
	fieldRE, textRE *regexp.Regexp
}

// compiled is made when the first error asks for its rule: most runs see none.
var compiled = sync.OnceValue(func() []matcher {
	all := make([]matcher, len(rows))
	for i, r := range rows {
		all[i] = matcher{r, regexp.MustCompile(r.field), regexp.MustCompile(r.text)}
	}
	return all
})

// RuleOf gives the id of the rule that an error of upstream's validation belongs to, and "api-server" for an error that
// the catalogue does not know.
func RuleOf(err *field.Error) string { return rowOf(err).rule }

func rowOf(err *field.Error) row {
	typ := strings.TrimPrefix(string(err.Type), "FieldValue")
	for _, m := range compiled() {
		if !strings.Contains("|"+m.types+"|", "|"+typ+"|") {
			continue
		}
		// The text first: most rows fail there, and the path of a deep field has thousands of characters.
		if m.textRE.MatchString(err.Detail) && m.fieldRE.MatchString(err.Field) {
			return m.row
		}
	}
	return row{rule: "api-server"}
}

// Classify gives the catalogue's row of an error of upstream's validation, and the id of the rule it belongs to: "" and
// "api-server" for an error that the catalogue does not know.
func Classify(err *field.Error) (row, rule string) {
	r := rowOf(err)
	return r.id, r.rule
}

// Rules are the rules that errors are mapped to, in the order of the catalogue.
func Rules() []string {
	var all []string
	for _, r := range rows {
		if !slices.Contains(all, r.rule) {
			all = append(all, r.rule)
		}
	}
	return all
}
