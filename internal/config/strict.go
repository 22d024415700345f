package config

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
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Reader reads one of crdlift's own files: an unknown key or value is an error at its line, and one run reports all errors.
type Reader struct {
	document *manifest.Document
	errors   []*lint.FileError
}

// A Member is a key of a mapping, and what to do with its value.
type Member struct {
	Name string
	Read func(*yaml.Node)
}

// Key returns a member.
func Key(name string, read func(*yaml.Node)) Member { return Member{name, read} }

// ReadStrictly reads the one document of a file, whose root is a mapping. A file without content is fine.
func ReadStrictly(path string, src []byte, members func(*Reader) []Member) error {
	r := &Reader{}
	f := manifest.Parse(path, src)
	var full []*manifest.Document
	for _, d := range f.Documents {
		if d.Err != nil {
			r.errors = append(r.errors, &lint.FileError{Path: path, Line: d.Err.Line, Column: d.Err.Column, Message: text.OneLine(d.Err.Message)})
		} else if d.Root != nil && !crd.IsNull(d.Root.YNode()) {
			full = append(full, d)
		}
	}
	if len(r.errors) == 0 && len(full) > 0 {
		r.document = full[0]
		r.Mapping(full[0].Root.YNode(), "the file", members(r))
		for _, d := range full[1:] {
			r.document = d
			r.Fail(d.Root.YNode(), "a second document; the file may only have one")
		}
	}
	return r.err()
}

// Document is the document that is read.
func (r *Reader) Document() *manifest.Document { return r.document }

// Errors counts the errors so far.
func (r *Reader) Errors() int { return len(r.errors) }

// err is all errors in the order of the text, nil when there are none.
func (r *Reader) err() error {
	slices.SortStableFunc(r.errors, func(a, b *lint.FileError) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	all := make([]error, len(r.errors))
	for i, e := range r.errors {
		all[i] = e
	}
	return errors.Join(all...)
}

// Fail adds an error at a node.
func (r *Reader) Fail(n *yaml.Node, format string, args ...any) {
	line, column := r.document.Begin(n)
	r.errors = append(r.errors, &lint.FileError{
		Path: r.document.File.Path, Line: line, Column: column, Message: text.OneLine(fmt.Sprintf(format, args...)),
	})
}

// Entries calls visit for every key of a mapping that is a name and is not a duplicate.
func (r *Reader) Entries(n *yaml.Node, what string, visit func(key *yaml.Node, name string, value *yaml.Node)) {
	n = crd.Deref(n)
	if n.Kind != yaml.MappingNode {
		r.Fail(n, "%s must be a mapping, not %s", what, Kind(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := crd.Deref(n.Content[i])
		_, scalar := yaml11.Resolve(key)
		name := key.Value
		switch {
		case yaml11.IsMerge(n.Content[i]):
			r.Fail(n.Content[i], "merge keys are not read here; write the entries out")
		case key.Kind != yaml.ScalarNode || scalar == nil:
			r.Fail(n.Content[i], "a key must be a name, not %s", Kind(key))
		case seen[name]:
			r.Fail(n.Content[i], "%q is repeated here", name)
		default:
			seen[name] = true
			visit(n.Content[i], name, n.Content[i+1])
		}
	}
}

// Mapping reads a mapping whose keys are known. One without a value counts as absent.
func (r *Reader) Mapping(n *yaml.Node, what string, members []Member) {
	var names []string
	for _, f := range members {
		names = append(names, f.Name)
	}
	r.Entries(n, what, func(key *yaml.Node, name string, value *yaml.Node) {
		if i := slices.Index(names, name); i < 0 {
			r.Fail(key, "unknown key %s; known here: %s", text.Misspelt(name, names), strings.Join(names, ", "))
		} else if value = crd.Deref(value); !crd.IsNull(value) {
			members[i].Read(value)
		}
	})
}

// Kind describes a node in words; it quotes booleans and numbers as they are written.
func Kind(n *yaml.Node) string {
	switch k, _ := yaml11.Resolve(n); {
	case k == yaml11.Invalid && n.Kind == yaml.ScalarNode:
		return "a value that does not fit its tag"
	case k == yaml11.Bool:
		return "the boolean " + n.Value
	case k == yaml11.Int || k == yaml11.Float:
		return "the number " + n.Value
	}
	return crd.Describe(n)
}

// List calls visit for every item of a list.
func (r *Reader) List(n *yaml.Node, what string, visit func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.Fail(n, "%s must be a list, not %s", what, Kind(n))
		return
	}
	for _, item := range n.Content {
		visit(crd.Deref(item))
	}
}

// Text reads a string that is not empty.
func (r *Reader) Text(n *yaml.Node, what string) string {
	if n.Kind == yaml.ScalarNode {
		if k, v := yaml11.Resolve(n); k == yaml11.String {
			if v == "" {
				r.Fail(n, "%s is empty", what)
			}
			return v.(string)
		}
	}
	r.Fail(n, "%s must be a string, not %s", what, Kind(n))
	return ""
}

// Word reads one of several words.
func (r *Reader) Word(n *yaml.Node, what string, known ...string) string {
	if n.Kind == yaml.ScalarNode && slices.Contains(known, n.Value) {
		return n.Value
	}
	if n.Kind != yaml.ScalarNode {
		r.Fail(n, "%s must be one of %s, not %s", what, strings.Join(known, ", "), Kind(n))
	} else {
		r.Fail(n, "%s", text.NotOneOf(what, n.Value, known))
	}
	return ""
}

// Flag reads a boolean, as YAML 1.1 has them.
func (r *Reader) Flag(n *yaml.Node, what string) bool {
	if n.Kind == yaml.ScalarNode {
		if k, v := yaml11.Resolve(n); k == yaml11.Bool {
			return v.(bool)
		}
	}
	r.Fail(n, "%s must be true or false, not %s", what, Kind(n))
	return false
}

// Count reads a number above zero.
func (r *Reader) Count(n *yaml.Node, what string) int {
	k, v := yaml11.Resolve(crd.Deref(n))
	if i, ok := v.(int64); ok && k == yaml11.Int && i > 0 && i < 1<<31 {
		return int(i)
	}
	r.Fail(n, "%s must be a number above 0, not %s", what, Kind(n))
	return 1
}
