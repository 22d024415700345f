package webhook

import (
	"slices"
	"strconv"
	"sync"

	"github.com/crdlift/crdlift/internal/review"
	"k8s.io/apimachinery/pkg/runtime"
)

// atOnce is how many requests an API server may have under way: processEventConcurrency of its watch cache.
const atOnce = 10

// group are an object and others of its version, each with a name of its own, as they are on a server.
func (t *tester) group(version string, o Object, n int) (all []Object) {
	v := t.server.Version(version)
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
