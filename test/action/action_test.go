// Package action runs the scripts of the GitHub Action as the runner does: with its variables and files, in checkouts
// as actions/checkout makes them.
package action

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// programName is what the test program is called when it is to be crdlift.
const programName = "crdlift"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == programName {
		os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(watchGit(m.Run))
}

// needs skips a test where its programs are missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("scripts have no use for the race detector")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the scripts run in Git's bash on Windows, which this test knows nothing of")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
}

// program returns a path at which the test program is crdlift.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), programName)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// A step is one run of a script.
type step struct {
	stdout, stderr  string
	summary, output string // what it wrote to GITHUB_STEP_SUMMARY and GITHUB_OUTPUT
	exit            int
}

// run runs a script of the action in a folder.
func run(t *testing.T, script, dir string, env ...string) step {
	t.Helper()
	temp := t.TempDir()
	file := func(name string) string { return filepath.Join(temp, name) }
	cmd := exec.Command("bash", repository(t, "action", script))
	cmd.Dir = dir
	cmd.Env = append(environment(),
		"GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+dir, "RUNNER_TEMP="+temp,
		"GITHUB_OUTPUT="+file("output"), "GITHUB_STEP_SUMMARY="+file("summary"), "GITHUB_PATH="+file("path"), unguarded+"="+file("unguarded"))
	cmd.Env = append(cmd.Env, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(file(name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
	if runs := read("unguarded"); runs != "" {
		t.Errorf("git was run without the settings of action/commands.sh or internal/gitrev/run.go:\n%s", runs)
	}
	return step{stdout.String(), stderr.String(), read("summary"), read("output"), cmd.ProcessState.ExitCode()}
}

// repository is a path in this repository.
func repository(t *testing.T, path ...string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{here, "..", ".."}, path...)...)
}

// environment is that of this process, but for what the user's git and a real runner would add.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "CRDLIFT_") {
			env = append(env, v)
		}
	}
	return append(env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "NO_COLOR=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
}

// git runs git in a folder and gives what it prints.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes a file below a folder.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// want checks the exit code, and that a text has every part.
func (s step) want(t *testing.T, exit int, text string, parts ...string) {
	t.Helper()
	if s.exit != exit {
		t.Errorf("exit code %d, want %d", s.exit, exit)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q", part)
		}
	}
	if t.Failed() {
		t.Fatalf("the step said\n%s", s)
	}
}

func (s step) String() string {
	return fmt.Sprintf("-- stdout\n%s\n-- stderr\n%s\n-- output\n%s\n-- summary\n%s", s.stdout, s.stderr, s.output, s.summary)
}
