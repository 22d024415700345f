package apiserver

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
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

// A Judge is OnCreate, or a function with the same answers.
type Judge func(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict

// Foresee has copies of a CRD judged without the parts that were refused, until nothing new comes. Verdict is that on the CRD; of
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
