package crd

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// StablePaths returns a path in the CRD with names in the place of indexes, where the items of the list have names, and
// with what v1beta1 has at the top level where v1 has it: in every version.
func (c *CRD) StablePaths(path string) []string {
	steps := Steps(path)
	at := Place{Node: c.Node}
	named := make([]string, len(steps))
	for i, step := range steps {
		named[i] = step
		next, complete := c.Resolve(steps[:i+1])
		if list := Deref(at.Node); list != nil && list.Kind == yaml.SequenceNode && IsIndex(step) {
			named[i] = "[]"
			if name := StringAt(next.Node, "name"); complete && name != "" {
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
