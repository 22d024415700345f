package run

import (
	"io"
	"os"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/terminal"
	"github.com/crdlift/crdlift/internal/version"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// RepositoryName is the owner and the name of the repository that a workflow of GitHub Actions or a job of GitLab runs for, in the
// checkout of it; "" elsewhere.
func RepositoryName(env func(name string) string) string {
	if RepositoryURL(env) != "" {
		return env("GITHUB_REPOSITORY")
	}
	if _, below := fromFolder(env("CI_PROJECT_DIR")); below && env("GITLAB_CI") != "" {
		return env("CI_PROJECT_PATH")
	}
	return ""
}

// fromFolder is the path of the working directory from a folder that it is in, if it is.
func fromFolder(folder string) (at string, below bool) {
	if folder == "" {
		return "", false
	}
	root, errRoot := worktree.RealPath(folder)
	here, err := worktree.RealPath(".")
	at, below = worktree.RelativeTo(root, here)
	return at, below && errRoot == nil && err == nil
}

// RepositoryURL returns the prefix of a link to a file, before its path relative to the working directory: on a
// runner of GitHub Actions, and in the checkout of the repository that it runs for. It is "" elsewhere.
func RepositoryURL(env func(name string) string) string {
	server, name, commit := env("GITHUB_SERVER_URL"), env("GITHUB_REPOSITORY"), env("GITHUB_SHA")
	at, below := fromFolder(env("GITHUB_WORKSPACE"))
	if server == "" || name == "" || commit == "" || !below {
		return ""
	}
	url := server + "/" + name + "/blob/" + commit + "/"
	if at != "." {
		url += report.EscapePath(Slashed(at)) + "/"
	}
	return url
}

// Report writes what a run found in every format of --output, and says where links lead and which program found it.
func (r *Run) Report(stdout io.Writer, all *lint.Report, opts report.Options) error {
	opts.Doc, opts.Version = rules.Doc, version.Program()
	opts.Repository, opts.Head.Repository = RepositoryURL(os.Getenv), RepositoryName(os.Getenv)
	return r.Flags.Outputs.Each(stdout, func(w io.Writer, format string) error {
		opts := opts
		if w == stdout {
			opts.Color = terminal.WantsColor(stdout)
			opts.Links = opts.Color && terminal.Is(stdout)
		}
		return writeReport(w, format, all, opts)
	})
}
