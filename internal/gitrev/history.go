package gitrev

import (
	"context"
	"iter"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/text"
)

// A State is a file as of a commit that changed it.
type State struct {
	Commit string // as messages have it
	Date   string // of the commit, in UTC: "2026-05-02"
	Text   []byte
}

// History is what a file, which is named as seen from the folder, was as of the commits that changed it, from that which HEAD has on:
// of a branch that was merged, the merge is the commit. It ends after so many, and where a state cannot be read, as in a shallow or a
// partial clone. Files above the limit, in bytes, are not read.
func (r *Repository) History(ctx context.Context, file string, commits int, limit int64) iter.Seq[State] {
	return func(yield func(State) bool) {
		at, inside := r.Path(file)
		if !inside || plain(at) != nil {
			return
		}
		listed, err := r.git(ctx, "--literal-pathspecs", "rev-list", "--first-parent", "--timestamp", "--max-count="+strconv.Itoa(commits), "HEAD", "--", file)
		if err != nil {
			return
		}
		o := &objects{limit: limit, command: func() *exec.Cmd { return r.command(ctx, "cat-file", "--batch") }}
		defer o.end()
		for line := range strings.Lines(listed) {
			seconds, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
			unix, _ := strconv.ParseInt(seconds, 10, 64) // which git prints
			content, err := o.read(Blob{Path: at, id: commit + ":" + at})
			if err != nil || !yield(State{text.Revision(commit), time.Unix(unix, 0).UTC().Format(time.DateOnly), content}) {
				return
			}
		}
	}
}
