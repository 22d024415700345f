// Package mask decides what of a custom resource may be shown, and hides the rest: objects from a cluster hold secrets, in
// values and in names of map entries, and what a linter prints is kept in logs for years.
//
// Read mask.go first: what a mask hides. place.go knows what is declared and what is secret on the way into an object;
// scrub.go takes hidden text out of messages, text.go out of source lines, and print.go shows an object without it.
package mask

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
)

// Hidden is shown in the place of what is not.
const Hidden = "***"

// Withheld is said in the place of words that may have hidden values in them.
const Withheld = "message withheld; --show-values always shows it"

// Options say what is hidden.
type Options struct {
	All       bool // every value, and the names that are data
	Secrets   bool // values that are named or declared to be secret
	Anonymous bool // the object's name and namespace as well
}

// A Mask hides parts of one object. Nil hides nothing.
type Mask struct {
	Options
	object *objects.Object
	crd    *objects.Definition // nil where it is not known
	words  *hiddenWords        // what Scrub takes out; nil before it is known
}

// Of is the mask of an object; the definition is nil where its CRD is not known.
func Of(o *objects.Object, d *objects.Definition, options Options) *Mask {
	return &Mask{Options: options, object: o, crd: d}
}

// root is the place of the object. It asks for the tree of the CRD, so that it is not made before something is hidden.
func (m *Mask) root() place {
	p := place{kind: anObject, root: true, options: m.Options}
	if m.crd != nil {
		if p.schema = m.crd.Root(m.object.Version); p.schema == nil && m.crd.Version(m.object.Version) == nil {
			p.schema, p.guessed = m.crd.Root(m.crd.Storage()), true
		}
	}
	return p
}

// known is the text of the CRD, which is no secret.
func (m *Mask) known() []byte {
	if m.crd == nil {
		return nil
	}
	return m.crd.Document.Text()
}

// Path is a path of the object in which names are hidden that are data. A field that no schema declares keeps its name: that
// is what there is to say of it.
func (m *Mask) Path(at request.Path) request.Path {
	if m == nil || !m.All {
		return at
	}
	shown := make(request.Path, len(at))
	p := m.root()
	for i, step := range at {
		shown[i] = step
		if step.IsIndex() {
			p = p.item()
			continue
		}
		below, declared := p.member(step.Key)
		if !declared && p.isMap() {
			shown[i] = step.Hide()
		}
		p = below
	}
	return shown
}

// Outcome hides what must not be shown of what is said of the object.
func (m *Mask) Outcome(o *request.Outcome) {
	if m == nil || o == nil {
		return
	}
	for i := range o.Causes {
		m.cause(&o.Causes[i])
	}
	for i := range o.Warnings {
		o.Warnings[i].Path = m.Path(o.Warnings[i].Path)
		if c := o.Warnings[i].Cause; c != nil {
			m.cause(c)
		}
	}
	for i, c := range o.Changes {
		o.Changes[i].Path = m.Path(c.Path)
	}
}

// cause hides what a cause has of values. A message that an expression makes may have any part of them, in any form.
func (m *Mask) cause(c *request.Cause) {
	c.Path = m.Path(c.Path)
	if c.Composed && (m.All || m.Secrets && len(m.hiddenWords().all) > 0) {
		c.Detail = Withheld
	}
}

// Hash is what is shown in the place of a name: the same for the same name. It keeps names out of sight, and not from who
// guesses them.
func Hash(name string) string {
	if name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}
