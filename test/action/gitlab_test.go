package action

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestGitLab runs the script of the GitLab component with its inputs filled in: it installs a release, and checks what a merge
// request adds.
func TestGitLab(t *testing.T) {
	needs(t, "bash", "curl", "git", "sha256sum", "tar")
	t.Parallel()
	source, err := os.ReadFile(repository(t, "templates", "lint.yml"))
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(source), "\n---\n")
	var header struct {
		Spec struct{ Inputs map[string]map[string]string }
	}
	if err := yaml.UnmarshalStrict([]byte(head), &header); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{"version": "v1.2.3", "paths": "crds other", "download-base": releasesOf(t, "#!/bin/sh\nexec "+program(t)+" \"$@\"\n")}
	for name, input := range header.Spec.Inputs {
		value, is := given[name]
		if fallback, has := input["default"]; !is && has {
			value = fallback
		} else if !is {
			t.Errorf("%s has no default", name)
		}
		body = strings.ReplaceAll(body, "$[[ inputs."+name+" ]]", value)
	}
	if left := regexp.MustCompile(`\$\[\[.*?\]\]`).FindString(body); left != "" {
		t.Errorf("there is no input for %s", left)
	}
	var jobs map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct{ Reports map[string]string }
	}
	if err := yaml.Unmarshal([]byte(body), &jobs); err != nil {
		t.Fatal(err)
	}
	job := jobs["crdlift"]

	dir := t.TempDir()
	save := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	crd, err := os.ReadFile(repository(t, "testdata", "action", "good", "crontabs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	good := string(crd)
	save("crds/crontabs.yaml", good)
	save("other/jobs.yaml", strings.NewReplacer("crontab", "job", "CronTab", "Job").Replace(good))
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message", "base")
	base := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
	run := func(commit string) (int, string) {
		cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", strings.Join(job.Script, "\n"))
		cmd.Dir = dir
		cmd.Env = append(environment(), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+commit)
		for name, value := range job.Variables {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		report, _ := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["codequality"]))
		return cmd.ProcessState.ExitCode(), out.String() + string(report)
	}
	if code, said := run(""); code != 0 || !strings.Contains(said, "crdlift_linux_amd64.tar.gz: OK") {
		t.Errorf("a branch: exit code %d\n%s", code, said)
	}
	save("crds/crontabs.yaml", strings.Replace(good, "type: string", "type: integer", 1))
	if code, said := run(base); code != 1 || !strings.Contains(said, `"check_name": "field-type-changed"`) {
		t.Errorf("a merge request: exit code %d\n%s", code, said)
	}
	given["version"] = "v1.2.4"
	job.Variables["CRDLIFT_RELEASE"] = given["download-base"] + "/v1.2.4"
	if code, said := run(base); code == 0 || !strings.Contains(said, "crdlift_linux_amd64.tar.gz: FAILED") {
		t.Errorf("another archive: exit code %d\n%s", code, said)
	}
}
