package coverage

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// A node is a schema outside of junctors, with its constraints.
type node struct {
	schema        *apiextensions.JSONSchemaProps
	constraints   []*Constraint
	properties    map[string]*node
	items, values *node
}

// A tree is the schema of a version.
type tree struct {
	root *node
	by   map[string]*Constraint // by key
}

// key tells the constraints of a schema apart. Detail is the name that is required, or the index of a rule.
func key(path []string, keyword, detail string) string {
	return strings.Join(append(slices.Clone(path), "", keyword, detail), "\x00")
}

// of is the constraint that a cause is about; nil for what is none of the CRD's.
func (t *tree) of(c request.Cause) *Constraint {
	if c.SchemaPath == nil {
		return nil
	}
	path, keyword := outer(c.SchemaPath, c.Keyword)
	detail := ""
	switch {
	case c.Rule >= 0:
		detail = strconv.Itoa(c.Rule)
	case keyword == "required" && len(c.Path) > 0:
		detail = c.Path[len(c.Path)-1].Key
	}
	return t.by[key(path, keyword, detail)]
}

// outer is the place of what a schema says, or of the outermost junctor that it is in.
func outer(path []string, keyword string) ([]string, string) {
	for i := 0; i < len(path); i++ {
		switch {
		case crd.IsJunctor(path[i]):
			return path[:i], path[i]
		case path[i] == "properties":
			i++ // whatever the property is called
		}
	}
	return path, keyword
}

// A reader makes the trees of a CRD's versions, which share the constraints that they have alike.
type reader struct {
	definition *objects.Definition
	version    string
	tree       *tree
	same       map[string]*Constraint
	all        []*Constraint
}

// treeOf reads a version.
func (r *reader) treeOf(version string) *tree {
	r.version, r.tree = version, &tree{by: map[string]*Constraint{}}
	if v, err := apiextensions.GetSchemaForVersion(r.definition.Whole(), version); err == nil && v != nil && v.OpenAPIV3Schema != nil {
		r.tree.root = r.read(v.OpenAPIV3Schema, &Constraint{SchemaPath: []string{}})
	}
	return r.tree
}

// read reads a schema. At has the places that its constraints have.
func (r *reader) read(s *apiextensions.JSONSchemaProps, at *Constraint) *node {
	n := &node{schema: s, properties: map[string]*node{}}
	for _, c := range constraintsOf(s) {
		c.SchemaPath, c.Path, c.Field, c.Versions, c.first = at.SchemaPath, at.Path, at.Field, []string{r.version}, r.version
		detail := c.Property
		if detail != "" {
			c.Field = crd.Member(at.Field, detail)
		}
		if c.Rule >= 0 {
			detail = strconv.Itoa(c.Rule)
		}
		if added := r.add(c, detail); added != nil {
			n.constraints = append(n.constraints, added)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		n.properties[name] = r.read(&property, at.to(request.Key(name), crd.Member(at.Field, name), "properties", name))
	}
	if s.Items != nil && s.Items.Schema != nil {
		n.items = r.read(s.Items.Schema, at.to(request.Index(0), at.Field+"[*]", "items"))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		n.values = r.read(s.AdditionalProperties.Schema, at.to(request.Key(""), at.Field+"[*]", "additionalProperties"))
	}
	return n
}

func (c *Constraint) to(step request.Step, field string, path ...string) *Constraint {
	return &Constraint{SchemaPath: slices.Concat(c.SchemaPath, path), Path: c.Path.To(step), CoveredConstraint: lint.CoveredConstraint{Field: field}}
}

// add adds a constraint, or finds the one that an earlier version has alike. It is nil for one that the program adds which makes the CRD
// of another object: that is not for its author to test.
func (r *reader) add(c *Constraint, detail string) *Constraint {
	known := r.same[c.says()]
	if known == nil || known.first == r.version { // a rule may be there twice
		at, ok := r.definition.Constraint(r.version, c.cause())
		switch {
		case ok:
			c.At = at
		case r.definition.Tree().From != nil:
			return nil
		default:
			c.At = r.definition.Where()
		}
		r.same[c.says()], known = c, c
		r.all = append(r.all, c)
	} else {
		known.Versions = append(known.Versions, r.version)
	}
	r.tree.by[key(c.SchemaPath, c.Keyword, detail)] = known
	return known
}

// says tells constraints apart by what they demand of which values.
func (c *Constraint) says() string { return key(c.SchemaPath, c.Keyword, c.Value) }

// cause is a cause that the constraint is, by which its place is found.
func (c *Constraint) cause() *request.Cause {
	cause := &request.Cause{SchemaPath: c.SchemaPath, Keyword: c.Keyword, Path: c.Path, Rule: c.Rule}
	if c.Property != "" {
		cause.Path = c.Path.To(request.Key(c.Property))
	}
	return cause
}

// newest stands for the newest server: formats are only ever added.
var newest = version.MajorMinor(1, 999)

// checked reports whether a server looks at a format.
func checked(s *apiextensions.JSONSchemaProps) bool {
	switch s.Type {
	case "integer", "number":
		return s.Format == "int32" || s.Format == "int64" || s.Format == "float"
	case "string":
		props := spec.SchemaProps{Type: []string{s.Type}, Format: s.Format}
		return s.Format != "" && len(validation.GetUnrecognizedFormats(&spec.Schema{SchemaProps: props}, newest)) == 0
	}
	return false
}

// constraintsOf are those of a schema itself, without their places.
func constraintsOf(s *apiextensions.JSONSchemaProps) (all []*Constraint) {
	add := func(kind Kind, keyword string, has bool, value any) {
		if has {
			all = append(all, &Constraint{Kind: kind, CoveredConstraint: lint.CoveredConstraint{Kind: string(kind), Keyword: keyword, Value: Shown(value)}, Rule: -1})
		}
	}
	for _, name := range s.Required {
		add(Required, "required", true, name)
		all[len(all)-1].Property = name
	}
	for i, rule := range s.XValidations {
		kind := Rule
		if strings.Contains(rule.Rule, "oldSelf") {
			kind = Transition
		}
		add(kind, "x-kubernetes-validations", true, rule.Rule)
		all[len(all)-1].Rule, all[len(all)-1].optionalOldSelf = i, rule.OptionalOldSelf
	}
	add(Enum, "enum", len(s.Enum) > 0, s.Enum)
	for _, value := range s.Enum {
		all[len(all)-1].Unseen = append(all[len(all)-1].Unseen, Shown(value))
	}
	add(Pattern, "pattern", s.Pattern != "", s.Pattern)
	add(Format, "format", checked(s), s.Format)
	add(Bound, "minimum", s.Minimum != nil, s.Minimum)
	add(Bound, "maximum", s.Maximum != nil, s.Maximum)
	add(Bound, "multipleOf", s.MultipleOf != nil, s.MultipleOf)
	add(Bound, "minLength", s.MinLength != nil, s.MinLength)
	add(Bound, "maxLength", s.MaxLength != nil, s.MaxLength)
	add(Bound, "minItems", s.MinItems != nil, s.MinItems)
	add(Bound, "maxItems", s.MaxItems != nil, s.MaxItems)
	add(Bound, "minProperties", s.MinProperties != nil, s.MinProperties)
	add(Bound, "maxProperties", s.MaxProperties != nil, s.MaxProperties)
	// An int-or-string says no more by the anyOf that it may have.
	add(Junctor, "anyOf", len(s.AnyOf) > 0 && !s.XIntOrString, s.AnyOf)
	add(Junctor, "oneOf", len(s.OneOf) > 0, s.OneOf)
	add(Junctor, "allOf", len(s.AllOf) > 0, s.AllOf)
	add(Junctor, "not", s.Not != nil, s.Not)
	add(ListType, "x-kubernetes-list-type", s.XListType != nil && *s.XListType != "atomic", s.XListType)
	add(Default, "default", s.Default != nil, s.Default)
	return all
}

// Shown is a value as people read it, of what is longer as JSON.
func Shown(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case *string:
		return *value
	}
	raw, _ := json.Marshal(value) // schemas are JSON
	return string(raw)
}

// sort puts constraints in the order of the text.
func sort(all []*Constraint) {
	slices.SortStableFunc(all, func(a, b *Constraint) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
}
