package krm

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
)

// A result is a message about an item, in the form of the ResourceList and as a line of text.
type result struct {
	*framework.Result
	line       string
	item       int // its index
	rule, path string

	converting bool // it is the reason why a CRD was not converted
}

func (f *function) add(it item, severity framework.Severity, rule, path, message string) {
	node := crd.Deref(it.node)
	name := crd.StringAt(node, "metadata", "name")
	r := &framework.Result{Message: message, Severity: severity, Tags: map[string]string{"rule": rule}}
	r.ResourceRef = &yaml.ResourceIdentifier{
		TypeMeta: yaml.TypeMeta{APIVersion: crd.StringAt(node, "apiVersion"), Kind: crd.StringAt(node, "kind")},
		NameMeta: yaml.NameMeta{Name: name},
	}
	var where []string
	if it.path != "" {
		r.File = &framework.File{Path: it.path, Index: it.fileIndex}
		where = append(where, it.path)
	}
	if name != "" {
		where = append(where, name)
	}
	if len(where) == 0 {
		where = append(where, it.position())
	}
	if path != "" {
		r.Field = &framework.Field{Path: path}
		where = append(where, path)
	}
	line := fmt.Sprintf("%s: %s: %s [%s]", strings.Join(where, ": "), severity, message, rule)
	f.results = append(f.results, result{Result: r, line: line, item: it.index, rule: rule, path: path})
}
