// Package v121 tells tests what the last API server with v1beta1 would have said of a CustomResourceDefinition: whether
// it accepts it on create, with which errors, and what it would have converted it to.
//
// The answers come from the program in test/v121, a module of its own that links k8s.io/apiextensions-apiserver
// v0.21.14. This package starts it and talks to it. Only tests may import it: it needs the repository and the go
// command.
package v121

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A Verdict is the server's answer to one manifest. A manifest that is not Accepted has exactly one of DecodeError,
// Panic and Errors.
type Verdict struct {
	Accepted bool
	// DecodeError is why the manifest could not be read at all.
	DecodeError string
	// Panic is what the server's code panicked with, and its stack.
	Panic string
	// Errors are in upstream's order, which is not the same in every run.
	Errors []Error
	// Defaulted is the manifest with the defaults of its own version, and V1 is upstream's conversion of Defaulted to
	// v1, both as JSON. They are there for rejected manifests too, and nil when the manifest could not be read.
	Defaulted, V1 json.RawMessage
}

// An Error is one field error.
type Error struct {
	// Type is the text of upstream's constant, such as FieldValueInvalid.
	Type string
	// Field is a path of upstream's internal type, which has the shape of v1beta1: a schema that all versions share is
	// below spec.validation, also for v1.
	Field  string
	Detail string
	// BadValue is JSON, and nil where the text of the error does not show it.
	BadValue json.RawMessage
}

// A Judge is a running judge program. It may be used by parallel tests.
type Judge struct {
	mu      sync.Mutex // one request at a time is on its way
	command *exec.Cmd  // nil once it has died
	in      io.WriteCloser
	out     io.ReadCloser
	answers *json.Decoder // reads out
	stderr  bytes.Buffer  // complete when command has been waited for
}

// Start returns the judge of this test process, which the first call builds and starts; the other tests share it. It
// skips the test when the judge's dependencies have not been downloaded, and fails it when it cannot be built.
//
// The judge is not stopped: it ends by itself when its input does, which is when the test process ends.
func Start(t testing.TB) *Judge {
	t.Helper()
	j, err := shared()
	if errors.Is(err, errNotDownloaded) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return j
}

var (
	shared           = sync.OnceValues(start)
	errNotDownloaded = errors.New("the dependencies of test/v121 are not downloaded; `make deps` downloads them")
)

func start() (*Judge, error) {
	dir, err := moduleDir()
	if err != nil {
		return nil, err
	}
	// Building apart from running tells an error of the build from one of the program. The null device as output means
	// that nothing is linked yet.
	if out, err := goCommand(dir, "build", "-o", os.DevNull, ".").CombinedOutput(); err != nil {
		if strings.Contains(string(out), "GOPROXY=off") {
			return nil, errNotDownloaded
		}
		return nil, fmt.Errorf("building test/v121: %w\n%s", err, out)
	}
	// `go run` keeps the linked program in the build cache, so that only the first of many test processes links it, and
	// leaves no file for us to remove.
	j := &Judge{command: goCommand(dir, "run", ".")}
	j.command.Stderr = &j.stderr
	if j.in, err = j.command.StdinPipe(); err != nil {
		return nil, err
	}
	if j.out, err = j.command.StdoutPipe(); err != nil {
		return nil, err
	}
	j.answers = json.NewDecoder(j.out)
	if err := j.command.Start(); err != nil {
		return nil, fmt.Errorf("starting test/v121: %w", err)
	}
	return j, nil
}

// goCommand is the go command in the judge's module. Tests must not download anything, so it is told to fail instead; a
// workspace would change the versions.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	return cmd
}

// moduleDir finds test/v121 above the working directory, which for a test is the folder of its package.
func moduleDir() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for up := wd; ; up = filepath.Dir(up) {
		dir := filepath.Join(up, "test", "v121")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if up == filepath.Dir(up) {
			return "", fmt.Errorf("no test/v121 in or above %s", wd)
		}
	}
}

// Judge returns the verdict on a manifest in JSON, which the server takes as a request of the manifest's own
// apiVersion, v1beta1 or v1. The error is about the asking (input that is not JSON, a judge that died), never about the
// manifest.
func (j *Judge) Judge(manifestJSON []byte) (Verdict, error) {
	var request bytes.Buffer
	encoder := json.NewEncoder(&request)
	encoder.SetEscapeHTML(false) // decoding errors quote the manifest
	if err := encoder.Encode(json.RawMessage(manifestJSON)); err != nil {
		return Verdict{}, err
	}

	j.mu.Lock()
	defer j.mu.Unlock()
	if j.command == nil {
		return Verdict{}, errors.New("the judge died on an earlier manifest")
	}
	var v Verdict
	_, err := j.in.Write(request.Bytes())
	if err == nil {
		err = j.answers.Decode(&v)
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("the judge died: %w", errors.Join(err, j.stop()))
	}
	return v, nil
}

// stop ends the program and returns how it ended and what it complained of.
func (j *Judge) stop() error {
	// Without its pipes it can neither wait for a request nor on an answer.
	j.in.Close()
	j.out.Close()
	err := j.command.Wait()
	j.command = nil
	return fmt.Errorf("%v\n%s", err, &j.stderr)
}
