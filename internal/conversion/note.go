package conversion

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Note is one thing that a conversion did, or that a person has to decide. Its place is in the input, as the user wrote
// it.
type Note struct {
	repair.Repair               // the class is Report for what is not repaired
	Brief         string        // message for people; "" when that is the same
	Advised       policy.Choice // what the message advises, if it is a setting
	Foreign       bool          // the message is an API server's own
	Err           *field.Error  // that the message passes on, if it is one of validation
	Complete      bool          // the place is what Err is about, not something above it
}

func newNote(class policy.Class, id string, at crd.Place, message text.Text) *Note {
	n := &Note{Repair: repair.Repair{Class: class, ID: id, At: at, Message: message.String()}}
	if brief := message.Brief(); brief != n.Message {
		n.Brief = brief
	}
	return n
}

// note records something.
func (j *job) note(class policy.Class, id string, at crd.Place, message text.Text) *Note {
	n := newNote(class, id, at, message)
	j.notes = append(j.notes, n)
	return n
}

// did records a change that the other API version asks for.
func (j *job) did(id, path, message string, at *yaml.Node) *Note {
	return j.note(policy.Safe, id, crd.Place{Node: at, Path: path}, text.Sprintf("%s", message))
}

// changes records a change after which something differs.
func (j *job) changes(id string, at crd.Place, message string) *Note {
	return j.note(policy.Changes, id, at, text.Sprintf("%s", message))
}

// report records what needs a person.
func (j *job) report(id string, at crd.Place, message string) *Note {
	return j.reportText(id, at, text.Sprintf("%s", message))
}

// reportText is report with a message that is cut for people.
func (j *job) reportText(id string, at crd.Place, message text.Text) *Note {
	return j.note(policy.Report, id, at, message)
}

// passOn reports that an API server cannot read a manifest, in its own words.
func (j *job) passOn(at crd.Place, server string, err error) {
	j.reportText("api-server", at, text.Sprintf("the %s API server cannot read this: %s", server, text.Reason(err.Error()))).Foreign = true
}

// unreadable reports that an API server cannot read the result.
func (j *job) unreadable(server string, err error) {
	j.reportText("api-server", crd.Place{Node: j.input.Node},
		text.Sprintf("the result cannot be read by a %s API server: %s", server, text.Reason(err.Error())))
}

func (j *job) reported() bool {
	return slices.ContainsFunc(j.notes, func(n *Note) bool { return n.Class == policy.Report })
}

// touch adds nodes of the input whose lines change.
func (n *Note) touch(nodes ...*yaml.Node) *Note {
	n.Touched = append(n.Touched, nodes...)
	return n
}

// differs adds fields of the v1 object that upstream's plain conversion makes otherwise.
func (n *Note) differs(fields ...string) *Note {
	n.Fields = append(n.Fields, fields...)
	return n
}

// remove takes an entry out and records it with all its lines.
func (j *job) remove(from *yaml.Node, key, path, id, message string) *Note {
	j.noteShadowed(from, key, path)
	k, v := crd.Lookup(from, key)
	everything := append(layout.EveryNode(v), layout.Remove(from, key)...)
	return j.did(id, crd.Join(path, key), message, k).touch(everything...)
}

// noteShadowed records the entries of a key that is going to be removed or moved, but for the last: servers read that
// one, and the others go.
func (j *job) noteShadowed(from *yaml.Node, key, path string) {
	counts, _ := crd.Lookup(from, key)
	m := crd.Deref(from)
	for i := 0; i < len(m.Content); i += 2 {
		k := m.Content[i]
		if name, ok := yaml11.Key(k); ok && name == key && k != counts && !yaml11.IsMerge(k) {
			j.did("duplicate-key-removed", crd.Join(path, key), key+" is repeated here; servers read the last, and this one was removed", k).
				touch(k).touch(layout.EveryNode(m.Content[i+1])...)
		}
	}
}

// notesOfHead tell what keeps a server from taking an object for the CRD that it was meant to be, or for all of them; none
// for a CRD that a server takes as it is, or a part of one.
func notesOfHead(c *crd.CRD) []*Note {
	var notes []*Note
	for _, s := range c.Slips() {
		notes = append(notes, newNote(policy.Report, "document-head-misspelt", s.Place, s.Message()))
	}
	for _, key := range crd.Joined(c.Node) {
		notes = append(notes, newNote(policy.Report, "document-separator-missing", crd.Place{Node: key, Path: key.Value}, text.Sprintf("%s", crd.JoinedMessage)))
	}
	return notes
}
