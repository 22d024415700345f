package webhook_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"github.com/crdlift/crdlift/internal/webhook"
)

// noErrors are the properties whose rules are no errors.
var noErrors = []webhook.Property{
	webhook.NotDefaulted, webhook.NoopWrites, webhook.Order, webhook.PathsDiffer, webhook.SameVersion, webhook.AnnotationSize,
}

func isError(f webhook.Finding) bool {
	return f.Grade == webhook.AsUsual && !slices.Contains(noErrors, f.Property)
}

// replayEdits has each edit that is not kept shown again, by itself and after it was written to a file, and not in a webhook that is
// right.
func replayEdits(t *testing.T, name string, found []webhook.Finding) {
	t.Helper()
	for _, f := range found {
		if f.Property != webhook.EditLost {
			continue
		}
		text, err := webhook.Case{Property: f.Property, Pair: f.Pair, Object: f.Object, Edit: f.Edit}.YAML()
		if err != nil {
			t.Fatal(err)
		}
		c, err := webhook.ReadCase("case", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again := webhook.Options{Seed: 1, Replay: []webhook.Case{c}}
		if r := tellParcels(t, webhooks.Parcels(name), again); len(r.Findings) != 1 || shown(r.Findings[0]) != shown(f) {
			t.Errorf("%v instead of %s\n%s", r.Findings, shown(f), text)
		}
		if r := tellParcels(t, webhooks.Parcels(""), again); len(r.Findings) > 0 {
			t.Errorf("%v is found in a webhook that is right", r.Findings)
		}
	}
}

// tellParcels tests a webhook of parcels.
func tellParcels(t *testing.T, h http.Handler, o webhook.Options) *webhook.Result {
	t.Helper()
	crds, _, err := behaviour.Decode(webhooks.ParcelCRD)
	if err != nil {
		t.Fatal(err)
	}
	client, err := review.New(review.Config{CRD: crds[0], Handler: h})
	if err != nil {
		t.Fatal(err)
	}
	r, err := webhook.Test(t.Context(), crds[0], client, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMistakes has each small mistake in a correct webhook told by its rule, as an error.
func TestMistakes(t *testing.T) {
	t.Parallel()
	if len(webhooks.Mistakes) < 40 {
		t.Errorf("%d mistakes", len(webhooks.Mistakes))
	}
	for _, m := range corpus.Sample(t, webhooks.Mistakes, 20) {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			o := webhook.Options{Count: 160, Seed: 1, Skip: map[webhook.Group]bool{webhook.GarbageOf: true}}
			o.Skip[webhook.Large] = m.Name != "error-of-a-long-request"
			r := tellParcels(t, webhooks.Parcels(m.Name), o)
			told := func(f webhook.Finding) bool {
				return f.Property.ID() == m.Rule && (isError(f) || f.Property == webhook.Order) // no API server sends several objects
			}
			if !slices.ContainsFunc(r.Findings, told) {
				t.Errorf("%s does not tell it", m.Rule)
				for _, f := range r.Findings {
					t.Errorf("%s %s", shown(f), f.Detail)
				}
			}
			replayEdits(t, m.Name, r.Findings)
		})
	}
}

// TestToldOfMistakes says of mistakes what shows where they begin.
func TestToldOfMistakes(t *testing.T) {
	t.Parallel()
	for name, is := range map[string]func(f webhook.Finding, value any) bool{
		"list-cut-at-10": func(f webhook.Finding, _ any) bool {
			list, _ := f.Path[:len(f.Path)-1].In(f.Object)
			return f.Path.Field() == "spec.stops[*]" && 0 < f.Shown && f.Shown < f.Seen && len(list.([]any)) == 11
		},
		"list-without-duplicates": func(f webhook.Finding, _ any) bool {
			list, _ := f.Path[:len(f.Path)-1].In(f.Object)
			return f.Shown < f.Seen && len(list.([]any)) == 2
		},
		"label-without-value":         func(f webhook.Finding, _ any) bool { return !f.Back && f.Shown <= f.Seen },
		"labels-lost-on-the-way-back": func(f webhook.Finding, _ any) bool { return f.Back },
		"error-of-a-large-number":     func(f webhook.Finding, value any) bool { return f.Path.Field() == "spec.copies" && value == int64(101) },
		"crash-at-an-annotation":      func(f webhook.Finding, value any) bool { return value != nil && f.Path[0].Key == "metadata" },
		"error-of-a-long-request": func(f webhook.Finding, _ any) bool {
			return f.Pair == webhook.Pair{} && f.Size >= 60 && f.Size < 70 && f.Path == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := webhooks.Mistakes[slices.IndexFunc(webhooks.Mistakes, func(m webhooks.Mistake) bool { return m.Name == name })].Rule
			o := webhook.Options{Count: 80, Seed: 1, Skip: map[webhook.Group]bool{}}
			for _, group := range webhook.Groups() {
				o.Skip[group] = group != webhook.RoundTrip && (group != webhook.Large || name != "error-of-a-long-request")
			}
			r := tellParcels(t, webhooks.Parcels(name), o)
			if !slices.ContainsFunc(r.Findings, func(f webhook.Finding) bool {
				value, _ := f.Path.In(f.Object)
				return f.Property.ID() == rule && is(f, value)
			}) {
				t.Errorf("%s is not told as it is: %+v", rule, r.Findings)
			}
		})
	}
}

// TestOneAnswerOfMany tells that answers differ where one of 50 lacks something, although the same object does not show it again.
func TestOneAnswerOfMany(t *testing.T) {
	t.Parallel()
	o := webhook.Options{Count: 60, Seed: 1, Skip: map[webhook.Group]bool{webhook.Large: true, webhook.GarbageOf: true, webhook.Concurrency: true}}
	r := tellParcels(t, webhooks.Parcels("every-50th-answer"), o)
	for _, f := range r.Findings {
		if f.Property != webhook.NotStable && isError(f) {
			t.Errorf("%s: %v", shown(f), f.Object)
		}
	}
	if !slices.ContainsFunc(r.Findings, func(f webhook.Finding) bool {
		return strings.HasPrefix(shown(f), "not-stable v") && strings.Contains(shown(f), " spec.stops")
	}) {
		t.Errorf("%d findings: %v", len(r.Findings), r.Findings)
	}
}

// TestCorrectParcels has no errors in correct webhooks, however they are written.
func TestCorrectParcels(t *testing.T) {
	t.Parallel()
	count := 30
	if corpus.All() {
		count = 400
	}
	for _, name := range corpus.Sample(t, slices.Sorted(maps.Keys(webhooks.CorrectParcels)), 4) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tellParcels(t, webhooks.CorrectParcels[name], webhook.Options{Count: count, Seed: corpus.Seed(t)})
			for _, f := range r.Findings {
				if isError(f) {
					t.Errorf("%s %s\n\t%v: %v, then %v", shown(f), f.Detail, f.Object, f.Was, f.Is)
				} else {
					t.Logf("%s %s: %v, then %v", shown(f), f.Detail, f.Was, f.Is)
				}
			}
		})
	}
}
