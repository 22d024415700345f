package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// gremlins is the mutation tester. It has no flag for a sample, but tries only the lines that a commit lacks.
const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// A tester runs gremlins in a copy of the repository.
type tester struct {
	module  string // the copy
	program string // gremlins, built
	result  string // the file that it writes
}

// newTester copies the files that git knows, and those that it would add, into a folder.
func newTester(ctx context.Context, dir string) (*tester, error) {
	t := &tester{filepath.Join(dir, "module"), filepath.Join(dir, "gremlins"), filepath.Join(dir, "result.json")}
	names, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(t.module, name), name); err != nil {
			return nil, err
		}
	}
	install := exec.CommandContext(ctx, "go", "install", gremlins)
	install.Env = append(os.Environ(), "GOBIN="+dir)
	return t, do(install)
}

// copyFile copies a file. One that was deleted without telling git is left out, and so are links.
func copyFile(to, from string) error {
	info, err := os.Lstat(from)
	if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, info.Mode())
}

// try tries a sample of the mutants of a package.
func (t *tester) try(ctx context.Context, is target, mutants int, seed uint64) (*outcome, error) {
	all, err := t.gremlins(ctx, is, "--dry-run")
	if err != nil {
		return nil, err
	}
	lines := sample(all.mutants["RUNNABLE"], mutants, seed)
	if len(lines) == 0 {
		return nil, fmt.Errorf("the tests cover none of its mutants")
	}
	if err := t.commitWithout(ctx, is, lines); err != nil {
		return nil, err
	}
	tried, err := t.gremlins(ctx, is, "--diff=HEAD", "--timeout-coefficient=10")
	if err != nil {
		return nil, err
	}
	tried.mutants["NOT COVERED"] = all.mutants["NOT COVERED"]
	tried.covered = len(all.mutants["RUNNABLE"])
	return tried, nil
}

// sample takes lines, at random, until there are enough mutants on them.
func sample(all []mutant, enough int, seed uint64) map[line]bool {
	count := map[line]int{}
	for _, m := range all {
		count[m.line]++
	}
	lines := slices.SortedFunc(maps.Keys(count), line.compare)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	taken, some := 0, map[line]bool{}
	for _, l := range lines {
		if taken >= enough {
			break
		}
		some[l] = true
		taken += count[l]
	}
	return some
}

// commitWithout makes a git repository of a package's folder, whose only commit has comments in place of some lines, so
// that the difference to the files is these lines.
func (t *tester) commitWithout(ctx context.Context, is target, lines map[line]bool) error {
	dir := filepath.Join(t.module, is.path)
	texts := map[string][]byte{}
	for l := range lines {
		if texts[l.file] != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, l.file))
		if err != nil {
			return err
		}
		texts[l.file] = text
		kept := strings.Split(string(text), "\n")
		for i := range kept {
			if lines[line{l.file, i + 1}] {
				kept[i] = "// taken out"
			}
		}
		if err := os.WriteFile(filepath.Join(dir, l.file), []byte(strings.Join(kept, "\n")), 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"config", "diff.context", "0"}, // gremlins takes what a hunk adds for lines in one piece
		{"config", "diff.interHunkContext", "0"},
		{"add", "--force", "--", "."},
		{"-c", "user.name=mutate", "-c", "user.email=mutate@example.com", "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message=sample"},
	} {
		if err := do(exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)); err != nil {
			return err
		}
	}
	for file, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// gremlins runs it in the folder of a package, without the corpus.
func (t *tester) gremlins(ctx context.Context, is target, flags ...string) (*outcome, error) {
	cmd := exec.CommandContext(ctx, t.program, append([]string{"unleash", "--silent", "--output=" + t.result}, flags...)...)
	cmd.Dir = filepath.Join(t.module, is.path)
	cmd.Env = append(os.Environ(), "CRDLIFT_CORPUS="+filepath.Join(t.module, "no-corpus"), "GOFLAGS=-short -count=1 -run="+is.run)
	if err := do(cmd); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(t.result)
	if err != nil {
		return nil, err
	}
	var result result
	if err := json.Unmarshal(text, &result); err != nil {
		return nil, err
	}
	return result.outcome(), nil
}

// do runs a program, and puts its output into the error.
func do(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}
