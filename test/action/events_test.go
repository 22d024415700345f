package action

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const none = "0000000000000000000000000000000000000000"

func push(t *testing.T, ref, before, after string) []string {
	return event(t, "push", ref, after, fmt.Sprintf(
		`{"ref":%q,"before":%q,"after":%q,"commits":[{"before":"7"}],"repository":{"default_branch":"main","owner":{}}}`, ref, before, after))
}

// TestBase tells for every event what manifests are compared with.
func TestBase(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, c := range []struct {
		name, commit string
		depth        int
		env          []string
		want         string // what base.sh prints, without git:
		exit         int
		says         string
	}{
		{"push", p.moved, 1, push(t, "refs/heads/main", p.fork, p.moved), p.fork, 0, ""},
		{"push to a full checkout", p.moved, 0, push(t, "refs/heads/main", p.fork, p.moved), p.fork, 0, ""},
		{"forced push", p.moved, 1, push(t, "refs/heads/main", strings.Repeat("12345678", 5), p.moved), "", 0, "cannot be fetched, so nothing is compared"},
		{"new branch", p.head, 1, push(t, "refs/heads/feature", none, p.head), p.fork, 0, ""},
		{"first push of the default branch", p.moved, 1, push(t, "refs/heads/main", none, p.moved), "", 0, ""},
		{"tag", p.moved, 1, push(t, "refs/tags/v1", none, p.moved), "", 0, ""},
		{"merge group", p.merge, 1, event(t, "merge_group", "refs/heads/gh-readonly-queue/main/pr-1", p.merge,
			fmt.Sprintf(`{"action":"checks_requested","merge_group":{"head_sha":%q,"base_sha":%q,"base_ref":"refs/heads/main"}}`, p.merge, p.moved)), p.moved, 0, ""},
		{"no event that has a base", p.moved, 1, event(t, "schedule", "refs/heads/main", p.moved, `{"schedule":"0 0 * * *"}`), "", 0, ""},
		{"the configuration of a pull request", p.head, 1, append(event(t, "pull_request", "refs/pull/1/merge", p.merge,
			fmt.Sprintf(`{"pull_request":{"base":{"sha":%q}}}`, p.moved)), "CRDLIFT_INPUT=config-from"), p.moved, 0, ""}, // not of what it forked off
		{"the configuration of a base that is gone", p.head, 1, append(event(t, "pull_request", "refs/pull/1/merge", p.merge,
			`{"pull_request":{"base":{"sha":"1234567812345678123456781234567812345678"}}}`), "CRDLIFT_INPUT=config-from"), "", 2, "config-from: head"},
		{"a pull request of which the base is gone", p.head, 1, event(t, "pull_request", "refs/pull/1/merge", p.merge,
			`{"pull_request":{"base":{"sha":"1234567812345678123456781234567812345678"}}}`), "", 2, "fetch-depth: 0"},
		{"an event without what it should have", p.head, 1, event(t, "pull_request", "refs/pull/1/merge", p.merge, `{}`), "", 2, "fetch-depth: 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := run(t, "base.sh", p.checkout(t, c.commit, c.depth), c.env...)
			got.want(t, c.exit, got.stderr, c.says)
			want := ""
			if c.want != "" {
				want = "git:" + c.want + "\n"
			}
			if got.stdout != want {
				t.Errorf("compares with %q, want %q", got.stdout, want)
			}
		})
	}
}

// TestAgainst names what to compare with.
func TestAgainst(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	git(t, p.origin, "tag", "v1.0.0", p.fork)
	git(t, p.origin, "tag", "v1.2.0", p.fork)
	git(t, p.origin, "branch", "release-1", p.fork)
	git(t, p.origin, "branch", "release-2", p.fork)
	git(t, p.origin, "branch", "odd/$(id)", p.fork)
	for _, c := range []struct {
		name, against, want string
		exit                int
	}{
		{"none", "none", "", 0},
		{"tag", "v1.0.0", "git:v1.0.0", 0},
		{"branch", "release-1", "git:origin/release-1", 0},
		{"branch of the remote", "origin/release-1", "git:origin/release-1", 0},
		{"commit", p.fork, "git:" + p.fork, 0},
		{"part of a revision", "git:release-1:config/crd", "git:origin/release-1:config/crd", 0},
		{"folder", "config/crd", "config/crd", 0},
		{"marked folder", "path:config", "path:config", 0},
		{"here already", "HEAD", "HEAD", 0},
		{"a shell would run it", "odd/$(id)", "git:origin/odd/$(id)", 0},
		{"a flag to git", "--upload-pack=touch${IFS}pwned", "", 2},
		{"a pattern", "*", "", 2},
		{"missing", "v9", "", 2},
		{"a folder with the name of a tag", "v1.2.0", "", 2},
		{"the tag and not the folder", "git:v1.2.0", "git:v1.2.0", 0},
		{"a file with the name of a branch", "release-2", "", 2},
		{"the file and not the branch", "path:release-2", "path:release-2", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := p.checkout(t, p.moved, 1)
			write(t, dir, "v1.2.0/crd.yaml", "") // what a pull request may add
			write(t, dir, "release-2", "")
			got := run(t, "base.sh", dir, "CRDLIFT_AGAINST="+c.against)
			got.want(t, c.exit, "")
			if strings.TrimSpace(got.stdout) != c.want {
				t.Errorf("compares with %q, want %q", got.stdout, c.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("git ran a program")
			}
		})
	}
}

// TestNoRepository is a workspace without git.
func TestNoRepository(t *testing.T) {
	needs(t, "bash", "git")
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "crd.yaml", crd("crons", "schedule: {type: strin}"))
	got := lint(t, dir, []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)})
	got.want(t, 1, got.stdout, "::error file=crd.yaml,line=24,", "title=schema-type-invalid::")
	got.want(t, 1, got.stderr, "not a git repository")
}

// TestNewOnly passes over what the base has, too.
func TestNewOnly(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"old.yaml": crd("olds", broken)})
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "--message=old")
	write(t, dir, "new.yaml", crd("news", broken))
	got := lint(t, dir, []string{"CRDLIFT_AGAINST=HEAD", "CRDLIFT_NEW_ONLY=true"})
	got.want(t, 1, got.stdout, "::error file=new.yaml,line=24,")
	got.want(t, 1, got.output, "errors=1\n")
	got = lint(t, dir, []string{"CRDLIFT_AGAINST=HEAD"})
	got.want(t, 1, got.output, "errors=2\n")
}

// TestBreaking reports the change only; without anything to compare with it says so.
func TestBreaking(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"a.yaml": crd("crons", schedule), "b.yaml": crd("olds", broken)})
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "--message=old")
	write(t, dir, "a.yaml", crd("crons", "other: {type: string, maxLength: 9, description: When.}"))
	got := lint(t, dir, []string{"CRDLIFT_AGAINST=HEAD", "CRDLIFT_COMMAND=breaking"})
	got.want(t, 1, got.stdout, "::error file=a.yaml,", "title=field-removed::")
	got.want(t, 1, got.output, "errors=1\n")
	got.want(t, 1, got.summary, "# API changes since HEAD")
	got = lint(t, dir, []string{"CRDLIFT_AGAINST=none", "CRDLIFT_COMMAND=breaking"})
	got.want(t, 0, got.stderr, "nothing to compare with")
}
