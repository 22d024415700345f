package apiserver

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Foresight is the verdict of a server on a CRD after the errors on create are corrected. The server stops in
// several places: it checks defaults only in schemas that are structural, and at CEL rules only where the defaults are
// valid.
type Foresight struct {
	Errors field.ErrorList // those that a create does not have
	// Hub is the CRD without its broken parts; the CRD itself where nothing is broken.
	Hub *apiextensions.CustomResourceDefinition
	// Unjudged names the checks that depend on how an error is corrected, and cannot be done before: SchemaDepths and
	// so on.
	Unjudged []string
}

// The checks that a Foresight may leave out.
const (
	SchemaDepths     = "schemas"
	DefaultValues    = "defaults"
	CELRules         = "CEL rules"
	SelectableFields = "selectable fields"
)

// maxForeseen bounds how often a CRD is validated again, each time without the errors found before: there are four
// stages, and errors hidden by one may have hidden others themselves.
const maxForeseen = 6

// A Judge is OnCreate, or a function with the same verdicts.
type Judge func(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict

// Foresee validates copies of a CRD without the parts that were rejected, until nothing new comes. Verdict is that on the CRD; of
// a CRD without errors that hide others nothing is validated again, and neither is one of so many that further ones would not help.
func Foresee(hub *apiextensions.CustomResourceDefinition, version crd.Version, verdict Verdict, judge Judge) Foresight {
	out := Foresight{Hub: hub}
	if verdict.Accepted() || version == crd.V1beta1 && !RequiresStructural(&hub.Spec) {
		return out // without structural schemas, a server stops nowhere
	}
	if len(verdict.Errors) > limit.ServerErrors {
		out.leave(SchemaDepths)
		return out
	}
	seen := map[string]bool{}
	for _, err := range verdict.Errors {
		seen[identity(err)] = true
	}
	m := &mender{version: version, hub: hub.DeepCopy(), guessed: map[string]bool{}, regrouped: map[string]bool{}}
	known := verdict
	for range maxForeseen {
		if !m.mend(known) {
			return out
		}
		if m.untold {
			out.leave(DefaultValues)
		}
		known = judge(m.hub, version)
		out.Hub = m.hub.DeepCopy() // the next round changes it
		for _, err := range known.Errors {
			if seen[identity(err)] || verdict.Panic == "" && !hiddenBySchema(err) {
				continue
			}
			seen[identity(err)] = true
			if what := m.depends(err); what != "" {
				out.leave(what)
				continue
			}
			out.Errors = append(out.Errors, err)
		}
	}
	if m.mend(known) {
		out.leave(SchemaDepths)
	}
	return out
}

func (f *Foresight) leave(what string) {
	if !slices.Contains(f.Unjudged, what) {
		f.Unjudged = append(f.Unjudged, what)
	}
}

// identity returns a key by which an error is recognized in a later verdict. The text of CEL's errors depends on the
// types of corrected schemas.
func identity(err *field.Error) string {
	r := rowOf(err)
	if r.section == inRules {
		return string(r.name) + " " + err.Field
	}
	return string(r.name) + " " + err.Field + " " + err.Detail
}

// hiddenBySchema reports whether an error may be hidden by another one: only those about schemas and the paths into
// them are. The others would be caused by the corrections, as where versions have become equal.
func hiddenBySchema(err *field.Error) bool {
	switch r := rowOf(err); r.section {
	case inSchemas, inLists, inStructure, inJunctors, ofDefaults, inDefaults, ofRules, inRules:
		return true
	default:
		return r.name == StatusRootFields || followsSelectablePath[r.name]
	}
}

// schemaPath splits the path of an error into that of the schema it is about and the rest: the keyword, and the steps
// below it. Both are "" for an error about something else.
func schemaPath(path string) (schema, rest string) {
	const root = "openAPIV3Schema"
	start := strings.Index(path, root)
	if start < 0 {
		return "", ""
	}
	end := start + len(root)
	for {
		n := schemaStep(path[end:])
		if n == 0 {
			return path[:end], strings.TrimPrefix(path[end:], ".")
		}
		end += n
	}
}

// schemaStep is the length of the step from a schema into another one that a path begins with.
func schemaStep(path string) int {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
	name, _, _ = strings.Cut(name, "[")
	length := 1 + len(name)
	index := crd.Brackets(path[min(length, len(path)):])
	switch name {
	case "properties", "definitions", "dependencies", "allOf", "anyOf", "oneOf":
		if index == 0 {
			return 0
		}
		return length + index
	case "items", "additionalProperties", "not":
		return length + index
	}
	return 0
}

// Echoes reports whether an error says of a default what another one says of a rule: that it does not compile.
func Echoes(err *field.Error, others field.ErrorList) bool {
	schema, rest := schemaPath(err.Field)
	if !strings.HasPrefix(rest, "default") || !strings.HasPrefix(err.Detail, "rule compile") {
		return false
	}
	return slices.ContainsFunc(others, func(other *field.Error) bool {
		return rowOf(other).name == RuleInvalid && crd.Within(other.Field, schema)
	})
}

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

var fieldName = text.Pattern(`properties\[([^\[\]]*)\]`)

// fieldOf is the last field that a path leads through.
func fieldOf(path string) string {
	all := fieldName().FindAllStringSubmatch(path, -1)
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
