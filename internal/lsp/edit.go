package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/lint"
)

// A change is the edits of a document that belong together.
type change struct {
	*edition
	edits   []protocol.TextEdit
	snippet bool // of the one edit: its text has places for the cursor
	create  bool // the file is not there yet
	// ask is why a person should look at the edits before they are made; "" where that is not so. More is what to know then.
	ask, more string
}

// becomes is the change of a part of a text to another, by whole lines.
func becomes(e *edition, start, end int, after []byte) *change {
	c := &change{edition: e}
	for _, one := range diff.Edits(e.sheet.text[start:end], after) {
		c.edits = append(c.edits, protocol.TextEdit{Range: e.sheet.span(start+one.Start, start+one.End), NewText: one.New})
	}
	return c
}

// becomesAll is the change of a text to another.
func becomesAll(e *edition, after []byte) *change { return becomes(e, 0, len(e.sheet.text), after) }

// fixedBy is the change that the edits of a fix make.
func fixedBy(e *edition, edits []lint.TextEdit) *change {
	c := &change{edition: e}
	for _, one := range edits {
		at := e.sheet.span(e.sheet.at(one.Line, one.Column), e.sheet.at(one.EndLine, one.EndColumn))
		c.edits = append(c.edits, protocol.TextEdit{Range: at, NewText: one.Text})
	}
	return c
}

// annotation is the name of what is said of edits: there is one change at a time.
const annotation = "crdlift"

// workspaceEdit is a change as the client takes it. One that has to be looked at is asked about where the client can.
func (s *server) workspaceEdit(c *change) *protocol.WorkspaceEdit {
	if !s.can.documentChanges {
		return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{c.at: c.edits}}
	}
	out := &protocol.WorkspaceEdit{}
	edit := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: c.at},
	}}
	if c.open {
		edit.TextDocument.Version = &c.version
	}
	ask := c.ask != "" && s.can.annotations
	if ask {
		yes := true
		out.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
			annotation: {Label: c.ask, NeedsConfirmation: &yes, Description: &c.more},
		}
	}
	for _, one := range c.edits {
		switch {
		case c.snippet:
			edit.Edits = append(edit.Edits, &protocol.SnippetTextEdit{Range: one.Range, Snippet: protocol.StringValue{Kind: "snippet", Value: one.NewText}})
		case ask:
			edit.Edits = append(edit.Edits, &protocol.AnnotatedTextEdit{TextEdit: one, AnnotationID: annotation})
		default:
			edit.Edits = append(edit.Edits, &one)
		}
	}
	if c.create {
		out.DocumentChanges = append(out.DocumentChanges, &protocol.CreateFile{Kind: "create", URI: c.at})
	}
	out.DocumentChanges = append(out.DocumentChanges, edit)
	return out
}
