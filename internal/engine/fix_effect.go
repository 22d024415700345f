package engine

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// ruleKey names a rule in one CRD.
type ruleKey struct {
	document, index int
	id              string
}

func ruleOf(f *Finding) ruleKey { return ruleKey{f.Document, f.Index, f.Rule.ID} }

// fixKey names a finding across runs over the same file.
type fixKey struct {
	document, index     int // the CRD: a fix may change its name
	rule, path, message string
}

func keyOf(f *Finding) fixKey { return fixKey{f.Document, f.Index, f.Rule.ID, f.At.Path, f.Message} }

// newError returns an error finding of a rule that reports more of them after the fixes than before; nil where the
// fixes revealed errors that the server could not see before.
func newError(before, after *FileReport, made []*Finding) *Finding {
	if slices.ContainsFunc(made, func(f *Finding) bool { return f.Fix.Reveals }) {
		return nil
	}
	errors := map[ruleKey]int{}
	for _, f := range before.Found {
		if f.Severity == lint.Error {
			errors[ruleOf(f)]++
		}
	}
	for _, f := range after.Found {
		if f.Severity == lint.Error && f.By != SyntaxRule { // a fix that breaks the text reveals nothing
			k := ruleOf(f)
			if errors[k]--; errors[k] < 0 {
				return f
			}
		}
	}
	return nil
}

// better reports whether fixes worked: the findings they were made for are gone, and the file still parses.
func better(before, after *FileReport, made []*Finding) bool {
	left, broken := map[fixKey]int{}, 0
	for _, f := range before.Found {
		left[keyOf(f)]++
		if f.By == SyntaxRule { // of other documents
			broken++
		}
	}
	for _, f := range made {
		left[keyOf(f)]--
	}
	for _, f := range after.Found {
		if f.By == SyntaxRule {
			broken--
		}
		left[keyOf(f)]--
	}
	return broken >= 0 && !slices.ContainsFunc(made, func(f *Finding) bool { return left[keyOf(f)] < 0 })
}

// A fixable is a document to fix. What its findings are about is found before the first fix, and again in every tree.
type fixable struct {
	root    *yaml.Node
	crds    []*crd.CRD
	objects []*objects.Object
}

// settle makes what fixes have put off.
func (d *fixable) settle() {
	if d != nil {
		for _, o := range d.objects {
			o.Settle()
		}
	}
}

// fix makes the fix of a finding, but for what settle makes, and reports whether it does anything.
func (d *fixable) fix(f *Finding) bool {
	if f.Fix.Document != nil {
		return f.Fix.Document(d.root)
	}
	if f.Fix.Object != nil {
		if d.objects == nil {
			d.objects, _ = objects.Find(d.root)
		}
		return f.Fix.Object(d.objects[f.Index])
	}
	if d.crds == nil {
		d.crds, _ = xrd.Find(d.root)
		for _, c := range d.crds {
			c.Changing()
		}
	}
	c := d.crds[f.Index]
	if c.From != nil {
		d.crds = nil // to be made anew of what the fix leaves
	}
	return f.Fix.Apply(c)
}
