package gitrev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
)

// Tree lists the regular files of a commit that are wanted, and those of the submodules that are checked out. Symbolic
// links are skipped. Files above the limit, in bytes, are not read.
func (r *Repository) Tree(ctx context.Context, commit string, limit int64, wanted func(path string) bool) (*Tree, error) {
	t := &Tree{}
	l := &lister{ctx: ctx, tree: t, limit: limit, wanted: wanted, outermost: r}
	if err := l.list(place{repository: r}, commit); err != nil {
		return nil, err
	}
	slices.SortFunc(t.Files, func(a, b Blob) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(t.Missing, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	return t, nil
}

// File returns the content of a file of a commit, also in a submodule that is checked out. The error is fs.ErrNotExist where the
// commit has no regular file at the path, which is from the top.
func (r *Repository) File(ctx context.Context, commit, path string, limit int64) ([]byte, error) {
	t, err := r.Tree(ctx, commit, limit, func(at string) bool { return at == path })
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if len(t.Files) == 0 {
		return nil, fs.ErrNotExist
	}
	return t.Read(t.Files[0])
}

// keptProcesses bounds how many git processes wait for their next question: there is one for each submodule.
const keptProcesses = 8

// Read returns the content of a file. It may be called from several goroutines.
func (t *Tree) Read(b Blob) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.running, b.in); i >= 0 {
		t.running = slices.Delete(t.running, i, i+1)
	} else if len(t.running) >= keptProcesses {
		t.running[0].end() // it starts again if need be
		t.running = slices.Delete(t.running, 0, 1)
	}
	t.running = append(t.running, b.in)
	return b.in.read(b)
}

// Close ends the processes.
func (t *Tree) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, o := range t.running {
		o.end()
	}
	t.running = nil
}

// A Module is a submodule whose files cannot be read here.
type Module struct {
	Path string // in the repository, with slashes
	Why  string // the reason, and the remedy
	Here bool   // the working tree has something at its path
}

// A place is a repository, and where its files are in the outermost one.
type place struct {
	repository *Repository
	below      string // "" for the outermost repository itself, else with a slash at the end
	depth      int
}

// A lister lists the files of a repository and its submodules.
type lister struct {
	ctx       context.Context
	tree      *Tree
	limit     int64
	wanted    func(path string) bool
	outermost *Repository
	gitDir    string // of the outermost repository, which holds those of its submodules
	modules   int    // looked into so far
}

// list adds the files of a commit.
func (l *lister) list(at place, commit string) error {
	out, err := at.repository.git(l.ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	files, modules, err := parseTree(out)
	if err != nil {
		return err
	}
	objects := &objects{limit: l.limit, command: func() *exec.Cmd { return at.repository.command(l.ctx, "cat-file", "--batch") }}
	for _, f := range files {
		if path := at.below + f.path; l.wanted(path) {
			l.tree.Files = append(l.tree.Files, Blob{path, f.id, objects})
		}
	}
	for _, m := range modules {
		if err := l.module(at, m); err != nil {
			return err
		}
	}
	return nil
}

// module adds the files of a submodule, or what keeps them from being read. Real repositories stay far below the limits.
func (l *lister) module(in place, m entry) error {
	if !isPlain(m.path) || !objectID().MatchString(m.id) {
		return fmt.Errorf("git ls-tree printed the submodule %s, which crdlift does not look into", text.Quoted(m.path).Brief())
	}
	missing := Module{Path: in.below + m.path}
	folder := filepath.Join(in.repository.Top, filepath.FromSlash(m.path))
	missing.Here = hasEntries(folder)
	l.modules++
	switch _, err := os.Lstat(filepath.Join(folder, ".git")); {
	case l.modules > limit.Modules || in.depth == limit.ModuleDepth:
		missing.Why = "there are too many submodules to look into all; compare with a folder that has its files, as path:OLD"
	case err != nil && missing.Here:
		missing.Why = "it is not a submodule here any more; compare with a folder that has its files, as path:OLD"
	case err != nil:
		missing.Why = "it is not checked out; run " + l.advice(in, "submodule update --init", m.path)
	}
	at := place{nil, missing.Path + "/", in.depth + 1}
	if missing.Why == "" {
		var err error
		if at.repository, err = l.open(folder); err != nil {
			missing.Why = err.Error()
		} else if _, err := at.repository.git(l.ctx, "cat-file", "-e", m.id+"^{tree}"); err != nil {
			missing.Why = "it does not have the commit; run " + l.advice(at, "fetch origin", m.id)
		}
	}
	if missing.Why == "" {
		return l.list(at, m.id)
	}
	l.tree.Missing = append(l.tree.Missing, missing)
	return nil
}

// open opens the repository of a submodule. The checked-out files may come from anyone, so git's own checks are made
// for this folder: it is the top of a working tree, it belongs to this user, and its repository is where git puts a
// submodule's.
func (l *lister) open(folder string) (*Repository, error) {
	at, err := filepath.Rel(l.outermost.Top, folder)
	if err != nil || real(folder) != filepath.Join(real(l.outermost.Top), at) {
		return nil, errors.New("its path leads through a symbolic link")
	}
	r := &Repository{Top: folder, dir: folder, prefix: ".", module: true}
	out, err := r.git(l.ctx, "rev-parse", "--show-toplevel", "--absolute-git-dir")
	switch {
	case err != nil && err.Error() == noRepository:
		return nil, errors.New("its .git is not a repository")
	case err != nil:
		return nil, err
	}
	gitDir, isTop := strings.CutPrefix(strings.TrimSuffix(out, "\n"), filepath.ToSlash(real(folder))+"\n")
	if !isTop {
		return nil, errors.New("the folder in its place is not a submodule")
	}
	if l.gitDir == "" {
		if l.gitDir, err = l.outermost.git(l.ctx, "rev-parse", "--path-format=absolute", "--git-common-dir"); err != nil {
			return nil, err
		}
		l.gitDir = strings.TrimSuffix(l.gitDir, "\n")
	}
	if !isBelow(l.outermost.Top, gitDir) && !isBelow(l.gitDir, gitDir) {
		return nil, errors.New("its .git leads out of this repository")
	}
	return r, nil
}

// advice is a git command for a repository, from where crdlift runs.
func (l *lister) advice(at place, command, argument string) string {
	if at.below == "" {
		return fmt.Sprintf("'git %s %s'", command, word(l.outermost.Shown(argument)))
	}
	return fmt.Sprintf("'git -C %s %s %s'", word(l.outermost.Shown(strings.TrimSuffix(at.below, "/"))), command, word(argument))
}

var needsQuotes = text.Pattern(`[^\w@%+:,./-]`)

// word quotes a text that a shell would not read as one word.
func word(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s // no option
	}
	if needsQuotes().MatchString(s) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
	}
	return s
}

// isPlain reports whether a path stays where it begins. Git makes no others, but a hostile repository may hold them.
func isPlain(p string) bool {
	return path.Clean(p) == p && filepath.IsLocal(filepath.FromSlash(p)) &&
		!slices.ContainsFunc(strings.Split(p, "/"), func(step string) bool { return strings.EqualFold(step, ".git") })
}

// hasEntries reports whether there is a folder with something in it, or a file.
func hasEntries(name string) bool {
	entries, err := os.ReadDir(name)
	if err != nil {
		_, err = os.Lstat(name)
		return err == nil
	}
	return len(entries) > 0
}

// A Tree is the files of a commit, those of its submodules among them. Close ends the git processes that read them, after
// which nothing may be read.
type Tree struct {
	Files   []Blob   // in the order of their paths
	Missing []Module // what of it cannot be read here, in the order of their paths

	mu      sync.Mutex
	running []*objects // the most recently used at the end
}

// An entry is a file or a submodule, as ls-tree lists it.
type entry struct{ path, id string }

// parseTree reads what ls-tree -z prints: mode, type and id with spaces between, a tab, the path, a NUL.
func parseTree(out string) (files, modules []entry, err error) {
	for out != "" {
		line, rest, ended := strings.Cut(out, "\x00")
		about, path, ok := strings.Cut(line, "\t")
		fields := strings.Split(about, " ")
		if !ended || !ok || len(fields) != 3 || path == "" || fields[2] == "" || strings.Contains(fields[2], "\n") {
			return nil, nil, fmt.Errorf("git ls-tree printed %s, which crdlift cannot read", text.Quoted(line).Brief())
		}
		out = rest
		switch e := (entry{path, fields[2]}); {
		case fields[1] == "blob" && strings.HasPrefix(fields[0], "100"):
			files = append(files, e)
		case fields[1] == "commit":
			modules = append(modules, e)
		}
	}
	return files, modules, nil
}
