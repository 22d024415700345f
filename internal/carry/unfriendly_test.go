package carry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
)

// from has a handler answer from the nth request on, and before it another one.
func from(n int64, before, after http.Handler) http.Handler {
	var asked atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < n {
			before.ServeHTTP(w, r)
			return
		}
		after.ServeHTTP(w, r)
	})
}

// TestUnfriendlyWebhooks carries nothing that is not proven, and says why.
func TestUnfriendlyWebhooks(t *testing.T) {
	dead := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the server does not notice that the client has gone
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	broken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusTeapot) })
	var n atomic.Int64
	fickle := converter(func(o Object, to string) (Object, error) {
		o, err := cups(o, to)
		if to == "v1" && err == nil {
			below(o, "spec")["style"] = fmt.Sprint(n.Add(1))
		}
		return o, err
	})
	remembers := func() http.Handler {
		var last any
		return converter(func(o Object, to string) (Object, error) {
			is, err := cups(o, to)
			if memory, found := below(o, "spec")["memory"]; found {
				last = memory
			} else if last != nil && to == "v1" && err == nil {
				below(is, "spec")["memory"] = last
			}
			return is, err
		})
	}
	oneWay := converter(func(o Object, to string) (Object, error) {
		if to != "v1" {
			return nil, errors.New("there is no cluster")
		}
		return cups(o, to)
	})
	for _, test := range []struct {
		name    string
		handler http.Handler
		notes   string
		carried bool
		unasked bool
		most    int64 // requests for ten objects
	}{
		{name: "it is dead", handler: dead, notes: "migrate-refused : the webhook does not respond; check that it runs\n", unasked: true, most: 3},
		{name: "it dies in the middle", handler: from(2, converter(cups), dead), notes: "migrate-refused : the webhook does not respond; check that it runs\n", most: 4},
		{name: "it dies at the end", handler: from(4, converter(cups), dead), notes: "migrate-refused : the webhook does not respond; check that it runs\n", most: 6},
		{name: "it is slow", handler: slow, notes: "migrate-refused : the webhook takes too long; run crdlift migrate again\n", unasked: true, most: 3},
		{name: "it answers with an error", handler: broken, notes: "migrate-refused : the webhook responds with the HTTP status 418; read its log\n", most: 100},
		{name: "it answers otherwise each time", handler: fickle, most: 100,
			notes: "migrate-unproven spec.style: read at v1 after the migration, the value would change or be lost; run `crdlift webhook test` and, if it passes, report a bug of crdlift\n"},
		{name: "it remembers the last object", handler: remembers(), most: 100,
			notes: "migrate-unproven : read at v1 after the migration, the value would change or be lost; run `crdlift webhook test` and, if it passes, report a bug of crdlift\n"},
		{name: "it converts in one direction", handler: oneWay, carried: true, most: 100,
			notes: "migrate-unproven : the webhook does not convert the object back to v1alpha1, so crdlift may miss lost fields; compare both objects by hand\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			webhook := &counted{Handler: test.handler}
			c := &Carrier{Options: Options{To: "v1"}, Ask: func(d *objects.Definition) (Asker, error) {
				return review.New(review.Config{CRD: d.Hub, Handler: webhook, URL: "http://127.0.0.1/", Timeout: 20 * time.Millisecond})
			}}
			if test.name != "it is slow" {
				c.Ask = asks(webhook)
			}
			w := wayTo(t, c, definition(t, read(t, "cups.yaml")), "v1alpha1")
			for range 10 {
				got := w.Carry(object(t, cup+"spec: {count: 1, bake: 5m}"), false)
				notes := told(got.Notes)
				for line := range strings.Lines(notes) {
					if strings.HasPrefix(line, "migrate-written") {
						notes = strings.Replace(notes, line, "", 1)
					}
				}
				if (got.Object != nil) != test.carried || notes != test.notes {
					t.Fatalf("carried: %t; notes:\n%s", got.Object != nil, notes)
				}
			}
			if n := webhook.n.Load(); n > test.most {
				t.Errorf("%d requests", n)
			}
			if all := c.Unasked(); (len(all) == 1) != test.unasked {
				t.Errorf("unasked: %v", all)
			}
		})
	}
}

// TestFillInsOfOneDirection has what says something stay where the way back cannot be asked for.
func TestFillInsOfOneDirection(t *testing.T) {
	oneWay := converter(func(o Object, to string) (Object, error) {
		if to != "v1" {
			return nil, errors.New("there is no cluster")
		}
		return cups(o, to)
	})
	w := wayTo(t, &Carrier{Options: Options{To: "v1"}, Ask: asks(oneWay)}, definition(t, read(t, "cups.yaml")), "v1alpha1")
	got := w.Carry(object(t, cup+"spec: {count: 1}"), false)
	if is, want := asJSON(got.Object["spec"].(map[string]any)), `{"amount":1,"grade":"second","style":"old"}`; is != want {
		t.Errorf("it becomes %s, want %s", is, want)
	}
}

// TestNobodyAsks is about webhooks that are needed and that there is nothing to ask by.
func TestNobodyAsks(t *testing.T) {
	src := read(t, "cups.yaml")
	d, copied, pots := definition(t, src), definition(t, src), definition(t, read(t, "pots.yaml"))
	asked := 0
	c := &Carrier{Options: Options{To: "v1"}, Ask: func(*objects.Definition) (Asker, error) {
		asked++
		return nil, errors.New("no address")
	}}
	for _, d := range []*objects.Definition{d, copied, d} {
		if w, state, why := c.way(d, "v1alpha1"); w != nil || state != Refused || why != "its conversion webhook is needed to convert it; pass the address of the webhook with --url" {
			t.Errorf("state %d: %s", state, why)
		}
	}
	wayTo(t, c, pots, "v1beta1")
	if all := c.Unasked(); asked != 1 || len(all) != 1 || all[0].Definition != d || all[0].Err.Error() != "no address" {
		t.Errorf("asked %d times: %v", asked, all)
	}
	none := &Carrier{Options: Options{To: "v1"}}
	if w, state, _ := none.way(d, "v1alpha1"); w != nil || state != Refused || len(none.Unasked()) != 1 {
		t.Errorf("state %d", state)
	}
}

// TestStopped carries nothing any more.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stops := converter(func(o Object, to string) (Object, error) {
		cancel()
		return cups(o, to)
	})
	c := &Carrier{Options: Options{To: "v1"}, Context: ctx, Ask: asks(stops)}
	w := wayTo(t, c, definition(t, read(t, "cups.yaml")), "v1alpha1")
	for range 2 {
		got := w.Carry(object(t, cup+"spec: {count: 1}"), false)
		if notes := told(got.Notes); got.Object != nil || notes != "migrate-refused : not migrated, because the run was stopped; run crdlift migrate again\n" {
			t.Errorf("carried: %v; %s", got.Object, notes)
		}
	}
}

// TestManyValues are those of a large object, of which only what moves is traced.
func TestManyValues(t *testing.T) {
	o := object(t, cup+"spec: {count: 1, potter: ann, memory: 1Gi}")
	annotations := below(below(o, "metadata"), "annotations")
	for i := range maxTraced + 1 {
		annotations[fmt.Sprintf("a%d", i)] = "x"
	}
	objects := atomic.Int64{}
	h := converter(func(o Object, to string) (Object, error) {
		objects.Add(1)
		return cups(o, to)
	})
	w := wayTo(t, &Carrier{Options: Options{To: "v1"}, Ask: asks(h)}, definition(t, read(t, "cups.yaml")), "v1alpha1")
	got := w.Carry(o, false)
	if all := traced(got.Traces); all != "spec.count -> spec.amount\nspec.potter -> spec.people.shape\n" {
		t.Errorf("traces:\n%s%s", all, told(got.Notes))
	}
	if got.Untraced != maxTraced+2 || objects.Load() > 20 {
		t.Errorf("%d are not traced, and %d objects were converted", got.Untraced, objects.Load())
	}
}

// TestLargeRequests are those of a large object: a webhook reads no more than an API server does.
func TestLargeRequests(t *testing.T) {
	var objects, requests, largest atomic.Int64
	h := converter(func(o Object, to string) (Object, error) {
		objects.Add(1)
		return cups(o, to)
	})
	measured := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		largest.Store(max(largest.Load(), r.ContentLength))
		h.ServeHTTP(w, r)
	})
	o := object(t, cup+"spec: {count: 1}")
	parts := []any{}
	for i := range 50 {
		parts = append(parts, strings.Repeat(fmt.Sprintf("part %d ", i), 200))
	}
	below(o, "spec")["parts"] = parts
	w := wayTo(t, &Carrier{Options: Options{To: "v1"}, Ask: asks(measured)}, definition(t, read(t, "cups.yaml")), "v1alpha1")
	if got := w.Carry(o, false); got.Object == nil || len(got.Traces) != 51 {
		t.Errorf("%d traces: %s", len(got.Traces), told(got.Notes))
	}
	if largest.Load() > 2<<20 || requests.Load() > 12 || objects.Load() > 70 {
		t.Errorf("%d requests for %d objects, the largest with %d bytes", requests.Load(), objects.Load(), largest.Load())
	}
}
