package action

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unguarded names the file of a step in which runs of git are written down that a repository in the checkout could abuse.
const unguarded = "UNGUARDED_GIT"

// watchGit has every test find a git in PATH that looks at its settings before it does what it is told.
func watchGit(run func() int) int {
	git, err := exec.LookPath("git")
	if err != nil {
		return run()
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	script := fmt.Sprintf(`#!/bin/sh
case " $* $GIT_NO_LAZY_FETCH" in
*" safe.bareRepository=explicit "*" core.fsmonitor=false "*" core.hooksPath=/dev/null "*1) ;;
*) [ -z "$%s" ] || echo "git $*" >>"$%[1]s" ;;
esac
exec '%[2]s' "$@"
`, unguarded, git)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		panic(err)
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return run()
}

// TestGitOfScripts finds runs of git that do not go through the function git of commands.sh: no test may come past them.
func TestGitOfScripts(t *testing.T) {
	scripts, err := filepath.Glob(repository(t, "action", "*.sh"))
	if err != nil || len(scripts) < 5 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	const sources = `. "$here/commands.sh"`
	quoted := regexp.MustCompile(`'[^']*'|"(?:[^"$]|\$[^(])*"`) // and runs nothing
	word := regexp.MustCompile(`(?:^|[^\w.:-])git(?:$|[^\w:.()-])`)
	// Where a command begins, with assignments before it.
	command := regexp.MustCompile(`(?:^|[;&|({!]|\b(?:if|then|elif|else|while|until|do))\s*(?:[A-Z_]+=\S*\s+)*git\s`)
	runs := 0
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sourced := false
		for i, line := range strings.Split(string(text), "\n") {
			sourced = sourced || line == sources
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			line = quoted.ReplaceAllString(line, "''")
			words, commands := len(word.FindAllString(line, -1)), len(command.FindAllString(line+" ", -1))
			runs += commands
			switch at := fmt.Sprintf("%s:%d: %s", filepath.Base(path), i+1, strings.TrimSpace(line)); {
			case words == 0:
			case strings.Contains(line, "command git -c") && filepath.Base(path) == "commands.sh" && words == 1: // the function itself
			case words != commands:
				t.Errorf("%s\nhas git where it may not be the function", at)
			case !sourced && filepath.Base(path) != "commands.sh":
				t.Errorf("%s\nruns git before it has the function of commands.sh", at)
			}
		}
	}
	if runs < 15 {
		t.Errorf("only %d runs of git were found", runs)
	}
}

// TestEmbeddedRepository has a pull request bring the files of a git repository beside its manifests, with settings that have
// git run a program.
func TestEmbeddedRepository(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	ran := filepath.Join(t.TempDir(), "ran")
	evil := write(t, p.origin, "deploy/evil.sh", "#!/bin/sh\necho \"$0\" >>'"+ran+"'\n")
	if err := os.Chmod(evil, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"crd.yaml": crd("lamps", schedule), "sub/crd.yaml": crd("jobs", schedule), "HEAD": "ref: refs/heads/main\n", "objects/info/keep": "", "refs/heads/.keep": "",
		"config": "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ./evil.sh\n\tsshCommand = ./evil.sh\n\thooksPath = .\n" +
			"[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ./x\n\tuploadpack = ./evil.sh #\n",
	} {
		write(t, p.origin, "deploy/"+name, text)
	}
	git(t, p.origin, "add", "--force", "-A")
	git(t, p.origin, "commit", "--quiet", "--message=deploy")
	dir := p.checkout(t, git(t, p.origin, "rev-parse", "HEAD"), 1)
	if err := os.MkdirAll(filepath.Join(dir, "deploy", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"deploy", "deploy/sub"} {
		for _, against := range []string{"auto", "none", p.fork} {
			env := append(p.pullRequest(t, "pull_request"), "CRDLIFT_WORKING_DIRECTORY="+folder, "CRDLIFT_AGAINST="+against)
			got := lint(t, dir, env)
			got.want(t, 2, got.stderr, "files named HEAD, objects and refs")
		}
	}
	got := run(t, "base.sh", filepath.Join(dir, "deploy"), p.pullRequest(t, "pull_request")...)
	got.want(t, 2, got.stderr, "files named HEAD, objects and refs")
	// At the top of the checkout they are files as all others are.
	got = lint(t, dir, append(p.pullRequest(t, "pull_request"), "CRDLIFT_PATHS=deploy"))
	got.want(t, 0, got.stdout, "comparing with git:"+p.base)
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("a program of the pull request ran:\n%s", text)
	}
}

// TestPartialClone has a checkout without the files of the base, which crdlift itself does not fetch.
func TestPartialClone(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	git(t, p.origin, "config", "uploadpack.allowFilter", "true")
	git(t, p.origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	for _, filter := range []string{"blob:none", "tree:0"} {
		t.Run(filter, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "clone")
			git(t, filepath.Dir(dir), "clone", "--quiet", "--sparse", "--filter="+filter, "--branch=feature", "file://"+p.origin, dir)
			git(t, dir, "sparse-checkout", "set", "config")
			for _, against := range []string{"origin/main", p.fork, "git:origin/main:config"} {
				got := lint(t, dir, []string{"CRDLIFT_AGAINST=" + against, "CRDLIFT_COMMAND=breaking"})
				got.want(t, 1, got.stdout, "file=config/crd/crons.yaml,", "title=field-removed::")
			}
		})
	}
}
