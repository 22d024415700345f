package crd

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An APIVersion is one version of the custom resource that a CRD defines, with what belongs to it wherever the user
// wrote it: in the version, or, in v1beta1, at the top level for all of them. The Node of a Place is nil for a missing
// part.
type APIVersion struct {
	Name                        string
	Index                       int   // in spec.versions
	At                          Place // the entry of spec.versions; spec.version where that is all there is
	Served, Storage, Deprecated bool
	Schema                      Place // the value of openAPIV3Schema
	Subresources                Place
	Columns                     Place // additionalPrinterColumns
	SelectableFields            Place

	root *Schema // of Schema
}

// Root is the version's schema; nil when it has none.
func (v APIVersion) Root() *Schema { return v.root }

// Frozen returns the CRD for use by one goroutine while it does not change: frequent queries are cached, and decoded
// objects must not be modified.
func (c *CRD) Frozen() *CRD {
	if c.index != nil {
		return c
	}
	frozen := &CRD{Node: c.Node, Version: c.Version, List: c.List, From: c.From, index: &Index{}, roots: map[string]*Schema{}}
	frozen.decoded = sync.OnceValues(frozen.decode)
	return frozen
}

// Versions lists the versions of a CRD in the order of the text.
func (c *CRD) Versions() []APIVersion { return slices.Clone(c.sharedVersions()) } // callers sort and filter it

// sharedVersions are Versions, for those who only look: a clone for each finding of as many versions is quadratic.
func (c *CRD) sharedVersions() []APIVersion {
	if c.index == nil {
		return c.findVersions()
	}
	if c.versions == nil {
		c.versions = c.findVersions()
	}
	return c.versions
}

// VersionsAt returns the names of the versions that a path belongs to: the one whose entry contains it, or all of them in
// v1beta1. It returns none for a path that belongs to the resource as a whole.
func (c *CRD) VersionsAt(path string) (names []string) {
	steps := Steps(path)
	if len(steps) < 2 || steps[0] != "spec" || topLevel[steps[1]] == "" && (steps[1] != "versions" || len(steps) < 3) {
		return nil
	}
	versions := c.sharedVersions()
	if steps[1] == "versions" {
		i, err := strconv.Atoi(steps[2])
		if err != nil || i < 0 || i >= len(versions) {
			return nil
		}
		versions = versions[i : i+1]
	}
	for i := range versions {
		names = append(names, versions[i].Name)
	}
	return names
}

func (c *CRD) findVersions() []APIVersion {
	entries := Items(Get(c.Node, "spec", "versions"))
	if len(entries) == 0 {
		name, complete := c.Resolve([]string{"spec", "version"})
		if !complete || c.Version != V1beta1 || StringAt(name.Node) == "" {
			return nil
		}
		v := APIVersion{Name: StringAt(name.Node), At: name, Served: true, Storage: true}
		c.fill(&v, nil)
		return []APIVersion{v}
	}
	var all []APIVersion
	var shared *Schema // of the top level: versions that share a schema share its cache
	for i, n := range entries {
		steps := []string{"spec", "versions", strconv.Itoa(i)}
		v := APIVersion{Name: StringAt(n, "name"), Index: i, At: Place{n, Item("spec.versions", i)}}
		v.Served, _ = BoolAt(n, "served")
		v.Storage, _ = BoolAt(n, "storage")
		v.Deprecated, _ = BoolAt(n, "deprecated")
		c.fill(&v, steps)
		if v.root != nil && v.Schema.Path == topLevelSchema {
			shared = cmp.Or(shared, v.root)
			v.root = shared
		}
		all = append(all, v)
	}
	return all
}

// VersionNamed is the version of a name, or nil.
func (c *CRD) VersionNamed(name string) *APIVersion {
	versions := c.sharedVersions()
	if i := slices.IndexFunc(versions, func(v APIVersion) bool { return v.Name == name }); i >= 0 {
		return new(versions[i])
	}
	return nil
}

// Schemas walks through the schemas of all versions as Schema.All does, those that versions share once.
func (c *CRD) Schemas() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		seen := map[string]bool{}
		for _, v := range c.sharedVersions() {
			if seen[v.Schema.Path] {
				continue
			}
			seen[v.Schema.Path] = true
			for s := range v.Root().All() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// topLevel are the fields of spec that v1beta1 has for all versions, each with the name that it has in a version.
var topLevel = map[string]string{
	"validation": "schema", "subresources": "subresources", "additionalPrinterColumns": "additionalPrinterColumns",
	"selectableFields": "selectableFields",
}

// topLevelSchema is where v1beta1 has the schema of all versions.
const topLevelSchema = "spec.validation.openAPIV3Schema"

// fill finds the parts of a version: in its entry, whose steps are given, or else at the top level.
func (c *CRD) fill(v *APIVersion, entry []string) {
	find := func(perVersion, top []string) Place {
		if entry != nil {
			if at, complete := c.Resolve(append(entry[:3:3], perVersion...)); complete && !IsNull(at.Node) {
				return at
			}
		}
		if at, complete := c.Resolve(append([]string{"spec"}, top...)); complete && c.Version != V1 && !IsNull(at.Node) {
			return at
		}
		return Place{}
	}
	v.Schema = find([]string{"schema", "openAPIV3Schema"}, []string{"validation", "openAPIV3Schema"})
	v.root = RootSchema(v.Schema, c.index)
	v.Subresources = find([]string{"subresources"}, []string{"subresources"})
	v.Columns = find([]string{"additionalPrinterColumns"}, []string{"additionalPrinterColumns"})
	v.SelectableFields = find([]string{"selectableFields"}, []string{"selectableFields"})
}

// ColumnPathField is the name that the CRD's API version has for a printer column's JSON path.
func (c *CRD) ColumnPathField() string {
	if c.Version == V1 {
		return "jsonPath"
	}
	return "JSONPath"
}

// StablePaths returns a path in the CRD with names in the place of indexes, where the items of the list have names, and
// with what v1beta1 has at the top level where v1 has it: in every version.
func (c *CRD) StablePaths(path string) []string {
	steps := Steps(path)
	at, complete := c.Node, true
	named := make([]string, len(steps))
	for i, step := range steps { // schemas may be nested a thousand deep: they are walked once
		named[i] = step
		var next *yaml.Node
		if complete {
			next = c.index.below(at, step)
		}
		if list := Deref(at); list != nil && list.Kind == yaml.SequenceNode && IsIndex(step) {
			named[i] = "[]"
			if name := StringAt(next, "name"); name != "" {
				named[i] = "[" + name + "]"
			}
		}
		if complete = next != nil; complete {
			at = next
		}
	}
	var paths []string
	if len(named) > 1 && named[0] == "spec" {
		if named[1] == "versions" {
			return []string{oneSpelling(named)}
		}
		if inVersion := topLevel[named[1]]; inVersion != "" {
			for _, v := range c.Versions() {
				paths = append(paths, oneSpelling(append([]string{"spec", "versions", "[" + v.Name + "]", inVersion}, named[2:]...)))
			}
		}
	}
	return append(paths, strings.Join(named, "\x01"))
}

// oneSpelling joins the steps of a path; v1beta1 calls a printer column's path JSONPath, v1 jsonPath.
func oneSpelling(steps []string) string {
	if last := len(steps) - 1; steps[last] == "JSONPath" {
		steps[last] = "jsonPath"
	}
	return strings.Join(steps, "\x01")
}
