package webhook

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/review"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// Versions are those that objects may have to be converted to or from, the storage version first: they are stored in them, or
// served at them.
func Versions(crd *apiextensions.CustomResourceDefinition) (all []string) {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			all = append(all, v.Name)
		}
	}
	for _, v := range crd.Spec.Versions {
		if !v.Storage && (v.Served || slices.Contains(crd.Status.StoredVersions, v.Name)) {
			all = append(all, v.Name)
		}
	}
	return all
}

func pairsOf(versions []string) (all []Pair) {
	for _, from := range versions {
		for _, to := range versions {
			if from != to {
				all = append(all, Pair{from, to})
			}
		}
	}
	return all
}

// formerPairs are those with a version that is neither stored nor served any more: managed fields of objects that were once
// written at it still have server-side apply ask for them.
func (t *tester) formerPairs() []Pair {
	var names []string
	for _, v := range t.crd.Spec.Versions {
		if t.server.Version(v.Name).Err() == nil {
			names = append(names, v.Name)
		}
	}
	return slices.DeleteFunc(pairsOf(names), func(p Pair) bool {
		return len(t.o.Pairs) > 0 || slices.Contains(t.out.Versions, p.From) && slices.Contains(t.out.Versions, p.To)
	})
}

// maxFormer is how many objects are made of a version that is neither stored nor served.
const maxFormer = 4

// tryFormerPairs has small objects converted from and to versions that are neither stored nor served. That some are not is one
// finding.
func (t *tester) tryFormerPairs() {
	var first *hit
	var versions []string
	for _, pair := range t.formerPairs() {
		if s := t.of(pair.From); s.objects == nil {
			s.objects = append(t.samplesOf(pair.From), s.generator().Filled(min(t.o.Count, maxFormer))...)
		}
		if h, broken := t.tryPair(pair); broken {
			for _, name := range []string{pair.From, pair.To} {
				if !slices.Contains(t.out.Versions, name) && !slices.Contains(versions, name) {
					versions = append(versions, name)
				}
			}
			if first == nil {
				first = &h
			}
		}
	}
	if first != nil {
		t.note(about(*first, func(h *hit) { h.Grade, h.Versions = Minor, versions }))
	}
}

// tryPairs has small objects converted between all versions. A pair that converts none is said once, and not tried any more.
func (t *tester) tryPairs() {
	var missing []hit
	for _, pair := range t.pairs {
		if h, broken := t.tryPair(pair); broken {
			missing, t.broken[pair] = append(missing, h), true
		}
	}
	if t.noteAll(missing) {
		return
	}
	t.tryFormerPairs()
}

// noteAll notes hits of different pairs. Where all pairs have the same, that is one, which is about no pair more than about another.
func (t *tester) noteAll(found []hit) (one bool) {
	if one = len(found) > 1 && len(found) == len(t.pairs) && !slices.ContainsFunc(found, func(h hit) bool { return !t.sameFailure(h, found[0]) }); one {
		t.remember(about(found[0], func(h *hit) { h.Pair, h.Versions = Pair{}, t.out.Versions }))
		return true
	}
	for _, h := range found {
		t.remember(h)
	}
	return false
}

// about is a hit, and what its trial finds again, with a change.
func about(h hit, change func(*hit)) hit {
	h.trial = changed(h.trial, change)
	change(&h)
	return h
}

func changed(tr trial, change func(*hit)) trial {
	return func(t *tester, o Object) []hit {
		found := tr(t, o)
		for i := range found {
			change(&found[i])
		}
		return found
	}
}

func (t *tester) sameFailure(a, b hit) bool {
	plain := func(text string) string {
		for _, v := range t.crd.Spec.Versions {
			text = strings.ReplaceAll(text, t.crd.Spec.Group+"/"+v.Name+", ", "")
			text = strings.ReplaceAll(text, t.crd.Spec.Group+"/"+v.Name, "")
		}
		return alike(text)
	}
	return a.Property == b.Property && plain(a.Detail) == plain(b.Detail)
}

func (t *tester) tryPair(pair Pair) (hit, bool) {
	from := t.server.Version(pair.From)
	var last hit
	failed := 0
	all := t.some(pair.From, 2)
	if objects := t.of(pair.From).objects; len(objects) > 0 {
		all = append(all, objects[0])
	}
	for _, o := range all {
		admitted := t.admit(from, o)
		if admitted == nil {
			continue
		}
		a := t.convert(admitted, pair.To)
		if a.Kind == review.Accepted {
			return hit{}, false
		}
		for _, h := range hopeless(pair)(t, o) {
			last, failed = h, failed+1
			last.Object, last.trial = o, hopeless(pair)
		}
	}
	if failed > 0 && t.convertible(pair, all) {
		return hit{}, false
	}
	return last, failed > 0 && t.over() == nil
}

// convertible reports whether one of the objects is converted with other values in fields that only code can read; then it tells
// what these are.
func (t *tester) convertible(pair Pair, all []Object) bool {
	smallest := slices.MinFunc(all, func(a, b Object) int { return len(canonical(a)) - len(canonical(b)) })
	try := func(o Object) []hit { return plain(pair)(t, o) }
	found := try(smallest)
	if t.heal(plain(pair), pair.From, smallest, found, try) == nil {
		return false
	}
	t.keep(plain(pair), smallest, found)
	return true
}

// tryReviewVersions has an object converted by each ConversionReview version that the CRD lists.
func (t *tester) tryReviewVersions() {
	if t.crd.Spec.Conversion == nil {
		return
	}
	pair, good := t.goodRequest()
	if good == nil {
		return
	}
	for _, version := range t.crd.Spec.Conversion.ConversionReviewVersions {
		if version != "v1" && version != "v1beta1" {
			continue
		}
		if a := t.ask(version, pair.To, good); a.Err != nil {
			f := Finding{Property: ReviewVersion, Detail: version + ": " + a.Err.Error()}
			if version == "v1beta1" {
				f.Grade = Remark // API servers of before 1.16 ask so
			}
			t.note(hit{Finding: f})
		}
	}
}
