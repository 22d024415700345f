package cli

import (
	"bytes"
	"io"
	"slices"
	"sync/atomic"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/lint"
)

// An outcome is what became of one input. At most one of its errors is set; without one there is a result.
type outcome struct {
	input
	result  *convert.Result
	changed bool
	diff    []byte // with --diff
	trouble error  // the file cannot be read or written
	syntax  error  // the file does not parse; the message has the position

	avoidable bool            // the idiomatic policy makes fewer marks, here or in a file before
	findings  []*lint.Finding // the notes as findings, with --output
	template  *lint.Template  // of a template, which is passed over; nil for a manifest
}

// A converter works on inputs, several at a time.
type converter struct {
	convertFlags
	stdin  io.Reader
	file   func(path string, src []byte, opt policy.Options) (*convert.Result, error) // convert.File
	mirror *mirror                                                                    // nil without --output-dir

	diffRoot  string
	avoidable atomic.Bool // some mark; known once, since it takes a conversion to find out
}

func (c *converter) work(in input) (out outcome) {
	out.input = in
	src, err := in.read(c.stdin, int64(c.maxFileSize))
	if err != nil {
		out.trouble = err
		return out
	}
	defer survive(in, &out.trouble)
	path := slashed(in.path)
	out.result, out.syntax = c.file(path, src, c.options)
	if out.syntax != nil {
		out.findings = syntaxFindings(path, out.syntax)
		return out
	}
	out.avoidable = c.avoids(path, src, out.result)
	if len(c.outputs) > 0 {
		out.findings = noteFindings(path, src, out.result, &c.convertFlags)
	}
	if language := out.result.Template; language != "" {
		out.template = &lint.Template{Path: shown(in.path), Language: language, CRDs: crd.MayHold(src)}
	}
	out.changed = !bytes.Equal(src, out.result.Output)
	switch {
	case c.mirror != nil:
		out.trouble = c.mirror.write(in, out.result.Output)
	case c.write && out.changed:
		out.trouble = unread(atomicfile.Rewrite(in.path, src, out.result.Output))
	case c.diff && out.changed:
		name := diffName(c.diffRoot, in)
		out.diff = diff.Unified("a/"+name, "b/"+name, src, out.result.Output)
	}
	if !c.prints() {
		out.result.Output = nil // many results wait for their turn
	}
	return out
}

// avoids reports whether the idiomatic policy marks less in this file, or did in another one.
func (c *converter) avoids(path string, src []byte, res *convert.Result) bool {
	if c.quiet || !keepsAll(c.options) || c.avoidable.Load() {
		return c.avoidable.Load()
	}
	if !slices.ContainsFunc(res.CRDs, func(o convert.CRD) bool { return o.State == policy.Converted && o.Marks > 0 }) {
		return false
	}
	idiomatic := c.options
	idiomatic.Policy, idiomatic.UnknownFields = policy.Idiomatic, ""
	other, err := c.file(path, src, idiomatic)
	if err != nil {
		return false
	}
	for i, o := range other.CRDs {
		if o.State == policy.Converted && o.Marks < res.CRDs[i].Marks {
			c.avoidable.Store(true)
			return true
		}
	}
	return false
}
