// Package lsp is the language server: it judges manifests while they are typed. Its diagnostics are the findings of `crdlift lint`
// and `crdlift validate`; the package knows when to judge, where the client shows a finding, and how fixes become edits.
//
// connection.go has the order in which messages are handled, general.go and text_synchronization.go take notifications, and
// diagnose.go judges a file after one. Requests are in files of their names.
package lsp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
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
	version      string
	client       protocol.Client
	capabilities clientCapabilities
	state        atomic.Int32
	exited       chan struct{} // closed when the client says so
	exit         sync.Once
	begin        sync.Once // of the work

	background context.Context // of all work, until the server ends
	stop       context.CancelFunc
	ending     sync.Mutex // held while work begins, and while its end begins
	running    sync.WaitGroup

	overlays    overlays
	workspace   workspace
	projects    projects
	catalogue   catalogue
	queue       queue
	diagnostics diagnostics
	roles       roles

	progressing sync.Mutex // held while progress is shown
}

func newServer(ctx context.Context, version string) *server {
	s := &server{version: version, exited: make(chan struct{})}
	s.background, s.stop = context.WithCancel(ctx)
	s.queue.init()
	s.overlays.open, s.catalogue.sources = map[uri.URI]*snapshot{}, map[string]crdSource{}
	s.diagnostics.files, s.diagnostics.fingerprints = map[uri.URI]*fileDiagnostics{}, map[uri.URI]string{}
	s.roles.of, s.catalogue.roles = map[string]*projectRoles{}, s.roleToObjects
	s.projects.now.Store(&generation{})
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

// spawn runs work beside that on messages. None begins once the server ends.
func (s *server) spawn(work func(context.Context)) {
	s.ending.Lock()
	defer s.ending.Unlock()
	if s.background.Err() != nil {
		return
	}
	s.running.Go(func() {
		defer s.recoverPanic("the work in the background")
		work(s.background)
	})
}

// snapshot is the text of a document, or of a file on the disk; nil where there is none, or none that can be judged.
func (s *server) snapshot(doc uri.URI) *snapshot {
	if snap := s.overlays.snapshot(doc); snap != nil {
		return snap
	}
	src, err := readFile(doc)
	if errors.Is(err, worktree.ErrTooLarge) && s.workspace.has(doc) {
		s.logTooLarge(doc)
	}
	if err != nil {
		return nil
	}
	return &snapshot{uri: doc, path: pathOf(doc), mapper: newMapper(src, s.capabilities.encoding)}
}

// logTooLarge says that a file is not judged.
func (s *server) logTooLarge(doc uri.URI) {
	s.logf("%s is larger than %d MiB, and is not checked here; run crdlift lint on it", doc, maxSize>>20)
}

// recoverPanic, deferred, says that something broke crdlift, which must not take the server down with it.
func (s *server) recoverPanic(what string) {
	if fault := recover(); fault != nil {
		s.logAs(protocol.MessageTypeError, s.fault(what, fault))
	}
}

// fault describes a panic. It has the type of the panic only, whose text may have values of custom resources.
func (s *server) fault(what string, fault any) string {
	return fmt.Sprintf("%s: crdlift failed, please report it: %T [%s]", text.Harmless(what), fault, text.PanicAt(debug.Stack()))
}

// logf tells the client's log of something that a person may want to know.
func (s *server) logf(format string, args ...any) {
	s.logAs(protocol.MessageTypeWarning, text.Harmless(fmt.Sprintf(format, args...)))
}

// logAs puts a message into the client's log. One that the client does not get is lost: so is the connection then.
func (s *server) logAs(kind protocol.MessageType, message string) {
	_ = s.client.LogMessage(s.background, &protocol.LogMessageParams{Type: kind, Message: message})
}
