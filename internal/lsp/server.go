// Package lsp is the language server: it judges manifests while they are typed. What is said of them is what `crdlift lint` and
// `crdlift validate` say; the package knows when to ask, where the client shows it, and how fixes become edits.
//
// Read server.go first, for the life of a server, and connection.go for the order in which messages are handled. sheet.go and
// document.go have the client's buffers, workspace.go the files around them, project.go and projects.go their configuration,
// catalogue.go the CRDs that custom resources are judged by. queue.go and judge.go have one file judged at a time, telling.go
// publishes what all of them say together, and diagnostics.go is how a finding looks. current.go is how requests wait for what is
// said of the newest text.
package lsp

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// The exit codes of a server, as the protocol has them.
const (
	exitOrderly = 0 // the client asked for a shutdown before
	exitAbrupt  = 1
)

// The states of a server.
const (
	fresh    = iota // before it is initialized
	serving         //
	shutDown        // there are no requests any more
)

// A server serves one client.
type server struct {
	protocol.UnimplementedServer
	version string
	client  protocol.Client
	can     abilities
	state   atomic.Int32
	exited  chan struct{} // closed when the client says so
	exit    sync.Once
	begin   sync.Once // of the work

	background context.Context // of all work, until the server ends
	stop       context.CancelFunc
	ending     sync.Mutex // held while work begins, and while its end begins
	running    sync.WaitGroup

	buffers   buffers
	workspace workspace
	projects  projects
	catalogue catalogue
	queue     queue
	desk      desk

	progressing sync.Mutex // held while progress is shown
}

// Serve serves a client until it asks to exit, its messages end, or the context does, and returns the exit code of the
// protocol. The version is that of the program.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) int {
	return newServer(ctx, version).serve(ctx, in, out)
}

func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) int {
	defer s.end()
	conn := jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(&pipe{in, out}), jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(conn)
	conn.Go(ctx, s.handler()) // which outlives the work: a shutdown is answered, and what comes after it
	select {
	case <-s.exited:
	case <-conn.Done():
	case <-ctx.Done():
	}
	if s.state.Load() == shutDown {
		return exitOrderly
	}
	return exitAbrupt
}

func newServer(ctx context.Context, version string) *server {
	s := &server{version: version, exited: make(chan struct{})}
	s.background, s.stop = context.WithCancel(ctx)
	s.queue.init()
	return s
}

// endPatience is how long the end of work is waited for. A client that reads no more keeps it from ending.
const endPatience = 2 * time.Second

// end ends all work.
func (s *server) end() {
	s.ending.Lock()
	s.stop()
	s.ending.Unlock()
	s.queue.close()
	ended := make(chan struct{})
	go func() {
		s.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(endPatience):
	}
}

// Initialize says what the server can do for the client.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.can = abilitiesOf(&params.Capabilities)
	s.projects.settings, _ = settingsOf(params.InitializationOptions)
	s.workspace.setRoots(rootsOf(params))
	if params.ProcessID != nil {
		s.watchParent(int(*params.ProcessID))
	}
	s.state.Store(serving)
	yes, sync := true, protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: s.can.unit,
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
		if s.can.watchFiles {
			s.spawn(s.registerWatchers)
		}
		s.scan(everything)
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

// spawn runs work beside that on messages. None begins once the server ends.
func (s *server) spawn(work func(context.Context)) {
	s.ending.Lock()
	defer s.ending.Unlock()
	if s.background.Err() != nil {
		return
	}
	s.running.Go(func() {
		defer s.survive("the work in the background")
		work(s.background)
	})
}

// registerWatchers asks the client to tell of changes of files.
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
