package cli

import (
	"context"
	"errors"
	"runtime"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// findObjects finds the files that --objects names.
func (f *convertFlags) findObjects(crds *finder) (*finder, error) {
	if len(f.objects) == 0 {
		return nil, nil
	}
	if f.options.To == policy.V1beta1 {
		return nil, usageError{"--objects cannot be used with --to v1beta1", "It says which fields of stored objects are lost by v1."}
	}
	found := &finder{wants: "custom resource"}
	stdin := 0
	for _, in := range crds.inputs {
		if in.path == stdinName {
			stdin++
		}
	}
	for _, path := range f.objects {
		if path == stdinPath {
			stdin++
		}
		found.find(path)
	}
	if stdin > 1 {
		return nil, usageError{"- can only be read once", "Write the CRDs or the objects to a file first."}
	}
	return found, nil
}

// tellLosses says which fields of objects the conversion loses. Where it does, the run fails.
func (r *convertRun) tellLosses(ctx context.Context, from *finder) error {
	if from == nil {
		return nil
	}
	r.failAll(from.errs)
	done, err := r.divide(ctx, validateFlags{lintFlags: lintFlags{runFlags: runFlags{maxFileSize: r.flags.maxFileSize}}}, from)
	defer done()
	if err != nil {
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
	var src []byte
	var parts []lint.Part
	if in.piece != nil {
		src, parts, seen.trouble = in.piece.text()
	} else {
		src, seen.trouble = in.read(r.stdin, int64(r.flags.maxFileSize))
	}
	if seen.trouble == nil {
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

// considers makes the CRDs of a file ready for the objects that it is asked about.
func (r *convertRun) considers(path string, src []byte, out *convertOutcome) {
	if len(r.flags.objects) > 0 {
		out.losses = losses.Of(path, src, r.flags.options, out.result, r.file)
	}
}
