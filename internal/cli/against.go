package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
)

// older is how the manifests that an option names are read.
func (s *session) older(option string, limit byteSize) older.Reader {
	return older.Reader{
		Limit: int64(limit),
		Find: func(path string, everywhere bool) (found []older.Found, folder bool, err error) {
			f := &finder{everywhere: everywhere}
			f.find(path)
			for _, in := range f.inputs {
				found = append(found, older.Found{Path: in.path, Links: in.links, Read: func() ([]byte, error) { return in.read(s.stdin, int64(limit)) }})
			}
			return found, f.walked, errors.Join(f.errs...)
		},
		TooLarge: func(label, path, revision string) { s.oversized.add(oversized{label, path, revision, option}) },
	}
}

// openNamed lists the manifests of the older side that an option of `crdlift validate` names.
func (s *session) openNamed(ctx context.Context, option, given string, f validateFlags, paths []string) (*older.Manifests, error) {
	name, err := s.parseOld(ctx, given, f.lintFlags)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	return name.Open(ctx, s.older(option, f.maxFileSize), paths...)
}

// openOld opens the older side of a comparison; nil for a run that compares with nothing.
func (s *session) openOld(ctx context.Context, f lintFlags, paths []string) (*older.Side, error) {
	name, err := s.oldName(ctx, f)
	if err != nil || name == (older.Name{}) {
		return nil, err
	}
	if name.IsStdin() && slices.Contains(paths, stdinPath) {
		return nil, usageError{"standard input cannot be both sides", "Name a file or a folder on one of them."}
	}
	from, err := name.Open(ctx, s.older(ofAgainst, f.maxFileSize), paths...)
	if err != nil {
		return nil, err
	}
	from.Rendered = f.templates == templatesOff
	return from.Side(nil)
}

// oldName determines the older side from the flags.
func (s *session) oldName(ctx context.Context, f lintFlags) (older.Name, error) {
	switch {
	case f.against != "":
		return s.parseOld(ctx, f.against, f)
	case !f.Changes:
		return older.Name{}, nil
	}
	name, main, err := older.Fork(ctx)
	if err == nil {
		s.noteFork(name, main, f)
	}
	return name, err
}

// parseOld resolves the name of an older side. A revision is where HEAD forked off it: what others have committed there since
// is no change of this branch.
func (s *session) parseOld(ctx context.Context, given string, f lintFlags) (older.Name, error) {
	name, err := older.Parse(ctx, given)
	if err != nil || f.exact {
		return name, err
	}
	forked, err := name.Forked(ctx)
	if err == nil && forked.Revision != name.Revision {
		s.noteFork(forked, given, f)
	}
	return forked, err
}

// noteFork says which commit is compared with where the command line does not name it.
func (s *session) noteFork(name older.Name, branch string, f lintFlags) {
	if !f.quiet {
		fmt.Fprintf(s.stderr, "crdlift: comparing with %s, where HEAD branched off %s\n", name.Revision, text.Harmless(branch))
	}
}
