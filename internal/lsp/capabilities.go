package lsp

import (
	"cmp"
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
	document := cmp.Or(c.TextDocument, &protocol.TextDocumentClientCapabilities{})
	diagnostics := cmp.Or(document.PublishDiagnostics, &protocol.PublishDiagnosticsClientCapabilities{})
	action := cmp.Or(document.CodeAction, &protocol.CodeActionClientCapabilities{})
	completion := cmp.Or(document.Completion, &protocol.CompletionClientCapabilities{})
	item := cmp.Or(completion.CompletionItem, &protocol.ClientCompletionItemOptions{})
	workspace := cmp.Or(c.Workspace, &protocol.WorkspaceClientCapabilities{})
	edit := cmp.Or(workspace.WorkspaceEdit, &protocol.WorkspaceEditClientCapabilities{})
	documentChanges := isSet(edit.DocumentChanges)
	var experimental struct{ CrdliftPrompt bool }
	return clientCapabilities{
		encoding:           encodingOf(cmp.Or(c.General, &protocol.GeneralClientCapabilities{}).PositionEncodings),
		relatedInformation: isSet(diagnostics.RelatedInformation),
		codeDescription:    isSet(diagnostics.CodeDescriptionSupport),
		tags:               diagnostics.TagSupport.ValueSet,
		versionSupport:     isSet(diagnostics.VersionSupport),
		watchFiles:         isSet(cmp.Or(workspace.DidChangeWatchedFiles, &protocol.DidChangeWatchedFilesClientCapabilities{}).DynamicRegistration),
		workDoneProgress:   isSet(cmp.Or(c.Window, &protocol.WindowClientCapabilities{}).WorkDoneProgress),

		hoverMarkdown: slices.Contains(cmp.Or(document.Hover, &protocol.HoverClientCapabilities{}).ContentFormat, protocol.MarkupKindMarkdown),
		itemMarkdown:  slices.Contains(item.DocumentationFormat, protocol.MarkupKindMarkdown),

		resolveEdit:       isSet(action.DataSupport) && slices.Contains(action.ResolveSupport.Properties, "edit"),
		disabled:          isSet(action.DisabledSupport),
		documentChanges:   documentChanges,
		changeAnnotations: documentChanges && edit.ChangeAnnotationSupport != nil,
		snippets:          isSet(edit.SnippetEditSupport),
		createFile:        documentChanges && slices.Contains(edit.ResourceOperations, protocol.ResourceOperationKindCreate),
		prompt:            json.Unmarshal(c.Experimental, &experimental) == nil && experimental.CrdliftPrompt,
	}
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
