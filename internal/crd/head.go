package crd

import (
	"strings"
	"unicode"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Slip is a mistake in the head of an object that was meant to be a CRD, or in the key of its spec, that keeps every
// server from taking it for one.
type Slip struct {
	Place   Place  // the key or value that is wrong, or the object for one that is missing
	Written string // the text in the manifest; "" for a missing key
	Meant   string // the intended text: a key with a value for a missing key
	Key     bool   // a key is wrong, not its value
}

// Message describes the error and its correction.
func (s Slip) Message() text.Text {
	field, _, _ := strings.Cut(s.Meant, ":")
	written := text.Quoted(s.Written)
	switch {
	case s.Written == "":
		return text.Sprintf("%s is missing, and servers cannot tell that this is a CRD; write %s", field, s.Meant)
	case s.Meant == "spec.group":
		return text.Sprintf("%s is next to spec; indent it, with everything under it, below spec", s.Written)
	case s.Key:
		return text.Sprintf("there is no field %s here; did you mean %s?", written, s.Meant)
	case s.Place.Path == "apiVersion":
		return text.Sprintf("no server has CustomResourceDefinitions in %s; did you mean %s?", written, s.Meant)
	case s.Place.Path == "kind":
		return text.Sprintf("there is no kind %s in %s; did you mean %s?", written, Group, s.Meant)
	}
	return text.Sprintf("%s must be %s, but this is %s; a space after a colon may be missing, or the indentation may be wrong", s.Place.Path, s.Meant, s.Written)
}

// Meant lists the objects of a document that Find counts among the others although they were meant to be CRDs, or hold
// one that a missing separator hides.
func Meant(root *yaml.Node) []*CRD {
	objects := []*yaml.Node{root}
	if items, ok := listItems(root); ok {
		objects = items
	}
	var all []*CRD
	for _, n := range objects {
		if _, isList := listItems(n); isList && n != root && n.Kind != yaml.AliasNode {
			all = append(all, Meant(n)...)
		} else if itemOf(root, n) == nil && (len(slipsOfHead(n)) > 0 || len(Joined(n)) > 0) {
			all = append(all, &CRD{Node: n})
		}
	}
	return all
}

// Slips are what keeps servers from taking the object for a CRD, or a CRD for a whole one; none for a part of a CRD,
// which is one on purpose.
func (c *CRD) Slips() []Slip {
	if c.List != nil {
		return slipsOfSpec(c.Node)
	}
	return append(slipsOfHead(c.Node), slipsOfSpec(c.Node)...)
}

// slipsOfHead compares the head of an object with a CRD's. Every one of apiVersion, kind and the fields of spec may belong
// to something else, such as an object of Crossplane's, so that a value is only a slip if it is nearly right or the
// others are right.
func slipsOfHead(n *yaml.Node) []Slip {
	n = Deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	apiVersion, slips := headOf(n, "apiVersion")
	kind, more := headOf(n, "kind")
	slips = append(slips, more...)
	if !meant(apiVersion.text, kind.text, isWholeSpec(Get(n, "spec"))) {
		return nil
	}
	if group, version, ok := strings.Cut(apiVersion.text, "/"); !ok || group != Group {
		if version != string(V1beta1) {
			version = string(V1)
		}
		slips = append(slips, apiVersion.slip(n, "apiVersion", Group+"/"+version))
	}
	if kind.text != Kind {
		slips = append(slips, kind.slip(n, "kind", Kind))
	}
	return slips
}

// meant reports whether a head was meant to be that of a CRD; whole is true if the object has the parts that the spec
// of every CRD has.
func meant(apiVersion, kind string, whole bool) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	groupNear := isNear(group, Group) || strings.HasPrefix(group, "apiextension") && !strings.Contains(group, ".")
	kindNear := isNear(kind, Kind)
	foreign := !groupNear && strings.ContainsAny(group, ".$") // a group of somebody else's, or a placeholder
	return groupNear && kindNear || group == Group && (whole || kind == "") || whole && kindNear && !foreign
}

type head struct {
	node *yaml.Node // nil when there is none
	text string
}

// headOf finds the value of a key of the head, also of one that is misspelt.
func headOf(n *yaml.Node, key string) (head, []Slip) {
	if v := Get(n, key); v != nil {
		text, _ := yaml11.Text(v)
		return head{v, text}, nil
	}
	for _, e := range Entries(n) {
		if e.Name == key || !strings.EqualFold(visible(e.Name), key) && !isNear(e.Name, key) {
			continue
		}
		text, _ := yaml11.Text(e.Value)
		return head{Deref(e.Value), text}, []Slip{{Place: Place{Node: e.Key, Path: Join("", e.Name)}, Written: e.Name, Meant: key, Key: true}}
	}
	return head{}, nil
}

// slip returns the slip in a value of the head of an object.
func (h head) slip(n *yaml.Node, key, value string) Slip {
	if h.node == nil {
		return Slip{Place: Place{Node: n}, Meant: key + ": " + value}
	}
	return Slip{Place: Place{Node: h.node, Path: key}, Written: h.text, Meant: value}
}

// visible returns a text without invisible characters, such as a byte order mark or a space that does not break.
func visible(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
}

func isNear(word, known string) bool {
	return strings.EqualFold(visible(word), known) || len(text.Nearest(word, []string{known})) > 0
}

// isWholeSpec reports whether a mapping has what every CRD's spec has.
func isWholeSpec(spec *yaml.Node) bool {
	return spec != nil && Get(spec, "group") != nil && Get(spec, "names") != nil
}

// slipsOfSpec finds the keys that were meant to be the spec of a CRD that has none, or its metadata.
func slipsOfSpec(n *yaml.Node) []Slip {
	for _, key := range []string{"metadata", "spec"} {
		if v := Get(n, key); v != nil && v.Kind != yaml.MappingNode && !IsNull(v) {
			return []Slip{{Place: Place{Node: v, Path: key}, Written: Describe(v), Meant: "a mapping"}}
		}
	}
	if HasValue(n, "spec") {
		return nil
	}
	for _, e := range Entries(n) {
		if isNear(e.Name, "spec") && e.Name != "spec" && isWholeSpec(Deref(e.Value)) {
			return []Slip{{Place: Place{Node: e.Key, Path: Join("", e.Name)}, Written: e.Name, Meant: "spec", Key: true}}
		}
	}
	if group, _ := Lookup(n, "group"); isWholeSpec(n) {
		return []Slip{{Place: Place{Node: group, Path: "group"}, Written: "group", Meant: "spec.group", Key: true}}
	}
	return nil
}

// JoinedMessage is the message where another object begins without a separator.
const JoinedMessage = "another manifest begins here, and servers read only the last one; write --- above this line"

// Joined lists the keys with which further objects begin in a document that is several manifests without a separator
// between them, at least one of which is a CRD: their heads repeat its keys.
func Joined(root *yaml.Node) []*yaml.Node {
	if root == nil || root.Kind != yaml.MappingNode {
		return nil
	}
	var begins []*yaml.Node
	seen := map[string]bool{}
	heads, crds := map[string]int{}, false
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, _ := yaml11.Key(root.Content[i])
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			continue
		}
		if seen[name] {
			begins = append(begins, root.Content[i])
			clear(seen)
		}
		seen[name] = true
		heads[name]++
		value, _ := yaml11.Text(root.Content[i+1])
		crds = crds || name == "kind" && value == Kind
	}
	if !crds || heads["apiVersion"] < 2 || heads["kind"] < 2 {
		return nil
	}
	return begins
}
