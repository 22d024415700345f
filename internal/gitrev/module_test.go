package gitrev

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
)

// files returns the files of a commit, with their contents.
func (s scratch) files(commit string) (files map[string]string, missing []Module) {
	s.Helper()
	tree, err := s.open("").Tree(s.Context(), commit, 1<<20, func(path string) bool { return strings.HasSuffix(path, ".yaml") })
	if err != nil {
		s.Fatal(err)
	}
	defer tree.Close()
	files = map[string]string{}
	for range 2 { // with more repositories than processes, each starts again
		for _, b := range tree.Files {
			text, err := tree.Read(b)
			if err != nil {
				s.Fatal(err)
			}
			files[b.Path] = string(text)
		}
	}
	return files, tree.Missing
}

func (s scratch) wantMissing(commit, path, why string) {
	s.Helper()
	if files, missing := s.files(commit); len(missing) != 1 || missing[0].Path != path || !strings.Contains(missing[0].Why, why) {
		s.Errorf("%v; missing %+v, want %s: %s", files, missing, path, why)
	}
}

// TestKeptProcesses reads from more repositories than may have a process: the one that was not asked for the longest ends, and starts
// again when it is asked.
func TestKeptProcesses(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("a.yaml", "own")
	s.commit()
	id := s.git("rev-parse", "HEAD:a.yaml")
	r, tree := s.open(""), &Tree{}
	defer tree.Close()
	var blobs []Blob
	for range keptProcesses + 1 {
		blobs = append(blobs, Blob{"a.yaml", id, &objects{limit: 10, command: func() *exec.Cmd { return r.command(t.Context(), "cat-file", "--batch") }}})
	}
	read := func(i int) {
		t.Helper()
		if text, err := tree.Read(blobs[i]); err != nil || string(text) != "own" {
			t.Fatalf("%d: %q, %v", i, text, err)
		}
	}
	check := func(ended int) {
		t.Helper()
		for i, b := range blobs {
			if runs := b.in.running != nil; runs == (i == ended) {
				t.Errorf("process %d runs: %v", i, runs)
			}
		}
	}
	for i := range keptProcesses {
		read(i)
	}
	check(keptProcesses) // which nobody asked yet
	read(0)
	read(keptProcesses)
	check(1)
	read(1)
	check(2)
}

func TestModules(t *testing.T) {
	t.Parallel()
	inner := newScratch(t)
	inner.write("deep.yaml", "old")
	inner.commit()
	outer := newScratch(t)
	outer.write("crd/a.yaml", "old")
	outer.git("submodule", "add", "-q", inner.dir, "nested")
	outer.commit()
	s := newScratch(t)
	s.write("b.yaml", "own")
	s.git("submodule", "add", "-q", outer.dir, "sub dir/module")
	s.git("submodule", "update", "-q", "--init", "--recursive")
	old := s.commit()

	outer.write("crd/a.yaml", "new")
	outer.commit()
	s.git("submodule", "update", "-q", "--remote")
	s.commit()
	want := map[string]string{"b.yaml": "own", "sub dir/module/crd/a.yaml": "old", "sub dir/module/nested/deep.yaml": "old"}
	check := func(s scratch) {
		t.Helper()
		got, missing := s.files(old)
		if len(missing) > 0 || len(got) != len(want) {
			t.Errorf("%v, missing %v", got, missing)
		}
		for path, content := range want {
			if got[path] != content {
				t.Errorf("%s: %q, want %q", path, got[path], content)
			}
		}
	}
	check(s)

	worktree := scratch{t, filepath.Join(t.TempDir(), "wt")}
	s.git("worktree", "add", "-q", worktree.dir)
	worktree.wantMissing(old, "sub dir/module", `it is not checked out; run 'git submodule update --init "sub dir/module"'`)
	worktree.git("submodule", "update", "-q", "--init", "--recursive")
	check(worktree)
}

func TestMissingModules(t *testing.T) {
	t.Parallel()
	other := newScratch(t)
	other.write("a.yaml", "x")
	other.commit()
	s := newScratch(t)
	s.git("submodule", "add", "-q", other.dir, "sub")
	commit := s.commit()
	at := filepath.Join(s.dir, "sub")

	s.git("submodule", "deinit", "-q", "sub")
	s.wantMissing(commit, "sub", "it is not checked out; run 'git submodule update --init sub'")
	s.write("sub/a.yaml", "x")
	s.wantMissing(commit, "sub", "not a submodule here any more")
	_ = os.RemoveAll(at)
	s.git("submodule", "update", "-q", "--init")
	if files, missing := s.files(commit); files["sub/a.yaml"] != "x" || missing != nil {
		t.Errorf("%v, missing %v", files, missing)
	}

	id := strings.Repeat("ab", 20)
	s.git("update-index", "--cacheinfo", "160000,"+id+",sub")
	s.git("commit", "-q", "-m", "x")
	s.wantMissing("HEAD", "sub", "it does not have the commit; run 'git -C sub fetch origin "+id+"'")

	gitFile, err := os.ReadFile(filepath.Join(at, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("sub/.git", "gitdir: "+filepath.Join(other.dir, ".git")+"\n")
	s.wantMissing(commit, "sub", "its .git leads out of this repository")
	s.write("sub/.git", "gitdir: ../nowhere\n")
	s.wantMissing(commit, "sub", "its .git is not a repository")
	s.write("sub/.git", string(gitFile))

	if err := os.Rename(at, filepath.Join(s.dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("moved", at); err != nil {
		t.Skip("no symbolic links here")
	}
	s.wantMissing(commit, "sub", "symbolic link")
}

// TestHostileModules has repositories that want something to be run, fetched or read from elsewhere.
func TestHostileModules(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../sub", "a/../../sub", "/sub", ".git/modules/x", "a/.GIT", "a//b", "./a", ".."} {
		l := &lister{ctx: t.Context(), tree: &Tree{}, outermost: &Repository{Top: t.TempDir()}}
		if err := l.module(place{repository: l.outermost}, entry{path, strings.Repeat("0", 40)}); err == nil {
			t.Errorf("%s is looked into", path)
		}
	}

	other := newScratch(t)
	other.write("a.yaml", "x")
	other.commit()
	s := newScratch(t)
	s.git("submodule", "add", "-q", other.dir, "sub")
	commit := s.commit()
	sub := scratch{t, filepath.Join(s.dir, "sub")}
	ran := filepath.Join(t.TempDir(), "ran")
	for setting, value := range map[string]string{
		"core.fsmonitor": "touch " + ran + "; false", "core.sshCommand": "touch " + ran, "remote.origin.uploadpack": "touch " + ran + "; false",
		"remote.origin.promisor": "true", "extensions.partialClone": "origin", "core.pager": "touch " + ran, "core.repositoryFormatVersion": "1",
	} {
		sub.git("config", setting, value)
	}
	id := strings.Repeat("ab", 20)
	s.git("update-index", "--cacheinfo", "160000,"+id+",sub")
	s.git("commit", "-q", "-m", "x")
	if files, _ := s.files(commit); files["sub/a.yaml"] != "x" {
		t.Errorf("%v", files)
	}
	s.wantMissing("HEAD", "sub", "it does not have the commit") // which git would fetch by itself
	if _, err := os.Lstat(ran); err == nil {
		t.Error("the submodule's settings had something run")
	}

	// A bare repository among the files of a folder that is not a submodule.
	bare := newScratch(t)
	bare.git("clone", "-q", "--bare", other.dir, "sub")
	bare.git("-C", "sub", "config", "core.bare", "false")
	bare.git("-C", "sub", "config", "core.worktree", ".")
	bare.write("sub/.git", "no gitdir")
	bare.git("update-index", "--add", "--cacheinfo", "160000,"+other.git("rev-parse", "HEAD")+",sub")
	bare.git("commit", "-q", "-m", "x")
	bare.wantMissing("HEAD", "sub", "")
}

func TestModuleBounds(t *testing.T) {
	t.Parallel()
	l := &lister{ctx: t.Context(), tree: &Tree{}, outermost: &Repository{Top: t.TempDir()}, modules: limit.Modules}
	in := place{repository: l.outermost}
	if err := l.module(in, entry{"sub", strings.Repeat("0", 40)}); err != nil || !strings.Contains(l.tree.Missing[0].Why, "too many") {
		t.Errorf("%v, %v", err, l.tree.Missing)
	}
	l.modules, in.depth = 0, limit.ModuleDepth
	if err := l.module(in, entry{"sub", strings.Repeat("0", 40)}); err != nil || !strings.Contains(l.tree.Missing[1].Why, "too many") {
		t.Errorf("%v, %v", err, l.tree.Missing)
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"config/crd": "config/crd", "a b": `"a b"`, "$(x)`\"": "\"\\$(x)\\`\\\"\"", "-x": "./-x", "a;b": `"a;b"`} {
		if got := word(path); got != want {
			t.Errorf("%q is written %s, want %s", path, got, want)
		}
	}
}
