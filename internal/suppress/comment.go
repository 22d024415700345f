package suppress

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// The rules about ignores.
var (
	ReasonRule = &lint.Rule{
		ID:       "ignore-reason-missing",
		Summary:  "ignores that do not say why",
		Severity: lint.Warning,
	}
	UnknownRule = &lint.Rule{
		ID:       "ignore-unknown-rule",
		Summary:  "ignores of rules that do not exist",
		Severity: lint.Warning,
	}
	UnusedRule = &lint.Rule{
		ID:       "ignore-unused",
		Summary:  "ignores that match no finding",
		Severity: lint.Warning,
	}
)

// A Comment is an ignore in a manifest: `# crdlift:ignore rule-id[, rule-id...] -- reason`. Caches keep its fields.
type Comment struct {
	Names    []RuleName
	Reason   string
	At       lint.Position // of the comment
	Document int
	All      bool          // of the document
	Line     int           // of which it is at the end; 0 when it is on a line of its own
	Entry    lint.Position // the entry below it; zero when there is none
	Scope    string        // the object and the path that it is about, which stay the same when lines come and go
}

// Same reports whether two comments are the same one, read twice.
func (c *Comment) Same(other *Comment) bool { return c.At == other.At }

// A RuleName is a rule that a comment names.
type RuleName struct {
	ID     string
	Was    string        // the earlier id that is written; "" for the present one
	Unused *lint.Finding // to be reported if it is; nil for a rule that does not exist
}

// Placeholder is what editors write where somebody has to say why. It is no reason.
const Placeholder = "why this is right here"

// noReason replaces the reason of an ignore that has none.
const noReason = "(no reason given)"

// MayHold reports whether a text may have comments of ours.
func MayHold(text []byte) bool {
	return bytes.Contains(text, []byte("crdlift:")) && maybe().Match(text)
}

// maybe finds the start of what may be a comment.
var maybe = text.Pattern(`#\s*crdlift:`)

var directive = text.Pattern(`^#+\s*crdlift:\s*(ignore\S*)(.*)$`)

// Comments returns the ignores in a document's comments, and findings about errors in them. The resource is
// metadata.name of the document's CRD, "" when it has several.
func Comments(d *manifest.Document, resource string, rules func() lint.Rules) (ignores []*Comment, wrong []*lint.Finding) {
	if !MayHold(d.Text()) { // spares most documents being read once more
		return nil, nil
	}
	r := &reader{document: d, resource: resource, known: rules()}
	for _, r.comment = range d.Comments() {
		m := directive().FindStringSubmatchIndex(r.comment.Text)
		if m == nil {
			continue
		}
		if word := r.comment.Text[m[2]:m[3]]; word == "ignore" {
			ignores = append(ignores, r.read(m[4]))
		} else {
			r.report(UnknownRule, m[2], m[3], "there is no crdlift:"+word+"; write crdlift:ignore RULE -- REASON")
		}
	}
	return ignores, r.wrong
}

// A reader reads the comments of a document.
type reader struct {
	document *manifest.Document
	resource string // metadata.name of the document's CRD, "" when it has several
	known    lint.Rules
	comment  manifest.Comment // the one being read
	wrong    []*lint.Finding
}

var (
	dashes = text.Pattern(`(^|\s)--+(\s|$)`)
	word   = text.Pattern(`[^\s,]+`)
)

// read reads the text after the comment's first word: rules, and the reason after two dashes.
func (r *reader) read(from int) *Comment {
	c := &Comment{Document: r.document.Index, Reason: noReason}
	c.At = r.document.File.Range(r.comment.Start, r.comment.Start+len(r.comment.Text))
	r.place(c)
	c.Scope = r.scope(c)
	written := r.comment.Text
	end := len(written)
	if m := dashes().FindStringIndex(written[from:]); m != nil {
		end = from + m[0]
		if reason := text.OneLine(written[from+m[1]:]); reason != "" && reason != Placeholder {
			c.Reason = reason
		}
	}
	c.Names = r.names(written[from:end], from)
	if len(c.Names) == 0 {
		r.report(UnknownRule, 0, len(written), "the ignore names no rule; write the rule of the finding after crdlift:ignore")
	} else if c.Reason == noReason {
		r.report(ReasonRule, 0, len(written), "the ignore has no reason; write it after two dashes: -- REASON")
	}
	return c
}

// names reads rule ids between commas. An id without a comma may be followed by other existing ids; any other words are
// a reason without its dashes.
func (r *reader) names(list string, offset int) (names []RuleName) {
	comma := 0 // where the last id ended
	for _, m := range word().FindAllStringIndex(list, -1) {
		id := list[m[0]:m[1]]
		known := r.known.ByID(id)
		if known == nil && len(names) > 0 && !strings.Contains(list[comma:m[0]], ",") {
			break
		}
		comma = m[1]
		start, end := offset+m[0], offset+m[1]
		if known == nil {
			names = append(names, RuleName{ID: id})
			message := "there is no rule " + text.Misspelt(id, r.known.IDs()) + "; run `crdlift explain` to list the rules"
			if strings.ContainsAny(id, "*?[{") {
				message = "a comment cannot ignore a glob such as " + text.Quoted(id).Brief() + "; name each rule, or write the glob in the configuration"
			}
			r.report(UnknownRule, start, end, message)
			continue
		}
		was := ""
		if id != known.ID {
			was = id
		}
		names = append(names, RuleName{known.ID, was, r.finding(UnusedRule, start, end, "no finding of "+id+" is ignored by this comment; remove the comment, or move it to the line of the finding")})
	}
	return names
}

// place determines the part of the manifest that the comment applies to.
func (r *reader) place(c *Comment) {
	f := r.document.File
	if r.comment.Top {
		c.All = true
	} else if !r.comment.OwnLine {
		c.Line, _ = f.Position(r.comment.Start)
	} else if start, end, ok := r.document.EntryBelow(r.comment); ok {
		c.Entry = f.Range(start, end)
	}
}

func (r *reader) report(rule *lint.Rule, start, end int, message string) {
	r.wrong = append(r.wrong, r.finding(rule, start, end, message))
}

func (r *reader) finding(rule *lint.Rule, start, end int, message string) *lint.Finding {
	return &lint.Finding{
		Rule: rule, Message: message, Document: r.document.Index, Resource: r.resource,
		Source: r.document.File.SourceAt(r.document.File.Range(r.comment.Start+start, r.comment.Start+end)),
	}
}

// covers reports whether a comment is about a place of its document.
func (c *Comment) covers(at lint.Position) bool {
	switch {
	case c.All:
		return true
	case c.Line > 0:
		return at.Line == c.Line
	}
	e := c.Entry
	return !before(at.Line, at.Column, e.Line, e.Column) && !before(e.EndLine, e.EndColumn, at.Line, at.Column)
}

func before(line, column, otherLine, otherColumn int) bool {
	return line < otherLine || line == otherLine && column < otherColumn
}
