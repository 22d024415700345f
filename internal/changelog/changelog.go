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
		field, text := tell(c, change)
		if text == "" {
			continue
		}
		key := [2]string{field, text}
		i, known := index[key]
		if !known {
			i = len(all)
			index[key] = i
			all = append(all, lint.Addition{Field: field, Text: text})
		}
		if v := change.Version; v != "" && !slices.Contains(all[i].Versions, v) {
			all[i].Versions = append(all[i].Versions, v)
		}
	}
	return all
}

func tell(c *compare.Comparison, change *compare.Change) (field, text string) {
	if change.Node == nil {
		return "", outside(c, change)
	}
	if !change.Node.Structural() || c.OldVersion(change.Version) == nil {
		return "", ""
	}
	field = change.Node.Path
	switch s, isSchema := change.New.(*v1.JSONSchemaProps); {
	case change.Field == "properties" && change.Kind == compare.Added && isSchema:
		return member(field, change.Item), "added" + described(s)
	case change.Field == "required" && change.Kind == compare.Removed:
		return member(field, change.Item), "no longer required"
	case change.Effect != compare.Loosens || field == "":
		return "", ""
	}
	return field, looser(change)
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

// outside describes an addition outside of schemas.
func outside(c *compare.Comparison, change *compare.Change) string {
	item := text.Value(change.Item).Brief()
	switch {
	case change.Field == "versions" && change.Kind == compare.Added:
		if v := c.NewVersion(change.Item); v == nil || !v.Served {
			return ""
		}
		return "version added"
	case change.Field == "served" && change.New == true:
		return "served again"
	case change.Field == "deprecated" && change.New == true:
		return "deprecated" + warning(c, change.Version)
	case change.Kind != compare.Added:
		return ""
	case change.Field == "spec.names.shortNames":
		return "short name " + item + " added"
	case change.Field == "spec.names.categories":
		return "category " + item + " added"
	case change.Field == "additionalPrinterColumns":
		return "printer column " + item + " added"
	case change.Field == "selectableFields":
		return "field selector " + item + " added"
	case change.Field == "subresources.scale.specReplicasPath":
		return "scale subresource added"
	}
	return ""
}

func warning(c *compare.Comparison, version string) string {
	v := c.NewVersion(version)
	if v == nil || v.DeprecationWarning == nil || *v.DeprecationWarning == "" {
		return ""
	}
	return ": " + text.OneLine(*v.DeprecationWarning)
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
