package lsp

import (
	"context"
	"errors"
	"io"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
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
	serve := s.recovering(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler))
	beside := protocol.Handlers(serve)
	return func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		method, state := r.Method(), s.state.Load()
		switch {
		case !r.IsCall():
			return nil, s.notification(ctx, r, beside, serve)
		case method == protocol.MethodInitialize && state == fresh, method == protocol.MethodShutdown && state == serving:
			// Not by way of what can be cancelled: the library reuses the context of a request that is handled in its turn, while
			// the cancellation would still look at it.
			return serve(ctx, r)
		case state == fresh:
			return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the server is not initialized")
		case state == shutDown, method == protocol.MethodInitialize:
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, method+" comes too late")
		}
		if s.leavesToGopls(r) {
			return nil, nil
		}
		return beside(ctx, r)
	}
}

// notification handles a notification. Its error goes to the log: returned, it would end the connection.
func (s *server) notification(ctx context.Context, r *jsonrpc2.Request, cancel, serve jsonrpc2.Handler) error {
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

// recovering makes an error of a panic, and of the end of what asked for a request the error of the protocol.
func (s *server) recovering(serve jsonrpc2.Handler) jsonrpc2.Handler {
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

// The exit codes of a server, as the protocol has them.
const (
	exitOrderly = 0 // the client asked for a shutdown before
	exitAbrupt  = 1
)

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
