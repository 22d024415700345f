package convert

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A note is a Note that still points at nodes.
type note struct {
	class   Class
	rule    string
	at      crd.Place // in the input, as the user wrote it
	message string
	brief   string       // message for people; "" when that is the same
	touched []*yaml.Node // nodes of the input whose lines change
	fields  []string
	foreign bool         // the message is an API server's own
	err     *field.Error // that the message passes on, if it is one of validation
	whole   bool         // at is what err is about, not something above it
}

// did records a change that the other API version asks for.
func (j *job) did(rule, path, message string, at *yaml.Node) *note {
	j.notes = append(j.notes, note{class: Safe, rule: rule, at: crd.Place{Node: at, Path: path}, message: message})
	return &j.notes[len(j.notes)-1]
}

// report records what needs a person.
func (j *job) report(rule string, at crd.Place, message string) {
	j.notes = append(j.notes, note{class: Report, rule: rule, at: at, message: message})
}

// reportText is report with a message that is cut for people.
func (j *job) reportText(rule string, at crd.Place, message text.Text) *note {
	n := note{class: Report, rule: rule, at: at}
	n.say(message)
	j.notes = append(j.notes, n)
	return &j.notes[len(j.notes)-1]
}

// passOn reports that an API server cannot read a manifest, in its own words.
func (j *job) passOn(at crd.Place, server string, err error) {
	j.reportText("api-server", at, text.Sprintf("the %s API server cannot read this: %s", server, text.Reason(err.Error()))).foreign = true
}

// unreadable reports that an API server cannot read the result.
func (j *job) unreadable(server string, err error) {
	j.reportText("api-server", crd.Place{Node: j.input.Node},
		text.Sprintf("the result cannot be read by a %s API server: %s", server, text.Reason(err.Error())))
}

// say sets the message.
func (n *note) say(message text.Text) {
	n.message, n.brief = message.String(), message.Brief()
	if n.brief == n.message {
		n.brief = ""
	}
}

func (j *job) reported() bool {
	return slices.ContainsFunc(j.notes, func(n note) bool { return n.class == Report })
}

// touch adds nodes of the input whose lines change.
func (n *note) touch(nodes ...*yaml.Node) *note {
	n.touched = append(n.touched, nodes...)
	return n
}

// differs adds fields of the v1 object that upstream's plain conversion makes otherwise.
func (n *note) differs(fields ...string) *note {
	n.fields = append(n.fields, fields...)
	return n
}

// remove takes an entry out and records it with all its lines.
func (j *job) remove(from *yaml.Node, key, path, rule, message string) *note {
	j.noteShadowed(from, key, path)
	k, v := crd.Lookup(from, key)
	everything := append(repair.EveryNode(v), repair.Remove(from, key)...)
	return j.did(rule, crd.Join(path, key), message, k).touch(everything...)
}

// noteShadowed records the entries of a key that is going to be removed or moved, but for the last: servers read that
// one, and the others go.
func (j *job) noteShadowed(from *yaml.Node, key, path string) {
	counts, _ := crd.Lookup(from, key)
	m := crd.Deref(from)
	for i := 0; i < len(m.Content); i += 2 {
		k := m.Content[i]
		if name, ok := yaml11.Key(k); ok && name == key && k != counts && !yaml11.IsMerge(k) {
			j.did("yaml-duplicate-key", crd.Join(path, key), key+" stands here more than once; servers read the last, and this one was removed", k).
				touch(k).touch(repair.EveryNode(m.Content[i+1])...)
		}
	}
}

// located gives a note its position in the document.
func (n note) located(d *manifest.Document, resource string) Note {
	out := Note{Class: n.class, Rule: n.rule, Message: n.message, Brief: n.brief, Document: d.Index, Resource: resource, Path: n.at.Path, Fields: n.fields, Unexplained: n.foreign}
	out.Line, out.Column, out.EndLine, out.EndColumn = positions(d, n.at.Node)
	seen := map[int]bool{}
	for _, t := range n.touched {
		start, end, ok := d.Span(t)
		if !ok {
			continue
		}
		first, _ := d.File.Position(start)
		last, _ := d.File.Position(end)
		if t.Kind != yaml.ScalarNode && t.Style&yaml.FlowStyle == 0 {
			last = first
		}
		for line := first; line <= last; line++ {
			seen[line] = true
		}
	}
	for line := range seen {
		out.Lines = append(out.Lines, line)
	}
	slices.Sort(out.Lines)
	return out
}

func positions(d *manifest.Document, n *yaml.Node) (line, column, endLine, endColumn int) {
	start, end, ok := d.Span(n)
	if !ok {
		start, end = d.Start, d.Start
	}
	line, column = d.File.Position(start)
	endLine, endColumn = d.File.Position(end)
	return line, column, endLine, endColumn
}
