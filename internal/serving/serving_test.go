package serving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain makes a command of the test binary, for those that ask for it by its first argument.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Getenv("CRDLIFT_SERVING") != "" {
		act(os.Args[1], os.Args[2])
		return
	}
	os.Setenv("CRDLIFT_SERVING", "1")
	os.Exit(m.Run())
}

// roles are those that only some systems know.
var roles = map[string]func(address string){}

// act is what the command does with its address.
func act(role, address string) {
	fmt.Println(role, "begins")
	switch role {
	case "serve":
		serve(address, 0)
	case "serve once": // the first connection is that of who waits for it
		serve(address, 1)
		fmt.Fprintln(os.Stderr, "panic: a bug of the webhook")
		os.Exit(2)
	case "fail":
		fmt.Fprintln(os.Stderr, "flag provided but not defined: -port")
		os.Exit(2)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		serve(address, 0)
	case "parent", "parent of stubborn":
		kind := map[string]string{"parent": "serve", "parent of stubborn": "stubborn"}[role]
		child := exec.Command(os.Args[0], kind, address)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		hang()
	case "silent":
		hang()
	default:
		roles[role](address)
	}
}

// hang waits to be ended.
func hang() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
}

// serve accepts connections, for ever or a number of them.
func serve(address string, most int) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		panic(err)
	}
	for i := 1; ; i++ {
		conn, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		conn.Close()
		if i == most {
			return
		}
	}
}

// freeAddress is one that nobody listens at, most likely.
func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func accepts(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// A lockedBuffer is written to by another goroutine.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

// TestStart has each kind of command serve, and end with all that it started.
func TestStart(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"serve", "parent", "stubborn", "parent of stubborn"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			address := freeAddress(t)
			var output lockedBuffer
			quick := standard
			quick.grace = 200 * time.Millisecond
			c, err := start(t.Context(), []string{os.Args[0], role, address}, address, &output, quick)
			if err != nil {
				t.Fatal(err)
			}
			if !accepts(address) {
				t.Error("nothing accepts connections")
			}
			for range 2 {
				if err := c.stop(); err != nil {
					t.Error(err)
				}
			}
			select {
			case <-c.ended:
			default:
				t.Error("stop has not waited for the command")
			}
			for accepts(address) { // what is killed is gone a moment later
			}
			if !strings.HasPrefix(output.String(), role+" begins\n") {
				t.Errorf("the output is %q", output.String())
			}
		})
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	impatient := standard
	impatient.patience = 300 * time.Millisecond
	for name, test := range map[string]struct {
		argv    []string
		address string
		limits  limits
		want    string
	}{
		"taken": {[]string{os.Args[0], "serve"}, listener.Addr().String(), standard, "something accepts connections at " + listener.Addr().String() + " already"},
		"none":  {[]string{"./no-such-program"}, "", standard, " cannot be started ("},
		"ends":  {[]string{os.Args[0], "fail"}, "", standard, " (exit status 2); correct the command or the address\nfail begins\nflag provided but not defined: -port"},
		"hangs": {[]string{os.Args[0], "silent"}, "", impatient, "in time (dial tcp "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.address == "" {
				test.address = freeAddress(t)
			}
			_, err := start(t.Context(), append(test.argv, test.address), test.address, nil, test.limits)
			if got := said(err); !strings.Contains(got, test.want) {
				t.Errorf("the error is %s, want %s", got, test.want)
			}
		})
	}
}

// TestInterrupted has the context end while the command serves, and before it does.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	address := freeAddress(t)
	c, err := start(ctx, []string{os.Args[0], "serve", address}, address, nil, standard)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-c.ended
	for accepts(address) {
	}
	if _, err := Start(ctx, []string{os.Args[0], "serve", address}, address, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestEndsByItself(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	c, err := start(t.Context(), []string{os.Args[0], "serve once", address}, address, nil, standard)
	if err != nil {
		t.Fatal(err)
	}
	<-c.ended
	if got := said(c.stop()); !strings.HasSuffix(got, " ended by itself: exit status 2\nserve once begins\npanic: a bug of the webhook") {
		t.Errorf("the error is %s", got)
	}
}

// said is an error, and the last lines of a command below it.
func said(err error) string {
	var of *Error
	if errors.As(err, &of) {
		return strings.Join(append([]string{of.Message}, of.Last...), "\n")
	}
	return fmt.Sprint(err)
}

func TestTail(t *testing.T) {
	t.Parallel()
	var all tail
	if all.lines() != nil {
		t.Errorf("of nothing there is %q", all.lines())
	}
	for i := range 3000 {
		fmt.Fprintf(&all, "line %d\n", i)
	}
	if got := all.lines(); len(got) != 10 || got[0] != "line 2990" || got[9] != "line 2999" {
		t.Errorf("the end is %q", got)
	}
	fmt.Fprint(&all, strings.Repeat("x", maxTail), "\nlast")
	if got := all.lines(); !slices.Equal(got, []string{"last"}) {
		t.Errorf("after a long line the end is %q", got)
	}
	var one, full tail
	fmt.Fprint(&one, strings.Repeat("x", maxTail+1))
	if got := one.lines(); len(got) != 1 || len(got[0]) != maxTail {
		t.Errorf("of one line that is too long there is %q", got)
	}
	fmt.Fprint(&full, "first\n", strings.Repeat("x", maxTail-len("first\n")))
	if got := full.lines(); len(got) != 2 || got[0] != "first" {
		t.Errorf("of just as much as is kept there is %q", got)
	}
}
