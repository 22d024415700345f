package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestCachedRepositories edits repositories at random, and runs commands with a cache and without after each change: exit code,
// output and reports are the same. The cache is the one that the same command left before the change. CRDLIFT_VOLUME=all has
// 500 rounds, each with a repository of its own; CRDLIFT_SEED repeats the rounds of a day.
func TestCachedRepositories(t *testing.T) {
	t.Parallel()
	rounds := 4
	switch {
	case corpus.All():
		rounds = 500
	case testing.Short():
		rounds = 1
	}
	seed, stories := corpus.Seed(t), storiesOfLint(t)
	var compared, kept atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d runs with a cache are as those without, %d of which had results of earlier states; CRDLIFT_SEED=%d makes the same edits", compared.Load(), kept.Load(), seed)
	})
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			e := newEdited(t, rand.New(rand.NewPCG(seed, uint64(round))), stories)
			lines := []cachedRun{e.randomRun("one"), e.randomRun("other")}
			for step := range 4 {
				if step > 0 {
					for range 1 + e.IntN(3) {
						e.edit()
					}
				}
				for i := range lines {
					hasResults := lines[i].isKept()
					if !lines[i].isTheSame(e) {
						t.Fatalf("CRDLIFT_SEED=%d, round %d; edits:\n%s", seed, round, strings.Join(e.done, "\n"))
					}
					compared.Add(1)
					if hasResults {
						kept.Add(1)
					}
				}
			}
		})
	}
}

// storiesOfLint are the files of the stories that run the linter: repositories of all kinds.
func storiesOfLint(t *testing.T) (all []*txtar.Archive) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		story, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(story.Comment, []byte("crdlift lint")) || bytes.Contains(story.Comment, []byte("crdlift breaking")) {
			all = append(all, story)
		}
	}
	if len(all) < 30 {
		t.Fatalf("%d stories run the linter", len(all))
	}
	return all
}

// A cachedRun is a command that is run again and again, with a cache of its own.
type cachedRun struct {
	args   []string
	cache  string
	report string // of --output, "" for none
}

// randomRun makes up a command.
func (e *editedRepository) randomRun(name string) cachedRun {
	run := cachedRun{args: []string{"lint"}, cache: filepath.Join(e.beside, "cache-"+name)}
	add := func(odds int, all ...string) bool { // the name of a flag and its values, of which it takes one
		if e.IntN(100) >= odds {
			return false
		}
		if len(all) > 1 {
			all = []string{all[0] + "=" + all[1+e.IntN(len(all)-1)]}
		}
		run.args = append(run.args, all...)
		return true
	}
	old := []string{"HEAD", "git:HEAD~1", "path:" + filepath.Join("..", "beside", "old")}
	built := false
	if e.IntN(3) == 0 {
		run.args[0] = "breaking"
		add(100, append([]string{"--against"}, old...)...)
	} else {
		built = e.IntN(12) == 0 && add(100, append([]string{"--kustomize"}, e.foldersWith("kustomization.yaml")...)...)
		if !built {
			add(30, append([]string{"--new-only"}, old...)...)
		}
	}
	add(70, "--output", "text", "short", "statistics", "json", "sarif", "github", "gitlab", "junit", "markdown", "html")
	if e.IntN(3) == 0 {
		run.report = filepath.Join(e.beside, "report-"+name)
		format := []string{"text", "json", "sarif", "gitlab", "markdown"}[e.IntN(5)]
		run.args = append(run.args, "--output="+format+"="+run.report)
	}
	add(40, "--preset", "recommended", "all")
	add(15, "--only", "pattern-unanchored,manifest-stale,scope-invalid,names-*", "manifest-stale", "schema-*,description-*")
	add(15, "--rule", "pattern-unanchored=error", "manifest-stale=error", "scope-invalid=off", "schema-float=info")
	add(30, "--fail-on", "warning", "info", "never")
	add(20, "--min-severity", "warning", "error")
	add(15, "--kubernetes-version", "1.21", "1.27", "1.31")
	add(15, "--go", "off", "api", "auto", ".")
	add(10, "--templates", "off")
	add(10, "--config", "off")
	add(80, "--allow-empty")
	if all := e.paths(); !built && e.IntN(2) == 0 && len(all) > 0 {
		run.args = append(run.args, all[e.IntN(len(all))], filepath.Dir(all[e.IntN(len(all))]))
	} else if !built {
		run.args = append(run.args, ".")
	}
	return run
}

// isTheSame runs the command with the cache and without, and reports whether that makes no difference.
func (run *cachedRun) isTheSame(e *editedRepository) bool {
	e.t.Helper()
	plain := run.told(e, run.args)
	with := run.told(e, slices.Insert(slices.Clone(run.args), 1, "--cache="+run.cache))
	if diff := cmp.Diff(plain, with); diff != "" {
		e.t.Errorf("crdlift %s: without a cache (-) and with one (+):\n%s", strings.Join(run.args, " "), diff)
		return false
	}
	return true
}

// isKept reports whether the cache has something.
func (run *cachedRun) isKept() bool {
	all, _ := filepath.Glob(filepath.Join(run.cache, "*.pack"))
	return len(all) > 0
}

// told is all that a run tells.
func (run *cachedRun) told(e *editedRepository, args []string) string {
	e.t.Helper()
	cmd := e.command("crdlift", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 2) {
		e.t.Fatalf("crdlift %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	out := fmt.Sprintf("exit code %d\n%s\n%s\n", cmd.ProcessState.ExitCode(), &stdout, &stderr)
	if run.report != "" {
		text, err := os.ReadFile(run.report)
		out += fmt.Sprintf("report: %v\n%s", err != nil, text)
		os.Remove(run.report)
	}
	return out
}

// command is a program that runs in the repository, with settings of nobody.
func (e *editedRepository) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = e.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, io.Discard, io.Discard
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(e.dir),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GOMODCACHE="+filepath.Join(e.beside, "modules"))
	return cmd
}
