package lsp

import (
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
				CodeActionKinds: []protocol.CodeActionKind{kindFix, kindFixAll, kindConvert}, ResolveProvider: &yes,
			},
			HoverProvider:          protocol.Boolean(true),
			CompletionProvider:     &protocol.CompletionOptions{TriggerCharacters: []string{" "}},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{commandIgnore, commandNotes}},
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

// Shutdown ends the work. Requests that come later are refused.
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
