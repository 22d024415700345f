package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/lint"
)

// A documentChange is the edits of a document that belong together.
type documentChange struct {
	*snapshot
	edits      []protocol.TextEdit
	snippet    bool // of the one edit: its text has places for the cursor
	createFile bool // the file is not there yet
	// label is why a person should look at the edits before they are made; "" where that is not so. description is what to know then.
	label, description string
	also               []*documentChange // of other documents
}

// changeTo is the change of a part of a text to another, by whole lines.
func changeTo(snap *snapshot, start, end int, after []byte) *documentChange {
	c := &documentChange{snapshot: snap}
	for _, one := range diff.Edits(snap.text[start:end], after) {
		c.edits = append(c.edits, protocol.TextEdit{Range: snap.offsetRange(start+one.Start, start+one.End), NewText: one.New})
	}
	return c
}

// changeAll is the change of a text to another.
func changeAll(snap *snapshot, after []byte) *documentChange {
	return changeTo(snap, 0, len(snap.text), after)
}

// changeBy is the change that the edits of a fix make.
func changeBy(snap *snapshot, edits []lint.TextEdit) *documentChange {
	c := &documentChange{snapshot: snap}
	for _, one := range edits {
		at := snap.offsetRange(snap.lineOffset(one.Line, one.Column), snap.lineOffset(one.EndLine, one.EndColumn))
		c.edits = append(c.edits, protocol.TextEdit{Range: at, NewText: one.Text})
	}
	return c
}

// annotation is the name of the annotation of edits: there is one change at a time.
const annotation = "crdlift"

// workspaceEdit is a change as the client takes it. One that has to be looked at is asked about where the client can.
func (s *server) workspaceEdit(c *documentChange) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{}
	ask := c.label != "" && s.capabilities.changeAnnotations
	for _, one := range append([]*documentChange{c}, c.also...) {
		if !s.capabilities.documentChanges {
			if out.Changes == nil {
				out.Changes = map[uri.URI][]protocol.TextEdit{}
			}
			out.Changes[one.uri] = one.edits
			continue
		}
		if one.createFile {
			out.DocumentChanges = append(out.DocumentChanges, &protocol.CreateFile{Kind: "create", URI: one.uri})
		}
		out.DocumentChanges = append(out.DocumentChanges, one.documentEdit(ask))
	}
	if ask {
		yes := true
		out.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
			annotation: {Label: c.label, NeedsConfirmation: &yes, Description: &c.description},
		}
	}
	return out
}

// documentEdit is the edits of one document. The client asks about them by the annotation.
func (c *documentChange) documentEdit(ask bool) *protocol.TextDocumentEdit {
	edit := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: c.uri},
	}}
	if c.open {
		edit.TextDocument.Version = &c.version
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
	return edit
}
