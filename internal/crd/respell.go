package crd

import (
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Respelled is a copy of a CRD in which misspelt fields have the names that were meant.
type Respelled struct {
	*CRD
	Misspelt []UnknownField    // the fields, as the user wrote them
	written  map[string]string // their names, by their paths in the copy; "" for a field that is not there
}

// maxRespellings bounds how often a copy is looked at. A second look finds what stands below a field that was misspelt.
const maxRespellings = 8

// Respell makes a copy in which every unknown field has the name that meant gives for it; fields for which that is "" keep
// theirs. So do those whose value is of another type than the field of that name, and those that stand there twice. It is
// nil where no name changes.
func (c *CRD) Respell(meant func(UnknownField) string) *Respelled {
	r := &Respelled{CRD: &CRD{Node: Clone(c.Node), Version: c.Version}, written: map[string]string{}}
	for range maxRespellings {
		renamed := r.rename(meant)
		if len(renamed) == 0 {
			break
		}
		for _, s := range renamed {
			r.written[s.path] = s.was.Value
		}
		for _, s := range renamed {
			if u, ok := c.unknownAt(r.AsWritten(s.path), s.UnknownField); ok {
				r.Misspelt = append(r.Misspelt, u)
			}
		}
	}
	if len(r.written) == 0 {
		return nil
	}
	return r
}

// A respelling is an unknown field of a copy that got another name.
type respelling struct {
	UnknownField
	path string    // with that name
	was  yaml.Node // its key before
}

// rename gives the unknown fields of the copy the names that were meant, but for those that such a value cannot have.
func (r *Respelled) rename(meant func(UnknownField) string) []respelling {
	var renamed []respelling
	for _, u := range r.UnknownFields() {
		name := meant(u)
		if name == "" || u.Key.Kind != yaml.ScalarNode || u.Key.Anchor != "" {
			continue
		}
		taken, _ := Lookup(u.Parent, name)
		written, isText := yaml11.Text(u.Key)
		if taken != nil || !isText || strings.ContainsAny(written, ".[]") { // a path with such a name leads elsewhere
			continue
		}
		path, was := strings.TrimSuffix(u.Place.Path, written)+name, *u.Key
		u.Key.Value = name
		if again, _ := Lookup(u.Parent, written); again != nil { // of two entries, that is what is wrong
			*u.Key = was
			continue
		}
		renamed = append(renamed, respelling{u, path, was})
	}
	if len(renamed) == 0 {
		return nil
	}
	wrong := map[string]bool{}
	for _, w := range r.WrongTypes() {
		wrong[w.Place.Path] = true
	}
	kept := renamed[:0]
	for _, s := range renamed {
		if wrong[s.path] {
			*s.Key = s.was
			continue
		}
		kept = append(kept, s)
	}
	return kept
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

// AsWritten is the path in the manifest of what has a path in the copy.
func (r *Respelled) AsWritten(path string) string {
	var b strings.Builder
	done := 0
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' && path[i] != '[' {
			continue
		}
		if name, ok := r.written[path[:i]]; ok {
			b.WriteString(path[done : strings.LastIndexByte(path[:i], '.')+1])
			b.WriteString(name)
			done = i
			if name == "" { // what is in it stands one level above
				done = min(i+1, len(path))
			}
		}
	}
	b.WriteString(path[done:])
	return b.String()
}
