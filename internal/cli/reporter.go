package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A reporter prints outcomes in the order of the inputs: results on standard output, messages on standard error.
type reporter struct {
	*session
	flags    convertFlags
	stdout   *bufio.Writer
	color    bool
	found    *finder
	progress *progress
	summary  summary
	findings []*lint.Finding
	paths    []string // of the files that could be read
}

func (r *reporter) report(out outcome) {
	r.summary.count(out)
	if out.result == nil || out.syntax != nil || len(objects(out.result)) > 0 {
		r.found.settle(out.from)
	}
	if out.trouble == nil {
		r.paths = append(r.paths, shown(out.path))
	}
	r.findings = append(r.findings, out.findings...)
	if r.speaks(out) {
		r.progress.clear()
	}
	switch {
	case out.trouble != nil:
		r.fail(out.trouble)
	case out.syntax != nil:
		r.worsen(exitFindings)
		if len(r.flags.outputs) == 0 {
			for _, err := range separate(out.syntax) {
				fmt.Fprintln(r.stderr, withPath(out.path, err))
			}
		}
	default:
		r.notes(out)
		r.print(out)
	}
	r.progress.step()
}

// speaks reports whether anything will be printed for an outcome.
func (r *reporter) speaks(out outcome) bool {
	if out.result == nil || out.trouble != nil || out.changed {
		return true
	}
	for _, c := range objects(out.result) {
		if len(c.Notes) > 0 {
			return true
		}
	}
	return out.template != nil
}

// withPath returns an error's message as one line that starts with the file's name.
func withPath(path string, err error) string {
	message := text.Harmless(err.Error())
	if name := text.Harmless(slashed(path)); !strings.HasPrefix(message, name) {
		return name + ": " + message
	}
	return message
}

// notes prints the notes of the conversion.
func (r *reporter) notes(out outcome) {
	if t := out.template; t != nil && t.CRDs && !r.flags.quiet {
		fmt.Fprintf(r.stderr, "%s: skipped: a %s template that names CRDs; convert %s\n", text.Harmless(slashed(out.path)), t.Language, madeOf(t.Language))
	}
	for _, c := range objects(out.result) {
		if c.State == policy.NeedsPerson {
			r.worsen(exitFindings)
		}
		for _, note := range byPosition(c.Notes) {
			// Of a CRD that was left alone, nothing was changed, safely or not.
			if len(r.flags.outputs) == 0 && r.shows(note.Class) && (c.State != policy.NeedsPerson || note.Class == policy.Report) {
				fmt.Fprintf(r.stderr, "%s:%d:%d: %s: %s [%s]\n", text.Harmless(slashed(out.path)), note.Pos.Line, note.Pos.Column,
					spoken(note.Class), text.Harmless(cmp.Or(note.Brief, note.Message)), text.Harmless(note.ID))
			}
		}
	}
}

// objects returns the CRDs of a file and the objects that were meant to be CRDs, in the order of the file.
func objects(result *convert.Result) []convert.CRD {
	all := slices.Concat(result.CRDs, result.Meant)
	slices.SortStableFunc(all, func(a, b convert.CRD) int { return cmp.Or(a.Document-b.Document, a.Line-b.Line) })
	return all
}

// byPosition orders notes as a person reads the file.
func byPosition(notes []convert.Note) []convert.Note {
	return slices.SortedStableFunc(slices.Values(notes), func(a, b convert.Note) int {
		return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
}

// spoken is a class of notes for people to read.
func spoken(class policy.Class) string {
	if class == policy.Report {
		return "NEEDS YOU"
	}
	return string(class)
}

// shows reports whether notes of a class are printed.
func (r *reporter) shows(class policy.Class) bool {
	switch class {
	case policy.Safe:
		return r.flags.verbose
	case policy.Changes:
		return !r.flags.quiet
	}
	return true
}

// print prints what goes to standard output. Each file's part is out before the next is looked at, so that the two
// streams stay in step on a terminal.
func (r *reporter) print(out outcome) {
	if out.changed && (r.flags.check || r.flags.diff) {
		r.worsen(exitFindings)
	}
	var err error
	switch {
	case r.flags.prints():
		_, err = r.stdout.Write(out.result.Output)
	case r.flags.check && out.changed && !r.flags.outputs.onStdout():
		_, err = fmt.Fprintln(r.stdout, text.Harmless(slashed(out.path)))
	case r.flags.diff && r.color:
		_, err = r.stdout.Write(colorDiff(out.diff))
	case r.flags.diff:
		_, err = r.stdout.Write(out.diff)
	}
	if err == nil {
		err = r.stdout.Flush()
	}
	if err != nil {
		r.fail(err)
	}
}

// writeFindings writes the notes in the formats of --output.
func (r *reporter) writeFindings() error {
	all := &lint.Report{Findings: r.findings, Files: r.paths, Counts: r.summary.Counts, Templates: r.summary.templates}
	return r.flags.outputs.write(r.stdout, all, report.Options{Full: true, Rules: slices.Concat(rules.All(), rules.Notes()), Doc: rules.Doc, Version: programVersion(), Repository: repositoryURL(os.Getenv)})
}
