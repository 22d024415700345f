package losses

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/upgrade"
)

// A way is one to convert a CRD.
type way struct {
	options     policy.Options
	marks       int
	replacement *upgrade.Replacement
	after       *objects.Definition
	loses       atomic.Bool // fields of some object
}

// Of are the CRDs of a file that were converted, with the result of that, in all ways there are.
func Of(path string, src []byte, asked policy.Options, made *convert.Result, file Converter) (all []*CRD) {
	for _, d := range objects.Definitions(path, path, src, true) {
		all = append(all, &CRD{Name: d.Name, before: d})
	}
	add(all, path, asked.Decided(), made)
	all = slices.DeleteFunc(all, func(c *CRD) bool { return len(c.ways) == 0 })
	if len(all) == 0 {
		return nil
	}
	for _, o := range others(asked.Decided()) {
		if result, err := file(path, src, o); err == nil {
			add(all, path, o, result)
		}
	}
	for _, c := range all {
		slices.SortStableFunc(c.ways[1:], func(a, b *way) int { return cmp.Compare(a.marks, b.marks) })
	}
	return all
}

func resultOf(made *convert.Result, name string) convert.CRD {
	i := slices.IndexFunc(made.CRDs, func(c convert.CRD) bool { return c.Name == name })
	if i < 0 {
		return convert.CRD{State: policy.NeedsPerson}
	}
	return made.CRDs[i]
}

// others are the options that differ in what becomes of fields or of nodes without a type, then those that differ in both.
func others(asked policy.Options) (one []policy.Options) {
	var both []policy.Options
	for _, unknown := range []policy.UnknownFields{policy.Prune, policy.Root, policy.Preserve} {
		for _, missing := range []policy.MissingTypes{policy.Infer, policy.PreserveUntyped} {
			o := asked
			o.UnknownFields, o.MissingTypes = unknown, missing
			switch {
			case o == asked:
			case unknown == asked.UnknownFields || missing == asked.MissingTypes:
				one = append(one, o)
			default:
				both = append(both, o)
			}
		}
	}
	return append(one, both...)
}

// add adds the way that a result was made in. One that comes to the same as another is none of its own.
func add(all []*CRD, path string, o policy.Options, made *convert.Result) {
	after := objects.Definitions(path, path, made.Output, true)
	for _, c := range all {
		i := slices.IndexFunc(after, func(d *objects.Definition) bool { return d.Name == c.Name })
		result := resultOf(made, c.Name)
		if i < 0 || result.State != policy.Converted || slices.ContainsFunc(c.ways, func(w *way) bool { return w.after.IsCopy(after[i]) }) {
			continue
		}
		was, why := c.before.Server()
		is, whyNot := after[i].Server()
		if why == "" && whyNot == "" {
			replacement := upgrade.New(was, is, c.before.Hub.Status.StoredVersions)
			c.ways = append(c.ways, &way{options: o, marks: result.Marks, replacement: replacement, after: after[i]})
		}
	}
}
