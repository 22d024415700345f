package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
)

// older is how the manifests that an option names are read.
func (s *Session) older(option string) older.Reader {
	return older.Reader{
		Limit: int64(s.MaxFileSize),
		Find: func(path string, everywhere bool) (found []older.FoundFile, folder bool, err error) {
			f := &Inputs{everywhere: everywhere}
			f.Find(path)
			for _, in := range f.All {
				found = append(found, older.FoundFile{Path: in.Path, Links: in.links, Read: func() ([]byte, error) { return s.Read(in) }})
			}
			f.NoteLinks(s.Note)
			return found, f.walked, errors.Join(f.Errs...)
		},
		TooLarge: func(label, path, revision string) { s.Oversized.add(oversized{label, path, revision, option}) },
	}
}

// Open lists the manifests at a name that an option has. They can be read until the session ends.
func (s *Session) Open(ctx context.Context, option string, name older.Name, paths ...string) (*older.Manifests, error) {
	from, err := name.Open(ctx, s.older(option), paths...)
	if err == nil {
		s.atEnd(from.Close)
	}
	return from, err
}

// openOld opens the older side of a comparison of CRDs; nil for a run that makes none.
func (s *Session) openOld(ctx context.Context, f *Flags, paths []string) (*older.Side, error) {
	if f.About == AboutObjects || f.Against == "" && f.About != AboutChanges {
		return nil, nil
	}
	var name older.Name
	var err error
	if f.Against == "" {
		var main string
		if name, main, err = older.Fork(ctx); err == nil {
			s.noteFork(f, name, main)
		}
	} else {
		name, err = s.parseOld(ctx, f, f.Against)
	}
	if errors.Is(err, gitrev.ErrNothingCommitted) {
		err = fmt.Errorf("%w; commit first, or accept that with --allow-empty", err)
		if f.AllowEmpty { // as of the hook before the first commit
			if !f.Quiet {
				fmt.Fprintln(s.Stderr, "crdlift: nothing is committed here yet, so nothing is compared; commit first to compare")
			}
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if name.IsStdin() && slices.Contains(paths, Stdin) {
		return nil, UsageError("standard input can be read only once", "name a file or a folder for one of them")
	}
	if f.Require != "" {
		paths = nil // which may be anywhere
	}
	from, err := s.Open(ctx, OfAgainst, name, paths...)
	if err != nil {
		return nil, err
	}
	from.Rendered = f.Templates == TemplatesOff
	return from.Side(nil)
}

// parseOld resolves the name of an older side. A revision is where HEAD forked off it: what others have committed there since
// is no change of this branch.
func (s *Session) parseOld(ctx context.Context, f *Flags, given string) (older.Name, error) {
	name, err := older.Parse(ctx, given)
	if err != nil || f.Exact {
		return name, err
	}
	forked, err := name.Forked(ctx)
	if err == nil && forked.Revision != name.Revision {
		s.noteFork(f, forked, given)
	}
	return forked, err
}

// noteFork says which commit is compared with where the command line does not name it.
func (s *Session) noteFork(f *Flags, name older.Name, branch string) {
	if !f.Quiet {
		fmt.Fprintf(s.Stderr, "crdlift: comparing with %s, where HEAD branched off %s\n", name.Revision, text.Harmless(branch))
	}
}

// ExplainOversized adds to an error that nothing was found for an option that there is what was not read.
func (s *Session) ExplainOversized(err error, option string) error {
	files := s.Oversized.Of(option)
	if len(files) == 0 {
		return err
	}
	return fmt.Errorf("%w; %s%s, larger than --max-file-size=%s, %s not read; raise the limit",
		err, files[0].Label, text.More(len(files)-1, " and %d more"), s.MaxFileSize, text.Verb(len(files), "was", "were"))
}
