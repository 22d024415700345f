package gitrev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// settings keep git from running what a repository names: the settings of one may come with its files. A folder with files
// named HEAD, config, objects and refs is a repository to git wherever it lies, and anybody can commit these: with
// safe.bareRepository, known since git 2.38, only one that GIT_DIR names is used. action/commands.sh has the same.
var settings = []string{"-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}

// environment are the variables of every run: it must not ask for a password, take locks, speak another language or use the
// network. Git of before 2.39.4 fetches what a partial clone lacks nevertheless, but has no protocol to do so.
var environment = []string{"LC_ALL=C", "LANGUAGE=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1"}

// command prepares a run of git. It is the only place that does so, which TestGitRuns checks. The commands that are run read
// objects, refs and settings: none of them looks at .gitattributes, whose filters and diff drivers may name programs.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(settings[:len(settings):len(settings)], args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), environment...)
	if r.module {
		inModule(cmd)
	}
	return cmd
}

// git runs the git program and returns its output.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	cmd := r.command(ctx, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", explain(err, complaint.String())
	}
	return out.String(), nil
}

// refuseEmbedded rejects the folder that safe.bareRepository is about where git does not know that setting: the repository is
// then the folder itself or one above it, and not a .git there.
func (r *Repository) refuseEmbedded(ctx context.Context) error {
	if os.Getenv("GIT_DIR") != "" {
		return nil
	}
	gitDir, err := r.git(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return err
	}
	here, err := filepath.Abs(r.dir)
	if err == nil && isBelow(strings.TrimSuffix(gitDir, "\n"), here) {
		err = failure{embedded, nil}
	}
	return err
}

// A failure is an error of git's, in one line with the remedy.
type failure struct {
	message string
	cause   error
}

func (f failure) Error() string { return f.message }
func (f failure) Unwrap() error { return f.cause }

const (
	noRepository = "this folder is not in a git repository; run crdlift inside of one, or compare with a folder or a file as path:OLD"
	embedded     = "this folder, or one above it, has files named HEAD, objects and refs, so that git takes it for a repository of its own; " +
		"crdlift does not read it, since its config could have git run commands; run crdlift in another folder, or set GIT_DIR to use it"
	partial = "this is a partial clone, which lacks some of the files of that revision, and crdlift fetches nothing; " +
		"run 'git fetch --refetch --no-filter'"
)

// explain makes one line of an error and of what git printed.
func explain(err error, complaint string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return failure{"the git program is not installed or not in PATH, and it reads revisions; " +
			"compare with a folder or a file instead, as path:OLD", err}
	}
	complaint = strings.TrimPrefix(strings.Join(strings.Fields(complaint), " "), "fatal: ")
	switch {
	case strings.Contains(complaint, "not a git repository"):
		return failure{noRepository, err}
	case strings.Contains(complaint, "cannot use bare repository"):
		return failure{embedded, err}
	case lacksObjects(complaint):
		return failure{partial, err}
	case complaint != "":
		return failure{"git: " + complaint, err}
	}
	return fmt.Errorf("git: %w", err)
}

// lacksObjects reports whether git says that it would have to fetch something.
func lacksObjects(complaint string) bool {
	return strings.Contains(complaint, "promisor remote") || strings.Contains(complaint, "lazy fetching disabled")
}

// isBelow reports whether a path lies in a folder, with all links followed.
func isBelow(folder, name string) bool {
	at, err := filepath.Rel(real(filepath.FromSlash(folder)), real(filepath.FromSlash(name)))
	return err == nil && filepath.IsLocal(at)
}

// elsewhere are the variables that lead git to another repository than the one of its folder; hooks set them.
var elsewhere = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX",
}

// inModule has a run of git use the repository of its folder, whatever hooks say.
func inModule(cmd *exec.Cmd) {
	cmd.Env = slices.DeleteFunc(cmd.Env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(elsewhere, name)
	})
}

// A Repository is a git repository, seen from a folder of its working tree.
type Repository struct {
	Top    string // absolute path of the working tree
	dir    string // the folder it is seen from
	prefix string // of that folder below the top, with slashes; "." for the top itself
	module bool   // a submodule that was found on the way, whatever it may be
}

// real follows the symbolic links in a path; of one that does not exist, those of the folders above.
func real(name string) string {
	if at, err := filepath.EvalSymlinks(name); err == nil {
		return at
	}
	if dir := filepath.Dir(name); dir != name {
		return filepath.Join(real(dir), filepath.Base(name))
	}
	return name
}
