package cli

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/losses"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A convertRun converts inputs, several at a time, and prints what came out: results on standard output, messages on
// standard error.
type convertRun struct {
	*run.Run
	flags  convertFlags
	file   func(path string, src []byte, opt policy.Options) (*convert.Result, error) // convertAny or convertRendered
	mirror *run.Mirror                                                                // nil without --output-dir

	avoidable atomic.Bool // some mark; known once, since it takes a conversion to find out
	summary   summary
	findings  []*lint.Finding
	defined   []lint.CRD        // with --output
	paths     []string          // of the files that could be read
	losses    losses.All        // of fields, with --objects
	leftOut   map[lint.Role]int // CRDs that would be converted
}

func (r *convertRun) work(in run.Input) (out convertOutcome) {
	out.Input = in
	src, err := r.Read(in)
	if err != nil {
		out.trouble = err
		return out
	}
	defer run.Survive(in, false, &out.trouble)
	path := run.Slashed(in.Path)
	out.result, out.syntax = r.file(path, src, r.flags.options)
	if out.syntax != nil {
		out.findings = syntaxFindings(path, out.syntax)
		return out
	}
	if role := r.Roles.LeavesOut(run.Shown(in.Path)); role != "" && r.mirror == nil {
		out.leftOut = role
		return out
	}
	out.avoidable = r.avoids(path, src, out.result)
	if len(r.flags.objects) > 0 {
		out.losses = losses.Of(path, src, r.flags.options, out.result, r.file)
	}
	if len(r.flags.Outputs) > 0 {
		text := manifest.Parse(path, src)
		out.findings = noteFindings(text, out.result, &r.flags)
		out.defined = definedIn(text, out.result)
	}
	if language := out.result.Template; language != "" {
		out.template = &lint.Template{Path: run.Shown(in.Path), Language: language, CRDs: crd.MayHold(src), Why: out.result.TemplateWhy}
	}
	converted := out.result.Output
	out.result.Output = nil // many results wait for their turn
	out.changed = !bytes.Equal(src, converted)
	out.text, out.trouble = r.flags.rewrite(r.Run, r.mirror, in, src, converted)
	return out
}

// avoids reports whether the idiomatic policy marks less in this file, or did in another one.
func (r *convertRun) avoids(path string, src []byte, res *convert.Result) bool {
	if r.flags.Quiet || !keepsAll(r.flags.options) || r.avoidable.Load() {
		return r.avoidable.Load()
	}
	if !slices.ContainsFunc(res.CRDs, func(o convert.CRD) bool { return o.State == policy.Converted && o.Marks > 0 }) {
		return false
	}
	idiomatic := r.flags.options
	idiomatic.Policy, idiomatic.UnknownFields = policy.Idiomatic, ""
	other, err := r.file(path, src, idiomatic)
	if err != nil {
		return false
	}
	for i, o := range other.CRDs {
		if o.State == policy.Converted && o.Marks < res.CRDs[i].Marks {
			r.avoidable.Store(true)
			return true
		}
	}
	return false
}

// collect takes outcomes in the order of the inputs.
func (r *convertRun) collect(out convertOutcome) {
	if out.leftOut != "" {
		r.Inputs.Settle(out.From)
		r.leftOut[out.leftOut] += toConvert(out.result)
		return
	}
	r.summary.count(out)
	if out.result == nil || out.syntax != nil || len(candidates(out.result)) > 0 {
		r.Inputs.Settle(out.From)
	}
	r.findings = append(r.findings, out.findings...)
	if out.trouble == nil { // else it is as it was
		r.defined = append(r.defined, out.defined...)
	}
	r.losses.Add(out.losses)
	if out.trouble != nil {
		r.Fail(out.trouble)
		return
	}
	r.paths = append(r.paths, run.Shown(out.Path))
	if out.syntax != nil {
		r.Worsen(run.ExitFindings)
		if len(r.flags.Outputs) == 0 {
			r.sayErrors(out.Path, out.syntax)
		}
		return
	}
	r.sayNotes(out)
	if out.changed && (r.flags.check || r.flags.diff) {
		r.Worsen(run.ExitFindings)
	}
	if out.text != nil {
		r.Print(out.text)
	}
}

// toConvert counts the CRDs that are converted, or need a person for it.
func toConvert(result *convert.Result) (n int) {
	for _, c := range candidates(result) {
		if c.State == policy.Converted || c.State == policy.NeedsPerson {
			n++
		}
	}
	return n
}

// sayErrors prints the errors of a file that does not parse as lines that start with the file's name.
func (r *convertRun) sayErrors(path string, syntax error) {
	for _, err := range text.Separate(syntax) {
		message, name := text.Harmless(err.Error()), text.Harmless(run.Slashed(path))
		if !strings.HasPrefix(message, name) {
			message = name + ": " + message
		}
		r.Say("%s", message)
	}
}

// sayNotes prints the notes of the conversion.
func (r *convertRun) sayNotes(out convertOutcome) {
	path := run.Slashed(out.Path)
	if t := out.template; t != nil && t.CRDs && !r.flags.Quiet {
		r.Say("%s: skipped: %s; convert %s", path, reason(*t), madeOf(t.Language))
	}
	for _, c := range candidates(out.result) {
		if c.State == policy.NeedsPerson {
			r.Worsen(run.ExitFindings)
		}
		for _, note := range byPosition(c.Notes) {
			// Of a CRD that was left alone, nothing was changed, safely or not.
			if len(r.flags.Outputs) == 0 && r.shows(note.Class) && (c.State != policy.NeedsPerson || note.Class == policy.Report) {
				r.Say("%s:%d:%d: %s: %s [%s]", path, note.Pos.Line, note.Pos.Column, spoken(note.Class), cmp.Or(note.Brief, note.Message), note.ID)
			}
		}
	}
}

// spoken is a class of notes for people to read.
func spoken(class policy.Class) string {
	if class == policy.Report {
		return "NEEDS YOU"
	}
	return string(class)
}

// shows reports whether notes of a class are printed.
func (r *convertRun) shows(class policy.Class) bool {
	switch class {
	case policy.Safe:
		return r.flags.verbose
	case policy.Changes:
		return !r.flags.Quiet
	}
	return true
}

// writeFindings writes the notes in the formats of --output.
func (r *convertRun) writeFindings() error {
	all := &lint.Report{
		Findings: r.findings, Files: r.paths, Counts: r.summary.Counts, Templates: r.summary.templates, Defined: r.defined,
		Migration: &lint.Migration{To: string(r.flags.options.To), Written: r.flags.writes()},
	}
	return r.Report(r.Stdout, all, report.Options{
		Rules: slices.Concat(rules.All(), rules.Notes()), Head: report.Head{Command: "convert"},
	})
}
