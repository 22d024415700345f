package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A FileError is one thing that is wrong with a configuration or baseline file.
type FileError struct {
	Path         string
	Line, Column int // from 1
	Message      string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// A strictReader reads a file of crdlift's own: what it does not know is an error, and it notes all errors there are.
type strictReader struct {
	document *manifest.Document
	errors   []*FileError
}

// A member is a key of a mapping, and what to do with its value.
type member struct {
	name string
	read func(*yaml.Node)
}

// readStrictly reads the one document of a file, whose root is a mapping. A file without content is fine.
func readStrictly(path string, src []byte, members func(*strictReader) []member) error {
	r := &strictReader{}
	f := manifest.Parse(path, src)
	var full []*manifest.Document
	for _, d := range f.Documents {
		if d.Err != nil {
			r.errors = append(r.errors, &FileError{path, d.Err.Line, d.Err.Column, text.OneLine(d.Err.Message)})
		} else if d.Root != nil && !crd.IsNull(d.Root.YNode()) {
			full = append(full, d)
		}
	}
	if len(r.errors) == 0 && len(full) > 0 {
		r.document = full[0]
		r.mapping(full[0].Root.YNode(), "the file", members(r))
		for _, d := range full[1:] {
			r.document = d
			r.fail(d.Root.YNode(), "a second document; the file may only have one")
		}
	}
	return r.err()
}

// err is all errors in the order of the text, nil when there are none.
func (r *strictReader) err() error {
	slices.SortStableFunc(r.errors, func(a, b *FileError) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	all := make([]error, len(r.errors))
	for i, e := range r.errors {
		all[i] = e
	}
	return errors.Join(all...)
}

func (r *strictReader) fail(n *yaml.Node, format string, args ...any) {
	line, column := r.document.Begin(n)
	r.errors = append(r.errors, &FileError{r.document.File.Path, line, column, text.OneLine(fmt.Sprintf(format, args...))})
}

// entries calls visit for every key of a mapping that is a name and stands there once.
func (r *strictReader) entries(n *yaml.Node, what string, visit func(key *yaml.Node, name string, value *yaml.Node)) {
	n = crd.Deref(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s must be a mapping, not %s", what, kind(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := crd.Deref(n.Content[i])
		_, scalar := yaml11.Resolve(key)
		name := key.Value
		switch {
		case yaml11.IsMerge(n.Content[i]):
			r.fail(n.Content[i], "merge keys are not read here; write the entries out")
		case key.Kind != yaml.ScalarNode || scalar == nil:
			r.fail(n.Content[i], "a key must be a name, not %s", kind(key))
		case seen[name]:
			r.fail(n.Content[i], "%q stands here twice", name)
		default:
			seen[name] = true
			visit(n.Content[i], name, n.Content[i+1])
		}
	}
}

// mapping reads a mapping whose keys are known. One without a value counts as absent.
func (r *strictReader) mapping(n *yaml.Node, what string, members []member) {
	var names []string
	for _, f := range members {
		names = append(names, f.name)
	}
	r.entries(n, what, func(key *yaml.Node, name string, value *yaml.Node) {
		if i := slices.Index(names, name); i < 0 {
			r.fail(key, "unknown key %s; known here: %s", text.Misspelt(name, names), strings.Join(names, ", "))
		} else if value = crd.Deref(value); !crd.IsNull(value) {
			members[i].read(value)
		}
	})
}

// kind is what a node is, in words.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch k, _ := yaml11.Resolve(n); k {
	case yaml11.Null:
		return "null"
	case yaml11.String:
		return "a string"
	case yaml11.Bool:
		return fmt.Sprintf("the boolean %s", n.Value)
	case yaml11.Int, yaml11.Float:
		return fmt.Sprintf("the number %s", n.Value)
	}
	return "a value that does not fit its tag"
}

// list calls visit for every item of a list.
func (r *strictReader) list(n *yaml.Node, what string, visit func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "%s must be a list, not %s", what, kind(n))
		return
	}
	for _, item := range n.Content {
		visit(crd.Deref(item))
	}
}

// text reads a string that is not empty.
func (r *strictReader) text(n *yaml.Node, what string) string {
	if n.Kind == yaml.ScalarNode {
		if k, v := yaml11.Resolve(n); k == yaml11.String {
			if v == "" {
				r.fail(n, "%s is empty", what)
			}
			return v.(string)
		}
	}
	r.fail(n, "%s must be a string, not %s", what, kind(n))
	return ""
}

// word reads one of several words.
func (r *strictReader) word(n *yaml.Node, what string, known ...string) string {
	if n.Kind == yaml.ScalarNode && slices.Contains(known, n.Value) {
		return n.Value
	}
	if n.Kind != yaml.ScalarNode {
		r.fail(n, "%s must be one of %s, not %s", what, strings.Join(known, ", "), kind(n))
	} else {
		r.fail(n, "%s", text.NotOneOf(what, n.Value, known))
	}
	return ""
}

// flag reads a boolean, as YAML 1.1 has them.
func (r *strictReader) flag(n *yaml.Node, what string) bool {
	if n.Kind == yaml.ScalarNode {
		if k, v := yaml11.Resolve(n); k == yaml11.Bool {
			return v.(bool)
		}
	}
	r.fail(n, "%s must be true or false, not %s", what, kind(n))
	return false
}
