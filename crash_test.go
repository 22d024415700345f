package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
)

const betaCRD = `# The %[1]d. kind.
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: w%[1]ds.example.com
spec:
  group: example.com
  names: {kind: W%[1]d, plural: w%[1]ds}
  scope: Namespaced
  version: v1
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec:
          properties:
            image: {type: string}
`

// A herd is a folder of many manifests, and what becomes of each by a command.
type herd struct {
	dir      string
	old, new map[string]string
}

func writeHerd(t *testing.T, n int) herd {
	t.Helper()
	h := herd{t.TempDir(), map[string]string{}, map[string]string{}}
	for i := range n {
		name := fmt.Sprintf("w%d.yaml", i)
		h.old[name] = fmt.Sprintf(betaCRD, i)
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(h.old[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// expect learns what a command makes of the files, on a copy.
func (h herd) expect(t *testing.T, args ...string) {
	t.Helper()
	other := writeHerd(t, len(h.old))
	if out, err := process(append(args, other.dir)...).CombinedOutput(); exitCode(err) > 1 {
		t.Fatalf("%v: %s", err, out)
	}
	for name := range h.old {
		h.new[name] = readFile(t, filepath.Join(other.dir, name))
		if h.new[name] == h.old[name] {
			t.Fatalf("%v does not change %s", args, name)
		}
	}
}

// whole checks that each file is the old or the new one, and counts the new ones. Of temporary files there may be as
// many as there are workers.
func (h herd) whole(t *testing.T, temporary int) (written int) {
	t.Helper()
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".w") && strings.HasSuffix(e.Name(), ".tmp") {
			temporary--
			continue
		}
		found++
		switch text := readFile(t, filepath.Join(h.dir, e.Name())); text {
		case h.old[e.Name()]:
		case h.new[e.Name()]:
			written++
		default:
			t.Errorf("%s is neither the old nor the new file:\n%s", e.Name(), text)
		}
	}
	if found != len(h.old) || temporary < 0 {
		t.Errorf("%d of %d files, and %d temporary ones too many", found, len(h.old), -temporary)
	}
	return written
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// exitCode is -1 for a process that a signal ended.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return 127
	}
	return 0
}

var rewrites = [][]string{
	{"convert", "--write", "--quiet"},
	{"lint", "--fix", "--unsafe-fixes", "--quiet", "--output", "short", "--rule", "deprecated-api-version=off"},
}

// TestSignals ends the program at random moments while it rewrites a thousand files.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("rewrites thousands of files")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	t.Parallel()
	type ending struct {
		args   []string
		signal syscall.Signal
	}
	var endings []ending
	for _, args := range rewrites {
		for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGHUP} {
			endings = append(endings, ending{args, signal})
		}
	}
	for _, e := range corpus.Turn(t, endings) {
		t.Run(e.args[0]+"/"+e.signal.String(), func(t *testing.T) {
			h := writeHerd(t, 1000)
			h.expect(t, e.args...)
			written := 0
			for range 4 {
				interrupt(t, h, e.args, e.signal)
				temporary := 0
				if e.signal == syscall.SIGKILL {
					temporary = 1000 // several runs may each leave some
				}
				if n := h.whole(t, temporary); n < written {
					t.Errorf("%d files were written, and then only %d", written, n)
				} else {
					written = n
				}
				t.Logf("%d files are new", written)
			}
			if out, err := process(append(e.args, h.dir)...).CombinedOutput(); exitCode(err) > 1 {
				t.Errorf("the run after that: %v: %s", err, out)
			}
			if n := h.whole(t, 1000); n != 1000 {
				t.Errorf("the run after that leaves %d files", 1000-n)
			}
		})
	}
}

// TestSignalsEndCommands ends the program while a command serves for it, which would hold its port.
func TestSignalsEndCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	t.Parallel()
	for name, test := range map[string]struct {
		signals []syscall.Signal
		prefix  []string
	}{
		"INT":       {[]syscall.Signal{syscall.SIGINT}, nil},
		"TERM":      {[]syscall.Signal{syscall.SIGTERM}, nil},
		"HUP":       {[]syscall.Signal{syscall.SIGHUP}, nil}, // the terminal is closed
		"nohup HUP": {[]syscall.Signal{syscall.SIGHUP, syscall.SIGINT}, []string{"sh", "-c", `trap '' HUP; exec "$0" "$@"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.prefix == nil && signal.Ignored(test.signals[0]) {
				t.Skip("the tests run with nohup or the like, which the program inherits")
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := l.Addr().String()
			l.Close()
			serves := func() bool {
				conn, err := net.Dial("tcp", address)
				if err == nil {
					conn.Close()
				}
				return err == nil
			}
			crds := filepath.Join(t.TempDir(), "gadgets.yaml")
			if err := os.WriteFile(crds, webhooks.CRD, 0o600); err != nil {
				t.Fatal(err)
			}
			args := append(slices.Clone(test.prefix), "crdlift", "webhook", "test", crds, "--config", "off", "-q", "--count", "1000",
				"--url", "http://"+address+"/convert", "--", "conversion-webhook", address)
			cmd := exec.Command(args[0], args[1:]...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for begun := time.Now(); !serves(); time.Sleep(10 * time.Millisecond) {
				if time.Since(begun) > time.Minute {
					_ = cmd.Process.Kill()
					t.Fatal("the command does not serve")
				}
			}
			for i, sent := range test.signals {
				if i > 0 && !serves() {
					t.Errorf("%v has ended the command", test.signals[i-1])
				}
				if err := cmd.Process.Signal(sent); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond)
			}
			if code := exitCode(cmd.Wait()); code != 2 {
				t.Errorf("the exit code is %d, want 2", code)
			}
			if serves() {
				t.Error("the command goes on")
			}
		})
	}
}

// interrupt starts the program, waits for the first files to be rewritten and sends a signal a moment later.
func interrupt(t *testing.T, h herd, args []string, signal syscall.Signal) {
	t.Helper()
	var said bytes.Buffer
	cmd := process(append(args, h.dir)...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
	if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	code := exitCode(cmd.Wait())
	if signal != syscall.SIGKILL && code == 2 && !strings.Contains(said.String(), "interrupted after ") {
		t.Errorf("exit code 2: %s", said.String())
	}
}

// TestTwoProcesses rewrites one folder by two processes at the same time.
func TestTwoProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("rewrites hundreds of files")
	}
	t.Parallel()
	for _, args := range rewrites {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			h := writeHerd(t, 300)
			h.expect(t, args...)
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					if out, err := process(append(args, h.dir)...).CombinedOutput(); exitCode(err) > 1 {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			both.Wait()
			if n := h.whole(t, 0); n != 300 {
				t.Errorf("%d of 300 files were rewritten", n)
			}
		})
	}
}

// process is the program as a process of its own: this very binary, by its other name; see TestMain.
func process(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"crdlift"}, args...)}
}
