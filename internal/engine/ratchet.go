package engine

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// DropKnown drops the findings that an older report has too: of the same rule about the same part of a CRD of that name,
// in whichever file and at whichever index of a list. Of several about one part, as many go as the older report has,
// those first that say what it says; so a finding that tells of fewer things than before is not new. An older finding
// that was ignored does not count. What rules say about the change itself is always new.
func (r *Report) DropKnown(older *Report) {
	type words struct{ name, message string }
	said, known := map[words]int{}, map[string]int{}
	for _, f := range older.Findings {
		if f.Ignored == "" {
			for _, name := range f.names() {
				said[words{name, f.Message}]++
				known[name]++
			}
		}
	}
	drop := func(is func(name string, f *Finding) bool) {
		r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
			name := f.names()[0]
			if f.Rule.NeedsOld || f.Ignored != "" || !is(name, f) {
				return false
			}
			known[name]--
			return true
		})
	}
	drop(func(name string, f *Finding) bool {
		said[words{name, f.Message}]--
		return said[words{name, f.Message}] >= 0
	})
	drop(func(name string, _ *Finding) bool { return known[name] > 0 })
}

// names are those by which a finding is found again: several for what v1beta1 says once for all versions.
func (f *Finding) names() []string {
	names := make([]string, len(f.stable))
	for i, path := range f.stable {
		names[i] = strings.Join([]string{f.Rule.ID, f.Resource, path}, "\x00")
	}
	if len(names) == 0 { // it is of no CRD, or of a part of one
		names = []string{strings.Join([]string{f.Rule.ID, f.Resource, f.At.Path}, "\x00")}
	}
	return names
}

// stablePaths gives a path in a CRD with names in the place of indexes, where the items of the list have names, and
// with what v1beta1 has at the top level where v1 has it: in every version.
func stablePaths(c *crd.CRD, path string) []string {
	steps := crd.Steps(path)
	at := crd.Place{Node: c.Node}
	named := make([]string, len(steps))
	for i, step := range steps {
		named[i] = step
		next, complete := c.Resolve(steps[:i+1])
		if list := crd.Deref(at.Node); list != nil && list.Kind == yaml.SequenceNode && crd.IsIndex(step) {
			named[i] = "[]"
			if name := crd.StringAt(next.Node, "name"); complete && name != "" {
				named[i] = "[" + name + "]"
			}
		}
		at = next
	}
	if len(named) < 2 || named[0] != "spec" {
		return []string{strings.Join(named, "\x01")}
	}
	var inVersion []string
	switch named[1] {
	case "validation":
		inVersion = append([]string{"schema"}, named[2:]...)
	case "subresources", "additionalPrinterColumns", "selectableFields":
		inVersion = named[1:]
	case "versions":
		return []string{oneSpelling(named)}
	default:
		return []string{strings.Join(named, "\x01")}
	}
	var paths []string
	for _, v := range c.Versions() {
		paths = append(paths, oneSpelling(append([]string{"spec", "versions", "[" + v.Name + "]"}, inVersion...)))
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
