package cli

import (
	"github.com/crdlift/crdlift/internal/report"
)

// repositoryURL returns the prefix of a link to a file, before its path relative to the working directory: on a
// runner of GitHub Actions, and in the checkout of the repository that it runs for. It is "" elsewhere.
func repositoryURL(env func(name string) string) string {
	server, name, commit, top := env("GITHUB_SERVER_URL"), env("GITHUB_REPOSITORY"), env("GITHUB_SHA"), env("GITHUB_WORKSPACE")
	if server == "" || name == "" || commit == "" || top == "" {
		return ""
	}
	root, errRoot := realPath(top)
	here, err := realPath(".")
	at, below := relativeTo(root, here)
	if errRoot != nil || err != nil || !below {
		return ""
	}
	url := server + "/" + name + "/blob/" + commit + "/"
	if at != "." {
		url += report.EscapePath(slashed(at)) + "/"
	}
	return url
}
