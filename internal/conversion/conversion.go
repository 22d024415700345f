// Package conversion converts one CustomResourceDefinition between apiextensions.k8s.io/v1beta1 and v1, as a tree, and
// proves the result. Files, and what becomes of their text, are package convert's.
//
// To read it in order: conversion.go has the door, note.go what is said, job.go the steps, which are in lift.go (to v1),
// lower.go (to v1beta1), leftover.go and apply.go; report.go tells what keeps a CRD from being converted,
// and proof.go compares the result with upstream's own conversion, in which covered.go has the quick way. foresee.go
// tells what a conversion would come to. Package fast says when that takes none, and when a server is asked once for input and result.
package conversion

import (
	"errors"
	"fmt"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Outcome is what became of one CRD.
type Outcome struct {
	CRD   *crd.CRD
	State policy.State
	Notes []*Note
	Marks int // x-kubernetes-preserve-unknown-fields marks that were added
	// Answer is that of the API server of the CRD's own version; nil where it was not asked.
	Answer *fast.Verdict
}

// Convert converts one CRD in place. A CRD that needs a person is left as it was. What is converted is proven as a tree.
func Convert(c *crd.CRD, opt policy.Options) Outcome {
	j, state := attempt(job{opt: opt.Decided(), input: c})
	out := Outcome{CRD: c, State: state, Notes: j.notes, Answer: j.answer}
	if out.State == policy.Converted {
		*c.Node = *j.work.Node
		out.Marks = j.marks
	} else {
		// nothing was changed after all
		out.Notes = j.obstacles()
	}
	return out
}

// attempt runs a job, and returns it with what it came to, its notes and the converted copy.
//
// An anchor and its aliases are one node, and a repair of one is a repair of all. Where that goes wrong, since they
// stand in places that need different repairs or the anchor is gone, the aliases are written out and the conversion
// starts again.
func attempt(asked job) (j *job, state policy.State) {
	defer func() {
		// one CRD that breaks crdlift must not take the others down with it
		if p := recover(); p != nil {
			j, state = &job{notes: []*Note{Unwritable(asked.input.Node, fmt.Errorf("%v", p))}}, policy.NeedsPerson
		}
	}()
	first := asked
	j = &first
	state, err := j.convert()
	if (state == policy.NeedsPerson || err != nil) && layout.Expandable(asked.input.Node) {
		expanded := asked
		expanded.expandAliases()
		if s, e := expanded.convert(); s == policy.Converted || state == policy.Converted {
			j, state, err = &expanded, s, e
		}
	}
	if err != nil { // the result is not what it should be
		state = policy.NeedsPerson
		j.notes = append(j.notes, Unwritable(asked.input.Node, err))
	}
	return j, state
}

// convert runs the job. The error tells why what it converted must not be used.
func (j *job) convert() (policy.State, error) {
	state := j.run()
	if state != policy.Converted {
		return state, nil
	}
	if j.mayHaveAliases() {
		if name := layout.Dangling(j.work.Node, j.outer); name != "" {
			return state, fmt.Errorf("an alias refers to the anchor %q, which was removed", name)
		}
	} else if j.foresees {
		return state, nil
	}
	return state, j.prove()
}

// Misspelt tells what keeps a server from taking an object for the CRD that it was meant to be.
func Misspelt(c *crd.CRD) Outcome {
	return Outcome{CRD: c, State: policy.NeedsPerson, Notes: notesOfHead(c)}
}

// Unwritable reports a document that the writer could not rewrite.
func Unwritable(at *yaml.Node, err error) *Note {
	message := text.Sprintf(Fault+"%s", text.Reason(err.Error()))
	var dangles danglingError
	if errors.Is(err, rewrite.ErrCommentsLost) || errors.Is(err, rewrite.ErrOddForm) || errors.As(err, &dangles) {
		message = text.Sprintf("cannot be rewritten: %v", err)
	}
	return newNote(policy.Report, NotWritten, crd.Place{Node: at}, message)
}

// NotWritten is the id of notes about what cannot be written, and Fault begins those that no manifest should bring about. InBranch
// is that of notes about CRDs that a template has for some clusters only, Uncombined of those about templates with many conditions.
const (
	Uncombined = "conditions-tried-alone"
	InBranch   = "conversion-of-a-branch"
	NotWritten = "conversion-not-written"
	Fault      = "cannot be rewritten, which is a fault of crdlift; please report it: "
)

// A danglingError is an alias of an object that was not converted, for a node of one that was.
type danglingError string

func (e danglingError) Error() string {
	return fmt.Sprintf("an alias of another object in this document refers to %q, which the conversion removes; write out its value", string(e))
}

// Dangling returns the error of a document in which an alias stands for a node that is gone; nil without such an alias.
func Dangling(root *yaml.Node) error {
	if name := layout.Dangling(root, nil); name != "" {
		return danglingError(name)
	}
	return nil
}

// An Explainer takes the notes that are an API server's own words out of an outcome, and returns what the rules of the linter
// say instead; notes that no rule speaks about stay.
type Explainer interface {
	lint.Explainer
	Explain(*manifest.Document, *Outcome, policy.Options) []*lint.Finding
}
