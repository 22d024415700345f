package convert

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Filter converts the CRDs among its input to apiextensions.k8s.io/v1, in place. It is a kio.Filter and does not
// know whether it runs over files or in a KRM function. It returns its input and never fails: what it could not
// convert is left alone.
type Filter struct {
	Options policy.Options
	Others  int // objects that were not CRDs

	outcomes []outcome
	meant    []outcome // of objects that were meant to be CRDs, but are none to a server
}

// An outcome is what became of one CRD. What was converted is proven as a tree.
type outcome struct {
	name  string
	at    *yaml.Node
	state State
	notes []note
	marks int
}

// Filter implements kio.Filter.
func (f *Filter) Filter(nodes []*yaml.RNode) ([]*yaml.RNode, error) {
	for _, n := range nodes {
		found, others := crd.Find(n.YNode())
		f.Others += others
		for _, c := range found {
			f.outcomes = append(f.outcomes, convertCRD(c, f.Options))
		}
		for _, c := range crd.Meant(n.YNode()) {
			f.Others--
			f.meant = append(f.meant, outcome{name: c.Name(), at: c.Node, state: NeedsPerson, notes: notesOfHead(c)})
		}
	}
	return nodes, nil
}

// notesOfHead say what keeps a server from taking an object for the CRD that it was meant to be, or for all of them; none
// for a CRD that a server takes as it is, or a part of one.
func notesOfHead(c *crd.CRD) []note {
	var notes []note
	for _, s := range c.Slips() {
		notes = append(notes, note{class: Report, rule: "document-head-misspelt", at: s.Place, message: s.Message().String()})
	}
	for _, key := range crd.Joined(c.Node) {
		notes = append(notes, note{class: Report, rule: "document-separator-missing", at: crd.Place{Node: key, Path: key.Value}, message: crd.JoinedMessage})
	}
	return notes
}

// convertCRD converts one CRD in place. A CRD that needs a person is left as it was.
//
// An anchor and its aliases are one node, and a repair of one is a repair of all. Where that goes wrong, since they
// stand in places that need different repairs or the anchor is gone, the aliases are written out and the conversion
// starts again.
func convertCRD(c *crd.CRD, opt policy.Options) (out outcome) {
	defer func() {
		// one CRD that breaks crdlift must not take the others down with it
		if p := recover(); p != nil {
			out = outcome{name: c.Name(), at: c.Node, state: NeedsPerson}
			out.notes = []note{unwritable(c.Node, fmt.Errorf("%v", p))}
		}
	}()
	j := newJob(c, opt)
	state, err := j.convert()
	if (state == NeedsPerson || err != nil) && repair.Expandable(c.Node) {
		expanded := newJob(c, opt)
		expanded.expandAliases()
		if s, e := expanded.convert(); s == Converted || state == Converted {
			j, state, err = expanded, s, e
		}
	}
	if err != nil { // the result is not what it should be
		state = NeedsPerson
		j.notes = append(j.notes, unwritable(c.Node, err))
	}
	out = outcome{name: c.Name(), at: c.Node, state: state, notes: j.notes}
	if out.state == Converted {
		*c.Node = *j.work.Node
		out.marks = j.marks
	} else {
		// nothing was changed after all
		out.notes = slices.DeleteFunc(out.notes, func(n note) bool { return n.class != Report })
	}
	return out
}

// convert runs the job. The error says why what it converted must not be used.
func (j *job) convert() (State, error) {
	state := j.run()
	if state != Converted {
		return state, nil
	}
	if name := dangling(j.work.Node, j.outer); name != "" {
		return state, fmt.Errorf("an alias stands for %q, which is gone", name)
	}
	return state, j.prove()
}

// CRDs says what became of the CRDs that were filtered so far, in their order. Notes have no lines: a tree does not know
// the file it came from.
func (f *Filter) CRDs() []CRD {
	var all []CRD
	for _, o := range f.outcomes {
		c := CRD{Name: o.name, State: o.state, Marks: o.marks}
		for _, n := range o.notes {
			c.Notes = append(c.Notes, Note{Class: n.class, Rule: n.rule, Message: n.message, Brief: n.brief, Resource: o.name, Path: n.at.Path, Fields: n.fields, Unexplained: n.foreign})
		}
		all = append(all, c)
	}
	return all
}
