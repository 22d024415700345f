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
	name, err := older.Parse(ctx, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	if f.mergeBase {
		if name, err = name.AtMergeBase(ctx); err != nil {
			return nil, err
		}
	}
	return name.Open(ctx, s.older(option, f.maxFileSize), paths...)
}

// openOld opens the older side that --against names; nil when it names none.
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
	case f.against == "" && !f.Changes:
		return older.Name{}, nil
	case f.against == "":
		name, main, err := older.Fork(ctx)
		if err == nil && !f.quiet {
			fmt.Fprintf(s.stderr, "crdlift: comparing with %s, where HEAD branched off %s\n", name.Revision, text.Harmless(main))
		}
		return name, err
	}
	name, err := older.Parse(ctx, f.against)
	if err != nil || !f.mergeBase {
		return name, err
	}
	return name.AtMergeBase(ctx)
}
