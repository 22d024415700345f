package crds

import (
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// A celContext is what upstream compiles and estimates the rules of a schema with.
type celContext struct {
	props *apiextensions.JSONSchemaProps
	at    *validation.CELSchemaContext // nil where upstream looks at no rules
}

// celContexts are those of the schemas that were asked for, and of the schemas around them.
type celContexts map[*crd.Schema]celContext

// of goes the way of ValidateCustomResourceDefinitionOpenAPISchema: down properties, items and additionalProperties.
func (c celContexts) of(s *crd.Schema, root *apiextensions.JSONSchemaProps) celContext {
	if s.Parent == nil {
		if root == nil {
			return celContext{}
		}
		if _, known := c[s]; !known {
			c[s] = celContext{root, validation.RootCELContext(root)}
		}
	}
	if known, ok := c[s]; ok {
		return known
	}
	var own celContext
	if up := c.of(s.Parent, root); up.at != nil {
		own = up.below(s)
	}
	c[s] = own
	return own
}

func (up celContext) below(s *crd.Schema) celContext {
	switch s.Via {
	case "properties":
		if props, ok := up.props.Properties[s.Name]; ok {
			return celContext{&props, up.at.ChildPropertyContext(&props, s.Name)}
		}
	case "items":
		if items := up.props.Items; items != nil && items.Schema != nil {
			return celContext{items.Schema, up.at.ChildItemsContext(items.Schema)}
		}
	case "additionalProperties":
		if more := up.props.AdditionalProperties; more != nil && more.Schema != nil {
			return celContext{more.Schema, up.at.ChildAdditionalPropertiesContext(more.Schema)}
		}
	}
	return celContext{}
}

// compileRules compiles the rules of a schema with what a server has of some release; nil where it does not look at them.
func compileRules(at *validation.CELSchemaContext, release *version.Version) []cel.CompilationResult {
	if at == nil {
		return nil
	}
	info, err := at.TypeInfo()
	if err != nil || info == nil {
		return nil
	}
	compiled, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, environment.MustBaseEnvSet(release), cel.NewExpressionsEnvLoader())
	if err != nil {
		return nil
	}
	return compiled
}
