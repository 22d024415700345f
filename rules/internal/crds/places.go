package crds

import (
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// writtenAt is the place below some steps; its Node is nil where nothing is written, or null.
func writtenAt(c *crd.CRD, steps ...string) crd.Place {
	if at, complete := c.Resolve(steps); complete && !crd.IsNull(at.Node) {
		return at
	}
	return crd.Place{}
}

// byPosition orders places as they stand in the file.
func byPosition(a, b crd.Place) int {
	if a.Node == nil || b.Node == nil {
		return 0
	}
	if a.Node.Line != b.Node.Line {
		return a.Node.Line - b.Node.Line
	}
	return a.Node.Column - b.Node.Column
}

// relatedKey is another key of the document that a finding speaks about.
func relatedKey(p *engine.Pass, key *yaml.Node, message string) lint.Related {
	line, column := p.Document().Begin(key)
	end := column + utf8.RuneCountInString(key.Value)
	return lint.Related{Pos: lint.Position{File: p.File().Path, Line: line, Column: column, EndLine: line, EndColumn: end}, Message: message}
}

// flagOfVersion is the place of a flag of a version, or of its name when the flag is not written.
func flagOfVersion(v crd.APIVersion, flag string) crd.Place {
	if k, _ := crd.Lookup(v.At.Node, flag); k != nil {
		return v.At.KeyOf(flag)
	}
	return v.At.At("name")
}

// eachMapping visits the mappings of a tree in the order of the text, but for what aliases stand for, which is visited
// where it is written. Hardly any visit asks for the path, so that it is put together when one does.
func eachMapping(n *yaml.Node, path func() string, visit func(m *yaml.Node, path func() string)) {
	if n.Kind == yaml.MappingNode {
		visit(n, path)
	}
	for i, c := range n.Content {
		if len(c.Content) == 0 || n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		eachMapping(c, func() string {
			if n.Kind == yaml.SequenceNode {
				return crd.Item(path(), i)
			}
			name, _ := yaml11.Key(n.Content[i-1])
			return crd.Member(path(), name)
		}, visit)
	}
}

// Grouped puts together what has the same key, in the order in which the keys come up.
func Grouped[V any, K comparable](all []V, key func(V) K) [][]V {
	var groups [][]V
	at := map[K]int{}
	for _, v := range all {
		i, known := at[key(v)]
		if !known {
			i = len(groups)
			at[key(v)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

func isEmptyCollection(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n != nil && n.Kind != yaml.ScalarNode && len(n.Content) == 0
}
