package apiserver

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Upstream walks through maps, whose order is another one in each process and each time. steady makes the errors of its
// validation of an object the same in each: it sorts them, and chooses again where upstream leaves some out of several.
func steady(errs field.ErrorList, hub *apiextensions.CustomResourceDefinition) field.ErrorList {
	errs = withSteadyShares(errs, hub)
	for i, err := range errs {
		err.Detail = selfType().ReplaceAllString(err.Detail, "self")
		switch {
		case err.Type != field.ErrorTypeInvalid || !strings.Contains(err.Field, ".default"):
		case strings.HasPrefix(err.Detail, invalidMetadata):
			err.Detail = invalidMetadata + sortedAggregate(strings.TrimPrefix(err.Detail, invalidMetadata))
		case rowOf(err).name == DefaultTypeMetaUnreadable:
			errs[i] = firstMistyped(err, hub)
		}
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		if c := cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Detail, b.Detail)); c != 0 {
			return c
		}
		return cmp.Compare(fmt.Sprint(a.BadValue), fmt.Sprint(b.BadValue)) // of labels there is one error for each, all alike
	})
	return errs
}

// selfType is what the compiler of rules calls the type of self: another name each time. See generateUniqueSelfTypeName.
var selfType = text.Pattern(`selfType\d+`)

// invalidMetadata begins the errors about defaults of metadata, before those of the metadata in a list. See validate of package
// defaulting.
const invalidMetadata = "must result in valid metadata: "

// nextInAggregate finds where one of the errors of a list begins, as field.Error writes it.
var nextInAggregate = text.Pattern(`, (\w[\w.\[\]]*: [A-Z][a-z]+( [a-z]+)?: )`)

// sortedAggregate sorts the errors in the text of an aggregate.
func sortedAggregate(text string) string {
	inside, ok := strings.CutPrefix(text, "[")
	if !ok {
		return text
	}
	parts := strings.Split(nextInAggregate().ReplaceAllString(strings.TrimSuffix(inside, "]"), "\x00$1"), "\x00")
	slices.Sort(parts)
	return "[" + strings.Join(parts, ", ") + "]"
}

// firstMistyped is the error in an embedded resource that takes the place of one in the same default. Of several, upstream
// reports the one that it comes to first (objectmeta.Coerce).
func firstMistyped(err *field.Error, hub *apiextensions.CustomResourceDefinition) *field.Error {
	first := err
	schema, _ := schemaPath(err.Field)
	(&mender{hub: hub}).change(schema, func(s *apiextensions.JSONSchemaProps) {
		structural, failed := structuralschema.NewStructural(s)
		if failed != nil || s.Default == nil {
			return
		}
		if found := crd.Mistyped(field.NewPath(schema).Child("default"), *s.Default, structural); found != nil {
			first = found
		}
	})
	return first
}

// A Cost is what upstream estimates for a rule.
type Cost struct {
	Max         uint64 // for one value
	Cardinality uint64 // how many values there can be at most where nothing around them bounds their number
	Message     uint64 // for the expression of the message, of which there is one
}

// Times is the cost of a rule at a place, of all its values together. See getExpressionCost.
func (c Cost) Times(at *validation.CELSchemaContext) uint64 {
	times := c.Cardinality
	if at.MaxCardinality != nil {
		times = *at.MaxCardinality
	}
	high, cost := bits.Mul64(c.Max, times)
	if high != 0 {
		return math.MaxUint64
	}
	return cost
}

// costs are those of the rules of the schema at a place, by their index; none where they cannot be compiled.
func costs(at *validation.CELSchemaContext) (all []Cost) {
	info, err := at.TypeInfo()
	if err != nil || info == nil {
		return nil
	}
	rules, _ := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, // whose error says that there are none
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
	for _, r := range rules {
		all = append(all, Cost{r.MaxCost, r.MaxCardinality, r.MessageExpressionMaxCost})
	}
	return all
}

// A Share is what one expression of a validation rule adds to the costs of all rules of a schema.
type Share struct {
	Field string // the path of the expression, as errors have it
	Cost  uint64
}

// toldShares is how many expressions upstream blames for the costs of all of them together, and tinyShare what it does not count
// as one. See TotalCost.ObserveExpressionCost.
const (
	toldShares = 4
	tinyShare  = validation.StaticEstimatedCRDCostLimit / 100
)

// shareDetail begins the errors about them.
const shareDetail = "contributed to estimated rule cost total"

// Shares are those of the schema at a path of upstream's internal type, the dearest first, and of those that cost the same in
// the order of the names on the way to them.
func Shares(hub *apiextensions.CustomResourceDefinition, root string) (all []Share) {
	EachRoot(&hub.Spec, func(s *apiextensions.JSONSchemaProps, at *field.Path) {
		if at.String() == root {
			all = sharesOf(s, at, validation.RootCELContext(s))
		}
	})
	slices.SortStableFunc(all, func(a, b Share) int { return cmp.Compare(b.Cost, a.Cost) })
	return all
}

// sharesOf goes the way of ValidateCustomResourceDefinitionOpenAPISchema, but through properties in the order of their names.
func sharesOf(s *apiextensions.JSONSchemaProps, at *field.Path, in *validation.CELSchemaContext) (all []Share) {
	add := func(expression *field.Path, cost uint64) {
		if cost >= tinyShare {
			all = append(all, Share{expression.String(), cost})
		}
	}
	if len(s.XValidations) > 0 {
		for i, cost := range costs(in) {
			rule := at.Child("x-kubernetes-validations").Index(i)
			add(rule.Child("rule"), cost.Times(in))
			add(rule.Child("messageExpression"), cost.Message)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		member := s.Properties[name]
		all = append(all, sharesOf(&member, at.Child("properties").Key(name), in.ChildPropertyContext(&member, name))...)
	}
	if s.Items != nil && s.Items.Schema != nil {
		all = append(all, sharesOf(s.Items.Schema, at.Child("items"), in.ChildItemsContext(s.Items.Schema))...)
	}
	if more := s.AdditionalProperties; more != nil && more.Schema != nil {
		all = append(all, sharesOf(more.Schema, at.Child("additionalProperties"), in.ChildAdditionalPropertiesContext(more.Schema))...)
	}
	return all
}

// withSteadyShares tells which expressions share in costs that are too high in a way of its own. Of those that cost the same,
// upstream keeps the ones that a walk through maps and a sort that is not stable leave at the front.
func withSteadyShares(errs field.ErrorList, hub *apiextensions.CustomResourceDefinition) field.ErrorList {
	told := map[string]field.ErrorList{} // by schema
	rest := slices.DeleteFunc(slices.Clone(errs), func(err *field.Error) bool {
		const root = "openAPIV3Schema"
		is := strings.HasPrefix(err.Detail, shareDetail)
		if is {
			above, _, _ := strings.Cut(err.Field, root)
			told[above+root] = append(told[above+root], err)
		}
		return is
	})
	for root, some := range told { // steady sorts what comes of them
		if len(some) >= toldShares {
			some = steadyShares(some, Shares(hub, root))
		}
		rest = append(rest, some...)
	}
	return rest
}

// steadyShares are what takes the place of errors about some of the shares of a schema. Upstream has all that cost more than the least
// one; an expression that it does not look at, since there is an error below, costs more and is not among them.
func steadyShares(told field.ErrorList, all []Share) (out field.ErrorList) {
	isTold := func(s Share) bool {
		return slices.ContainsFunc(told, func(err *field.Error) bool { return err.Field == s.Field })
	}
	least := uint64(math.MaxUint64)
	for _, s := range all {
		if isTold(s) {
			least = min(least, s.Cost)
		}
	}
	for _, s := range all {
		if len(out) < toldShares && (s.Cost == least || s.Cost > least && isTold(s)) {
			err := *told[0]
			err.Field = s.Field
			out = append(out, &err)
		}
	}
	return out
}
