package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"go.lsp.dev/protocol"
)

// Initialize says what the server can do for the client.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.capabilities = capabilitiesOf(&params.Capabilities)
	settings, _ := settingsOf(params.InitializationOptions)
	s.projects.set(settings)
	s.workspace.setRoots(rootsOf(params))
	if params.ProcessID != nil {
		s.watchParent(int(*params.ProcessID))
	}
	s.state.Store(serving)
	yes, sync := true, protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: s.capabilities.encoding,
			TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync, Save: &protocol.SaveOptions{}},
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{kindFix, kindFixAll, kindConvert, kindObject}, ResolveProvider: &yes,
			},
			DefinitionProvider:      protocol.Boolean(true),
			TypeDefinitionProvider:  protocol.Boolean(true),
			ReferencesProvider:      protocol.Boolean(true),
			DocumentSymbolProvider:  protocol.Boolean(true),
			WorkspaceSymbolProvider: protocol.Boolean(true),
			FoldingRangeProvider:    protocol.Boolean(true),

			HoverProvider:          protocol.Boolean(true),
			CompletionProvider:     &protocol.CompletionOptions{TriggerCharacters: []string{" ", "+", ":", "=", ",", "."}},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{commandIgnore, commandNotes, commandStored}},
			Workspace: &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported: &yes, ChangeNotifications: protocol.Boolean(true),
			}},
		},
		ServerInfo: protocol.ServerInfo{Name: "crdlift", Version: protocol.NewOptional(s.version)},
	}, nil
}

// Initialized starts the work, now that the client listens.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.begin.Do(func() {
		s.work()
		if s.capabilities.watchFiles {
			s.spawn(s.registerWatchers)
		}
		s.scan(allFiles)
	})
	return nil
}

// Shutdown ends the work. Requests that come later are rejected.
func (s *server) Shutdown(context.Context) error {
	s.state.Store(shutDown)
	s.stop()
	return nil
}

// Exit ends the server.
func (s *server) Exit(context.Context) error {
	s.exit.Do(func() { close(s.exited) })
	return nil
}

// SetTrace is accepted: there is no trace.
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// registerWatchers asks the client to notify of changes of files.
func (s *server) registerWatchers(ctx context.Context) {
	const files = "**/*.{yaml,yml,json}"
	var watchers []map[string]string
	for _, glob := range []string{files, "**/.gitignore", "**/*.go"} {
		watchers = append(watchers, map[string]string{"globPattern": glob})
	}
	options, err := json.Marshal(map[string]any{"watchers": watchers})
	if err == nil {
		err = s.client.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{
			{ID: "crdlift.files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options},
		}})
	}
	if err != nil && ctx.Err() == nil {
		s.logf("changes of files that are not open are not seen: %v", err)
	}
}

// DidChangeWorkspaceFolders opens and closes folders.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	closed := foldersOf(params.Event.Removed)
	open := slices.DeleteFunc(slices.Clone(s.workspace.folders()), func(dir string) bool { return slices.Contains(closed, dir) })
	s.workspace.setRoots(append(open, foldersOf(params.Event.Added)...))
	s.projects.forget()
	s.scan(allFiles)
	return nil
}

// DidChangeConfiguration takes the client's settings.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if to, found := settingsOf(params.Settings); found && s.projects.set(to) {
		s.scan(allFiles)
	}
	return nil
}

// parentInterval is how often the server looks whether its client is still there.
const parentInterval = 5 * time.Second

// watchParent ends the server when the process that started it is gone: one that was killed says no more.
func (s *server) watchParent(pid int) {
	s.spawn(func(ctx context.Context) {
		tick := time.NewTicker(parentInterval)
		defer tick.Stop()
		for alive(pid) {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		_ = s.Exit(ctx)
	})
}

// alive reports whether there is a process: on Windows, one that is gone is not found; elsewhere, it cannot be sent a signal.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	return runtime.GOOS == "windows" || !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

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

	itemSnippets   bool
	itemModes      []protocol.InsertTextMode // the ways in which lines of an item are indented
	itemTags       []protocol.CompletionItemTag
	itemDeprecated bool

	symbolTree bool // in outlines

	resolveEdit       bool // make the edits of an action when it is chosen
	disabled          bool // show actions that cannot be carried out, with the reason
	documentChanges   bool // edits of a version of a document
	changeAnnotations bool // ask before edits are made
	snippets          bool // edits with places for the cursor
	createFile        bool // files
	prompt            bool // ask for a text
	show              bool // show one that is in no file
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
	var experimental struct{ CrdliftPrompt, CrdliftShow bool }
	_ = json.Unmarshal(c.Experimental, &experimental) // whatever else it has
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

		itemSnippets:   isSet(item.SnippetSupport),
		itemModes:      item.InsertTextModeSupport.ValueSet,
		itemTags:       item.TagSupport.ValueSet,
		itemDeprecated: isSet(item.DeprecatedSupport),

		symbolTree: isSet(cmp.Or(document.DocumentSymbol, &protocol.DocumentSymbolClientCapabilities{}).HierarchicalDocumentSymbolSupport),

		resolveEdit:       isSet(action.DataSupport) && slices.Contains(action.ResolveSupport.Properties, "edit"),
		disabled:          isSet(action.DisabledSupport),
		documentChanges:   documentChanges,
		changeAnnotations: documentChanges && edit.ChangeAnnotationSupport != nil,
		snippets:          isSet(edit.SnippetEditSupport),
		createFile:        documentChanges && slices.Contains(edit.ResourceOperations, protocol.ResourceOperationKindCreate),
		prompt:            experimental.CrdliftPrompt,
		show:              experimental.CrdliftShow,
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
