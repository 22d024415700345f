package crd

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A RespelledCopy is a copy of a CRD in which misspelt fields have the names that were meant, and misplaced ones are where
// they belong.
type RespelledCopy struct {
	*CRD
	Misspelt []UnknownField // the fields, as the user wrote them
	relocation
}

// maxRespellings bounds how often a copy is examined. A second round finds misspelt fields below others.
const maxRespellings = 8

// Respell makes a copy in which every unknown field is at the path that meant returns for it: under another name, or in
// another mapping. Fields for which that is "" stay as they are. So do those whose value is of another type than the
// field there, and those that are written twice. It returns nil where nothing changes.
func (c *CRD) Respell(meant func(UnknownField) string) *RespelledCopy {
	r := &RespelledCopy{CRD: c.Copy(), relocation: relocation{}}
	for range maxRespellings {
		changed := r.put(meant)
		if len(changed) == 0 {
			break
		}
		for _, u := range changed {
			if u, ok := c.unknownAt(r.AsWritten(u.Place.Path), u); ok {
				r.Misspelt = append(r.Misspelt, u)
			}
		}
	}
	if len(r.relocation) == 0 {
		return nil
	}
	return r
}

// put moves the unknown fields of the copy to their intended paths, and returns them as they were. A round renames
// fields, or moves some when none is misspelt any more: the fields below a misspelt one are not yet known.
func (r *RespelledCopy) put(meant func(UnknownField) string) []UnknownField {
	var renamed, misplaced []UnknownField
	to := map[string]string{}
	for _, u := range r.UnknownFields() {
		path := meant(u)
		switch {
		case path == "" || !u.isPlain():
		case path == u.Beside(LastField(path)):
			if r.rename(u, LastField(path)) {
				r.relocation[path] = u.Place.Path
				renamed = append(renamed, u)
			}
		default:
			to[u.Place.Path] = path
			misplaced = append(misplaced, u)
		}
	}
	if len(renamed) > 0 {
		return renamed
	}
	return slices.DeleteFunc(misplaced, func(u UnknownField) bool {
		path := to[u.Place.Path]
		_, held := r.Resolve(Steps(holderOf(path)))
		if !r.Move(u.Place.Path, path) {
			return true
		}
		r.relocation[path] = u.Place.Path
		if !held {
			r.relocation[holderOf(path)] = holderOf(u.Place.Path)
		}
		return false
	})
}

// isPlain reports whether a field has a name that paths can be made of.
func (u UnknownField) isPlain() bool {
	written, isText := yaml11.Text(u.Key)
	return u.Key.Kind == yaml.ScalarNode && isText && !strings.ContainsAny(written, ".[]")
}

// Beside returns the path of another field of the mapping that holds an unknown one.
func (u UnknownField) Beside(name string) string {
	return strings.TrimSuffix(u.Place.Path, u.Name()) + name
}

// rename returns an unknown field of the copy another name, unless such a value cannot have it.
func (r *RespelledCopy) rename(u UnknownField, name string) bool {
	f := u.of.fields[name]
	if taken, _ := Lookup(u.Parent, name); taken != nil || u.Key.Anchor != "" || f != nil && !f.shape.fits(u.Place.Node) {
		return false
	}
	written := u.Key.Value
	u.Key.Value = name
	if again, _ := Lookup(u.Parent, written); again != nil { // the error is that there are two entries
		u.Key.Value = written
		return false
	}
	return true
}

// unknownAt is the unknown field at a path of the CRD itself that a copy has as another one.
func (c *CRD) unknownAt(path string, u UnknownField) (UnknownField, bool) {
	steps := Steps(path)
	last := len(steps) - 1
	parent, complete := c.Resolve(steps[:last])
	if !complete {
		return u, false
	}
	u.Parent = Deref(parent.Node)
	u.Key, u.Place.Node = Lookup(u.Parent, steps[last])
	u.Place.Path = path
	return u, u.Key != nil
}

// Righted makes a copy without the slips of the object, which its server serves as a CRD. It returns nil where the
// intention is not clear, as for a text in the place of spec.
func (c *CRD) Righted() *RespelledCopy {
	r := &RespelledCopy{CRD: c.Copy(), relocation: relocation{}}
	for _, s := range c.Slips() {
		if !r.right(s) {
			return nil
		}
	}
	if len(r.Slips()) > 0 {
		return nil
	}
	if c.List == nil {
		made := of(r.Node)
		if made == nil {
			return nil
		}
		r.Version = made.Version
	}
	return r
}

// right corrects a slip in the copy; it returns false where that is not possible.
func (r *RespelledCopy) right(s Slip) bool {
	root, name := r.Node, s.Place.Path
	if s.Key {
		name = s.Written
	}
	switch key, value := Lookup(root, name); {
	case s.Written == "" && s.Place.Path == "":
		name, text, _ := strings.Cut(s.Meant, ": ")
		root.Content = append(root.Content, scalar(name), scalar(text))
	case s.Meant == "spec.group":
		r.relocation["spec"] = ""
		indentSpec(root)
	case s.Key && key != nil:
		drop(root, s.Meant) // a null one
		r.relocation[s.Meant] = s.Place.Path
		key.SetString(s.Meant)
	case !s.Key && value != nil && (s.Place.Path == "apiVersion" || s.Place.Path == "kind"):
		value = Deref(value)
		value.Content = nil
		value.SetString(s.Meant)
	default:
		return false
	}
	return true
}

func indentSpec(root *yaml.Node) {
	key, spec := scalar("spec"), &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if k, _ := Lookup(root, "spec"); k != nil {
		key = k
		drop(root, "spec")
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, _ := yaml11.Key(root.Content[i])
		if slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, name) {
			kept = append(kept, root.Content[i:i+2]...)
		} else {
			spec.Content = append(spec.Content, root.Content[i:i+2]...)
		}
	}
	root.Content = append(kept, key, spec)
}

func drop(m *yaml.Node, name string) {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if key, ok := yaml11.Key(m.Content[i]); ok && key == name {
			m.Content = slices.Delete(m.Content, i, i+2)
		}
	}
}

func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: text}
}

// Supposed returns the CRD as one of v1 where its API version never existed, else the CRD itself.
func (c *CRD) Supposed() *CRD {
	if c.Version == V1 || c.Version == V1beta1 {
		return c
	}
	made := c.Copy()
	made.Version = V1
	if c.List == nil {
		made.APIVersion().Node.SetString(Group + "/" + string(V1))
	}
	return made
}

// Apart lists the manifests of a document that lacks separators between them, each as a mapping of its own with the nodes
// of the document; nil for any other document.
func Apart(root *yaml.Node) []*yaml.Node {
	begins := Joined(root)
	if len(begins) == 0 {
		return nil
	}
	part := *root
	part.Content = nil
	parts := []*yaml.Node{&part}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if slices.Contains(begins, root.Content[i]) {
			next := part
			next.Line, next.Column, next.Content = root.Content[i].Line, root.Content[i].Column, nil
			parts = append(parts, &next)
		}
		last := parts[len(parts)-1]
		last.Content = append(last.Content, root.Content[i:i+2]...)
	}
	return parts
}
