package webhook

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/text"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A nonsense is a request that no API server sends. A webhook may reject it; it has to go on.
type nonsense struct{ about, method, body string }

func (t *tester) reviewOf(request string) string {
	return `{"apiVersion":"apiextensions.k8s.io/` + t.reviewVersion() + `","kind":"ConversionReview"` + request + `}`
}

// reviewVersion is the one that the server picks.
func (t *tester) reviewVersion() string {
	for _, version := range append([]string{byServer}, t.crd.Spec.Conversion.ConversionReviewVersions...) {
		if version == "v1" || version == "v1beta1" {
			return version
		}
	}
	return "v1"
}

func (t *tester) nonsenses(to string) []nonsense {
	desired := t.crd.Spec.Group + "/" + to
	ask := func(version, objects string) string {
		return t.reviewOf(`,"request":{"uid":"1","desiredAPIVersion":"` + version + `","objects":` + objects + `}`)
	}
	other := `[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"sample"}}]`
	return []nonsense{
		{"a GET", http.MethodGet, ""},
		{"an empty body", http.MethodPost, ""},
		{"a body that is no JSON", http.MethodPost, "{"},
		{"the body null", http.MethodPost, "null"},
		{"the body {}", http.MethodPost, "{}"},
		{"a conversion review without a request", http.MethodPost, t.reviewOf("")},
		{"a conversion review whose request is null", http.MethodPost, t.reviewOf(`,"request":null`)},
		{"a conversion review whose objects are []", http.MethodPost, ask(desired, "[]")},
		{"a conversion review whose objects are [null]", http.MethodPost, ask(desired, "[null]")},
		{"a conversion review whose objects are [{}]", http.MethodPost, ask(desired, "[{}]")},
		{"a conversion review of another kind", http.MethodPost, ask(desired, other)},
		{"a conversion review without a version", http.MethodPost, ask("", other)},
		{"a deeply nested object", http.MethodPost, ask(desired, `[{"spec":`+strings.Repeat(`{"a":`, 5000)+"1"+strings.Repeat("}", 5000)+`}]`)},
		{"an object of 10 MiB", http.MethodPost, ask(desired, `[{"spec":"`+strings.Repeat("large ", 10<<20/6)+`"}]`)},
	}
}

// tryGarbage sends what makes no sense, and after each an ordinary request. It comes last, as it may end the webhook.
func (t *tester) tryGarbage() {
	pair, good := t.goodRequest()
	if good == nil {
		return
	}
	t.trySameVersion(pair, good)
	t.tryUnknownVersion(good)
	unanswered := map[string][]string{}
	for _, n := range t.nonsenses(pair.To) {
		if t.over() != nil {
			return
		}
		t.out.Requests++
		_, err := t.asker.Send(t.ctx, n.method, []byte(n.body))
		if t.ctx.Err() != nil {
			return
		}
		if a := t.ask(byServer, pair.To, good); a.Err != nil && t.ctx.Err() == nil {
			t.remember(hit{Finding: Finding{Property: Garbage, Detail: "after " + n.about + ", the webhook fails other requests (" + a.Err.Error() + ")"}})
			return
		}
		if err != nil {
			why := cause(err)
			unanswered[why] = append(unanswered[why], n.about)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(unanswered)) {
		t.note(hit{Finding: Finding{Property: Garbage, Detail: "the webhook does not respond to " + text.And(unanswered[why]) + " (" + why + ")"}})
	}
}

// cause is the innermost error, without the address.
func cause(err error) string {
	if review.KindOf(err) == review.Timeout {
		return "it takes too long"
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// goodRequest is one that has an answer.
func (t *tester) goodRequest() (Pair, Object) {
	for _, pair := range t.pairs {
		for _, o := range t.some(pair.From, 3) {
			admitted := t.admit(t.server.Version(pair.From), o)
			if admitted != nil && !t.broken[pair] && t.convert(admitted, pair.To).Err == nil {
				return pair, admitted
			}
		}
	}
	return Pair{}, nil
}

// tell has an object converted to a version by a request that no API server sends, and has the object of an answer that says it
// did; nil for any other answer.
func (t *tester) tell(o Object, version string) Object {
	body := t.reviewOf(`,"request":{"uid":"1","desiredAPIVersion":"` + t.crd.Spec.Group + "/" + version + `","objects":[` + canonical(o) + `]}`)
	t.out.Requests++
	reply, err := t.asker.Send(t.ctx, http.MethodPost, []byte(body))
	if err != nil {
		return nil
	}
	var answer struct {
		Response struct {
			ConvertedObjects []map[string]any `json:"convertedObjects"`
			Result           struct {
				Status string `json:"status"`
			} `json:"result"`
		} `json:"response"`
	}
	if utiljson.Unmarshal(reply, &answer) != nil || answer.Response.Result.Status != "Success" || len(answer.Response.ConvertedObjects) != 1 {
		return nil
	}
	return answer.Response.ConvertedObjects[0]
}

// trySameVersion asks for the version that an object is at. To reject it is fine.
func (t *tester) trySameVersion(pair Pair, good Object) {
	converted := t.tell(good, pair.From)
	if converted == nil {
		return
	}
	for _, d := range compare(t.server.Version(pair.From), good, converted) {
		h := d.hit(SameVersion, Pair{pair.From, pair.From}, t.server.Version(pair.From))
		h.Object = good
		t.note(h)
		return
	}
}

// tryUnknownVersion asks for a version that there is not: nothing is right but to reject it.
func (t *tester) tryUnknownVersion(good Object) {
	const unknown = "v999unknown1"
	if converted := t.tell(good, unknown); converted != nil {
		t.note(hit{Finding: Finding{Property: Garbage, Grade: Minor, Detail: fmt.Sprintf("the webhook reports success for the unknown version %s", unknown)}})
	}
}

// partial is the trial of an object that nobody validated: server-side apply has parts of objects converted, and what clients
// send is converted before it is rejected. There has to be an answer.
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
			return nil // to reject it is right
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
		g := t.of(pair.From).generator()
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
// To reject what is written is right, but not what is stored.
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
	known := t.of(version).bookkeeping
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for _, value := range instead(known[name]) {
			bare := map[string]any{"name": "sample", "annotations": map[string]any{name: value}}
			head := Object{"apiVersion": t.crd.Spec.Group + "/" + version, "kind": t.crd.Spec.Names.Kind, "metadata": bare}
			all = append(all, head)
			if whole := t.of(version).objects; len(whole) > 0 {
				with := maps.Clone(whole[0])
				with["metadata"] = bare
				all = append(all, with)
			}
		}
	}
	return all
}
