package cli

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/text"
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
func (r *convertRun) tellLosses(from *finder) {
	if from == nil {
		return
	}
	r.failAll(from.errs)
	for _, in := range from.inputs {
		src, err := in.read(r.stdin, int64(r.flags.maxFileSize))
		if err != nil {
			r.fail(err)
			continue
		}
		for _, err := range r.losses.Read(shown(in.path), src) {
			r.worsen(exitFindings)
			r.sayErrors(in.path, err)
		}
	}
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
