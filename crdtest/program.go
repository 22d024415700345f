package crdtest

// This file is the same in the modules crdtest and webhooktest but for the package, since neither requires another module.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// install says how to get the program.
const install = "\nInstall it with\n\tgo install github.com/crdlift/crdlift@latest\n" +
	"or say where it is, in Options.Binary or in the environment variable CRDLIFT."

// find is the path of the program: of the one that is named, that in the environment, that in PATH, or the tool of go.mod.
func find(named string) (string, error) {
	named = cmp.Or(named, os.Getenv("CRDLIFT"))
	path, err := exec.LookPath(cmp.Or(named, "crdlift"))
	if err == nil {
		return path, nil
	}
	if named == "" {
		if tool, toolErr := exec.Command("go", "tool", "-n", "crdlift").Output(); toolErr == nil {
			return strings.TrimSpace(string(tool)), nil
		}
	}
	return "", fmt.Errorf("%s: the program crdlift, which does the test, is not there: %w%s", module, err, install)
}

// watch looks at the files that the program is going to read. The go command keeps the result of a test until a file changes
// that the test itself has looked at.
func watch(paths ...string) {
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(string, fs.DirEntry, error) error { return nil }) // the program says what cannot be read
	}
}

// knownVersion is the version of the report that is read here.
const knownVersion = 1

// run runs the program, reads its report, and returns what else it says. It ends the program in time for the test to say so.
func run(t *testing.T, binary string, stdin []byte, args []string, report any) (said string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	if deadline, ok := t.Deadline(); ok {
		left := time.Until(deadline)
		ctx, cancel = context.WithTimeout(context.Background(), left-max(left/20, time.Second))
	}
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	err = cmd.Run()
	said = strings.TrimSpace(stderr.String())
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		err = errors.New("crdlift did not end before the test's deadline; give the test more time, or it fewer objects")
	case err == nil || errors.As(err, &exit) && exit.ExitCode() == 1: // 1 is for findings, and manifests that are none
		if err = read(stdout.Bytes(), report); err == nil {
			return said, nil
		}
		fallthrough
	default:
		err = fmt.Errorf("%s: %w", cmd, err)
	}
	if said != "" {
		said = "\n\t" + strings.ReplaceAll(said, "\n", "\n\t")
	}
	return "", fmt.Errorf("%s: %w%s", module, err, said)
}

// read reads a report.
func read(text []byte, report any) error {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("the report cannot be read: %w", err)
	}
	if head.Version != knownVersion {
		return fmt.Errorf("the report has version %d, and %s reads %d; use versions of the two that belong together", head.Version, module, knownVersion)
	}
	return json.Unmarshal(text, report)
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
