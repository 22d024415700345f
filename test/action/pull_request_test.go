package action

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// crd is a manifest with some fields of its spec.
func crd(plural string, fields ...string) string {
	kind := strings.ToUpper(plural[:1]) + plural[1:]
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[1]s.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: %[2]s, listKind: %[2]sList, plural: %[1]s, singular: %[3]s}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        description: One of them.
        type: object
        properties:
          status: {type: object, description: What is.}
          spec:
            description: What is wanted.
            type: object
            properties:
              %[4]s
`, plural, kind, strings.TrimSuffix(plural, "s"), strings.Join(fields, "\n              "))
}

const (
	schedule = "schedule: {type: string, maxLength: 99, description: When.}"
	suspend  = "suspend: {type: boolean, description: Not now.}"
)

// A project is a repository at GitHub with a pull request that somebody works on.
type project struct {
	origin            string
	fork, base, moved string // the commit that the pull request forked off; the base branch, before and after it moved on
	head, merge       string // the tip of the pull request, and its merge as GitHub makes it
}

// newProject makes a repository in which a pull request drops a field of one CRD and deletes another, while the base
// branch has dropped a field as well.
func newProject(t *testing.T) project {
	needs(t, "bash", "git")
	p := project{origin: t.TempDir()}
	commit := func(message string) string {
		git(t, p.origin, "add", "-A")
		git(t, p.origin, "commit", "--quiet", "--message", message)
		return git(t, p.origin, "rev-parse", "HEAD")
	}
	git(t, p.origin, "init", "--quiet", "--initial-branch=main")
	write(t, p.origin, "config/crd/crons.yaml", crd("crons", schedule, suspend))
	write(t, p.origin, "config/crd/queues.yaml", crd("queues", schedule))
	write(t, p.origin, "config/crd/others.yaml", crd("others", schedule, suspend))
	p.fork = commit("start")
	git(t, p.origin, "switch", "--quiet", "--create=feature")
	write(t, p.origin, "config/crd/crons.yaml", crd("crons", schedule))
	commit("drop suspend")
	git(t, p.origin, "rm", "--quiet", "config/crd/queues.yaml")
	p.head = commit("delete queues")
	git(t, p.origin, "switch", "--quiet", "main")
	p.base = p.fork
	write(t, p.origin, "config/crd/others.yaml", crd("others", schedule))
	p.moved = commit("drop a field of others")
	git(t, p.origin, "switch", "--quiet", "--detach", "main")
	git(t, p.origin, "merge", "--quiet", "--no-ff", "--message=merge", "feature")
	p.merge = git(t, p.origin, "rev-parse", "HEAD")
	git(t, p.origin, "update-ref", "refs/pull/1/merge", p.merge)
	git(t, p.origin, "switch", "--quiet", "main")
	return p
}

// checkout makes a workspace as actions/checkout does: a depth of 0 fetches all there is.
func (p project) checkout(t *testing.T, commit string, depth int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work space") // nothing may split it
	git(t, filepath.Dir(dir), "init", "--quiet", dir)
	git(t, dir, "remote", "add", "origin", "file://"+p.origin)
	args := []string{"fetch", "--quiet", "--no-tags", "--prune"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth), "origin", "+"+commit+":refs/remotes/pull/1/merge")
	} else {
		args = append(args, "origin", "+refs/heads/*:refs/remotes/origin/*", "+"+commit+":refs/remotes/pull/1/merge")
	}
	git(t, dir, args...)
	git(t, dir, "checkout", "--quiet", "--force", "refs/remotes/pull/1/merge")
	return dir
}

// event is the environment of an event.
func event(t *testing.T, name, ref, sha, json string) []string {
	return []string{"GITHUB_EVENT_NAME=" + name, "GITHUB_REF=" + ref, "GITHUB_SHA=" + sha,
		"GITHUB_EVENT_PATH=" + write(t, t.TempDir(), "event.json", json)}
}

// pullRequest is the event of the pull request. Its texts try to pass for what the scripts look for.
func (p project) pullRequest(t *testing.T, name string) []string {
	json := fmt.Sprintf(`{
  "action": "synchronize",
  "number": 1,
  "before": "1111111111111111111111111111111111111111",
  "pull_request": {
    "title": "\", \"base\": {\"sha\": \"2222222222222222222222222222222222222222\"}, {[ ",
    "body": "größer\n\\",
    "labels": [{"name": "a", "base": {"sha": "3"}}, [], {}],
    "draft": false,
    "head": {"ref": "$(touch pwned)", "sha": %q, "repo": {"base": {"sha": "4"}}},
    "base": {"ref": "main", "repo": {"sha": "5"}, "sha": %q}
  },
  "base": {"sha": "6"}
}`, p.head, p.base)
	ref, sha := "refs/pull/1/merge", p.merge
	if name == "pull_request_target" {
		ref, sha = "refs/heads/main", p.moved
	}
	return event(t, name, ref, sha, json)
}

// lint runs the action's last step.
func lint(t *testing.T, dir string, env []string, more ...string) step {
	t.Helper()
	return run(t, "lint.sh", dir, append(append([]string{"CRDLIFT=" + program(t)}, env...), more...)...)
}

// dropped is the annotation of a field that a manifest dropped, at the properties it was one of.
const dropped = "::error file=config/crd/crons.yaml,line=23,"

func TestPullRequest(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, c := range []struct {
		name, commit string
		depth        int
		event        string
	}{
		{"a shallow checkout of the merge", p.merge, 1, "pull_request"},
		{"a full checkout of the merge", p.merge, 0, "pull_request"},
		{"a shallow checkout of the head", p.head, 1, "pull_request"},
		{"a full checkout of the head", p.head, 0, "pull_request"},
		{"the head with the rights of the base", p.head, 1, "pull_request_target"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkout := p.checkout(t, c.commit, c.depth)
			got := lint(t, checkout, p.pullRequest(t, c.event))
			if _, err := os.Stat(filepath.Join(checkout, "pwned")); err == nil {
				t.Error("a shell obeyed the name of the branch")
			}
			got.want(t, 1, got.stdout, dropped, "title=field-removed::", "config/crd/queues.yaml")
			got.want(t, 1, got.output, "findings=", "errors=2\n")
			got.want(t, 1, got.summary, "## crdlift", "config/crd/crons.yaml", "field-removed", "# API changes since", "**Breaking:** ")
			if strings.Contains(got.stdout, "others.yaml") {
				t.Errorf("what the base branch did counts:\n%s", got)
			}
		})
	}
}

// TestAnnotations wants a pull request to be told of what it does, and of nothing that was there before: neither errors
// nor warnings nor infos, in the files that it changes and in others.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	needs(t, "bash", "git")
	p := project{origin: t.TempDir()}
	commit := func(schedule string) string {
		const (
			warning = "weight: {type: string, format: quantity, description: How much.}"
			info    = `share: {type: string, maxLength: 9, description: Of all., x-kubernetes-validations: [{rule: self != "0"}]}`
		)
		write(t, p.origin, "crds/crons.yaml", crd("crons", schedule, warning, info))
		git(t, p.origin, "add", "-A")
		git(t, p.origin, "commit", "--quiet", "--message", schedule)
		return git(t, p.origin, "rev-parse", "HEAD")
	}
	git(t, p.origin, "init", "--quiet", "--initial-branch=main")
	write(t, p.origin, "crds/queues.yaml", crd("queues", broken))
	p.base = commit(schedule)
	git(t, p.origin, "switch", "--quiet", "--create=feature")
	p.head = commit(strings.Replace(schedule, "99", "9", 1))
	git(t, p.origin, "switch", "--quiet", "--detach", "main")
	git(t, p.origin, "merge", "--quiet", "--no-ff", "--message=merge", "feature")
	p.merge = git(t, p.origin, "rev-parse", "HEAD")
	git(t, p.origin, "update-ref", "refs/pull/1/merge", p.merge)
	git(t, p.origin, "switch", "--quiet", "main")

	everything := []string{"CRDLIFT_MIN_SEVERITY=info"}
	before := lint(t, p.checkout(t, p.base, 1), everything)
	before.want(t, 1, before.stdout, "::error file=crds/queues.yaml", "::warning file=crds/crons.yaml", "::notice file=crds/crons.yaml")

	checkout := p.checkout(t, p.merge, 1)
	for _, command := range []string{"lint", "breaking"} {
		got := lint(t, checkout, p.pullRequest(t, "pull_request"), append(everything, "CRDLIFT_COMMAND="+command)...)
		got.want(t, 1, got.output, "findings=1\n", "errors=1\n")
		var annotations []string
		for line := range strings.Lines(got.stdout) {
			if strings.HasPrefix(line, "::error ") || strings.HasPrefix(line, "::warning ") || strings.HasPrefix(line, "::notice ") {
				annotations = append(annotations, line)
			}
		}
		const want = "spec.schedule: maxLength changed from 99 to 9 in v1"
		if len(annotations) != 1 || !strings.HasPrefix(annotations[0], "::error file=crds/crons.yaml,line=24,") || !strings.Contains(annotations[0], want) {
			t.Errorf("%s: the annotations are\n%s", command, strings.Join(annotations, ""))
		}
		got.want(t, 1, got.summary, "# API changes since", "**Breaking:** "+want)
		if strings.Contains(got.summary, "queues") {
			t.Errorf("%s: the summary tells of what was there before:\n%s", command, got.summary)
		}
	}
}
