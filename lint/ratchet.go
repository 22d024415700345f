package lint

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// DropKnown drops the findings that an older report has too: the same rule says the same of the same part of a CRD of
// that name, in whichever file and at whichever index of a list. What several findings have in common counts as often
// as the older report has it. An older finding that was ignored does not count. What rules say about the change itself
// is always new.
func (r *Report) DropKnown(older *Report) {
	known := map[string]int{}
	for _, f := range older.Findings {
		if f.Ignored == "" {
			for _, key := range f.names() {
				known[key]++
			}
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
		if f.Rule.NeedsOld || f.Ignored != "" {
			return false
		}
		key := f.names()[0]
		known[key]--
		return known[key] >= 0
	})
}

// moving is what changes in a path or message though the finding stays the same: indexes of lists, positions, and, where
// v1beta1 says something once for all versions, the version it is said of. The path has that one by name.
var moving = regexp.MustCompile(`\[\d+\]|:\d+(:\d+)?\b|\bversion "[^"]*"`)

// names are those by which a finding is found again; several for what v1beta1 says once for all versions.
func (f *Finding) names() []string {
	paths := f.stable
	if len(paths) == 0 {
		paths = []string{moving.ReplaceAllString(f.At.Path, "")}
	}
	var keys []string
	for _, path := range paths {
		keys = append(keys, strings.Join([]string{f.Rule.ID, f.Resource, path, moving.ReplaceAllString(f.Message, "")}, "\x00"))
	}
	return keys
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
		if list := crd.Deref(at.Node); list != nil && list.Kind == yaml.SequenceNode && isIndex(step) {
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

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}
