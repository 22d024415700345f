package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
)

// find resolves the place, or the nearest one above.
func (p place) find() crd.Place {
	at, _ := p.side.crd.Resolve(p.userSteps())
	return at
}

// path is the path of the place, be it there or not.
func (p place) path() string {
	steps := p.userSteps()
	at, complete := p.side.crd.Resolve(steps)
	path := at.Path
	if !complete {
		for _, step := range steps[len(crd.Steps(path)):] {
			path = crd.Member(path, step)
		}
	}
	if p.item != "" {
		if last := steps[len(steps)-1]; crd.IsIndex(last) {
			path = strings.TrimSuffix(path, "["+last+"]")
		}
		path = crd.Under(path, p.item)
	}
	return path
}

// userSteps returns the steps in the user's own layout: parts of a version in v1 may be at the top level of a v1beta1
// manifest.
func (p place) userSteps() []string {
	if p.version == "" {
		return p.side.definitionSteps(p.steps)
	}
	v := p.side.entries[p.version]
	switch {
	case v == nil:
		return []string{"spec", "versions"}
	case p.schema && v.Schema.Node != nil:
		return append(crd.Steps(v.Schema.Path), p.steps...)
	case p.schema || len(p.steps) == 0:
		return crd.Steps(v.At.Path)
	}
	return p.side.versionSteps(v, p.steps)
}

// definitionSteps translates steps of v1 outside of versions.
func (s *side) definitionSteps(steps []string) []string {
	if s.crd.Version != crd.V1 && len(steps) > 2 && steps[0] == "spec" && steps[1] == "conversion" && steps[2] == "webhook" {
		rest := slices.Clone(steps[3:])
		if len(rest) > 0 && rest[0] == "clientConfig" {
			rest[0] = "webhookClientConfig"
		}
		return append([]string{"spec", "conversion"}, rest...)
	}
	return steps
}

// versionSteps translates steps below an entry of spec.versions.
func (s *side) versionSteps(v *crd.APIVersion, steps []string) []string {
	var base crd.Place
	switch steps[0] {
	case "schema":
		base = v.Schema
	case "subresources":
		base = v.Subresources
	case "additionalPrinterColumns":
		base = v.Columns
	case "selectableFields":
		base = v.SelectableFields
	}
	if base.Node == nil {
		if v.At.Path == "spec.version" {
			return []string{"spec", "version"}
		}
		return append(crd.Steps(v.At.Path), steps...)
	}
	rest := slices.Clone(steps[1:])
	if n := len(rest); n > 0 && rest[n-1] == "jsonPath" && steps[0] == "additionalPrinterColumns" {
		rest[n-1] = s.crd.ColumnPathField()
	}
	return append(crd.Steps(base.Path), rest...)
}

func index(i int) string { return strconv.Itoa(i) }

// Where is the version of a change, and the field that it is about: "v1 spec.size", "versions[v1]".
func (c *Change) Where() string {
	path := c.Field
	switch {
	case c.Node == nil && c.Field == "versions":
		return "versions[" + c.Item + "]"
	case c.Node != nil && c.Field == "properties":
		path = strings.TrimPrefix(c.Node.Path+"."+c.Item, ".")
	case c.Node != nil && c.Node.Path != "":
		path = c.Node.Path
	}
	return strings.TrimSpace(c.Version + " " + path)
}
