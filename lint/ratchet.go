package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/wording"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// DropKnown drops the findings that an older report has too: the same rule says the same of the same part of a CRD of
// that name, in whichever file and at whichever index of a list. What several findings have in common counts as often
// as the older report has it; of a finding about several places, the new ones stay. An older finding that was ignored
// does not count. What rules say about the change itself is always new.
func (r *Report) DropKnown(older *Report) {
	known := map[string]int{}
	for _, f := range older.Findings {
		if f.Ignored == "" {
			for _, key := range f.names() {
				known[key]++
			}
		}
	}
	has := func(key string) bool {
		known[key]--
		return known[key] >= 0
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
		switch {
		case f.Rule.NeedsOld || f.Ignored != "":
			return false
		case len(f.each) > 0:
			return f.leaveOut(has)
		}
		return has(f.nameAt(f.paths()[0]))
	})
}

// leaveOut leaves out the places of a finding that are known, and says whether that is all of them.
func (f *Finding) leaveOut(known func(key string) bool) bool {
	var left []int
	for i, one := range f.each {
		if !known(f.nameOf(one.paths()[0])) {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return true
	}
	if len(left) < len(f.each) {
		first := f.each[left[0]]
		f.At, f.Pos, f.Excerpt, f.From = first.At, first.Pos, first.Excerpt, first.From
		f.Message = wording.OneLine(f.tell(left))
	}
	return false
}

// moving is what changes in a path or message though the finding stays the same: indexes of lists, positions, and, where
// v1beta1 says something once for all versions, the version it is said of. The path has that one by name.
var moving = regexp.MustCompile(`\[\d+\]|:\d+(:\d+)?\b|\bversion "[^"]*"`)

// names are those by which a finding is found again; several for what v1beta1 says once for all versions, and for one
// about several places.
func (f *Finding) names() []string {
	var all []string
	for _, one := range f.each {
		for _, path := range one.paths() {
			all = append(all, f.nameOf(path))
		}
	}
	if len(f.each) == 0 {
		for _, path := range f.paths() {
			all = append(all, f.nameAt(path))
		}
	}
	return all
}

// nameAt names a finding by what it says of a path, nameOf by saying something of it.
func (f *Finding) nameAt(path string) string {
	return f.nameOf(path) + "\x00" + moving.ReplaceAllString(f.Message, "")
}

func (f *Finding) nameOf(path string) string {
	return strings.Join([]string{f.Rule.ID, f.Resource, path}, "\x00")
}

func (f *Finding) paths() []string {
	if len(f.stable) == 0 {
		return []string{moving.ReplaceAllString(f.At.Path, "")}
	}
	return f.stable
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
