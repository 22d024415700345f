package suite

import (
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// RejectedFor begins a comment of an object that is to be rejected, and names a cause as suites do.
const RejectedFor = "# rejected: "

// OfManifest is a suite of one case, that an object is created: it is to be taken or, for the causes that comments name or, without
// these, for any, to be rejected.
func OfManifest(d *manifest.Document, rejected bool) *Suite {
	n := d.Root.YNode()
	file := path.Base(d.File.Path)
	c := &Case{Name: strings.TrimSuffix(file, path.Ext(file)), At: crd.FirstKey(n), Request: Create, Validation: Strict}
	if d.Index > 0 {
		c.Name += fmt.Sprintf("/%d", d.Index+1)
	}
	s := &Suite{Document: d, Node: n, Name: path.Base(path.Dir(d.File.Path)), Cases: []*Case{c}}
	r := &reader{suite: s}
	r.object(&c.Change.Object)(crd.Entry{Name: "a manifest", Value: n})
	if !rejected {
		return s
	}
	c.Want.At = c.At
	for _, comment := range d.Comments() {
		if said, is := strings.CutPrefix(comment.Text, RejectedFor); is {
			c.Want.Rejected = append(c.Want.Rejected, r.said(said, c.At))
		}
	}
	if c.Want.Unnamed = c.Want.Rejected == nil; c.Want.Unnamed {
		c.Want.Rejected, c.Want.Also = []Expected{{At: c.At}}, true
	}
	return s
}

// said reads a cause of a comment. What is no mapping is a part of the message, whatever it has in it.
func (r *reader) said(text string, at *yaml.Node) Expected {
	text = strings.TrimSpace(text)
	e := Expected{Text: text}
	if n, err := yaml11.Parse([]byte(text)); err == nil && n != nil && (n.Style == yaml.FlowStyle || n.Kind == yaml.ScalarNode) {
		e = r.expected(n)
	}
	e.At = at
	return e
}
