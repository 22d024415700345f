// Package serving runs a command that serves an address, for as long as it is needed.
package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// limits are how long is waited for what.
type limits struct {
	patience time.Duration // for a command to serve
	interval time.Duration // between attempts to connect
	grace    time.Duration // for processes to end when they are asked to
}

// standard has the time that `go run` may take to compile.
var standard = limits{patience: 2 * time.Minute, interval: 50 * time.Millisecond, grace: 5 * time.Second}

// An Error is that of a command which does not serve, or no longer.
type Error struct {
	Message string
	Last    []string // the last lines that it printed
}

func (e *Error) Error() string { return e.Message }

// A command is one that runs.
type command struct {
	*exec.Cmd
	limits
	argv     []string
	last     tail
	stop     func() error // end, once
	stopping atomic.Bool
	left     atomic.Bool   // something of it could not be ended
	ended    chan struct{} // closed when the process has ended; err is its result then
	err      error
}

// Start runs a command in the working directory until something accepts connections at the address, which nothing may do
// before. What the command prints goes to output, from another goroutine; nil for nowhere. The processes that it starts are
// ended with it: when stop is called, or ctx ends, as in a crdlift that is interrupted. On Linux, those that have left its
// process group are as well. stop waits for that, and its error, an *Error, says that the command had ended by itself before,
// or that something of it goes on. It can be called again.
func Start(ctx context.Context, argv []string, address string, output io.Writer) (stop func() error, err error) {
	c, err := start(ctx, argv, address, output, standard)
	if err != nil {
		return nil, err
	}
	return c.stop, nil
}

func start(ctx context.Context, argv []string, address string, output io.Writer, limits limits) (*command, error) {
	conn, err := dial(ctx, address)
	switch {
	case err == nil:
		conn.Close()
		return nil, fmt.Errorf("something accepts connections at %s already; end that program, or leave out the command after --", address)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	c := &command{Cmd: exec.Command(argv[0], argv[1:]...), limits: limits, argv: argv, ended: make(chan struct{})}
	if err := c.run(output); err != nil {
		return nil, fmt.Errorf("%s cannot be started (%w); correct the command after --", c, err)
	}
	c.stop = sync.OnceValue(c.end)
	context.AfterFunc(ctx, func() { _ = c.stop() })
	if err := c.await(ctx, address); err != nil {
		_ = c.stop()
		return nil, err
	}
	return c, nil
}

// run starts the process. Its output is open until it and all that it started have ended.
func (c *command) run(output io.Writer) error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	defer to.Close()
	c.Stdout, c.Stderr = to, to
	c.SysProcAttr = ownGroup()
	if err := startGroup(c.Cmd); err != nil {
		from.Close()
		return err
	}
	var all io.Writer = &c.last
	if output != nil {
		all = io.MultiWriter(&c.last, output)
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_, _ = io.Copy(all, from)
	}()
	go c.reap(from, closed)
	return nil
}

// reap waits for the process. Those that it leaves when it ends by itself are ended at once: later, the number of their
// group may be another's.
func (c *command) reap(output io.Closer, closed <-chan struct{}) {
	c.err = c.Wait()
	if !c.stopping.Load() {
		c.kill()
	}
	c.endStrays()
	select {
	case <-closed:
	case <-time.After(2 * c.grace): // something else has it, which cannot be found
		c.left.Store(true)
	}
	output.Close()
	close(c.ended)
}

// String is the command as it was written, more or less.
func (c *command) String() string { return strings.Join(c.argv, " ") }

// dial connects once.
func dial(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
}

// await returns when the address accepts connections, or an error says why it will not.
func (c *command) await(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	for {
		conn, err := dial(ctx, address)
		if err == nil {
			conn.Close()
			return nil
		}
		select {
		case <-c.ended:
			return c.errorf("%s ended before it accepted connections at %s (%s); correct the command or the address", c, address, c.result())
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return ctx.Err()
			}
			return c.errorf("%s does not accept connections at %s in time (%v)", c, address, err)
		case <-time.After(c.interval):
		}
	}
}

// result says how the process ended by itself.
func (c *command) result() string {
	if c.err != nil {
		return c.err.Error()
	}
	return "exit status 0"
}

func (c *command) errorf(format string, args ...any) *Error {
	return &Error{fmt.Sprintf(format, args...), c.last.lines()}
}

// end ends the command and the processes that it started.
func (c *command) end() error {
	c.stopping.Store(true)
	select {
	case <-c.ended:
		c.endRest()
		return c.errorf("%s ended by itself: %s", c, c.result())
	default:
	}
	c.terminate()
	late, killed := time.After(c.grace), false
	for !killed && c.runs() {
		select {
		case <-late:
			c.kill()
			<-c.ended
			killed = true
		case <-time.After(c.interval):
		}
	}
	c.endRest()
	if c.left.Load() {
		return c.errorf("%s left a process behind that crdlift cannot end; end it yourself", c)
	}
	return nil
}

// endRest ends what is left when the group has ended, which has no number of its own any more.
func (c *command) endRest() {
	forgetGroup(c.Process.Pid)
	c.endStrays()
}

// runs reports whether there is a process left.
func (c *command) runs() bool {
	select {
	case <-c.ended:
		strays() // those of the group that have ended are let go of
		return c.groupRuns()
	default:
		return true
	}
}
