package apiserver

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A mender removes the causes of a rejection from a CRD, so that the server's next checks can run. Its replacements cause
// no errors of their own: where a type is not known it is a value of any type.
type mender struct {
	version crd.Version
	hub     *apiextensions.CustomResourceDefinition
	verdict Verdict                                   // the one whose causes are removed
	roots   map[string]*apiextensions.JSONSchemaProps // by path
	// Errors that depend on these schemas are not told; see depends.
	guessed   map[string]bool // by path: their content is not known
	regrouped map[string]bool // lists whose type or keys were taken away
	untold    bool            // a default was taken away that only a known type can be compared with

	selectable [][]apiextensions.SelectableField // taken away for a round, by version
	then       []func()                          // changes of other schemas than the one that is corrected
}

// mend removes the causes of a verdict. It reports whether hidden errors may be visible now.
func (m *mender) mend(v Verdict) (more bool) {
	m.verdict = v
	more = m.showSelectable()
	for _, err := range v.Errors {
		switch name := rowOf(err).name; {
		case name.isUnsupported():
			more = m.takeAllUnsupported() || more // the path does not tell the place
		case name == JunctorUndeclared:
			m.drop(strings.TrimPrefix(err.Detail, "because it is defined in ")) // there is nothing at the path
			more = true
		default:
			holder, _ := schemaPath(err.Field)
			if aboutParent[name] {
				holder, _, _ = cutLast(err.Field, ".")
			}
			m.change(holder, func(s *apiextensions.JSONSchemaProps) { more = m.mendSchema(s, holder, err) || more })
		}
		for _, change := range m.then {
			change()
		}
		m.then = nil
	}
	if v.Panic != "" {
		more = m.hideSelectable() || more
	}
	return more
}

// aboutParent are the rows of errors whose path ends in a schema, and which are about the one that holds it.
var aboutParent = map[Row]bool{
	ItemsArray: true, AdditionalPropertiesBesideProperties: true, MapItemsMissing: true, MapItemsArray: true, ItemsMissing: true,
	RootAdditionalProperties: true, EmbeddedAdditionalProperties: true, JunctorAdditionalProperties: true,
}

// isUnsupported reports whether a row is that of schemas of which upstream makes no structural ones at all.
func (r Row) isUnsupported() bool { return r == VersionSchemaUnsupported || r == SchemaUnsupported }

// hideSelectable takes the selectable fields away: validation crashes on some.
func (m *mender) hideSelectable() bool {
	found := false
	for _, list := range m.selectableFields() {
		m.selectable = append(m.selectable, *list)
		found = found || len(*list) > 0
		*list = nil
	}
	return found
}

// showSelectable puts them back: without the keywords that are not supported they may be judged after all.
func (m *mender) showSelectable() bool {
	found := m.selectable != nil
	for i, list := range m.selectableFields() {
		if found {
			*list = m.selectable[i]
		}
	}
	m.selectable = nil
	return found
}

func (m *mender) selectableFields() []*[]apiextensions.SelectableField {
	all := []*[]apiextensions.SelectableField{&m.hub.Spec.SelectableFields}
	for i := range m.hub.Spec.Versions {
		all = append(all, &m.hub.Spec.Versions[i].SelectableFields)
	}
	return all
}

// mendSchema corrects one schema. It reports whether the error can have hidden others.
func (m *mender) mendSchema(s *apiextensions.JSONSchemaProps, path string, err *field.Error) bool {
	r := rowOf(err)
	if inBranch().MatchString(path) && (r.section == inLists || forbiddenInBranch[r.name]) {
		return false // the next stage forbids this keyword and others of the branch
	}
	switch r.name {
	case StatusRootType, RootTypeMissing, RootTypeNotObject, MetadataNotObject:
		s.Type = "object"
	case TypeUnknown, TypeNull, EmbeddedOfOtherType, ItemsTypeMissing, FieldTypeMissing:
		m.giveType(s, path)
	case IDSet, AdditionalItemsSet, PatternPropertiesSet, DefinitionsSet, DependenciesSet, RefSet, ItemsArray, PreserveUnknownFalse:
		m.takeUnsupported(s, path)
	case UniqueItems:
		s.UniqueItems = false
	case AdditionalPropertiesBesideProperties, RootAdditionalProperties, EmbeddedAdditionalProperties:
		s.AdditionalProperties = nil
	case RootNullable:
		s.Nullable = false
	case EmbeddedInMetadata, IntOrStringEmbedded:
		s.XEmbeddedResource = false
	case ItemsMissing:
		s.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: anything()}
		m.guessed[path+".items"] = true
	case EmbeddedPropertiesMissing:
		keep := true
		s.XPreserveUnknownFields = &keep
	case IntOrStringPreserving:
		s.XPreserveUnknownFields = nil
	case TypeMetaNotString:
		s.Type = "string"
	case MetadataRestricted:
		*s = apiextensions.JSONSchemaProps{Type: "object"}
	case PatternInvalid:
		s.Pattern = ""
	case JunctorMetadata:
		m.drop(path)
	case DefaultOfMetadata, DefaultOfMetadataValues:
		m.takeDefault(s, path)
	case RuleInvalid:
		return mendRule(s, err)
	default:
		return m.mendSection(s, path, err)
	}
	return true
}

// mendSection corrects one schema for an error that is corrected like all others of its section.
func (m *mender) mendSection(s *apiextensions.JSONSchemaProps, path string, err *field.Error) bool {
	switch rowOf(err).section {
	case inLists:
		m.mendList(s, path, err)
	case inJunctors:
		clearBranch(s)
	case inDefaults:
		m.takeDefault(s, path)
	case ofRules:
		return mendRule(s, err)
	default:
		return false
	}
	return true
}

// forbiddenInBranch are the rows of errors about keywords that are forbidden inside of anyOf, allOf, oneOf and not in
// any case.
var forbiddenInBranch = map[Row]bool{TypeUnknown: true, TypeNull: true, EmbeddedInMetadata: true}

// inBranch finds the paths of schemas inside of anyOf, allOf, oneOf and not, which have no type.
var inBranch = text.Pattern(`\.((any|all|one)Of\[|not(\.|$))`)

// anything is a schema that any rule may use in any way.
func anything() *apiextensions.JSONSchemaProps {
	return &apiextensions.JSONSchemaProps{XIntOrString: true}
}

// giveType writes the type that a schema can only have meant, or makes it take anything.
func (m *mender) giveType(s *apiextensions.JSONSchemaProps, path string) {
	lower := strings.ToLower(s.Type)
	switch {
	case s.Type != lower && slices.Contains([]string{"array", "boolean", "integer", "number", "object", "string"}, lower):
		s.Type = lower
		return
	case s.XEmbeddedResource || len(s.Properties) > 0 || s.AdditionalProperties != nil || s.XMapType != nil:
		s.Type = "object"
	case s.Items != nil || s.XListType != nil:
		s.Type = "array"
	case strings.HasSuffix(path, "openAPIV3Schema"):
		s.Type = "object"
	default:
		s.Type, s.XIntOrString, s.XPreserveUnknownFields = "", true, nil
		m.untold = m.untold || s.Default != nil && !slices.ContainsFunc(m.verdict.Errors, func(err *field.Error) bool {
			return rowOf(err).section == inDefaults && crd.Within(err.Field, path+".default")
		})
		m.takeDefault(s, path)
	}
	m.guessed[path] = true
	if s.Type == "array" && s.Items == nil {
		s.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: anything()}
	}
}

// takeUnsupported removes the keywords of which no structural schema can be made.
func (m *mender) takeUnsupported(s *apiextensions.JSONSchemaProps, path string) bool {
	did := s.ID != "" || s.Schema != "" || s.Ref != nil || s.AdditionalItems != nil || s.PatternProperties != nil ||
		s.Definitions != nil || s.Dependencies != nil
	branch := inBranch().MatchString(path)
	untyped := s.Ref != nil && s.Type == "" && !branch
	s.ID, s.Schema, s.Ref, s.AdditionalItems = "", "", nil, nil
	s.PatternProperties, s.Definitions, s.Dependencies = nil, nil, nil
	if s.Items != nil && s.Items.Schema == nil && branch {
		did = true
		s.Items = nil
	} else if s.Items != nil && s.Items.Schema == nil {
		did = true
		s.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: anything()}
		m.guessed[path+".items"] = true
	}
	if s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields {
		did = true
		s.XPreserveUnknownFields = nil
	}
	if untyped {
		m.giveType(s, path)
	}
	return did
}

// takeAllUnsupported is takeUnsupported for every schema.
func (m *mender) takeAllUnsupported() (did bool) {
	EachRoot(&m.hub.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
		EachSchema(root, at, func(s *apiextensions.JSONSchemaProps, at *field.Path) {
			did = m.takeUnsupported(s, at.String()) || did
		})
	})
	return did
}

// groupAgain corrects the letter case of a map's type, or removes it.
func (m *mender) groupAgain(s *apiextensions.JSONSchemaProps, path string) {
	switch {
	case s.Type == "":
		s.Type = "object"
	case s.XMapType == nil:
	case s.Type == "object" && (strings.EqualFold(*s.XMapType, "atomic") || strings.EqualFold(*s.XMapType, "granular")):
		lower := strings.ToLower(*s.XMapType)
		s.XMapType = &lower
	default:
		s.XMapType = nil
		m.regrouped[path] = true
	}
}

// ungroup makes a list one that is replaced as a whole.
func (m *mender) ungroup(s *apiextensions.JSONSchemaProps, path string) {
	s.XListType, s.XListMapKeys = nil, nil
	m.regrouped[path] = true
}

// drop takes the schema at a path out of the one that holds it.
func (m *mender) drop(path string) {
	object, rest, ok := cutLast(path, ".properties[")
	if !ok || schemaStep(".properties["+rest) != len(".properties["+rest) {
		object, rest, _ = cutLast(path, ".")
	}
	m.thenChange(object, func(s *apiextensions.JSONSchemaProps) {
		delete(s.Properties, strings.TrimSuffix(rest, "]"))
		if rest == "items" {
			s.Items = nil
		}
	})
}

// clearBranch removes the keywords that are forbidden in a branch of anyOf, allOf, oneOf or not.
func clearBranch(s *apiextensions.JSONSchemaProps) {
	s.Type, s.Title, s.Description, s.Nullable, s.Default, s.AdditionalProperties = "", "", "", false, nil, nil
	s.XPreserveUnknownFields, s.XEmbeddedResource, s.XIntOrString = nil, false, false
	s.XListType, s.XListMapKeys, s.XMapType, s.XValidations = nil, nil, nil, nil
}

// mendRule corrects a CEL rule. One that does not compile hides its messageExpression.
func mendRule(s *apiextensions.JSONSchemaProps, err *field.Error) bool {
	i := ruleIndex(err)
	if i >= len(s.XValidations) {
		return false
	}
	rule := &s.XValidations[i]
	switch field := crd.LastField(err.Field); field {
	case "rule":
		hides := rowOf(err).name == RuleMissing || rule.MessageExpression != ""
		rule.Rule, rule.OptionalOldSelf = "true", nil
		return hides
	case "message":
		rule.Message = "message"
	case "messageExpression":
		rule.MessageExpression = ""
	case "reason":
		rule.Reason = nil
	case "fieldPath":
		rule.FieldPath = ""
	}
	return true
}

// ruleIndex is the place in its list of the CEL rule that an error is about.
func ruleIndex(err *field.Error) int {
	_, rest := schemaPath(err.Field)
	index, _, _ := strings.Cut(strings.TrimPrefix(rest, "x-kubernetes-validations["), "]")
	i, _ := strconv.Atoi(index)
	return i
}
