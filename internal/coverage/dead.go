package coverage

import (
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/crdlift/crdlift/internal/request"
)

// dead notes the constraints that no object breaks, and those below a value that is always rejected or empty. Above is why all are;
// "" where they are not.
func (n *node) dead(v *request.Version, above string) {
	if n == nil {
		return
	}
	s := n.schema
	listed := len(s.Enum) > 0 && n.suitsEnum()
	for _, c := range n.constraints {
		why := above
		switch {
		case above != "":
		case c.Value == "0" && strings.HasPrefix(c.Keyword, "min") && c.Keyword != "minimum":
			why = "nothing has fewer than 0"
		case listed && (c.Kind == Bound || c.Kind == Pattern || c.Kind == Format || c.Kind == Junctor):
			why = "each value of the enum fits it"
		case len(s.Enum) > 0 && c.Kind == Rule && c.holds(v, s.Enum):
			why = "it is true for each value of the enum"
		}
		if why != "" {
			if c.deadIn++; c.deadIn == len(c.Versions) {
				c.State, c.Why = Dead, why
			}
		}
	}
	below := func(most *int64, what string) string {
		if above == "" && most != nil && *most == 0 {
			return what
		}
		return above
	}
	n.items.dead(v, below(s.MaxItems, "the list has no items"))
	members := below(s.MaxProperties, "the object has no members")
	n.values.dead(v, members)
	for _, p := range n.properties {
		p.dead(v, members)
	}
}

// suitsEnum reports whether all values of the enum are such as the rest of the schema asks for.
func (n *node) suitsEnum() bool {
	rest := *n.schema
	rest.Enum = nil
	validator, _, err := validation.NewSchemaValidator(&rest)
	return err == nil && !slices.ContainsFunc(n.schema.Enum, func(value apiextensions.JSON) bool { return !validator.Validate(value).IsValid() })
}

// holds reports whether a rule is true for each of some values.
func (c *Constraint) holds(v *request.Version, values []apiextensions.JSON) bool {
	if v == nil {
		return false
	}
	node := v.Ruled(c.SchemaPath)
	if node == nil {
		return false
	}
	rule := node.With(apiextensionsv1.ValidationRule{Rule: c.Value})
	return !slices.ContainsFunc(values, func(value apiextensions.JSON) bool { return rule.RefusesValue(value) })
}
