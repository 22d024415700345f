//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// inProcess runs the program without a process of its own.
func inProcess(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

const needsType = crdHead + crdVersion + "          p0:\n            description: hello\n"

// TestSpecialFiles walks a folder of links, pipes and devices, and names them on the command line.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("good.yaml"), []byte(needsType), 0o600))
	must(os.Symlink("loop.yaml", at("loop.yaml")))
	must(os.Symlink("nowhere", at("gone.yaml")))
	must(os.Symlink(".", at("here")))
	must(os.Symlink("/dev/zero", at("zero.yaml")))
	must(syscall.Mkfifo(at("pipe.yaml"), 0o600))

	for _, args := range [][]string{{"lint", "--output", "short", dir}, {"convert", "--check", dir}, {"lint", "--fix", dir}, {"convert", "--write", dir}} {
		code, stdout, stderr := inProcess(args...)
		for _, name := range []string{"loop.yaml", "gone.yaml"} {
			if strings.Contains(stderr, at(name)+":") {
				t.Errorf("%v: an error about %s: %s", args, name, stderr)
			}
		}
		if code == 2 || strings.Count(stderr, "are symbolic links that lead to no file, so crdlift skips them") != 1 || strings.Contains(stdout+stderr, "pipe.yaml") || strings.Contains(stdout+stderr, "zero.yaml") {
			t.Errorf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}

	if code, _, stderr := inProcess("lint", "--max-file-size", "1MiB", "/dev/zero"); code != 2 || !strings.Contains(stderr, "larger than") {
		t.Errorf("/dev/zero: exit code %d: %s", code, stderr)
	}
	if code, _, stderr := inProcess("convert", "--allow-empty", "/dev/null"); code != 0 {
		t.Errorf("/dev/null: exit code %d: %s", code, stderr)
	}
	beta := strings.Replace(betaCRD, "%[1]d", "1", -1)
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"convert", at("pipe.yaml")}, 0}, {[]string{"convert", "--write", at("pipe.yaml")}, 2}} {
		go func() { _ = os.WriteFile(at("pipe.yaml"), []byte(beta), 0o600) }()
		code, stdout, stderr := inProcess(c.args...)
		if code != c.code || c.code == 0 && !strings.Contains(stdout, "apiextensions.k8s.io/v1\n") ||
			c.code == 2 && !strings.Contains(stderr, "not a regular file") {
			t.Errorf("%v: exit code %d: %s%s", c.args, code, stdout, stderr)
		}
	}
}

// TestFullDisk rewrites files on a file system of few pages.
func TestFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	path, filler := filepath.Join(dir, "crd.yaml"), filepath.Join(dir, "filler")
	beta := strings.ReplaceAll(betaCRD, "%[1]d", "1")
	for _, c := range []struct {
		text string
		args []string
	}{
		{beta, []string{"convert", "--write", path}},
		{needsType, []string{"lint", "--fix", "--unsafe-fixes", path}},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(filler, make([]byte, 1<<20), 0o600) == nil {
			t.Fatal("the disk is not full")
		}
		code, stdout, stderr := inProcess(c.args...)
		if code != 2 || !strings.Contains(stderr, "no space left") {
			t.Errorf("%v: exit code %d: %s%s", c.args, code, stdout, stderr)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 || readFile(t, path) != c.text {
			t.Errorf("%v: the folder is not as it was: %v, %v", c.args, entries, err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForbidden has a user without rights meet files and folders of others.
func TestForbidden(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "forbidden") // not below the test's own folder, which is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = os.Chmod(dir, 0o700)
		_ = os.RemoveAll(dir)
	})
	beta := strings.ReplaceAll(betaCRD, "%[1]d", "1")
	for name, mode := range map[string]os.FileMode{"closed.yaml": 0, "open.yaml": 0o644} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(beta), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "program") // where another user finds it
	// Not written by this process: another test that starts a program meanwhile would hold the file open for writing, and
	// it could not be run.
	if out, err := exec.Command("cp", process().Path, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, args := range rewrites {
		cmd := process(append(args, dir)...)
		cmd.Dir = "/"
		if os.Getuid() == 0 {
			cmd.Path = program
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if code := exitCode(err); code != 2 {
			t.Errorf("%v: exit code %d: %s", args, code, out)
		}
		for _, name := range []string{"closed.yaml", "open.yaml"} {
			if !strings.Contains(string(out), name+": permission denied") && !strings.Contains(string(out), name+".") {
				t.Errorf("%v: no word about %s: %s", args, name, out)
			}
		}
		if got := readFile(t, filepath.Join(dir, "open.yaml")); got != beta {
			t.Errorf("%v: the file was changed: %s", args, got)
		}
	}
}

// TestVanished takes files away between the search and the work, as the switch to another branch does.
func TestVanished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"lint", "--output", "short"}
	var pipes []string
	for i := range runtime.GOMAXPROCS(0) { // every worker waits at one
		pipe := filepath.Join(dir, fmt.Sprintf("pipe%d", i))
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		pipes = append(pipes, pipe)
	}
	gone, stays := filepath.Join(dir, "gone.yaml"), filepath.Join(dir, "stays.yaml")
	for _, path := range []string{gone, stays} {
		if err := os.WriteFile(path, []byte(needsType), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args = append(append(args, pipes...), gone, stays)
	go func() {
		for i, pipe := range pipes {
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader: the search is over
			if err != nil {
				return
			}
			if i == 0 {
				_ = os.Remove(gone)
			}
			defer w.Close()
		}
	}()
	code, stdout, stderr := inProcess(args...)
	if code != 2 || strings.Count(stderr, "gone.yaml") != 1 || !strings.Contains(stderr, "checked 1 CRD") || !strings.Contains(stdout, "stays.yaml") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// TestPipeWithoutCRD reads a pipe once: who looks into it again to say what is there waits for ever.
func TestPipeWithoutCRD(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(pipe, []byte("kind: Config\n"), 0) }()
	if code, _, stderr := inProcess("lint", pipe); code != 2 || !strings.Contains(stderr, "pipe: no CustomResourceDefinition in 1 file") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestSpecialSettings has what is not linted itself, but decides what is, be a pipe or a link to a device. A checkout may
// hold such links.
func TestSpecialSettings(t *testing.T) {
	t.Parallel()
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	device := func(path string) error { return os.Symlink("/dev/zero", path) }
	for _, c := range []struct {
		about, file string
		make        func(path string) error
		code        int
		says        string
	}{
		{"a pipe as ignore rules", ".gitignore", pipe, 0, "checked 1 CRD"},
		{"a device as ignore rules", ".gitignore", device, 0, "checked 1 CRD"},
		{"a pipe as a repository", ".git", pipe, 0, "checked 1 CRD"},
		{"a pipe as configuration", ".crdlift.yaml", pipe, 2, ".crdlift.yaml is not a regular file"},
		{"a device as configuration", ".crdlift.yaml", device, 2, ".crdlift.yaml is not a regular file"},
		{"a device as the baseline", "known", device, 2, "known is not a regular file"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"crd.yaml": needsType, "exact.yaml": "baseline: known\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.make(filepath.Join(dir, c.file)); err != nil {
				t.Fatal(err)
			}
			args := []string{"lint", "--fail-on", "never", "crd.yaml", "."}
			if c.file == "known" {
				args = append(args, "--config", "exact.yaml")
			}
			cmd := process(args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if code := exitCode(err); code != c.code || !strings.Contains(string(out), c.says) {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}

// TestOldSideFromPipe compares with what another program prints, as in --against <(kubectl get crd -o yaml).
func TestOldSideFromPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.yaml")
	if err := os.WriteFile(path, []byte(needsType), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"lint", "--fail-on", "never", "--output", "short", path, "--new-only"}, {"plan"}} {
		pipe := filepath.Join(t.TempDir(), "old")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() { _ = os.WriteFile(pipe, []byte(needsType), 0o600) }()
		args = append(args, pipe)
		if args[0] == "plan" {
			args = append(args, path)
		}
		if code, stdout, stderr := inProcess(args...); code != 0 || strings.Contains(stdout+stderr, "is new") {
			t.Errorf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
}
