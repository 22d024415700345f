package gitrev

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A scratch is a git repository for a test.
type scratch struct {
	*testing.T
	dir string
}

func newScratch(t *testing.T) scratch {
	t.Helper()
	s := scratch{t, t.TempDir()}
	s.git("init", "-q", "-b", "main")
	return s
}

func (s scratch) git(args ...string) string {
	s.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s scratch) write(path, content string) {
	s.Helper()
	at := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		s.Fatal(err)
	}
}

func (s scratch) commit() string {
	s.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "x")
	return s.git("rev-parse", "HEAD")
}

func (s scratch) open(below string) *Repository {
	s.Helper()
	r, err := Open(s.Context(), filepath.Join(s.dir, below))
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func TestTree(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	odd := "with space\tand \"tab\" ü.yaml"
	s.write("a.yaml", "a: 1\n")
	s.write("empty.yaml", "")
	s.write("sub/b.yaml", strings.Repeat("b", 70<<10))
	s.write("sub/huge.yaml", strings.Repeat("h", 200<<10))
	s.write(odd, "no line end")
	if err := os.Symlink("a.yaml", filepath.Join(s.dir, "link.yaml")); err != nil {
		t.Skip("no symbolic links here")
	}
	module := newScratch(t)
	module.commit()
	s.git("submodule", "add", "-q", module.dir, "module.yaml")
	commit := s.commit()

	tree, err := s.open("sub").Tree(t.Context(), commit, 100<<10, func(path string) bool { return strings.HasSuffix(path, ".yaml") })
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	want := map[string]string{"a.yaml": "a: 1\n", "empty.yaml": "", "sub/b.yaml": strings.Repeat("b", 70<<10), odd: "no line end", "sub/huge.yaml": ""}
	for _, b := range tree.Files {
		content, known := want[b.Path]
		if !known {
			t.Errorf("%q is listed", b.Path)
		}
		delete(want, b.Path)
		got, err := tree.Read(b)
		if large := b.Path == "sub/huge.yaml"; large != errors.Is(err, ErrTooLarge) || err != nil && !large {
			t.Errorf("%s: %v", b.Path, err)
		}
		if string(got) != content {
			t.Errorf("%s: %d bytes, want %d", b.Path, len(got), len(content))
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	if _, err := tree.Read(Blob{"gone.yaml", strings.Repeat("0", 40), tree.Files[0].in}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a missing object: %v", err)
	}
	if _, err := tree.Read(tree.Files[0]); err == nil {
		t.Error("a tree that failed goes on")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	if _, err := s.open("").Resolve(t.Context(), "main"); err == nil || !strings.Contains(err.Error(), "nothing is committed") {
		t.Errorf("an empty repository: %v", err)
	}
	first := s.commit()
	s.git("tag", "-a", "v1", "-m", "x")
	s.git("branch", "feature/a-b")
	second := s.commit()
	r := s.open("")
	for revision, want := range map[string]string{
		"HEAD": second, "main": second, "HEAD~1": first, "v1": first, "feature/a-b": first, first[:9]: first, "refs/heads/main": second,
	} {
		if got, err := r.Resolve(t.Context(), revision); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", revision, got, err, want)
		}
	}
	for revision, want := range map[string]string{
		"":                  "missing",
		"--output=x":        "begins with a dash",
		"a\nb":              "control characters",
		"nowhere":           "no remote to fetch from",
		"^main":             "no",
		"main:a.yaml":       "no revision",
		"main..feature/a-b": "is a range of git revisions; name the older one, main",
		"main...HEAD":       "name the older one, main",
		"../main":           "no revision",
		"config/../main":    "no revision",
	} {
		if got, err := r.Resolve(t.Context(), revision); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v; want %s", revision, got, err, want)
		}
	}
	s.git("remote", "add", "origin", "https://example.com/x")
	for revision, want := range map[string]string{
		"origin/release/1":       "git fetch origin release/1:refs/remotes/origin/release/1",
		"v2":                     "git fetch origin tag v2",
		"HEAD~9":                 "git log",
		strings.Repeat("12", 20): "git fetch origin 1212",
	} {
		if _, err := r.Resolve(t.Context(), revision); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", revision, err, want)
		}
	}
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	fork := s.commit()
	s.git("checkout", "-q", "-b", "change")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("later.yaml", "x: 1\n")
	main := s.commit()
	s.git("checkout", "-q", "change")
	r := s.open("")
	if got, err := r.MergeBase(t.Context(), main); err != nil || got != fork {
		t.Errorf("%s, %v; want %s", got, err, fork)
	}
	s.git("checkout", "-q", "--orphan", "other")
	s.write("unrelated.yaml", "")
	s.commit()
	if _, err := r.MergeBase(t.Context(), main); err == nil || !strings.Contains(err.Error(), "no commit in common") {
		t.Errorf("unrelated histories: %v", err)
	}
	shallow := newScratch(t)
	shallow.git("fetch", "-q", "--depth=1", "file://"+s.dir, "main:base", "change:head")
	shallow.git("checkout", "-q", "head")
	if _, err := shallow.open("").MergeBase(t.Context(), main); err == nil || !strings.Contains(err.Error(), "--unshallow") {
		t.Errorf("a shallow clone: %v", err)
	}
	shallow.git("remote", "add", "origin", "file://"+s.dir)
	if _, err := shallow.open("").Resolve(t.Context(), "HEAD~3"); err == nil || !strings.Contains(err.Error(), "--deepen") {
		t.Errorf("beyond a shallow clone: %v", err)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("config/crd/a.yaml", "")
	s.commit()
	s.git("worktree", "add", "-q", filepath.Join(s.dir, "wt"), "-b", "other")
	for below, want := range map[string]string{"": "config/crd/a.yaml", "config": "crd/a.yaml", "config/crd": "a.yaml", "wt/config": "crd/a.yaml"} {
		r := s.open(below)
		if got := r.Shown("config/crd/a.yaml"); got != want {
			t.Errorf("shown in %q: %s, want %s", below, got, want)
		}
		if at, ok := r.Path(want); at != "config/crd/a.yaml" || !ok {
			t.Errorf("path of %s in %q: %s", want, below, at)
		}
		if at, ok := r.Path(filepath.Join(r.Top, "config", "new.yaml")); at != "config/new.yaml" || !ok {
			t.Errorf("an absolute path in %q: %s", below, at)
		}
	}
	r := s.open("config")
	if got := r.Shown("b.yaml"); got != "../b.yaml" {
		t.Errorf("above: %s", got)
	}
	for _, outside := range []string{"../../x.yaml", os.TempDir()} {
		if at, ok := r.Path(outside); ok {
			t.Errorf("%s is %s", outside, at)
		}
	}
}

func TestNoRepository(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if _, err := Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "path:OLD") {
		t.Errorf("no repository: %v", err)
	}
	t.Setenv("PATH", dir)
	if _, err := Open(context.Background(), dir); err == nil || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("no git: %v", err)
	}
}

// TestEmbedded reads nothing by the settings of a repository that lies among the files of a folder, whether git knows the
// setting against that or not; one that GIT_DIR names is used.
func TestEmbedded(t *testing.T) {
	s := newScratch(t)
	ran := filepath.Join(t.TempDir(), "ran")
	for name, text := range map[string]string{
		"a.yaml": "a: 1\n", "sub/b.yaml": "b: 1\n", "HEAD": "ref: refs/heads/main\n", "objects/info/keep": "x", "refs/heads/.keep": "x", "x/keep": "x",
		"config": "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch " + ran + "\n[extensions]\n\tpartialClone = origin\n" +
			"[remote \"origin\"]\n\tpromisor = true\n\turl = ./x\n\tuploadpack = touch " + ran + " #\n",
	} {
		s.write("deploy/"+name, text)
	}
	commit := s.commit()
	refused := func() {
		t.Helper()
		for _, folder := range []string{"deploy", "deploy/sub"} {
			if r, err := Open(t.Context(), filepath.Join(s.dir, folder)); err == nil || err.Error() != embedded {
				t.Errorf("%s: %v, %v", folder, r, err)
			}
		}
	}
	refused()
	s.open("")

	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	older := scratch{t, t.TempDir()} // a git of before 2.38
	older.write("git", "#!/bin/sh\n[ \"$1 $2\" = \"${settings}\" ] && shift 2\nexec '"+git+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(older.dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("settings", strings.Join(settings[:2], " "))
	t.Setenv("PATH", older.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	refused()
	s.open("")
	if _, err := os.Lstat(ran); err == nil {
		t.Error("the settings had something run")
	}

	t.Setenv("GIT_DIR", filepath.Join(s.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", s.dir)
	if got, err := s.open("deploy").Resolve(t.Context(), "HEAD"); err != nil || got != commit {
		t.Errorf("with GIT_DIR: %s, %v", got, err)
	}
}

// TestPartial has a clone without the files of its first commit, which are not fetched.
func TestPartial(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.git("config", "uploadpack.allowFilter", "true")
	s.write("a.yaml", "old")
	old := s.commit()
	s.write("a.yaml", "new")
	s.commit()
	for _, filter := range []string{"blob:none", "tree:0"} {
		clone := scratch{t, t.TempDir()}
		clone.git("clone", "-q", "--filter="+filter, "file://"+s.dir, ".")
		read := func() (string, error) {
			tree, err := clone.open("").Tree(t.Context(), old, 1<<20, func(string) bool { return true })
			if err != nil {
				return "", err
			}
			defer tree.Close()
			text, err := tree.Read(tree.Files[0])
			return string(text), err
		}
		if text, err := read(); err == nil || !strings.HasSuffix(err.Error(), partial) {
			t.Errorf("%s: %q, %v", filter, text, err)
		}
		clone.git("-c", "maintenance.auto=false", "fetch", "-q", "--refetch", "--no-filter") // as the message says; nothing goes on after it
		if text, err := read(); text != "old" || err != nil {
			t.Errorf("%s: %q, %v", filter, text, err)
		}
	}
}
