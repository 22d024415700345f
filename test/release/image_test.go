package release

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// pushStep is the step of the release that builds and pushes the image, and the image's name.
func pushStep(t *testing.T) (script, image string) {
	t.Helper()
	job := readWorkflow(t, "release.yml").Jobs["image"]
	for _, step := range job.Steps {
		if strings.Contains(step.Run, "docker buildx build") {
			return step.Run, job.Env["IMAGE"]
		}
	}
	t.Fatal("no step builds the image")
	return "", ""
}

// TestImageTags runs the step with a docker that writes down its arguments: latest is the newest release, whichever tag is pushed.
func TestImageTags(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("releases are made on Linux")
	}
	script, image := pushStep(t)
	dir := t.TempDir()
	docker := filepath.Join(dir, "bin", "docker")
	if err := os.Mkdir(filepath.Dir(docker), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(docker, []byte("#!/bin/sh\nfor a; do echo \"$a\"; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(name string, env []string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(env, "PATH="+filepath.Dir(docker)+string(os.PathListSeparator)+os.Getenv("PATH"))...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("git", nil, "init", "--quiet")
	run("git", nil, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "--message=x")
	for _, c := range []struct {
		version string
		latest  bool
	}{{"v0.9.0-rc.1", false}, {"v0.9.0", true}, {"v0.10.0-rc.1", false}, {"v0.10.0", true}, {"v0.9.1", false}, {"v1.0.0-alpha.1", false}} {
		run("git", nil, "tag", c.version)
		pushed := strings.Fields(run("bash", []string{"IMAGE=" + image, "VERSION=" + c.version, "GITHUB_SHA=0"}, "-e", "-c", script))
		if !slices.Contains(pushed, image+":"+c.version) || slices.Contains(pushed, image+":latest") != c.latest {
			t.Errorf("%s: docker %q", c.version, pushed)
		}
	}
}

// TestImage runs what the pages say of the image: the arguments behind its name, below the folder where it works.
func TestImage(t *testing.T) {
	_, image := pushStep(t)
	recipe := text(t, repository("Dockerfile"))
	instruction := func(name string) string {
		found := regexp.MustCompile(`(?m)^`+name+` (.*)$`).FindAllStringSubmatch(recipe, -1)
		if len(found) == 0 {
			return ""
		}
		return found[len(found)-1][1] // of the last stage
	}
	var entry []string
	if err := json.Unmarshal([]byte(instruction("ENTRYPOINT")), &entry); err != nil || len(entry) != 1 || filepath.Base(entry[0]) != "crdlift" {
		t.Fatalf("the entry point is %q: %v", entry, err)
	}
	if command := instruction("CMD"); command != "" {
		t.Errorf("without arguments, the image runs %s", command)
	}
	crd := text(t, repository("examples", "lint", "backups.yaml"))
	pages := map[string]string{"README.md": text(t, repository("README.md")), "docs/guides/install.md": text(t, repository("docs", "guides", "install.md"))}
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Join("config", "crd"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join("config", "crd", "backups.yaml"), crd)
	called := func(stdin string, args ...string) (code int, said string) {
		var stdout, stderr bytes.Buffer
		code = cli.Run(args, strings.NewReader(stdin), &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	if code, said := called(""); code != 0 || !strings.Contains(said, "Usage:") {
		t.Errorf("without arguments: exit code %d, %s", code, said)
	}
	if code, said := called("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"); code != 0 || !strings.Contains(said, "kind: ResourceList") {
		t.Errorf("as a function: exit code %d, %s", code, said)
	}
	commands := regexp.MustCompile(`docker run ([^\n|` + "`" + `]*)` + regexp.QuoteMeta(image) + `(:\S+)?([^\n|` + "`" + `]*)`)
	for page, words := range pages {
		found := commands.FindAllStringSubmatch(words, -1)
		if len(found) == 0 {
			t.Errorf("%s does not run the image", page)
		}
		for _, c := range found {
			if mount := instruction("WORKDIR"); !strings.Contains(c[1], `"$PWD:`+mount+`"`) {
				t.Errorf("%s: what it works on is not mounted at %s", c[0], mount)
			}
			if code, said := called("", strings.Fields(c[3])...); code != 1 || !strings.Contains(said, "config/crd/backups.yaml:11:10: error: ") {
				t.Errorf("%s: exit code %d, %s", c[0], code, said)
			}
		}
	}
}
