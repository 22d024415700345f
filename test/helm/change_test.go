package helm

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/rules"
)

// A change is something that crdlift does to a file.
type change func(path, text string) outcome

// An outcome is what became of a file.
type outcome struct {
	text       string
	passedOver bool
	refusals   []refusal
	found      []refusal // what there was to do, if that is told
	err        error
}

// A refusal is why crdlift leaves a CRD alone, or a part of it.
type refusal struct{ crd, id, message string }

// try makes a change. A panic fails its own file only.
func (do change) try(path, text string) (made outcome) {
	defer func() {
		if r := recover(); r != nil {
			made = outcome{text: text, err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	return do(path, text)
}

// fix makes the fixes of findings, the safe ones or all.
func fix(unsafe bool) change {
	return func(path, text string) outcome {
		var linter rules.Linter
		fixed := linter.Fix(path, []byte(text), unsafe)
		out := outcome{text: string(fixed.Output), passedOver: fixed.Left.Template != nil}
		for _, w := range fixed.Withheld {
			out.refusals = append(out.refusals, refusal{w.Finding.Resource, w.Finding.Rule.ID, w.Why})
		}
		for _, f := range fixed.Findings {
			out.found = append(out.found, refusal{f.Resource, f.Rule.ID, f.Message})
		}
		for _, f := range fixed.Left.Findings {
			out.found = append(out.found, refusal{f.Resource, f.Rule.ID, f.Message})
		}
		return out
	}
}

// to converts.
func to(options policy.Options) change {
	return func(path, text string) outcome {
		result, err := convert.File(path, []byte(text), options)
		if result == nil {
			return outcome{text: text, err: err}
		}
		out := outcome{text: string(result.Output), passedOver: result.Template != "", err: err}
		for _, c := range append(result.CRDs, result.Meant...) {
			if c.State != policy.NeedsPerson {
				continue
			}
			for _, n := range c.Notes {
				if n.Class == policy.Report {
					out.refusals = append(out.refusals, refusal{c.Name, n.ID, n.Message})
				}
			}
		}
		return out
	}
}

// unseen returns what was to be done in a rendering and cannot be seen in the template: a value that is wrong, say.
func (o outcome) unseen(rendered outcome) *refusal {
	for _, r := range rendered.found {
		if !slices.ContainsFunc(o.found, func(f refusal) bool { return f.id == r.id && alike(f.crd, r.crd) }) {
			return &refusal{r.crd, "not seen: " + r.id, r.message}
		}
	}
	return nil
}

// refused returns why a CRD of a rendering was left alone in the template.
func (o outcome) refused(name string) *refusal {
	for i, r := range o.refusals {
		if alike(r.crd, name) {
			return &o.refusals[i]
		}
	}
	return nil
}
