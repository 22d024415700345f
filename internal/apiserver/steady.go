package apiserver

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Upstream walks through maps, whose order is another one in each process and each time. steady makes the errors of its
// validation of an object the same in each: it sorts them, and chooses again where upstream leaves some out of several.
func steady(errs field.ErrorList, hub *apiextensions.CustomResourceDefinition) field.ErrorList {
	errs = withSteadyShares(errs, hub)
	for i, err := range errs {
		err.Detail = selfType.ReplaceAllString(err.Detail, "self")
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
var selfType = regexp.MustCompile(`selfType\d+`)

// invalidMetadata begins the errors about defaults of metadata, before those of the metadata in a list. See validate of package
// defaulting.
const invalidMetadata = "must result in valid metadata: "

// nextInAggregate finds where one of the errors of a list begins, as field.Error writes it.
var nextInAggregate = regexp.MustCompile(`, (\w[\w.\[\]]*: [A-Z][a-z]+( [a-z]+)?: )`)

// sortedAggregate sorts the errors in the text of an aggregate.
func sortedAggregate(text string) string {
	inside, ok := strings.CutPrefix(text, "[")
	if !ok {
		return text
	}
	parts := strings.Split(nextInAggregate.ReplaceAllString(strings.TrimSuffix(inside, "]"), "\x00$1"), "\x00")
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
