package cli

import (
	"context"
	"errors"
	"runtime"

	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
)

// tellLosses says which fields of objects the conversion loses. Where it does, the run fails.
func (r *convertRun) tellLosses(ctx context.Context, from *run.Inputs) error {
	if len(r.flags.objects) == 0 {
		return nil
	}
	r.FailAll(from.Errs)
	from.NoteLinks(r.Note)
	if err := r.Divide(ctx, from); err != nil {
		return err
	}
	n := ordered.Each(ctx, runtime.GOMAXPROCS(0), from.All, r.lookAt, func(seen seenObjects) {
		if seen.trouble != nil {
			r.Fail(seen.trouble)
			return
		}
		for _, err := range seen.Errs {
			r.Worsen(run.ExitFindings)
			r.sayErrors(seen.Path, err)
		}
		r.losses.Count(seen.Look)
	})
	if n < len(from.All) {
		return errors.New("interrupted before all objects were checked")
	}
	r.sayLosses()
	return nil
}

// seenObjects are the objects of an input.
type seenObjects struct {
	run.Input
	*losses.Look
	trouble error // why it cannot be read
}

// lookAt finds out what the objects of an input lose.
func (r *convertRun) lookAt(in run.Input) (seen seenObjects) {
	seen.Input = in
	defer run.Survive(in, true, &seen.trouble)
	src, parts, err := r.ReadPart(in)
	if seen.trouble = err; err == nil {
		seen.Look = r.losses.Look(run.Shown(in.Path), src, parts)
	}
	return seen
}

// sayLosses prints what the objects lose.
func (r *convertRun) sayLosses() {
	for _, c := range r.losses.CRDs {
		if c.Losing > 0 {
			r.Worsen(run.ExitFindings)
		}
		if c.Losing > 0 || !r.flags.Quiet {
			for _, line := range c.Report() {
				r.Say("%s", line)
			}
		}
	}
	if n := r.losses.Templates; n > 0 && !r.flags.Quiet {
		r.Say("not checked: %s", text.Count(n, "template"))
	}
	if n := r.losses.Others; n > 0 && !r.flags.Quiet {
		r.Say("not checked: %s without a CRD that is converted here", text.Count(n, "document"))
	}
}
