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

// install builds gremlins into a folder.
func install(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "install", gremlins)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	return do(cmd)
}

// A tester runs gremlins on a target, in a copy of the part of the repository that it needs.
type tester struct {
	target
	dir    string // with gremlins in it
	module string // the copy
}

// newTester copies what git knows, and what it would add: of the Go files those of packages that the target and its tests
// import, and no other tests. Gremlins runs the tests of a whole module when they are not of the package that it changes.
func newTester(ctx context.Context, dir string, t target) (*tester, error) {
	module, err := os.MkdirTemp(dir, "module")
	if err != nil {
		return nil, err
	}
	names, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./"+t.path, "./"+t.tests)
	imported, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		folder, err := filepath.Abs(filepath.Dir(name))
		if err != nil {
			return nil, err
		}
		isTest := strings.HasSuffix(name, "_test.go")
		switch {
		case strings.HasSuffix(name, ".go") && !slices.Contains(strings.Split(string(imported), "\n"), folder):
		case isTest && filepath.ToSlash(filepath.Dir(name)) != t.tests:
		default:
			if err := copyFile(filepath.Join(module, name), name); err != nil {
				return nil, err
			}
		}
	}
	return &tester{t, dir, module}, nil
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
func try(ctx context.Context, dir string, of target, mutants int, seed uint64) (*outcome, error) {
	t, err := newTester(ctx, dir, of)
	if err != nil {
		return nil, err
	}
	all, err := t.gremlins(ctx, "--dry-run")
	if err != nil {
		return nil, err
	}
	lines := sample(all.mutants["RUNNABLE"], mutants, seed)
	if len(lines) == 0 {
		return nil, fmt.Errorf("the tests cover none of its mutants")
	}
	if err := t.commitWithout(ctx, lines); err != nil {
		return nil, err
	}
	tried, err := t.gremlins(ctx, "--diff=HEAD", "--timeout-coefficient=10")
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
func (t *tester) commitWithout(ctx context.Context, lines map[line]bool) error {
	dir := filepath.Join(t.module, t.path)
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

// gremlins runs it in the folder of a package, without the corpus. Neither vet nor debug information is of any use: it
// builds a program for each mutant.
func (t *tester) gremlins(ctx context.Context, flags ...string) (*outcome, error) {
	written := filepath.Join(t.dir, "result.json")
	flags = append([]string{"unleash", "--silent", "--integration", "--coverpkg=./" + t.path + "/...", "--output=" + written}, flags...)
	cmd := exec.CommandContext(ctx, filepath.Join(t.dir, "gremlins"), flags...)
	cmd.Dir = filepath.Join(t.module, t.path)
	cmd.Env = append(os.Environ(), "CRDLIFT_CORPUS="+filepath.Join(t.module, "no-corpus"), "GOFLAGS=-short -count=1 -vet=off -ldflags=-w -run="+t.run)
	if err := do(cmd); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(written)
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
