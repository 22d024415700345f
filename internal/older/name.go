package older

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
)

// A Name is the user's name of some manifests: a git revision, perhaps with a path in it, or a folder or file.
type Name struct {
	Revision   string // as messages have it; "" for a folder or file
	Path       string // of a revision from the top of the repository, "" for all of it; Stdin for standard input
	commit     string
	repository *gitrev.Repository
}

// Stdin is the path of standard input on the command line, and StdinLabel what messages call it.
const (
	Stdin      = "-"
	StdinLabel = "<stdin>"
)

// The prefixes distinguish the two kinds of names.
const (
	GitPrefix  = "git:"
	PathPrefix = "path:"
)

// A NameError says what is wrong with a name, and what to do about it.
type NameError struct{ message, hint string }

func (e NameError) Error() string { return e.message }

// Hint is what to do.
func (e NameError) Hint() string { return e.hint }

// Parse resolves a name. Only one with a prefix may be both, a revision and a path.
func Parse(ctx context.Context, text string) (Name, error) {
	if name, ok := strings.CutPrefix(text, PathPrefix); ok {
		return pathOf(name)
	}
	if name, ok := strings.CutPrefix(text, GitPrefix); ok {
		return revision(ctx, name)
	}
	if text == Stdin {
		return Name{Path: Stdin}, nil
	}
	_, missing := os.Lstat(text)
	named, noRevision := revision(ctx, text)
	switch {
	case missing == nil && noRevision == nil:
		return Name{}, NameError{fmt.Sprintf("%q is both a git revision and a file or folder", text),
			fmt.Sprintf("write %s%s or %s%s", GitPrefix, text, PathPrefix, text)}
	case missing == nil:
		return pathOf(text)
	case noRevision == nil:
		return named, nil
	}
	return Name{}, fmt.Errorf("%q is not a file or folder, and %w", text, noRevision)
}

// IsPlain reports whether a text could be anything: it has no prefix, and nothing is at that path.
func IsPlain(text string) bool {
	_, missing := os.Lstat(text)
	return missing != nil && !strings.HasPrefix(text, GitPrefix) && !strings.HasPrefix(text, PathPrefix)
}

func pathOf(name string) (Name, error) {
	if name == "" {
		return Name{}, NameError{PathPrefix + " has no path", "add a folder or a file"}
	}
	switch _, err := os.Stat(name); {
	case err == nil || name == Stdin:
	case !errors.Is(err, fs.ErrNotExist):
		return Name{}, err
	default:
		return Name{}, NameError{fmt.Sprintf("%s%s is not a file or folder", PathPrefix, name), "name a folder or a file, or a git revision as git:REVISION"}
	}
	return Name{Path: name}, nil
}

// revision reads REVISION or REVISION:PATH, as git does.
func revision(ctx context.Context, given string) (Name, error) {
	repository, err := gitrev.Open(ctx, ".")
	if err != nil {
		return Name{}, err
	}
	n := Name{Revision: text.Revision(given), repository: repository}
	if n.commit, err = n.repository.Resolve(ctx, given); err == nil {
		return n, nil
	}
	revision, inside, ok := strings.Cut(given, ":")
	if !ok {
		return Name{}, err
	}
	n.Revision = text.Revision(revision)
	if n.commit, err = n.repository.Resolve(ctx, revision); err != nil {
		return Name{}, err
	}
	n.Path = path.Clean(inside)
	if strings.HasPrefix(inside, "./") || strings.HasPrefix(inside, "../") { // as git reads them: from here
		var within bool
		if n.Path, within = n.repository.Path(inside); !within {
			return Name{}, fmt.Errorf("%s is outside of the repository; name a path in it", inside)
		}
	}
	if n.Path == "." || inside == "" {
		n.Path = ""
	}
	return n, nil
}

// Fork is where HEAD left the main branch, of which it returns the name.
func Fork(ctx context.Context) (name Name, main string, err error) {
	const hint = "use --against with a revision, folder or file"
	repository, err := gitrev.Open(ctx, ".")
	if err != nil {
		return Name{}, "", fmt.Errorf("there is nothing to compare with, because %w", err)
	}
	main, commit, found := repository.Main(ctx)
	if !found {
		if _, err := repository.Resolve(ctx, "HEAD"); errors.Is(err, gitrev.ErrNothingCommitted) {
			return Name{}, "", err
		}
		return Name{}, "", NameError{"there is nothing to compare with, because the repository has no branch origin/HEAD, origin/main, origin/master, main or master", hint}
	}
	name, err = Name{Revision: main, commit: commit, repository: repository}.Forked(ctx)
	name.Revision = text.Revision(name.commit)
	return name, main, err
}

// Forked is the same part of the commit where HEAD forked off a revision, which is the revision itself where nothing was
// committed there since. A folder or a file has no history, and is what it is.
func (n Name) Forked(ctx context.Context) (Name, error) {
	if !n.IsGit() {
		return n, nil
	}
	base, err := n.repository.MergeBase(ctx, n.commit)
	if err == nil && base != n.commit {
		n.commit, n.Revision = base, text.Revision(base)
	}
	return n, err
}

// In is the part of a revision at a path of this machine.
func (n Name) In(file string) (Name, error) {
	at, inside := n.repository.Path(file)
	if !inside {
		return n, fmt.Errorf("%s is outside of the repository; name a path in it", file)
	}
	if n.Path = at; at == "." {
		n.Path = ""
	}
	return n, nil
}

// IsGit reports whether a name is that of a revision.
func (n Name) IsGit() bool { return n.repository != nil }

// IsStdin reports whether it is that of standard input.
func (n Name) IsStdin() bool { return !n.IsGit() && n.Path == Stdin }

// String is the name as the user gave it.
func (n Name) String() string {
	switch {
	case n.IsGit() && n.Path != "":
		return n.Revision + ":" + n.Path
	case n.IsGit():
		return n.Revision
	case n.IsStdin():
		return StdinLabel
	}
	return worktree.Shown(n.Path)
}
