// Package platforms runs the programs of a release for Windows and for ARM: under wine and under qemu. What they do is
// compared with what the program of this machine does. It is a module of its own because building for another platform
// takes minutes; `make platforms` runs it.
package platforms

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A machine runs the program, as it is built for a platform.
type machine struct {
	name    string
	through []string // what runs its programs
	program func() (string, error)
}

var (
	native  = &machine{name: "native", program: sync.OnceValues(func() (string, error) { return build("crdlift", "", "") })}
	windows = &machine{name: "windows", through: []string{"wine"},
		program: sync.OnceValues(func() (string, error) { return build("crdlift.exe", "windows", "amd64") })}
	arm = &machine{name: "arm64", through: []string{"qemu-aarch64"},
		program: sync.OnceValues(func() (string, error) { return build("crdlift-arm64", "linux", "arm64") })}
)

// work has the programs and wine's folder.
var work string

func TestMain(m *testing.M) {
	var err error
	if work, err = os.MkdirTemp("", "crdlift-platforms-"); err != nil {
		panic(err)
	}
	code := m.Run()
	stopWine()
	if err := os.RemoveAll(work); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// build builds the program as goreleaser does; without a platform, for this one.
func build(name, goos, goarch string) (string, error) {
	path := filepath.Join(work, name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(err.Error() + "\n" + string(out))
	}
	return path, nil
}

// ready skips the test if this machine cannot run the program.
func (m *machine) ready(t *testing.T) {
	t.Helper()
	if len(m.through) > 0 {
		if _, err := exec.LookPath(m.through[0]); err != nil {
			t.Skipf("%s is not installed", m.through[0])
		}
	}
	if m == windows {
		if err := startWine(); err != nil {
			t.Fatal(err)
		}
	}
}

// patience is how long one run may take: emulators are slow to start on a busy machine.
const patience = 5 * time.Minute

// A run is one of the program.
type run struct {
	dir, stdin string
	env        []string
	args       []string
}

// A result is what came out.
type result struct {
	code           int
	stdout, stderr string
}

// run runs the program.
func (m *machine) run(t *testing.T, r run) result {
	t.Helper()
	program, err := m.program()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	command := append(append([]string{}, m.through...), program)
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], r.args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(append(os.Environ(), "NO_COLOR=", "FORCE_COLOR="), r.env...)
	if m == windows {
		cmd.Env = append(cmd.Env, wineEnv()...)
	}
	cmd.Stdin = bytes.NewReader([]byte(r.stdin))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		t.Fatalf("%v: %v, %v\n%s%s", r.args, err, ctx.Err(), &stdout, &stderr)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// folder makes a folder with files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// content is all files of a folder, with their modes.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			files[name] = "-> " + target
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = info.Mode().String() + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// example is a manifest of the repository.
func example(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "examples"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
