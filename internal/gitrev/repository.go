// Package gitrev reads the files of a git revision with the git program. It resolves a name to a commit, and reads the
// list of its files and their contents; it does not interpret the files.
//
// The program is used rather than a library, because it supports everything that a library would have to implement
// again: worktrees, shallow and partial clones, alternates, the reftable and SHA-256 formats, GIT_DIR and the rest of
// the environment.
//
// Read repository.go first, then run.go, which runs the program and says what it may not do. tree.go reads the list of a
// commit's files, and follows it into submodules, and objects.go reads contents.
package gitrev

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// Open finds the repository that a folder belongs to.
func Open(ctx context.Context, dir string) (*Repository, error) {
	r := &Repository{dir: dir}
	if err := r.refuseEmbedded(ctx); err != nil {
		return nil, err
	}
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	prefix, err := r.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	r.Top = filepath.FromSlash(strings.TrimSuffix(top, "\n"))
	r.prefix = path.Clean(strings.TrimSuffix(prefix, "\n"))
	return r, nil
}

// Path returns a file's path in the repository, with slashes. The file is named relative to the folder that the
// repository is seen from, or absolutely. It is false for what lies outside of the working tree.
func (r *Repository) Path(file string) (string, bool) {
	if filepath.IsAbs(file) {
		rel, err := filepath.Rel(real(r.Top), real(file))
		if err != nil || !filepath.IsLocal(rel) {
			return "", false
		}
		return filepath.ToSlash(rel), true
	}
	at := path.Join(r.prefix, filepath.ToSlash(file))
	return at, at != ".." && !strings.HasPrefix(at, "../")
}

// Shown names a file of the repository as seen from the folder, with slashes.
func (r *Repository) Shown(at string) string {
	rel, err := filepath.Rel(filepath.FromSlash(r.prefix), filepath.FromSlash(at))
	if err != nil {
		return at
	}
	return filepath.ToSlash(rel)
}

// Resolve returns the commit that a revision names: a branch, a tag, an abbreviated id, HEAD~1 and whatever else
// gitrevisions(7) describes.
func (r *Repository) Resolve(ctx context.Context, revision string) (commit string, err error) {
	if err := plain(revision); err != nil {
		return "", err
	}
	out, err := r.git(ctx, "rev-parse", "--verify", revision+"^{commit}")
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return "", r.unknown(ctx, revision)
		}
		return "", err
	}
	commit = strings.TrimSpace(out)
	if !objectID().MatchString(commit) {
		return "", fmt.Errorf("%q is not a single git revision; name one", revision)
	}
	return commit, nil
}

// plain rejects a text that git would read as an option, and one that cannot be a revision.
func plain(revision string) error {
	switch {
	case revision == "":
		return errors.New("the name of a git revision is missing")
	case strings.HasPrefix(revision, "-"):
		return fmt.Errorf("%q is not a valid git revision: it begins with a dash; name a branch, a tag or a commit", revision)
	case strings.ContainsFunc(revision, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("%q is not a valid git revision: it has control characters; name a branch, a tag or a commit", revision)
	}
	named, _, _ := strings.Cut(revision, ":")
	if from, to, is := strings.Cut(named, ".."); is && from != "" && !strings.HasPrefix(to, "/") { // else it is a path
		return fmt.Errorf("%q is a range of git revisions; name the older one, %s", revision, text.Revision(from))
	}
	return nil
}

// MergeBase returns the commit where the history of HEAD left that of a commit, which is the base of a pull request.
func (r *Repository) MergeBase(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, "merge-base", commit, "HEAD")
	var failed *exec.ExitError
	if errors.As(err, &failed) && failed.ExitCode() == 1 {
		if r.shallow(ctx) {
			return "", errors.New("this clone is shallow and does not reach back to where HEAD forked off; " +
				"run 'git fetch --unshallow', or check out with fetch-depth: 0, or add --exact to compare with the commit itself")
		}
		return "", fmt.Errorf("HEAD and %s have no commit in common; add --exact to compare with that commit itself", text.Revision(commit))
	}
	return strings.TrimSpace(out), err
}

// mains are the names of the main branch, the most likely first: the clone's default, then common names.
var mains = []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"}

// Main finds the main branch: its name, and its commit. There may be none.
func (r *Repository) Main(ctx context.Context) (name, commit string, found bool) {
	for _, name := range mains {
		out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
		if err == nil {
			return name, strings.TrimSpace(out), true
		}
	}
	return "", "", false
}

// shallow reports whether the clone's history is cut off.
func (r *Repository) shallow(ctx context.Context) bool {
	out, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

var (
	objectID = text.Pattern(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	// ancestry matches the part that makes a revision relative to another, such as HEAD~1, main^2 and main@{yesterday}.
	ancestry = text.Pattern(`[~^]|@\{`)
)

// ErrNothingCommitted is why a repository that has just been made has no revision at all.
var ErrNothingCommitted = errors.New("nothing is committed here yet")

// unknown says why a revision does not exist here, and which command brings it.
func (r *Repository) unknown(ctx context.Context, revision string) error {
	if _, err := r.git(ctx, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return fmt.Errorf("there is no revision %q: %w", revision, ErrNothingCommitted)
	}
	remotes, _ := r.git(ctx, "remote")
	names := strings.Fields(remotes)
	if len(names) == 0 {
		return fmt.Errorf("there is no revision %q in this repository, which has no remote to fetch from; 'git branch' and 'git tag' list what there is", revision)
	}
	shallow := r.shallow(ctx)
	why := ""
	if shallow {
		why = ": this clone is shallow"
	}
	return fmt.Errorf("there is no revision %q here%s; %s", revision, why, fetch(revision, names, shallow))
}

// fetch is the advice how to get a revision.
func fetch(revision string, remotes []string, shallow bool) string {
	depth := ""
	if shallow {
		depth = " --depth=1"
	}
	remote := remotes[0]
	for _, name := range remotes {
		if branch, ok := strings.CutPrefix(revision, name+"/"); ok && !ancestry().MatchString(branch) {
			return fmt.Sprintf("fetch it: git fetch%s %s %s:refs/remotes/%s", depth, name, branch, revision)
		}
		if name == "origin" {
			remote = name
		}
	}
	switch {
	case objectID().MatchString(revision):
		return fmt.Sprintf("fetch it: git fetch%s %s %s", depth, remote, revision)
	case ancestry().MatchString(revision) && shallow:
		return "fetch more of the history: git fetch --deepen=50"
	case ancestry().MatchString(revision):
		return "'git log' lists what there is"
	}
	return fmt.Sprintf("fetch a tag: git fetch%[1]s %[2]s tag %[3]s; a branch: git fetch%[1]s %[2]s %[3]s:refs/remotes/%[2]s/%[3]s, and compare with %[2]s/%[3]s",
		depth, remote, revision)
}
