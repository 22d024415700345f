package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// openSource finds the revision of --config-from, which a pull request cannot change. Settings are read from it, and Prepare has what
// else leaves out findings be that of the revision.
func (f *Flags) openSource() (err error) {
	if f.ConfigFrom != "" && f.source == nil {
		if f.source, err = config.At(context.Background(), ".", f.ConfigFrom); err != nil {
			err = UsageError("--config-from: "+err.Error(), "")
		}
	}
	return err
}

// readSettings reads a configuration or a baseline, which was found or named on the command line.
func (f *Flags) readSettings(path string, found bool) ([]byte, error) {
	if f.source == nil {
		return ReadSettings(path, found)
	}
	src, err := f.source.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no %s", f.source.Label(path))
	}
	return src, err
}

// openBase opens the manifests of --config-from; nil where it is not given.
func (s *Session) openBase(ctx context.Context, f *Flags) (*older.Manifests, error) {
	if f.source == nil {
		return nil, nil
	}
	name, err := older.Parse(ctx, older.GitPrefix+strings.TrimPrefix(f.ConfigFrom, older.GitPrefix))
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, "--config-from", name)
}

// keepTracked has walks look at the files of HEAD whatever .gitignore says, as git does.
func (s *Session) keepTracked(ctx context.Context) error {
	repository, err := gitrev.Open(ctx, ".")
	if err != nil {
		return err
	}
	head, err := repository.Resolve(ctx, "HEAD")
	if err != nil {
		return err
	}
	tree, err := repository.Tree(ctx, head, 0, func(string) bool { return true })
	if err != nil {
		return err
	}
	defer tree.Close()
	s.tracked = map[string]bool{}
	for _, file := range tree.Files {
		for at := file.Path; at != "."; at = path.Dir(at) {
			s.tracked[filepath.Join(repository.Top, filepath.FromSlash(at))] = true
		}
	}
	return nil
}

// UseInline has a linter tell ignores in comments that are new: those that the revision of --config-from does not have, or else the
// base of a report in Markdown. Those that are new to the former count for nothing, nor does any with --no-inline-ignores.
func (r *Run) UseInline(linter *rules.Linter) (err error) {
	from := r.base
	if from == nil && r.Older != nil && r.Flags.Outputs.Has("markdown") {
		from = r.Older.From()
	}
	linter.NoInline = r.base != nil || r.Flags.NoInline
	if from != nil && !r.Flags.NoInline {
		linter.WasInline, err = inlineOf(from)
	}
	return err
}

// inlineOf reads the ignores in comments of manifests.
func inlineOf(m *older.Manifests) (known func(file, rule, scope string) bool, err error) {
	type ignore struct{ file, rule, scope string }
	all, files := map[ignore]bool{}, map[string]bool{}
	for _, f := range m.Files {
		files[m.Here(f)] = true
		src, err := f.Read()
		if err != nil {
			return nil, err
		}
		if !suppress.MayHold(src) {
			continue
		}
		for _, d := range manifest.Open(f.Path, f.Label, src).Documents() {
			comments, _ := suppress.Comments(d, "", func() lint.Rules { return rules.All() })
			for _, c := range comments {
				for _, n := range c.Names {
					all[ignore{m.Here(f), n.ID, c.Scope}] = true
					all[ignore{"", n.ID, c.Scope}] = !strings.HasPrefix(c.Scope, suppress.Nameless) // an object may move
				}
			}
		}
	}
	return func(file, rule, scope string) bool {
		return all[ignore{file, rule, scope}] || !files[file] && all[ignore{"", rule, scope}]
	}, nil
}

// NoteVoid says which ignores in comments count for nothing since they are new.
func (r *Run) NoteVoid(all []lint.InlineIgnore) {
	if r.base != nil && len(all) > 0 {
		r.Note("%s:%d: the ignore of %s does not count, since %s does not have it%s; merge the ignore first, or fix the finding",
			all[0].At.File, all[0].At.Line, all[0].Rule, r.base.Revision, text.More(len(all)-1, " (and %d more)"))
	}
}
