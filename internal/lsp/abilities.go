package lsp

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
)

// abilities are what a client can do.
type abilities struct {
	unit       protocol.PositionEncodingKind
	related    bool // places beside that of a diagnostic
	pages      bool // links from the code of a diagnostic
	tags       []protocol.DiagnosticTag
	versions   bool // of the text that diagnostics are about
	watchFiles bool
	progress   bool // of work that nobody asked for

	hoverMarkdown bool
	itemMarkdown  bool // in what completes a text

	resolve         bool // make the edits of an action when it is chosen
	disabled        bool // show actions that cannot be carried out, with the reason
	documentChanges bool // edits of a version of a document
	annotations     bool // ask before edits are made
	snippets        bool // edits with places for the cursor
	create          bool // files
	prompt          bool // ask for a text
}

// abilitiesOf reads what a client says of itself.
func abilitiesOf(c *protocol.ClientCapabilities) abilities {
	can := abilities{unit: protocol.PositionEncodingKindUTF16}
	if g := c.General; g != nil {
		can.unit = unitOf(g.PositionEncodings)
	}
	if t := c.TextDocument; t != nil && t.PublishDiagnostics != nil {
		d := t.PublishDiagnostics
		can.related, can.pages, can.versions = is(d.RelatedInformation), is(d.CodeDescriptionSupport), is(d.VersionSupport)
		can.tags = d.TagSupport.ValueSet
	}
	if t := c.TextDocument; t != nil && t.CodeAction != nil {
		a := t.CodeAction
		can.disabled = is(a.DisabledSupport)
		can.resolve = is(a.DataSupport) && slices.Contains(a.ResolveSupport.Properties, "edit")
	}
	if t := c.TextDocument; t != nil && t.Hover != nil {
		can.hoverMarkdown = slices.Contains(t.Hover.ContentFormat, protocol.MarkupKindMarkdown)
	}
	if t := c.TextDocument; t != nil && t.Completion != nil {
		can.itemMarkdown = slices.Contains(t.Completion.CompletionItem.DocumentationFormat, protocol.MarkupKindMarkdown)
	}
	if w := c.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		can.watchFiles = is(w.DidChangeWatchedFiles.DynamicRegistration)
	}
	if w := c.Workspace; w != nil && w.WorkspaceEdit != nil {
		e := w.WorkspaceEdit
		can.documentChanges, can.snippets = is(e.DocumentChanges), is(e.SnippetEditSupport)
		can.annotations = can.documentChanges && e.ChangeAnnotationSupport != nil
		can.create = can.documentChanges && slices.Contains(e.ResourceOperations, protocol.ResourceOperationKindCreate)
	}
	var experimental struct{ CrdliftPrompt bool }
	can.prompt = json.Unmarshal(c.Experimental, &experimental) == nil && experimental.CrdliftPrompt
	if w := c.Window; w != nil {
		can.progress = is(w.WorkDoneProgress)
	}
	return can
}

// unitOf is the encoding of positions: the first of the client's that the server knows, and UTF-16 without any.
func unitOf(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	known := []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF32}
	for _, unit := range offered {
		if slices.Contains(known, unit) {
			return unit
		}
	}
	return protocol.PositionEncodingKindUTF16
}

// is reports whether a flag is set.
func is(flag *bool) bool { return flag != nil && *flag }

// settings are what the client configures, beside the configuration file. They win over it, as flags do.
type settings struct {
	Preset            string `json:"preset"`
	KubernetesVersion string `json:"kubernetesVersion"`
	MinSeverity       string `json:"minSeverity"`
}

// settingsOf reads settings: those below "crdlift", or all of them. What is none counts as not set; found is false where there is
// nothing that could be settings of crdlift.
func settingsOf(options protocol.LSPAny) (s settings, found bool) {
	var below struct {
		Crdlift *settings `json:"crdlift"`
	}
	if json.Unmarshal(options, &below) == nil && below.Crdlift != nil {
		return *below.Crdlift, true
	}
	_ = json.Unmarshal(options, &s)
	return s, s != settings{}
}
