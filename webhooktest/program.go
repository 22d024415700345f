package webhooktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// install says how to get the program.
const install = "\nInstall it with\n\tgo install github.com/crdlift/crdlift@latest\n" +
	"or say where it is, in Options.Binary or in the environment variable CRDLIFT."

// find is the path of the program.
func find(t *testing.T, o Options) string {
	t.Helper()
	name := o.Binary
	if name == "" {
		name = os.Getenv("CRDLIFT")
	}
	if name == "" {
		name = "crdlift"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("webhooktest: the program crdlift, which does the test, is not there: %v%s", err, install)
	}
	return path
}

// A report is what the program found.
type report struct {
	Version  int       `json:"version"`
	Findings []finding `json:"findings"`
}

// knownVersion is the version of the report that is read here.
const knownVersion = 1

// test runs the program, and ends it in time for its test to say so.
func test(t *testing.T, binary string, args []string) []finding {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if deadline, ok := t.Deadline(); ok {
		left := time.Until(deadline)
		ctx, cancel = context.WithTimeout(context.Background(), left-max(left/20, time.Second))
	}
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("webhooktest: crdlift did not end before the test's deadline; give the test more time, or it fewer objects%s", quoted(&stderr))
	}
	found, readErr := read(stdout.Bytes())
	var exit *exec.ExitError
	switch {
	case err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1): // 1 is for findings, and manifests that are none
		t.Fatalf("webhooktest: %s: %v%s", cmd, err, quoted(&stderr))
	case readErr != nil:
		t.Fatalf("webhooktest: %s: %v%s", cmd, readErr, quoted(&stderr))
	}
	if stderr.Len() > 0 {
		t.Log(strings.TrimSpace(stderr.String()))
	}
	return found
}

// read is the findings of a report.
func read(text []byte) ([]finding, error) {
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("the report cannot be read: %w", err)
	}
	if r.Version != knownVersion {
		return nil, fmt.Errorf("the report has version %d, and webhooktest reads %d; use versions of the two that belong together", r.Version, knownVersion)
	}
	return r.Findings, nil
}

// quoted is what the program said, on lines of its own.
func quoted(stderr *bytes.Buffer) string {
	text := strings.TrimSpace(stderr.String())
	if text == "" {
		return ""
	}
	return "\n\t" + strings.ReplaceAll(text, "\n", "\n\t")
}
