package webhook

import (
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/request"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// maxMinimizing is how many requests it may take to make the object of one finding small.
const maxMinimizing = 300

// maxBlaming is how many of them it may take at least to find the value that it is about.
const maxBlaming = 150

// minimize makes the object of a finding as small as it shows the same, and finds the value that it is about.
func (t *tester) minimize(r *record) {
	if r.Object == nil || r.trial == nil || r.Property == Slow || r.small {
		return
	}
	if f, shows := t.afresh(r); shows {
		t.take(r, f)
	} else if t.over() == nil {
		// Pairs that are not tried any more show nothing, and two answers that differ are known for good.
		r.unsure = len(t.late) == 0 && r.Property != NotStable
		return
	}
	t.left = maxMinimizing
	if only := branch(t.server.Version(versionAt(r.Object)), r.Object, r.Path); only != nil {
		t.attempt(r, only)
	}
	t.thin(r)
	for t.shrink(r) {
	}
	t.shorten(r)
	if len(r.Path) == 0 {
		t.left = max(t.left, maxBlaming)
		t.blame(r)
	}
}

func (t *tester) take(r *record, f Finding) {
	f.Shown, f.Seen = r.Shown, r.Seen
	r.Finding = f
}

// attempt takes a smaller object if it shows the same.
func (t *tester) attempt(r *record, smaller Object) bool {
	before := t.out.Requests
	f, shows := t.shows(r, smaller)
	t.left -= t.out.Requests - before + 1 // what needs no request costs time as well
	if shows && t.over() == nil {
		t.take(r, f)
	}
	return shows
}

// branch is an object with nothing but what is at a path, as far as there is one, above it, and required beside it; nil for all of
// it. It spares an object of thousands of fields that they are taken away one by one.
func branch(v *request.Version, o Object, at request.Path) Object {
	for len(at) > 0 {
		if _, found := at.In(o); found {
			break
		}
		at = at[:len(at)-1]
	}
	if v == nil || len(at) == 0 {
		return nil
	}
	only, _ := cut(v.Structural(), o, at).(map[string]any)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		if value, found := o[name]; found {
			only[name] = value
		}
	}
	return only
}

// cut is the value with what is at the path in it, and with what its schema requires.
func cut(s *structuralschema.Structural, value any, at request.Path) any {
	if len(at) == 0 {
		return value
	}
	switch value := value.(type) {
	case []any:
		if s != nil {
			s = s.Items
		}
		return []any{cut(s, value[at[0].Index], at[1:])}
	case map[string]any:
		only := map[string]any{at[0].Key: cut(child(s, at[0].Key), value[at[0].Key], at[1:])}
		if s == nil || s.ValueValidation == nil {
			return only
		}
		for _, name := range s.ValueValidation.Required {
			if member, found := value[name]; found && name != at[0].Key {
				only[name] = member
			}
		}
		return only
	}
	return value
}

// thin takes away items of long lists, many at a time: one by one takes more requests than there are.
func (t *tester) thin(r *record) {
	for _, at := range paths(r.Object) {
		value, _ := at.In(r.Object)
		list, _ := value.([]any)
		for size := len(list) / 2; size > 1; size /= 2 {
			for from := len(list) - size; from >= 0 && t.left > 0; from -= size {
				shorter := slices.Delete(slices.Clone(list), from, from+size)
				if less := with(r.Object, at, shorter); less != nil && t.attempt(r, less) {
					list = shorter
				}
			}
		}
	}
}

// shrink takes away members and items, the outer ones first, and reports whether any could be.
func (t *tester) shrink(r *record) (shrunk bool) {
	for _, at := range paths(r.Object) {
		if t.left <= 0 || t.over() != nil {
			return false
		}
		if _, found := at.In(r.Object); !found || isName(at) {
			continue
		}
		shrunk = t.attempt(r, without(r.Object, at)) || shrunk
	}
	return shrunk
}

func isName(at request.Path) bool {
	head := at.String()
	return head == "apiVersion" || head == "kind" || head == "metadata" || head == "metadata.name"
}

// isNote reports whether a path is that of a label or an annotation.
func isNote(at request.Path) bool {
	return len(at) == 3 && at[0].Key == "metadata" && (at[1].Key == "labels" || at[1].Key == "annotations")
}

// paths are those of all members and items, the outer ones first and of a list the last ones.
func paths(o Object) (all []request.Path) {
	each(nil, o, func(at request.Path, _ any) {
		if len(at) > 0 {
			all = append(all, at)
		}
	})
	slices.SortFunc(all, func(a, b request.Path) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return b.Compare(a)
	})
	return all
}

// with is a copy of an object with a value at a path; nil where it cannot be there.
func with(o Object, at request.Path, value any) Object {
	more := runtime.DeepCopyJSON(o)
	if !at.Set(more, runtime.DeepCopyJSONValue(value)) {
		return nil
	}
	return more
}

func without(o Object, at request.Path) Object {
	less := runtime.DeepCopyJSON(o)
	at.Remove(less)
	return less
}

// longest is how long texts may be that are left as they are.
const longest = 16

func (t *tester) shorten(r *record) {
	for _, at := range paths(r.Object) {
		value, _ := at.In(r.Object)
		if n, ok := value.(int64); ok && r.Property == Failed {
			t.lower(r, at, n)
		}
		text, ok := value.(string)
		if !ok || len(text) <= longest || isName(at) || t.left <= 0 {
			continue
		}
		for length := 1; length < len(text); length *= 2 {
			end := length
			for !utf8.RuneStart(text[end]) {
				end--
			}
			shorter := runtime.DeepCopyJSON(r.Object)
			if at.Set(shorter, text[:end]) && t.attempt(r, shorter) {
				break
			}
		}
	}
}

// maxHalving is how many requests it may take to find the least number that is too large, once its order is known.
const maxHalving = 10

// lower takes the least number that shows the same, as far as larger ones do as well.
func (t *tester) lower(r *record, at request.Path, n int64) {
	shows := func(n int64) bool {
		lower := with(r.Object, at, n)
		return t.left > 0 && lower != nil && t.attempt(r, lower)
	}
	least, most := int64(0), int64(1)
	for ; most < n && !shows(most); most *= 4 {
		if least = most; most > math.MaxInt64/4 {
			return
		}
	}
	most = min(most, n)
	for range maxHalving {
		switch middle := least + (most-least)/2; {
		case middle <= least:
			return
		case shows(middle):
			most = middle
		default:
			least = middle
		}
	}
}

// blame finds the value without which, or with another one in its place, a finding is gone; or the one whose absence makes it.
func (t *tester) blame(r *record) {
	v := t.server.Version(versionAt(r.Object))
	if v == nil || t.admit(v, r.Object) == nil {
		return
	}
	blamed := func(at request.Path, missing bool, changed Object) bool {
		if !t.heals(r, v, changed) {
			return false
		}
		r.Path, r.Version, r.Missing = at, v.Name, missing
		r.remedy, _ = at.In(changed)
		return true
	}
	defer t.refine(r, v)
	pool := t.of(v.Name).pool
	for _, at := range slices.Backward(paths(r.Object)) {
		if isHead(at[0].Key) && !isNote(at) || t.left <= 0 {
			continue
		}
		value, _ := at.In(r.Object)
		if isEmpty(value) && !IsScalar(value) {
			continue // something in it may be missing
		}
		for _, other := range pool[fieldOf(v, at).Field()] {
			changed := runtime.DeepCopyJSON(r.Object)
			if !equal(value, other.value) && at.Set(changed, runtime.DeepCopyJSONValue(other.value)) && blamed(at, r.Missing, changed) {
				return
			}
		}
		if blamed(at, r.Missing, without(r.Object, at)) {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pool)) {
		first := pool[name][0]
		changed := runtime.DeepCopyJSON(r.Object)
		if _, found := first.path.In(r.Object); !found && t.left > 0 && first.path.Set(changed, runtime.DeepCopyJSONValue(first.value)) && blamed(first.path, true, changed) {
			return
		}
	}
	for _, at := range slices.Backward(paths(r.Object)) {
		if !isHead(at[0].Key) && t.left > 0 && blamed(at, r.Missing, without(r.Object, at)) {
			return
		}
	}
}

// refine finds a text that is at fault, or in what is, by texts that take its place: what is required cannot be taken away, and one
// that only code can read is as wrong as all that were made.
func (t *tester) refine(r *record, v *request.Version) {
	if r.Missing || r.remedy != nil {
		return
	}
	for _, at := range slices.Backward(paths(r.Object)) {
		value, _ := at.In(r.Object)
		if _, is := value.(string); !is || isHead(at[0].Key) || !isBelow(at.Field(), r.Path.Field()) && len(r.Path) > 0 {
			continue
		}
		for _, other := range t.candidates(v.Name, at, r.Object) {
			if t.left <= 0 {
				return
			}
			if changed := with(r.Object, at, other); !equal(value, other) && changed != nil && t.heals(r, v, changed) {
				r.Path, r.Version, r.remedy = at, v.Name, other
				return
			}
		}
	}
}

// heals reports whether an object is one of the version that does not show the finding.
func (t *tester) heals(r *record, v *request.Version, o Object) bool {
	if t.admit(v, o) == nil {
		return false
	}
	before := t.out.Requests
	_, shows := t.shows(r, o)
	t.left -= t.out.Requests - before + 1
	return !shows && t.over() == nil
}
