package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/text"
)

// A pipe is the two directions of a connection.
type pipe struct {
	io.Reader
	io.Writer
}

// Close closes the directions that can be closed.
func (p *pipe) Close() error {
	var errs []error
	for _, end := range []any{p.Reader, p.Writer} {
		if closer, can := end.(io.Closer); can {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}

// A codec reads and writes what messages carry.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error)      { return protocol.Marshal(v) }
func (codec) Unmarshal(data []byte, v any) error { return protocol.Unmarshal(data, v) }

// handler handles messages: notifications one after the other, in their order, and requests beside those that come later. A
// request sees all notifications before it.
func (s *server) handler() jsonrpc2.Handler {
	serve := s.safely(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler))
	beside := protocol.Handlers(serve)
	return func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		method, state := r.Method(), s.state.Load()
		switch {
		case !r.IsCall():
			return nil, s.notified(ctx, r, beside, serve)
		case method == protocol.MethodInitialize && state == fresh, method == protocol.MethodShutdown && state == serving:
			// Not by way of what can be cancelled: the library reuses the context of a request that is handled in its turn, while
			// the cancellation would still look at it.
			return serve(ctx, r)
		case state == fresh:
			return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the server is not initialized")
		case state == shutDown, method == protocol.MethodInitialize:
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, method+" comes too late")
		}
		return beside(ctx, r)
	}
}

// notified handles a notification. Its error goes to the log: returned, it would end the connection.
func (s *server) notified(ctx context.Context, r *jsonrpc2.Request, cancel, serve jsonrpc2.Handler) error {
	method := r.Method()
	if s.state.Load() != serving && method != protocol.MethodExit {
		return nil // as the protocol has it
	}
	if method == protocol.MethodCancelRequest {
		serve = cancel
	}
	if _, err := serve(ctx, r); err != nil && !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
		s.logf("%s: %v", method, err)
	}
	return nil
}

// safely makes an error of a panic, and of the end of what asked for a request the error of the protocol.
func (s *server) safely(serve jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, r *jsonrpc2.Request) (result any, err error) {
		method := r.Method()
		defer func() {
			if fault := recover(); fault != nil {
				result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError, s.fault(method, fault))
			}
		}()
		result, err = serve(ctx, r)
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		return result, err
	}
}

// survive, deferred, says that something broke crdlift, which must not take the server down with it.
func (s *server) survive(what string) {
	if fault := recover(); fault != nil {
		s.say(protocol.MessageTypeError, s.fault(what, fault))
	}
}

// fault describes a panic. It has the type of the panic only, whose text may have values of custom resources.
func (s *server) fault(what string, fault any) string {
	return fmt.Sprintf("%s: crdlift failed, please report it: %T [%s]", text.Harmless(what), fault, text.PanicAt(debug.Stack()))
}

// logf tells the client's log of something that a person may want to know.
func (s *server) logf(format string, args ...any) {
	s.say(protocol.MessageTypeWarning, text.Harmless(fmt.Sprintf(format, args...)))
}

// say puts a message into the client's log. One that the client does not get is lost: so is the connection then.
func (s *server) say(kind protocol.MessageType, message string) {
	_ = s.client.LogMessage(s.background, &protocol.LogMessageParams{Type: kind, Message: message})
}
