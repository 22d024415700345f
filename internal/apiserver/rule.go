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
	name    Row
	section section
	rule    string
	types   string // field.ErrorTypes that it has, separated by bars
	field   string // regular expression for the path; empty matches all
	text    string // regular expression for the detail; empty matches all
}

// A section is a part of the table, and the heading that docs/reference/errors.md has for it.
type section string

const (
	inMetadata         section = "Metadata"
	inNames            section = "Group, scope and names"
	inVersions         section = "Versions"
	inConversion       section = "Conversion"
	inColumns          section = "Printer columns and subresources"
	inSelectableFields section = "Selectable fields"
	inSchemas          section = "Schemas"
	inLists            section = "Lists and maps"
	inStructure        section = "Structural schemas"
	inJunctors         section = "Inside of allOf, anyOf, oneOf and not"
	ofDefaults         section = "Places of defaults"
	inDefaults         section = "Values of defaults" // looked at in structural schemas only
	ofRules            section = "CEL rules"
	inRules            section = "Compiled CEL rules" // compiled where the values of defaults are valid only
)

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

// RuleOf returns the id of the rule that an error of upstream's validation belongs to, and "api-server" for an error that
// no row matches.
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

// Classify returns the row of an error of upstream's validation, and the id of the rule it belongs to: Unknown and
// "api-server" for an error that no row matches.
func Classify(err *field.Error) (Row, string) {
	r := rowOf(err)
	return r.name, r.rule
}

// Rules are the rules that errors are mapped to, in the order of the table.
func Rules() []string {
	var all []string
	for _, r := range rows {
		if !slices.Contains(all, r.rule) {
			all = append(all, r.rule)
		}
	}
	return all
}
