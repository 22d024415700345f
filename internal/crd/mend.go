package crd

import (
	"slices"
	"strconv"
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

// Mend returns a copy that decodes; nil where it cannot: for an API version that does not exist, a manifest that is nested
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

// Move takes the entry at a path to another path, and makes the mapping or the list around it if it is missing. It
// reports whether it did: it does not where the place is taken, and not for an entry that is written twice, comes from a merge key,
// or has a key with an anchor. A value takes its anchor along: who writes the tree has to see that no alias is above it then.
func (c *CRD) Move(from, to string) bool {
	if !c.canMove(from, to) {
		return false
	}
	was, steps := Steps(from), Steps(to)
	parent, name := c.own(was[:len(was)-1]), was[len(was)-1]
	holder, last := steps[:len(steps)-1], steps[len(steps)-1]
	at := entryAt(parent, name)
	k, v := parent.Content[at], parent.Content[at+1]
	parent.Content = slices.Delete(parent.Content, at, at+2)
	m := c.own(holder)
	if m == nil || IsNull(m) {
		m = c.makeHolder(holder, IsIndex(last), parent, at)
	}
	if m.Kind == yaml.SequenceNode {
		m.Content = append(m.Content, v)
	} else {
		removeEntry(m, last) // a null one
		k.Value, k.Tag = last, yaml.NodeTagString
		m.Content = append(m.Content, k, v)
	}
	if len(was) > 1 && len(parent.Content) == 0 && was[len(was)-2] == "properties" {
		removeEntry(c.own(was[:len(was)-2]), "properties")
	}
	return true
}

func (c *CRD) canMove(from, to string) bool {
	was, steps := Steps(from), Steps(to)
	parent, name := c.own(was[:len(was)-1]), was[len(was)-1]
	if parent == nil || parent.Kind != yaml.MappingNode {
		return false
	}
	times := 0
	for i := 0; i < len(parent.Content); i += 2 {
		if key, ok := yaml11.Key(parent.Content[i]); ok && key == name {
			times++
		}
	}
	if times != 1 || parent.Content[entryAt(parent, name)].Anchor != "" {
		return false
	}
	return c.mayHold(steps[:len(steps)-1], steps[len(steps)-1])
}

// own returns the node at a path, if it is neither reached through an alias nor referred to by one; else nil.
func (c *CRD) own(steps []string) *yaml.Node {
	n := c.Node
	for _, step := range steps {
		next := -1
		if n.Kind == yaml.SequenceNode {
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
				next = i
			}
		} else if at := entryAt(n, step); at >= 0 {
			next = at + 1
		}
		if next < 0 || n.Content[next].Anchor != "" || n.Content[next].Kind == yaml.AliasNode {
			return nil
		}
		n = n.Content[next]
	}
	return n
}

// mayHold reports whether an entry of that name, or one more item, can be put at a path: its parent is of the right
// kind or missing.
func (c *CRD) mayHold(holder []string, last string) bool {
	m := c.own(holder)
	switch {
	case m == nil || IsNull(m):
		if len(holder) == 0 {
			return false
		}
		_, taken := c.Resolve(holder)
		around := c.own(holder[:len(holder)-1])
		return (m != nil || !taken) && around != nil && around.Kind == yaml.MappingNode
	case m.Kind == yaml.SequenceNode:
		return IsIndex(last)
	}
	_, taken := Lookup(m, last)
	return m.Kind == yaml.MappingNode && (taken == nil || IsNull(taken))
}

// makeHolder makes the mapping or the list at a path. In the mapping that something was taken from it gets its place.
func (c *CRD) makeHolder(steps []string, list bool, from *yaml.Node, at int) *yaml.Node {
	around, name := c.own(steps[:len(steps)-1]), steps[len(steps)-1]
	made := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: around.Style & yaml.FlowStyle}
	if list {
		made.Kind, made.Tag = yaml.SequenceNode, yaml.NodeTagSeq
	}
	if around != from {
		at = len(around.Content)
	}
	if i := entryAt(around, name); i >= 0 { // a null one
		around.Content[i+1] = made
		return made
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: name}
	around.Content = slices.Insert(around.Content, at, key, made)
	return made
}

// entryAt is the index of the key of that name in a mapping of its own; -1 when there is none.
func entryAt(m *yaml.Node, name string) int {
	k, _ := Lookup(m, name)
	return slices.Index(m.Content, k)
}

func removeEntry(m *yaml.Node, name string) {
	if i := entryAt(m, name); i >= 0 {
		m.Content = slices.Delete(m.Content, i, i+2)
	}
}

// holderOf returns the path of the mapping or list that contains the value at a path; names in it have no dots and no
// brackets.
func holderOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// A relocation maps paths of a copy to those of the same values in the manifest itself; "" for a mapping whose fields
// are at the top level there.
type relocation map[string]string

// AsWritten returns the path in the manifest of the value at a path of the copy.
func (r relocation) AsWritten(path string) string {
	for end := len(path); end > 0; end = max(strings.LastIndexAny(path[:end], ".["), 0) {
		if was, ok := r[path[:end]]; ok {
			return strings.TrimPrefix(r.AsWritten(was)+path[end:], ".")
		}
	}
	return path
}
