package webhooktest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
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
	path, err := exec.LookPath(cmp.Or(o.Binary, os.Getenv("CRDLIFT"), "crdlift"))
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

// A finding is one of crdlift's. https://github.com/crdlift/crdlift/blob/main/docs/schema/findings.json describes it.
type finding struct {
	Rule     string          `json:"rule"`
	Severity string          `json:"severity"`
	Message  string          `json:"message"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Column   int             `json:"column"`
	Resource string          `json:"resource"`
	Field    string          `json:"field"`
	Versions []string        `json:"versions"`
	Witness  json.RawMessage `json:"witness"`
	Related  []place         `json:"related"`
	Ignored  string          `json:"ignored"`
}

type place struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// name is that of the subtest: what is wrong, of which kind of objects, and where in them.
func (f *finding) name() string {
	parts := []string{f.Rule}
	for _, part := range []string{f.Resource, strings.Join(f.Versions, "-"), f.Field} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// report fails a subtest, or logs the finding.
func (f *finding) report(t *testing.T, fails []string) {
	t.Helper()
	switch {
	case f.Ignored != "":
		t.Logf("%s\nignored: %s", f, f.Ignored)
	case slices.Contains(fails, f.Severity):
		t.Error(f)
	default:
		t.Log(f)
	}
}

// String is the finding with what belongs to it.
func (f *finding) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s [%s]\n%s:%d:%d", f.Severity, f.Message, f.Rule, f.File, f.Line, f.Column)
	if object := indented(f.Witness); object != "" {
		fmt.Fprintf(&text, "\nthe smallest object:\n%s", object)
	}
	for _, p := range f.Related {
		fmt.Fprintf(&text, "\n%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	}
	return text.String()
}

// indented is JSON as people read it; empty for none.
func indented(value json.RawMessage) string {
	var text bytes.Buffer
	if len(value) == 0 || json.Indent(&text, value, "", "  ") != nil {
		return ""
	}
	return text.String()
}
