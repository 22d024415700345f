// Package changelog lists the additions of a change for the users of an API: versions, fields and values that they may
// use now. Removals are the subject of the linter's rules.
package changelog

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Of lists the additions of a comparison, in the order of the changes. The same in several versions is one addition.
// Versions that are not served do not count.
func Of(c *compare.Comparison) []lint.Addition {
	var all []lint.Addition
	index := map[[2]string]int{}
	for _, change := range c.Changes {
		if v := c.NewVersion(change.Version); v != nil && !v.Served {
			continue
		}
		a := additionOf(c, change)
		if a.Text == "" {
			continue
		}
		key := [2]string{a.Field, a.Text}
		i, known := index[key]
		if !known {
			i = len(all)
			index[key] = i
			all = append(all, a)
		}
		if v := change.Version; v != "" && !slices.Contains(all[i].Versions, v) {
			all[i].Versions = append(all[i].Versions, v)
		}
	}
	return all
}

// additionOf is what a change adds; it has no text where that is nothing.
func additionOf(c *compare.Comparison, change *compare.Change) lint.Addition {
	if change.Node == nil {
		return outside(c, change)
	}
	if !change.Node.Structural() || c.OldVersion(change.Version) == nil {
		return lint.Addition{}
	}
	field := change.Node.Path
	switch s, isSchema := change.New.(*v1.JSONSchemaProps); {
	case change.Field == "properties" && change.Kind == compare.Added && isSchema:
		return lint.Addition{Kind: lint.Added, Field: member(field, change.Item), Text: "added" + described(s)}
	case change.Field == "required" && change.Kind == compare.Removed:
		return lint.Addition{Kind: lint.Optional, Field: member(field, change.Item), Text: "no longer required"}
	case change.Effect != compare.Loosens || field == "":
		return lint.Addition{}
	}
	return lint.Addition{Kind: lint.Loosened, Field: field, Text: looser(change)}
}

// looser returns how a keyword lets more through than before; "" for keywords that no user thinks of.
func looser(change *compare.Change) string {
	switch change.Field {
	case "enum":
		if change.Kind == compare.Removed {
			return "takes any value now"
		}
		return "" // a rule reports new values
	case "nullable":
		return "may be null now"
	case "x-kubernetes-validations":
		if change.Kind == compare.Changed {
			return "" // a rule reports it
		}
		return "no longer has the rule " + text.Quoted(text.OneLine(change.Item)).Brief()
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "maxLength", "minLength", "pattern",
		"maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "format":
		if change.New == nil || change.New == false {
			return change.Field + " removed"
		}
		if was, is, ok := change.Limits(); ok {
			return fmt.Sprintf("has to be %s now (was %s)", is, was)
		}
		return fmt.Sprintf("%s changed from %s to %s", change.Field, value(change.Old), value(change.New))
	}
	return ""
}

// outside is an addition outside of schemas.
func outside(c *compare.Comparison, change *compare.Change) lint.Addition {
	v := c.NewVersion(change.Version)
	switch {
	case change.Field == "versions" && change.Kind == compare.Added:
		if v := c.NewVersion(change.Item); v == nil || !v.Served {
			return lint.Addition{}
		}
		return lint.Addition{Kind: lint.VersionAdded, Text: "version added"}
	case change.Field == "served" && change.New == true:
		return lint.Addition{Kind: lint.ServedAgain, Text: "served again"}
	case change.Field == "deprecated" && change.New == true && v != nil && v.DeprecationWarning != nil && *v.DeprecationWarning != "":
		warning := text.OneLine(*v.DeprecationWarning)
		return lint.Addition{Kind: lint.NowDeprecated, Text: "deprecated: " + warning, Warning: warning}
	case change.Field == "deprecated" && change.New == true:
		return lint.Addition{Kind: lint.NowDeprecated, Text: "deprecated"}
	case change.Kind != compare.Added:
		return lint.Addition{}
	case change.Field == "subresources.scale.specReplicasPath":
		return lint.Addition{Kind: lint.Added, Text: "scale subresource added"}
	}
	if what := named[change.Field]; what != "" {
		return lint.Addition{Kind: lint.Added, Text: what + " " + text.Value(change.Item).Brief() + " added"}
	}
	return lint.Addition{}
}

// named are the lists whose items users know by their names.
var named = map[string]string{
	"spec.names.shortNames": "short name", "spec.names.categories": "category",
	"additionalPrinterColumns": "printer column", "selectableFields": "field selector",
}

// described is the type of a field, and the first sentence about it.
func described(s *v1.JSONSchemaProps) string {
	known := " (" + compare.TypeName(s) + ")"
	description := text.OneLine(s.Description)
	if sentence, _, more := strings.Cut(description, ". "); more {
		description = sentence + "."
	}
	if description != "" {
		known += ": " + text.Description(description)
	}
	return known
}

func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func value(v any) string {
	if s, ok := v.(string); ok {
		return text.Quoted(s).Brief()
	}
	if v == nil {
		return "none"
	}
	return fmt.Sprint(v)
}
