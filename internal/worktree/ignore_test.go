package worktree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestIgnoreRulesAgreeWithGit has git and the folder walk list random trees with random .gitignore files.
func TestIgnoreRulesAgreeWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	lines := []string{
		"a", "b/", "/a", "a/b", "a/*", "**/a", "a/**", "a/**/b.yaml", "*.yaml", "!*.yaml", "!a.yaml", "!a/", "!b/a.yaml",
		"*", "!*/", "[ab].yaml", "[!a].yaml", "[^b]*", "[[:alpha:]].yaml", "?.yaml", "a**", "**", "**/", "/**", "/*", "!/a",
		"# a", `\#a.yaml`, `\!b.yaml`, "{a,b}.yaml", "a.yaml ", `a.yaml\ `, "", " ", "/", "!", "[", `a\`, "a/**/", "b/**/*.yaml",
		"c d.yaml", "a.yaml\r", "./a", "a//b", "**/b/**",
	}
	names := []string{"a", "b", "c", "a.yaml", "b.yaml", "c d.yaml", "#a.yaml", "!b.yaml", "{a,b}.yaml", "A.yaml"}
	trees := 60
	if testing.Short() {
		trees = 10
	}
	for seed := range uint64(trees) {
		r := rand.New(rand.NewPCG(seed, 7))
		root := t.TempDir()
		run(t, root, "git", "init", "--quiet")
		var grow func(dir string, depth int)
		grow = func(dir string, depth int) {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				var text strings.Builder
				for range r.IntN(4) + 1 {
					fmt.Fprintln(&text, lines[r.IntN(len(lines))])
				}
				write(t, filepath.Join(dir, ".gitignore"), text.String())
			}
			for _, name := range names {
				if strings.HasSuffix(name, ".yaml") {
					write(t, filepath.Join(dir, name), "a: b\n")
				} else if depth < 3 {
					grow(filepath.Join(dir, name), depth+1)
				}
			}
		}
		grow(root, 0)
		write(t, filepath.Join(root, ".git", "info", "exclude"), lines[r.IntN(len(lines))]+"\n")

		var want []string
		for path := range strings.SplitSeq(run(t, root, "git", "ls-files", "-z", "--others", "--exclude-standard"), "\x00") {
			if IsManifest(path) {
				want = append(want, path)
			}
		}
		got := manifests(t, root)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: found\n%q\ngit finds\n%q\n%s", seed, got, want,
				run(t, root, "sh", "-c", "grep -r . $(find . -name .gitignore) .git/info/exclude"))
		}
	}
}

func TestRulesOfWorktree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	main, tree := filepath.Join(root, "main"), filepath.Join(root, "tree")
	run(t, root, "git", "init", "--quiet", "main")
	run(t, main, "git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "-m", "Start")
	run(t, main, "git", "worktree", "add", "--quiet", tree)
	write(t, filepath.Join(main, ".git", "info", "exclude"), "local.yaml\n")
	for _, name := range []string{"local.yaml", "crd.yaml"} {
		write(t, filepath.Join(tree, name), "a: b\n")
	}
	if got := manifests(t, tree); !slices.Equal(got, []string{"crd.yaml"}) {
		t.Errorf("found %v, want crd.yaml only", got)
	}
}

// manifests are those of a folder, with slashes.
func manifests(t *testing.T, dir string) (all []string) {
	t.Helper()
	walk := Walk{
		Found:  func(below, _ string) { all = append(all, filepath.ToSlash(below)) },
		Failed: func(err error) { t.Error(err) },
	}
	walk.Folder(dir)
	return all
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
