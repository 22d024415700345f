package cli

import (
	"context"
	"errors"
	"runtime"

	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/text"
)

// tellLosses says which fields of objects the conversion loses. Where it does, the run fails.
func (r *convertRun) tellLosses(ctx context.Context, from *finder) error {
	if len(r.flags.objects) == 0 {
		return nil
	}
	r.failAll(from.errs)
	if err := r.divide(ctx, from); err != nil {
		return err
	}
	n := inOrder(ctx, runtime.GOMAXPROCS(0), from.inputs, r.lookAt, func(seen seenObjects) {
		if seen.trouble != nil {
			r.fail(seen.trouble)
			return
		}
		for _, err := range seen.Errs {
			r.worsen(exitFindings)
			r.sayErrors(seen.path, err)
		}
		r.losses.Count(seen.Look)
	})
	if n < len(from.inputs) {
		return errors.New("interrupted before all objects were looked at")
	}
	r.sayLosses()
	return nil
}

// seenObjects are the objects of an input.
type seenObjects struct {
	input
	*losses.Look
	trouble error // why it cannot be read
}

// lookAt finds out what the objects of an input lose.
func (r *convertRun) lookAt(in input) (seen seenObjects) {
	seen.input = in
	defer survive(in, true, &seen.trouble)
	src, parts, err := r.readPart(in)
	if seen.trouble = err; err == nil {
		seen.Look = r.losses.Look(shown(in.path), src, parts)
	}
	return seen
}

// sayLosses prints what the objects lose.
func (r *convertRun) sayLosses() {
	for _, c := range r.losses.CRDs {
		if c.Losing > 0 {
			r.worsen(exitFindings)
		}
		if c.Losing > 0 || !r.flags.quiet {
			for _, line := range c.Report() {
				r.say("%s", line)
			}
		}
	}
	if n := r.losses.Templates; n > 0 && !r.flags.quiet {
		r.say("not looked at: %s", text.Count(n, "template"))
	}
	if n := r.losses.Others; n > 0 && !r.flags.quiet {
		r.say("not looked at: %s without a CRD that is converted here", text.Count(n, "document"))
	}
}
