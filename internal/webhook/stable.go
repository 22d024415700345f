package webhook

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"k8s.io/apimachinery/pkg/runtime"
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

// afresh is shows for the object that a record has, with everything asked again, and twice what it shows. What is answered otherwise
// than before is a finding of its own: of a loss in one answer of many, trials of the same question come upon few.
func (t *tester) afresh(r *record) (f Finding, shows bool) {
	before := t.conversions
	defer func() { t.conversions = before }() // the first answers are what others are compared with, too
	for range 2 {
		t.conversions = memory[*conversion]{}
		if f, shows = t.shows(r, r.Object); len(t.late) > 0 || t.differs(&before) || !shows {
			break
		}
	}
	return f, shows
}

// differs notes which of the answers that are remembered is not the one that there was before.
func (t *tester) differs(before *memory[*conversion]) bool {
	for _, question := range slices.Sorted(maps.Keys(t.conversions.recent)) {
		now := t.conversions.recent[question]
		was, known := before.known(question)
		if !known {
			continue
		}
		if h, differs := t.unlike(NotStable, Pair{versionAt(now.asked), now.to}, was.Answer, now.Answer); differs {
			h.Object, h.trial = now.asked, judged(h.Pair, (*tester).stable)
			t.note(h)
			return true
		}
	}
	return false
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
	from := t.of(version).objects
	for i := range min(n, len(from)) {
		all = append(all, from[len(from)-1-i*len(from)/min(n, len(from))])
	}
	return all
}

// atOnce is how many requests an API server may have under way: processEventConcurrency of its watch cache.
const atOnce = 10

// group are an object and others of its version, each with a name of its own, as they are on a server.
func (t *tester) group(version string, o Object, n int) (all []Object) {
	v := t.server.Version(version)
	if s := t.of(version); s.objects == nil && len(t.o.Replay) > 0 { // a case has one of its own only
		s.objects = s.generator().Filled(min(t.o.Count, atOnce))
	}
	for _, o := range append([]Object{o}, t.some(version, n)...) {
		if admitted := t.admit(v, o); admitted != nil && len(all) < n {
			admitted = runtime.DeepCopyJSON(admitted)
			metadata := admitted["metadata"].(map[string]any) // admit makes it
			metadata["name"] = "sample-" + strconv.Itoa(len(all))
			all = append(all, admitted)
		}
	}
	return all
}

// inOrder is the trial of several objects in one review: each is converted as it is alone.
func inOrder(pair Pair) trial {
	return func(t *tester, o Object) []hit {
		all := t.group(pair.From, o, 3)
		if len(all) < 2 || t.broken[pair] {
			return nil
		}
		var alone []*review.Answer
		for _, o := range all {
			a := t.convert(o, pair.To)
			if a.Err != nil {
				return nil
			}
			alone = append(alone, a.Answer)
		}
		for range 2 {
			if h, differs := t.unlikeAlone(pair, alone, t.ask(byServer, pair.To, all...)); differs {
				return []hit{h}
			}
			slices.Reverse(all)
			slices.Reverse(alone)
		}
		return nil
	}
}

func (t *tester) unlikeAlone(pair Pair, alone []*review.Answer, together *review.Answer) (hit, bool) {
	if together.Err != nil {
		return hit{Finding: Finding{Property: Order, Pair: pair, Version: pair.From, Detail: together.Err.Error()}}, t.over() == nil
	}
	for i, a := range alone {
		if h, differs := t.unlike(Order, pair, a, &review.Answer{Raw: together.Raw[i : i+1]}); differs {
			return h, true
		}
	}
	return hit{}, false
}

// concurrent is the trial of several requests at a time: each has the answer that it has alone.
func concurrent(pair Pair) trial {
	return func(t *tester, o Object) []hit {
		all := t.group(pair.From, o, atOnce)
		if len(all) == 0 || t.broken[pair] {
			return nil
		}
		var alone []*review.Answer
		for _, o := range all {
			alone = append(alone, t.convert(o, pair.To).Answer)
		}
		for range repeats {
			together := t.askAtOnce(pair, all)
			for i, a := range together {
				h, differs := t.unlike(Concurrent, pair, alone[i], a)
				if !differs {
					continue
				}
				if _, differs := t.unlike(Concurrent, pair, alone[i], t.ask(byServer, pair.To, all[i])); !differs {
					return []hit{h} // alone it still has the same answer
				}
			}
		}
		return nil
	}
}

func (t *tester) askAtOnce(pair Pair, all []Object) []*review.Answer {
	answers := make([]*review.Answer, atOnce)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = t.ask(byServer, pair.To, all[i%len(all)]) })
	}
	wait.Wait()
	return answers[:len(all)]
}
