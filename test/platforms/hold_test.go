package platforms

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// hold has a program of Windows open a file and share it with nobody, until it is released.
func hold(t *testing.T, dir, name string) (release func()) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "hold.exe")
	build := exec.Command("go", "build", "-o", program, filepath.Join("testdata", "hold.go"))
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("wine", program, name)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), wineEnv()...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}
