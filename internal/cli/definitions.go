package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// definitions are the CRDs that some paths have, one for each kind where that is clear.
type definitions struct {
	all   []*objects.Definition
	files []string // that they come from
	wrong []error  // why others do not count: they cannot be read, or two of a kind differ, and none is rather the source
}

// readDefinitions reads the CRDs that are named. Only where two of a kind differ does it look for the one that is the source to its
// repository.
func (s *session) readDefinitions(ctx context.Context, f *run.Flags, names []string) (*definitions, error) {
	c, err := f.ReadConfig()
	if err != nil {
		return nil, err
	}
	r := &run.Run{Session: s.Session, Flags: f, Config: c, Inputs: &run.Inputs{}}
	by := &rules.Objects{}
	if err := r.ReadCRDs(ctx, names, by); err != nil {
		return nil, err
	}
	named := func(path string) bool {
		return slices.ContainsFunc(names, func(p string) bool { return run.Shown(p) == path })
	}
	kinds := objects.Held(by.Definitions()).Catalogue()
	pairs := kinds.Served(func(path, _ string) int { return firstIf(named(path)) })
	isPair := func(pair [2]*objects.Definition) bool { return pair[1] != nil }
	if slices.ContainsFunc(pairs, isPair) && !c.Roles.Off {
		around, err := repository.AroundFolder(".", c.Roles.Set, names...)
		if err != nil {
			return nil, err
		}
		pairs = kinds.Served(func(path, crd string) int { return cmp.Or(firstIf(named(path)), rankOf(around.CRD(path, crd))) })
	}
	found := &definitions{files: by.Files}
	for _, line := range by.Unread() {
		found.wrong = append(found.wrong, errors.New(line+"; run 'crdlift lint' to see what is wrong"))
	}
	for _, pair := range pairs {
		if !isPair(pair) {
			found.all = append(found.all, pair[0])
		} else {
			one, other := pair[0].Where(), pair[1].Where()
			found.wrong = append(found.wrong, fmt.Errorf("%s:%d and %s:%d define the same kind, and differ; name only the file that counts", one.File, one.Line, other.File, other.Line))
		}
	}
	return found, nil
}

// firstIf is the rank of a CRD whose file is named.
func firstIf(named bool) int {
	if named {
		return -1
	}
	return 0
}

// rankOf says which of several CRDs is rather served: the source, those of which nobody knows, and then the others, of which those
// of tests and old releases come last.
func rankOf(d repository.Decision) int {
	switch {
	case d.Guessed:
		return 1
	case d.Role == "" || d.Role == lint.RoleSource:
		return 0
	case d.Role == lint.RoleTest || d.Role == lint.RoleOld:
		return 3
	}
	return 2
}
