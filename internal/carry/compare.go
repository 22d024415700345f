package carry

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
)

// A difference is between what is to be shown of an object and what is.
type difference struct {
	at     request.Path
	want   any  // nil where nothing is to be shown
	got    any  // nil where nothing is shown
	absent bool // there is something to be shown where the object that was written has nothing, so that it can be added
}

// compare finds the differences, in the order of their paths. What was written is nil where there is nothing.
func compare(at request.Path, want, got, written any, wanted bool, found *[]difference) {
	switch was := want.(type) {
	case map[string]any:
		if is, ok := got.(map[string]any); ok {
			has, _ := written.(map[string]any)
			for _, name := range names(was, is) {
				value, wanted := was[name]
				compare(at.To(request.Key(name)), value, is[name], has[name], wanted, found)
			}
			return
		}
	case []any:
		if is, ok := got.([]any); ok && len(is) == len(was) && written != nil {
			has, _ := written.([]any)
			for i := range was {
				var item any
				if i < len(has) {
					item = has[i]
				}
				compare(at.To(request.Index(i)), was[i], is[i], item, true, found)
			}
			return
		}
	}
	if internalwebhook.IsScalar(want) && internalwebhook.IsScalar(got) && want == got {
		return
	}
	if !layout.Same(want, got) {
		*found = append(*found, difference{at, want, got, wanted && written == nil})
	}
}

// names are those of the members that at least one of two objects has, sorted.
func names(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// eachLeaf visits the scalars of a value, and its empty objects and lists, in the order of their paths. A path is only good until the
// next one.
func eachLeaf(value any, at request.Path, visit func(at request.Path, value any)) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			eachLeaf(value[name], append(at, request.Key(name)), visit)
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for i, item := range value {
			eachLeaf(item, append(at, request.Index(i)), visit)
		}
		if len(value) > 0 {
			return
		}
	}
	visit(at, value)
}
