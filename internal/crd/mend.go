package crd

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A MendedCopy is a copy of a CRD that does not decode, in which the values that keep it from decoding are replaced.
type MendedCopy struct {
	*CRD
	Wrong []WrongType // the replaced values, in the order in which they were found
	// Lost are the paths of values that could not be interpreted. The copy has null there, which the server reads as
	// absent. The other values have only one plausible meaning: `"true"` is true, 5 is "5", a string is a list of one.
	Lost []string
	relocation
}

// maxMends bounds how often a copy is examined. A second look finds what stood after a list that was made of one value,
// and values without JSON are found one at a time.
const maxMends = 8

// Mend makes a copy that decodes; nil where it cannot: for an API version that does not exist, a manifest that is nested
// too deeply, or a value of the wrong type that an alias refers to elsewhere.
func (c *CRD) Mend() *MendedCopy {
	if newObject(c.Version) == nil {
		return nil
	}
	m := &MendedCopy{CRD: c.Copy(), relocation: relocation{}}
	for range maxMends {
		wrong := m.WrongTypes()
		if len(wrong) == 0 {
			break
		}
		for _, w := range wrong {
			if w.Place.Node == nil || w.Place.Node.Anchor != "" {
				return nil
			}
			told := w
			told.Place.Path = m.AsWritten(w.Place.Path)
			if !slices.ContainsFunc(m.Wrong, func(known WrongType) bool { return known.Place.Path == told.Place.Path }) {
				m.Wrong = append(m.Wrong, told)
			}
			m.mend(w)
		}
	}
	for i, w := range m.Wrong { // as the user wrote them
		if at, complete := c.Resolve(Steps(w.Place.Path)); complete && w.Want != Unsayable {
			m.Wrong[i].Place = at
			if w.Belongs != "" { // the copy does not have it there
				steps := Steps(at.Path)
				parent, _ := c.Resolve(steps[:len(steps)-1])
				m.Wrong[i].Place.Node, _ = Lookup(parent.Node, steps[len(steps)-1])
			}
		}
	}
	if _, err := m.Decode(); err != nil {
		return nil
	}
	return m
}

func (m *MendedCopy) mend(w WrongType) {
	n, path := w.Place.Node, w.Place.Path
	if w.Belongs != "" && m.Move(path, w.Belongs) {
		m.relocation[w.Belongs] = path
		return
	}
	if named := w.named(); named != nil {
		for i, e := range Entries(n) {
			m.relocation[Item(path, i)] = Join(path, e.Name)
		}
		*n = *named
		return
	}
	if meant := w.meant(); meant != nil {
		*n = *meant
		if w.Want == "a list" {
			m.relocation[Item(path, 0)] = path
		}
		return
	}
	m.Lost = append(m.Lost, w.Place.Path)
	if w.Want == Unsayable && removeKey(m.Node, n) {
		return
	}
	*n = yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null", Line: n.Line, Column: n.Column}
}

// meant returns the only plausible meaning of a value of the wrong type; nil where there is none.
func (w WrongType) meant() *yaml.Node {
	n := w.Place.Node
	was := Deref(n)
	if was == nil || w.Want == Unsayable || w.Want == Base64 {
		return nil
	}
	scalar := was.Kind == yaml.ScalarNode
	switch {
	case w.IsRequiredFlag():
		return nil
	case w.Want == "a list":
		item := *n
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{&item}, Line: n.Line, Column: n.Column}
	case w.Want == "a string" && scalar:
		return textAt(n, was.Value)
	case w.Want == "a string" && was.Kind == yaml.SequenceNode:
		// JSON Schema has lists of types, of which one may be "null"
		var types []string
		for _, item := range was.Content {
			if name, ok := yaml11.Text(item); ok && name != "null" {
				types = append(types, name)
			}
		}
		if len(types) == 1 {
			return textAt(n, types[0])
		}
	case scalar && was.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		// the next round finds the remaining errors
		plain := yaml.Node{Kind: yaml.ScalarNode, Value: strings.ToLower(strings.TrimSpace(was.Value)), Line: n.Line, Column: n.Column}
		kind, _ := yaml11.Resolve(&plain)
		takesBool := strings.Contains(w.Want, "boolean") || w.Want == "true or false"
		if kind == yaml11.Bool && takesBool || kind == yaml11.Int && strings.Contains(w.Want, "number") {
			return &plain
		}
	}
	return nil
}

// named makes a list of versions of a mapping that holds them by their names; nil for any other value.
func (w WrongType) named() *yaml.Node {
	if w.Place.Path != "spec.versions" || w.Got != "a mapping" {
		return nil
	}
	n := w.Place.Node
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Line: n.Line, Column: n.Column}
	for _, e := range Entries(n) {
		if shapeFor[v1.CustomResourceDefinitionVersion]().fields[e.Name] != nil || Deref(e.Value).Kind != yaml.MappingNode {
			return nil
		}
		version := *Deref(e.Value)
		version.Anchor = ""
		if Get(&version, "name") == nil {
			version.Content = slices.Concat([]*yaml.Node{textAt(e.Key, "name"), textAt(e.Key, e.Name)}, version.Content)
		}
		list.Content = append(list.Content, &version)
	}
	return list
}

// textAt is a string in the place of a node.
func textAt(n *yaml.Node, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Tag: yaml.NodeTagString, Value: value, Line: n.Line, Column: n.Column}
}

// removeKey takes the entry of a key out of its mapping; it reports whether the node is a key.
func removeKey(in, key *yaml.Node) bool {
	for i, n := range in.Content {
		if in.Kind == yaml.MappingNode && i%2 == 0 && n == key {
			in.Content = slices.Delete(in.Content, i, i+2)
			return true
		}
		if removeKey(n, key) {
			return true
		}
	}
	return false
}

// Within reports whether a path is another one, or below it.
func Within(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || above == "" || rest[0] == '.' || rest[0] == '[')
}
