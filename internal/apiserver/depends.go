package apiserver

import (
	"regexp"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// depends reports whether an error may be caused only by a correction, and names what such errors depend on:
// DefaultValues, CELRules and so on. It returns "" for an error that is independent of corrections.
func (m *mender) depends(err *field.Error) string {
	schema, rest := schemaPath(err.Field)
	r := rowOf(err)
	switch {
	case followsSelectablePath[r.name]:
		if path, _ := err.BadValue.(string); m.mentions("", path) {
			return SelectableFields
		}
	case r.section == inDefaults:
		if m.anyGuess(schema) && (aboutWholeDefault[r.name] || m.mentions(schema, rest)) {
			return DefaultValues
		}
	case r.name == OldSelfUncorrelatable:
		for path := range m.regrouped {
			if crd.Within(schema, path) {
				return CELRules
			}
		}
	case r.name == RuleTooCostly || r.name == MessageExpressionTooCostly: // costs grow with the surroundings of a rule, too
		for path := range m.guessed {
			if crd.Within(path, schema) || crd.Within(schema, path) {
				return CELRules
			}
		}
	case r.name == RuleShareTooCostly || r.name == RulesTooCostly:
		if len(m.guessed) > 0 {
			return CELRules
		}
	case r.name == FieldPathInvalid || r.section == inRules:
		if m.guessed[schema] || m.mentions(schema, m.expression(err)) {
			return CELRules
		}
	case m.guessed[schema] && r.name != PatternInvalid && r.section != ofRules:
		return SchemaDepths
	}
	return ""
}

// followsSelectablePath are the rows of errors about the target of a selectable field's path.
var followsSelectablePath = map[Row]bool{SelectablePathInvalid: true, SelectablePathInMetadata: true, SelectableTypeInvalid: true}

// aboutWholeDefault are the rows of errors in the value of a default that do not name the part of it that causes them.
var aboutWholeDefault = map[Row]bool{
	DefaultUnknownFields: true, DefaultViolatesRule: true, DefaultRuleFails: true, DefaultNotValidated: true,
}

// manyGuesses are too many to ask each error about each of them; then all that may depend on one does.
const manyGuesses = 100

// expression returns the user's full expression at the place of a CEL error.
func (m *mender) expression(err *field.Error) (text string) {
	schema, _ := schemaPath(err.Field)
	m.change(schema, func(s *apiextensions.JSONSchemaProps) {
		if i := ruleIndex(err); i < len(s.XValidations) {
			rule := s.XValidations[i]
			text = rule.Rule + " " + rule.MessageExpression + " " + rule.FieldPath
		}
	})
	return text
}

// anyGuess reports whether something in a schema was guessed.
func (m *mender) anyGuess(schema string) bool {
	for path := range m.guessed {
		if crd.Within(path, schema) {
			return true
		}
	}
	return false
}

// mentions reports whether a text has the name of a field, in a schema or anywhere, of which something was guessed.
func (m *mender) mentions(schema, text string) bool {
	if len(m.guessed) > manyGuesses {
		return true
	}
	for path := range m.guessed {
		if !crd.Within(path, schema) {
			continue
		}
		if name := fieldOf(strings.TrimPrefix(path, schema)); name == "" || strings.Contains(text, name) {
			return true
		}
	}
	return false
}

var fieldName = regexp.MustCompile(`properties\[([^\[\]]*)\]`)

// fieldOf is the last field that a path leads through.
func fieldOf(path string) string {
	all := fieldName.FindAllStringSubmatch(path, -1)
	if len(all) == 0 {
		return ""
	}
	// CEL spells some names with escapes: what is left of the longest plain part is enough to find them
	name := all[len(all)-1][1]
	longest := ""
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("_.-/$", r) }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}
