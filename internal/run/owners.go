package run

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Differ says how the CRD of a name in a file differs from that in another one: "1 difference, the first in v1 spec.size". It is "" where
// the user names no two folders or files for them, where one is made from the other, and where they have the same schemas. It is nil for
// files that a program found.
func (r *Run) Differ() func(name, file, other string) string {
	if r.Flags.Found {
		return nil
	}
	inputs, sides := map[string]Input{}, map[string]*older.Side{}
	for _, in := range r.Inputs.All {
		inputs[Shown(in.Path)] = in
	}
	find := func(name, file string) *older.CRD {
		if sides[file] == nil {
			read := func() ([]byte, error) { return r.Read(inputs[file]) }
			side, err := older.New([]lint.File{{Path: file, Read: read}}, nil)
			if err != nil {
				return nil
			}
			sides[file] = side
		}
		return sides[file].Find(name, file, 0)
	}
	return func(name, file, other string) string {
		isBoth := func(root int) bool { return slices.Contains(inputs[other].From, root) }
		if slices.ContainsFunc(inputs[file].From, isBoth) || r.Around != nil && r.Around.OneOwner(name, file, other) {
			return ""
		}
		return differences(find(name, other), find(name, file))
	}
}

// differences counts the differences between the versions of two CRDs; "" for none, and where one of them cannot be read.
func differences(was, is *older.CRD) string {
	if was == nil || is == nil {
		return ""
	}
	all, err := compare.CRDs(was.CRD, is.CRD)
	if err != nil {
		return ""
	}
	apart := slices.DeleteFunc(all.Changes, func(c *compare.Change) bool {
		return c.Field == "description" || c.FromKubernetes() || c.Node == nil && !slices.Contains([]string{"versions", "served", "schema"}, c.Field)
	})
	if len(apart) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, the first in %s", text.Count(len(apart), "difference"), text.Path(apart[0].Where()))
}
