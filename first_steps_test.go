package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// firstSteps is the guide of the first ten minutes. TestDocs leaves its commands to TestFirstSteps.
var firstSteps = filepath.Join("docs", "guides", "first-steps.md")

// TestFirstSteps runs the commands of the guide, from its first to its last, and compares what a terminal shows of them. -update writes
// that into the guide. For `make manifests` it has the files that controller-gen writes of the types at that point, in
// testdata/first-steps; that they are of these types is what crdlift checks in the guide's next command.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the commands are for bash")
	}
	root := t.TempDir()
	dir, bin := filepath.Join(root, "crdlift"), filepath.Join(root, "bin")
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("examples")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(bin, os.DirFS(filepath.Join("testdata", "first-steps"))); err != nil {
		t.Fatal(err)
	}
	const generate = "#!/bin/sh\nn=$(($(cat \"$0.runs\" 2>/dev/null || echo 0) + 1))\necho $n >\"$0.runs\"\n" +
		"exec cp \"${0%make}$n.yaml\" config/crd/bases/web.example.com_sites.yaml\n"
	for name, script := range map[string]string{"make": generate, "kubectl": "#!/bin/sh\nexec cat config/samples/shop.yaml\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	shown := func(command string) string {
		if to, is := strings.CutPrefix(command, "cd "); is {
			dir = filepath.Join(dir, to)
			return ""
		}
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+root, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	text := read(t, firstSteps)
	got := regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$").ReplaceAllStringFunc(text, func(block string) string {
		body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(block, "```sh\n"), "```console\n"), "```")
		if strings.HasPrefix(block, "```sh\n") {
			for command := range strings.Lines(body) {
				if command = strings.TrimSpace(command); command == "make manifests" || reason(command) == "" {
					shown(command)
				}
			}
			return block
		}
		terminal := "```console\n"
		for line := range strings.Lines(body) {
			if command, typed := strings.CutPrefix(line, "$ "); typed {
				terminal += line + shown(strings.TrimSpace(command))
			}
		}
		return terminal + "```"
	})
	switch {
	case got == text:
	case *update:
		if err := os.WriteFile(firstSteps, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		is, want := strings.Split(text, "\n"), strings.Split(got, "\n")
		for i, line := range want {
			if i >= len(is) || is[i] != line {
				t.Fatalf("%s:%d: the commands print %q; -update writes what they print", firstSteps, i+1, line)
			}
		}
		t.Errorf("%s:%d: the commands print less; -update writes what they print", firstSteps, len(want))
	}
}
