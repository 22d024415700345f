package webhook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/text"
)

// A trial judges what becomes of one object. It can be repeated, with a smaller object for one.
type trial func(t *tester, o Object) []hit

// A hit is a finding of a trial. It may be about another object than the one that the trial was given: one that the webhook
// made of it.
type hit struct {
	Finding
	trial trial       // that finds the same of Object; nil for the trial that it was found by
	kind  review.Kind // of an answer that is none
}

// A key is by what findings are told apart.
type key struct {
	property      Property
	pair          Pair
	version       string
	field, detail string
}

// A record is a finding while the test goes on.
type record struct {
	Finding
	key    key
	trial  trial
	unsure bool // the same object did not show it a second time
	small  bool // its object was made small
	remedy any  // a value at Path with which it is gone; nil for none
}

// keyOf is by what a finding is told apart from others.
func (t *tester) keyOf(f *Finding) key {
	k := key{property: f.Property, pair: f.Pair, version: f.Version, field: t.field(f.Version, f.Path)}
	switch f.Property {
	case Failed, Contract, Partial, Unvalidated, Slow, AnnotationSize, Garbage:
		k.detail, k.field = alike(f.Detail), ""
	case Order, Concurrent:
		k.field = "" // of one mistake, each field may show it
	}
	return k
}

// varying is what differs in errors of the same kind: quotations, numbers and what looks like one of them.
var varying = text.Pattern(`"(?:[^"\\]|\\.)*"|'[^']*'|\{.*\}|[0-9a-f]{8}-[0-9a-f-]+|[0-9]+`)

// alike is an error without what differs from one object to the next.
func alike(text string) string { return varying().ReplaceAllString(text, "…") }

// field is a path as the schema of a version has it: one for all items of a list, and for all keys that are not declared.
func (t *tester) field(version string, at request.Path) string {
	v := t.server.Version(version)
	if v == nil {
		return at.Field()
	}
	if len(at) > 1 && at[0].Key == "metadata" {
		return at[:2].Field()
	}
	return fieldOf(v, at).Field()
}

func fieldOf(v *request.Version, at request.Path) request.Path {
	field := slices.Clone(at)
	s := v.Structural()
	for i, step := range field {
		switch {
		case s == nil:
			return field
		case step.IsIndex():
			s = s.Items
			continue
		}
		if _, found := s.Properties[step.Key]; !found && s.AdditionalProperties != nil {
			field[i] = request.Key("*")
		}
		s = child(s, step.Key)
	}
	return field
}

// try runs a trial on an object, notes what it finds and returns it.
func (t *tester) try(tr trial, o Object) []hit {
	if t.over() != nil {
		return nil
	}
	found := tr(t, o)
	t.keep(tr, o, found)
	return found
}

// keep notes what a trial found, and counts the object once for all that is alike in it.
func (t *tester) keep(tr trial, o Object, found []hit) {
	counted := map[key]bool{}
	for _, h := range found {
		if h.Object == nil {
			h.Object = o
		}
		if h.trial == nil {
			h.trial = tr
		}
		t.note(h)
		if k := t.keyOf(&h.Finding); t.found[k] != nil && !counted[k] {
			counted[k] = true
			t.found[k].Shown++
		}
	}
}

// note keeps a finding. What was found while the test was ended is not the webhook's doing.
func (t *tester) note(h hit) {
	if t.over() == nil {
		t.remember(h)
	}
}

func (t *tester) remember(h hit) {
	k := t.keyOf(&h.Finding)
	r := t.found[k]
	if r == nil {
		r = &record{Finding: h.Finding, key: k, trial: h.trial}
		t.found[k] = r
		t.order = append(t.order, r)
	} else if !r.small && cmp.Or(cmp.Compare(h.Grade, r.Grade), vague(&h.Finding)-vague(&r.Finding), len(canonical(h.Object))-len(canonical(r.Object))) < 0 {
		shown := r.Shown
		r.Finding, r.trial = h.Finding, h.trial
		r.Shown = shown
	}
}

// vague is how little a change says of what becomes of a field: one value in the place of another says most, and that there is one
// where there was none may be a default. Items of a list are known by their places only, and move up into those of others; and
// answers that differ from one time to the next may differ otherwise each time.
func vague(f *Finding) int {
	switch {
	case !slices.Contains(losses, f.Property) && f.Property != EditLost:
	case len(f.Path) > 0 && f.Path[len(f.Path)-1].IsIndex():
	case f.Change == Lost:
		return 1
	case f.Change == Added:
		return 2
	}
	return 0
}

// shows reports whether a trial of an object finds what a record says, and what it finds: a change that says as much.
func (t *tester) shows(r *record, o Object) (Finding, bool) {
	for _, h := range r.trial(t, o) {
		if t.keyOf(&h.Finding) == r.key && h.Grade == r.Grade && vague(&h.Finding) <= vague(&r.Finding) {
			if h.Object == nil {
				h.Object = o
			}
			return h.Finding, true
		}
	}
	return Finding{}, false
}

// failure is the finding for a conversion that the server takes for failed. The object is one that its version accepts.
func (t *tester) failure(r *failure) hit {
	h := hit{Finding: Finding{Property: Failed, Pair: r.pair, Detail: r.err.Error(), Object: r.object}, trial: plain(r.pair), kind: r.answer.Kind}
	switch r.answer.Kind {
	case review.Contract, review.Unasked:
		h.Property = Contract
	case review.Timeout:
		h.Property = Slow
	}
	return h
}

// failed is failure for an object that the webhook made, of the one that the trial was given.
func (t *tester) failed(r *failure) []hit {
	h := t.failure(r)
	h.Object, h.trial = nil, nil
	return []hit{h}
}

// plain is the trial that converts an object of the first version of a pair, if that version accepts it.
func plain(pair Pair) trial {
	return func(t *tester, o Object) []hit {
		from, to := t.server.Version(pair.From), t.server.Version(pair.To)
		admitted := t.admit(from, o)
		if admitted == nil {
			return nil
		}
		if _, no := t.pass(admitted, from, to); no != nil {
			return t.failed(no)
		}
		return nil
	}
}

// judged is the trial of an object that the first version of a pair accepts, as long as the pair is tried.
func judged(pair Pair, judge func(t *tester, pair Pair, from, to *request.Version, admitted Object) []hit) trial {
	return func(t *tester, o Object) []hit {
		from, to := t.server.Version(pair.From), t.server.Version(pair.To)
		admitted := t.admit(from, o)
		if admitted == nil || t.broken[pair] {
			return nil
		}
		return judge(t, pair, from, to, admitted)
	}
}

// hopeless is the trial of a pair that converts no object.
func hopeless(pair Pair) trial {
	return changed(plain(pair), func(h *hit) {
		switch {
		case h.Property != Failed:
		case h.kind == review.Failure && !strings.Contains(h.Detail, "response.result.status was"):
			h.Property = PairMissing
		default:
			h.Property = Contract
		}
	})
}

// isBelow reports whether a field is another one, or in it.
func isBelow(field, other string) bool {
	rest, found := strings.CutPrefix(field, other)
	return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
