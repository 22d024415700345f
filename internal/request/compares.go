package request

import (
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// comparing reports whether a rule at or below a schema may have oldSelf in it.
func comparing(s *structuralschema.Structural) (found bool) {
	if s == nil {
		return false
	}
	visitor := structuralschema.Visitor{Structural: func(s *structuralschema.Structural) bool {
		for _, rule := range s.XValidations {
			found = found || strings.Contains(rule.Rule, "oldSelf")
		}
		return false
	}}
	visitor.Visit(s.DeepCopy()) // it writes into maps
	return found
}
