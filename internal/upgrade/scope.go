package upgrade

import (
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdlift/crdlift/internal/request"
)

// A scope is the part of an object that has to stay as it is for the server to excuse a cause; found is false where it is excused
// in any case, as duplicates in a list are that were there before (see validateListsAfter of internal/request).
type scope struct {
	part  request.Path
	found bool
}

// scopesOf are those of causes.
//
// They are found by trial: the object is written in the place of one that differs in some parts only. What differs within a part
// makes the part differ, so that it is enough to go outwards from the value at fault until a difference does no harm. Parts at the
// same depth are not in each other, so that differences in all of them do to each cause what that in its own does: an object
// is written as often as it is deep, however many causes there are.
func (e excuses) scopesOf(all []*request.Cause) map[*request.Cause]*scope {
	scopes := map[*request.Cause]*scope{}
	open := map[int]map[request.Stage][]trial{} // by depth
	deepest := 0
	for _, c := range all {
		scopes[c] = &scope{}
		if c.Stage == request.List {
			continue
		}
		at := existing(e.object, c.Path)
		if open[len(at)] == nil {
			open[len(at)] = map[request.Stage][]trial{}
		}
		open[len(at)][c.Stage] = append(open[len(at)][c.Stage], trial{c, at})
		deepest = max(deepest, len(at))
	}
	for n := deepest; n >= 0; n-- {
		for stage, trials := range open[n] {
			for _, t := range e.refused(trials, stage) {
				*scopes[t.cause] = scope{slices.Clone(t.part), true}
				if n > 0 {
					if open[n-1] == nil {
						open[n-1] = map[request.Stage][]trial{}
					}
					open[n-1][stage] = append(open[n-1][stage], trial{t.cause, t.part[:n-1]})
				}
			}
		}
	}
	return scopes
}

// A trial is whether a cause is excused where a part differs.
type trial struct {
	cause *request.Cause
	part  request.Path
}

// refused are the trials of causes of a stage whose cause is not excused. All are one request if none of what differs keeps the
// server from the causes of the others: rules do not run beside other mistakes, and a wrong head ends everything.
func (e excuses) refused(all []trial, stage request.Stage) (refused []trial) {
	parts := map[string]request.Path{}
	for _, t := range all {
		parts[t.part.String()] = t.part
	}
	together := len(parts) == 1 || stage == request.Schema || stage == request.Rule
	if together {
		outcome := e.send(e.object, altered(e.object, maps.Values(parts)))
		together = len(parts) == 1 || outcome.Err == nil && !slices.ContainsFunc(outcome.Causes, func(c request.Cause) bool {
			return c.Stage < request.Schema || stage == request.Rule && c.Stage == request.RulesNotRun
		})
		if known := keysOf(refusals(outcome)); together {
			for _, t := range all {
				if known.has(t.cause) {
					refused = append(refused, t)
				}
			}
		}
	}
	if !together {
		for _, t := range all {
			refused = append(refused, e.refused([]trial{t}, stage)...)
		}
	}
	return refused
}

// existing is the part of a path that leads to a value.
func existing(o request.Object, at request.Path) request.Path {
	for n := len(at); n > 0; n-- {
		if _, there := at[:n].In(o); there {
			return at[:n]
		}
	}
	return nil
}

func altered(o request.Object, parts iter.Seq[request.Path]) request.Object {
	o = runtime.DeepCopyJSON(o)
	for at := range parts {
		if len(at) == 0 {
			o[label] = label
			continue
		}
		holder, _ := at[:len(at)-1].In(o)
		value, _ := at.In(o)
		switch last := at[len(at)-1]; holder := holder.(type) {
		case map[string]any:
			holder[last.Key] = another(value)
		case []any:
			holder[last.Index] = another(value)
		}
	}
	return o
}

// another is a value of the same type that is not equal.
func another(value any) any {
	switch value := value.(type) {
	case map[string]any:
		value[label] = label
		return value
	case []any:
		if len(value) == 0 {
			return []any{label}
		}
		return append(slices.Clone(value), value[0])
	case bool:
		return !value
	case int64:
		return value + 1
	case float64: // to a large one, adding changes nothing
		if value == 0 {
			return 1.0
		}
		return -value
	case string:
		return value + label
	}
	return label
}
