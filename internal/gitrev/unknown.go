package gitrev

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

var (
	objectID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	// ancestry matches the part that makes a revision relative to another, such as HEAD~1, main^2 and main@{yesterday}.
	ancestry = regexp.MustCompile(`[~^]|@\{`)
)

// unknown says why a revision does not exist here, and which command brings it.
func (r *Repository) unknown(ctx context.Context, revision string) error {
	if _, err := r.git(ctx, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return fmt.Errorf("there is no revision %q: nothing is committed here yet", revision)
	}
	remotes, _ := r.git(ctx, "remote")
	names := strings.Fields(remotes)
	if len(names) == 0 {
		return fmt.Errorf("there is no revision %q in this repository, and it has no remote to fetch from; 'git branch' and 'git tag' list what there is", revision)
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
		if branch, ok := strings.CutPrefix(revision, name+"/"); ok && !ancestry.MatchString(branch) {
			return fmt.Sprintf("fetch it: git fetch%s %s %s:refs/remotes/%s", depth, name, branch, revision)
		}
		if name == "origin" {
			remote = name
		}
	}
	switch {
	case objectID.MatchString(revision):
		return fmt.Sprintf("fetch it: git fetch%s %s %s", depth, remote, revision)
	case ancestry.MatchString(revision) && shallow:
		return "fetch more of the history: git fetch --deepen=50"
	case ancestry.MatchString(revision):
		return "'git log' lists what there is"
	}
	return fmt.Sprintf("fetch a tag: git fetch%[1]s %[2]s tag %[3]s; a branch: git fetch%[1]s %[2]s %[3]s:refs/remotes/%[2]s/%[3]s, and compare with %[2]s/%[3]s",
		depth, remote, revision)
}
