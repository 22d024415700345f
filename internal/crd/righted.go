package crd

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Righted makes a copy without the slips of the object, which its server takes for a CRD. It returns nil where the
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

// indentSpec moves the siblings of spec below it.
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

// drop takes the entries of a name out of a mapping.
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
