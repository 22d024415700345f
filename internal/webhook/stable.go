package webhook

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
)

const (
	repeats    = 3  // of a request, to see whether it has the same answer
	repeatedOf = 20 // objects of each pair
)

// stable judges the answers to the same request, several times.
func (t *tester) stable(pair Pair, _, _ *request.Version, admitted Object) []hit {
	first := t.convert(admitted, pair.To).Answer
	for range repeats {
		if h, differs := t.unlike(NotStable, pair, first, t.ask(byServer, pair.To, admitted)); differs {
			return []hit{h}
		}
	}
	return nil
}

// unlike makes a finding of two answers to one request that differ.
func (t *tester) unlike(property Property, pair Pair, first, second *review.Answer) (hit, bool) {
	h := hit{Finding: Finding{Property: property, Pair: pair, Version: pair.To}}
	if t.over() != nil {
		return h, false
	}
	if first.Err != nil || second.Err != nil {
		if first.Kind == second.Kind {
			return h, false
		}
		h.Version, h.Detail = pair.From, cmp.Or(second.Err, first.Err).Error()
		return h, true
	}
	was, is := first.Raw[0], second.Raw[0]
	if canonical(was) == canonical(is) {
		return h, false
	}
	for _, d := range compare(t.server.Version(pair.To), was, is) {
		return d.hit(property, pair, t.server.Version(pair.To)), true
	}
	return h, differsInOrder(&h, was, is)
}

// differsInOrder finds where the items of a list differ whose order says nothing: of every write without a change it makes one.
func differsInOrder(h *hit, was, is Object) (found bool) {
	each(nil, was, func(at request.Path, value any) {
		list, ok := value.([]any)
		other, _ := at.In(is)
		if ok && !found && len(at) > 0 && at[0].Key != "metadata" && canonical(list) != canonical(other) {
			found, h.Path, h.Change, h.Was, h.Is = true, at, Reordered, list, other
		}
	})
	return found
}

// repeat asks some of what was asked a second time, at the end of a test.
func (t *tester) repeat() {
	for _, pair := range t.pairs {
		for _, o := range t.some(pair.From, repeatedOf) {
			t.try(judged(pair, (*tester).stable), o)
		}
	}
}

// some are n objects of a version, spread over all that there are: those that are made around one field come first, and those
// that have most of them last.
func (t *tester) some(version string, n int) (all []Object) {
	from := t.objects[version]
	for i := range min(n, len(from)) {
		all = append(all, from[len(from)-1-i*len(from)/min(n, len(from))])
	}
	return all
}
