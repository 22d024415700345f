package crd

import (
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Place is a node of a manifest with its path as the user wrote it.
type Place struct {
	Node *yaml.Node
	Path string // "spec.versions[0].schema.openAPIV3Schema.properties[spec]"; "" for the CRD itself
}

// At is the place of the value that a mapping has for a key; of the mapping itself where it has none.
func (p Place) At(key string) Place {
	if k, v := Lookup(p.Node, key); k != nil {
		return Place{v, Join(p.Path, key)}
	}
	return p
}

// KeyOf is the place of a key of a mapping, where the whole entry is meant; of the mapping itself where it has no such
// key.
func (p Place) KeyOf(key string) Place {
	if k, _ := Lookup(p.Node, key); k != nil {
		return Place{k, Join(p.Path, key)}
	}
	return p
}

// Items are the places of the items of a list.
func (p Place) Items() []Place {
	var all []Place
	for i, n := range Items(p.Node) {
		all = append(all, Place{n, Item(p.Path, i)})
	}
	return all
}

// Join appends a field to a path. A name that is not that of a possible field of the API is put in brackets, like map
// keys.
func Join(path, field string) string {
	switch {
	case strings.ContainsAny(field, ".["):
		return Under(path, field)
	case path == "":
		return field
	}
	return path + "." + field
}

// Under appends a map key to a path: "properties[spec]".
func Under(path, key string) string { return path + "[" + key + "]" }

// Item appends an index to a path: "spec.versions[0]".
func Item(path string, i int) string { return Under(path, strconv.Itoa(i)) }

// Member appends the key of a mapping to its path: as a map key where authors choose the keys, otherwise as a field.
func Member(path, key string) string {
	if isKeyed(path) {
		return Under(path, key)
	}
	return Join(path, key)
}

// keyed are the fields whose members are named by the author, and written in brackets in a path.
var keyed = map[string]bool{
	"properties": true, "patternProperties": true, "definitions": true, "dependencies": true,
	"labels": true, "annotations": true,
}

// isKeyed reports whether the members of the mapping at a path are named by the author.
func isKeyed(path string) bool { return keyed[path[strings.LastIndexByte(path, '.')+1:]] }

// Steps splits a path into fields, keys and indexes: "a.b[c][0]" is a, b, c, 0. Brackets may hold dots and brackets
// that match.
func Steps(path string) []string {
	var steps []string
	for path != "" {
		if path[0] == '[' {
			end := Brackets(path)
			if end == 0 {
				return append(steps, path[1:])
			}
			steps = append(steps, path[1:end-1])
			path = strings.TrimPrefix(path[end:], ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		steps = append(steps, path[:end])
		path = strings.TrimPrefix(path[end:], ".")
	}
	return steps
}

// Brackets is the length of the brackets, with all between them, that a path begins with; 0 where none close.
func Brackets(path string) int {
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		switch {
		case depth == 0 && i == 0:
			return 0
		case depth == 0:
			return i + 1
		}
	}
	return 0
}

// Above splits a path into that of what holds the value, and its key there: an index counts as a part of the key's value, so
// that "spec.names.shortNames[0]" has the key "shortNames" in "spec.names".
func Above(path string) (parent, key string) {
	steps := Steps(path)
	for len(steps) > 1 && IsIndex(steps[len(steps)-1]) && strings.HasSuffix(path, "["+steps[len(steps)-1]+"]") {
		path = strings.TrimSuffix(path, "["+steps[len(steps)-1]+"]")
		steps = steps[:len(steps)-1]
	}
	if len(steps) == 0 {
		return "", ""
	}
	key = steps[len(steps)-1]
	if rest, ok := strings.CutSuffix(path, "["+key+"]"); ok {
		return rest, key
	}
	return strings.TrimSuffix(strings.TrimSuffix(path, key), "."), key
}

// LastField is the last field or key of a path, without indexes after it: "shortNames" for spec.names.shortNames[0].
func LastField(path string) string {
	_, key := Above(path)
	return key
}

// IsIndex reports whether a step of a path may be an index.
func IsIndex(step string) bool { return step != "" && strings.Trim(step, "0123456789") == "" }

// Resolve follows steps from the CRD until one leads to no node. The place is the last node on the way: the value, and
// its key's entry when the value is null. Complete is false when steps were left over.
func (c *CRD) Resolve(steps []string) (place Place, complete bool) {
	at, named := c.Node, false // whether authors choose the keys of at
	var path strings.Builder   // schemas may be nested a thousand deep: it is written once
	for _, step := range steps {
		below := c.index.below(at, step)
		if below == nil {
			return Place{at, path.String()}, false
		}
		isItem := Deref(at).Kind == yaml.SequenceNode
		at = below
		switch {
		case isItem || named || strings.ContainsAny(step, ".["):
			path.WriteString("[" + step + "]")
		case path.Len() > 0:
			path.WriteString("." + step)
		default:
			path.WriteString(step)
		}
		named = !isItem && !named && isKeyed(step)
	}
	return Place{at, path.String()}, true
}

// Locate finds the node that upstream means by a path of its internal type, which has the shape of v1beta1: a schema
// that all versions share is at spec.validation there whatever the manifest says. The path may be any that upstream's
// validation or strict decoding reports. For a missing node it returns the nearest one above.
func (c *CRD) Locate(path string) Place {
	place, _ := c.Resolve(c.userSteps(Steps(path)))
	return place
}

// userSteps translates steps of the internal type to steps of the manifest.
func (c *CRD) userSteps(steps []string) []string {
	if len(steps) > 1 && steps[0] == "status" && steps[1] == "storedVersions" {
		return []string{"spec", "versions"} // servers take it from there; a status in the manifest is dropped
	}
	if len(steps) < 2 || steps[0] != "spec" {
		return steps
	}
	rest := steps[2:]
	if steps[1] == "versions" && Get(c.Node, "spec", "versions") == nil && len(rest) > 1 && rest[1] == "name" {
		return []string{"spec", "version"}
	}
	if c.Version != V1 {
		return steps
	}
	if inVersion := topLevel[steps[1]]; inVersion != "" {
		return c.userSteps(append([]string{"spec", "versions", "0", inVersion}, rest...))
	}
	switch steps[1] {
	case "version":
		return []string{"spec", "versions", "0", "name"}
	case "versions":
		if n := len(steps); n > 4 && steps[3] == "additionalPrinterColumns" && steps[n-1] == "JSONPath" {
			return append(append([]string{}, steps[:n-1]...), "jsonPath")
		}
	case "conversion":
		if len(rest) > 0 && rest[0] == "webhookClientConfig" {
			return append([]string{"spec", "conversion", "webhook", "clientConfig"}, rest[1:]...)
		}
		if len(rest) > 0 && rest[0] == "conversionReviewVersions" {
			return append([]string{"spec", "conversion", "webhook"}, rest...)
		}
	}
	return steps
}

// LocateExactly is Locate; complete reports whether the node is the one the path means rather than one above it.
func (c *CRD) LocateExactly(path string) (place Place, complete bool) {
	return c.Resolve(c.userSteps(Steps(path)))
}
