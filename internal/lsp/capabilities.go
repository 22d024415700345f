package lsp

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
)

// clientCapabilities are what a client can do.
type clientCapabilities struct {
	encoding           protocol.PositionEncodingKind
	relatedInformation bool // places beside that of a diagnostic
	codeDescription    bool // links from the code of a diagnostic
	tags               []protocol.DiagnosticTag
	versionSupport     bool // of the text that diagnostics are about
	watchFiles         bool
	workDoneProgress   bool // of work that nobody asked for

	hoverMarkdown bool
	itemMarkdown  bool // in what completes a text

	resolveEdit       bool // make the edits of an action when it is chosen
	disabled          bool // show actions that cannot be carried out, with the reason
	documentChanges   bool // edits of a version of a document
	changeAnnotations bool // ask before edits are made
	snippets          bool // edits with places for the cursor
	createFile        bool // files
	prompt            bool // ask for a text
}

// capabilitiesOf reads what a client says of itself.
func capabilitiesOf(c *protocol.ClientCapabilities) clientCapabilities {
	can := clientCapabilities{encoding: protocol.PositionEncodingKindUTF16}
	if g := c.General; g != nil {
		can.encoding = encodingOf(g.PositionEncodings)
	}
	if t := c.TextDocument; t != nil && t.PublishDiagnostics != nil {
		d := t.PublishDiagnostics
		can.relatedInformation, can.codeDescription, can.versionSupport = isSet(d.RelatedInformation), isSet(d.CodeDescriptionSupport), isSet(d.VersionSupport)
		can.tags = d.TagSupport.ValueSet
	}
	if t := c.TextDocument; t != nil && t.CodeAction != nil {
		a := t.CodeAction
		can.disabled = isSet(a.DisabledSupport)
		can.resolveEdit = isSet(a.DataSupport) && slices.Contains(a.ResolveSupport.Properties, "edit")
	}
	if t := c.TextDocument; t != nil && t.Hover != nil {
		can.hoverMarkdown = slices.Contains(t.Hover.ContentFormat, protocol.MarkupKindMarkdown)
	}
	if t := c.TextDocument; t != nil && t.Completion != nil {
		can.itemMarkdown = slices.Contains(t.Completion.CompletionItem.DocumentationFormat, protocol.MarkupKindMarkdown)
	}
	if w := c.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		can.watchFiles = isSet(w.DidChangeWatchedFiles.DynamicRegistration)
	}
	if w := c.Workspace; w != nil && w.WorkspaceEdit != nil {
		e := w.WorkspaceEdit
		can.documentChanges, can.snippets = isSet(e.DocumentChanges), isSet(e.SnippetEditSupport)
		can.changeAnnotations = can.documentChanges && e.ChangeAnnotationSupport != nil
		can.createFile = can.documentChanges && slices.Contains(e.ResourceOperations, protocol.ResourceOperationKindCreate)
	}
	var experimental struct{ CrdliftPrompt bool }
	can.prompt = json.Unmarshal(c.Experimental, &experimental) == nil && experimental.CrdliftPrompt
	if w := c.Window; w != nil {
		can.workDoneProgress = isSet(w.WorkDoneProgress)
	}
	return can
}

// encodingOf is the encoding of positions: the first of the client's that the server knows, and UTF-16 without any.
func encodingOf(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	known := []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF32}
	for _, encoding := range offered {
		if slices.Contains(known, encoding) {
			return encoding
		}
	}
	return protocol.PositionEncodingKindUTF16
}

// isSet reports whether a flag is set.
func isSet(flag *bool) bool { return flag != nil && *flag }
