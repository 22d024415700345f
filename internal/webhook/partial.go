package webhook

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/review"
)

// partial is the trial of an object that nobody validated: server-side apply has parts of objects converted, and what clients
// send is converted before it is refused. There has to be an answer.
func partial(pair Pair, property Property) trial {
	return func(t *tester, o Object) []hit {
		if t.broken[pair] {
			return nil
		}
		if found := plain(pair)(t, o); property == Partial && len(found) > 0 { // nothing is missing that its schema asks for
			found[0].trial = plain(pair)
			return found
		}
		a := t.convert(o, pair.To)
		h := hit{Finding: Finding{Property: property, Pair: pair, Version: pair.From}, kind: a.Kind}
		if a.Err != nil {
			h.Detail = a.Err.Error()
		}
		switch crashed := a.Kind == review.Transport || a.Kind == review.HTTP && a.Status >= 500; {
		case a.Kind == review.Accepted:
			return nil
		case a.Kind == review.Timeout:
			h.Property = Slow
		case crashed:
		case property == Unvalidated:
			return nil // to refuse it is right
		case a.Kind == review.Contract: // what is missing has to be missing in the answer, but for metadata
			if _, found := o["metadata"]; !found {
				h.Grade = Minor // it is rare, and what most webhooks are made of leaves it out
			}
		default:
			h.Grade = Minor
		}
		return []hit{h}
	}
}

// incomplete tries objects that are not whole, or not valid, between all versions.
func (t *tester) incomplete() {
	for _, pair := range t.pairs {
		g := t.generator(pair.From)
		for _, s := range g.Partial() {
			t.try(partial(pair, Partial), s.Object)
		}
		for _, o := range t.carriers(pair.From, func(value any) []any { return []any{value} }) {
			t.try(partial(pair, Partial), o)
		}
		for _, o := range t.carriers(pair.From, func(any) []any { return []any{"{}", "", "text"} }) {
			t.try(misused(pair), o)
		}
		for _, s := range g.Unvalidated() {
			t.try(partial(pair, Unvalidated), s.Object)
		}
	}
}

// misused is the trial of an object with an annotation that the webhook carries data in, into which a user wrote something else.
// To refuse what is written is right, but not what is stored.
func misused(pair Pair) trial {
	return func(t *tester, o Object) []hit {
		return slices.DeleteFunc(partial(pair, Partial)(t, o), func(h hit) bool {
			return h.kind == review.Failure && pair.From != t.storage.Name
		})
	}
}

// carriers are objects with an annotation that the webhook carries data in, and with values instead of what it has there: whole, and
// with nothing else.
func (t *tester) carriers(version string, instead func(value any) []any) (all []Object) {
	known := t.bookkeeping[version]
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for _, value := range instead(known[name]) {
			bare := map[string]any{"name": "sample", "annotations": map[string]any{name: value}}
			head := Object{"apiVersion": t.crd.Spec.Group + "/" + version, "kind": t.crd.Spec.Names.Kind, "metadata": bare}
			all = append(all, head)
			if whole := t.objects[version]; len(whole) > 0 {
				with := maps.Clone(whole[0])
				with["metadata"] = bare
				all = append(all, with)
			}
		}
	}
	return all
}
