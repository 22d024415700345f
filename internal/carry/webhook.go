package carry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/text"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apimachinery/pkg/runtime"
)

// A webhook is what converts the objects of a CRD. It is asked for one thing at a time: many keep something between requests.
type webhook struct {
	of  *objects.Definition
	ask Asker
	err error // why nothing asks it

	mu       sync.Mutex
	late     int            // how many of the last requests had no answer
	silent   *review.Answer // the first of them
	answered bool
	unstable bool              // it once answered otherwise than before
	kept     map[string]bool   // fields that it fills in and that had to stay, by version
	others   map[string]Object // those that are converted between two conversions of one, by version
}

// maxLate is how many requests in a row may have no answer until no more are made: each may take as long as the timeout.
const maxLate = 3

// An Unasked is a conversion webhook that converted nothing that it was needed for.
type Unasked struct {
	Definition *objects.Definition
	Err        error // why nothing asks it, or why it did not answer
}

// Unasked are the webhooks that nothing asks, and those that never answered, in the order in which they were needed.
func (c *Carrier) Unasked() (all []Unasked) {
	c.ways.mu.Lock()
	defer c.ways.mu.Unlock()
	for _, w := range c.ways.webhooks {
		w.mu.Lock()
		switch {
		case w.err != nil:
			all = append(all, Unasked{w.of, w.err})
		case w.silent != nil && !w.answered:
			all = append(all, Unasked{w.of, w.silent.Err})
		}
		w.mu.Unlock()
	}
	return all
}

// webhookOf is the webhook of a CRD, of which a run may have several copies.
func (c *Carrier) webhookOf(d *objects.Definition) *webhook {
	for _, w := range c.ways.webhooks {
		if w.of == d || w.of.IsCopy(d) {
			return w
		}
	}
	w := &webhook{of: d, kept: map[string]bool{}, others: map[string]Object{}, err: errors.New("there is nothing that asks it")}
	if c.Ask != nil {
		w.ask, w.err = c.Ask(d)
	}
	c.ways.webhooks = append(c.ways.webhooks, w)
	return w
}

func (w *webhook) convert(ctx context.Context, to string, all []Object) *review.Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.late >= maxLate {
		return w.silent
	}
	a := w.ask.Convert(ctx, "", to, all...)
	if a.Kind == review.Transport || a.Kind == review.Timeout {
		w.late++
		w.silent = cmp.Or(w.silent, a)
		return a
	}
	w.late, w.silent, w.answered = 0, nil, true
	return a
}

// A noAnswer is why a webhook did not convert.
type noAnswer struct{ *review.Answer }

func (n noAnswer) Error() string { return n.Err.Error() }

// isFinal reports whether it is no use to ask for something else.
func isFinal(err error) bool {
	var n noAnswer
	return !errors.As(err, &n) || n.Kind == review.Transport || n.Kind == review.Timeout || n.Kind == review.Unasked
}

// maxAsked is how much JSON one request has, in bytes, unless it is for one object: webhooks may read no more than an API server, 3 MiB.
const maxAsked = 1 << 20

// convert is what the webhook makes of objects at a version, without what that drops. What it was asked for once is known.
func (c *carrying) convert(to *request.Version, all ...Object) (converted []Object, err error) {
	unknown, keys := map[string]Object{}, make([]string, len(all))
	apiVersion := to.GroupVersionKind().GroupVersion().String()
	for i, o := range all {
		encoded, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		if keys[i] = to.Name + string(encoded); c.known[keys[i]] == nil {
			unknown[keys[i]] = o
		}
		if o["apiVersion"] == apiVersion {
			delete(unknown, keys[i])
			if c.known[keys[i]], err = to.Coerce(o); err != nil {
				return nil, err
			}
		}
	}
	var some []Object
	var names []string
	size, left := 0, len(unknown)
	for _, key := range keys {
		if o, is := unknown[key]; is {
			some, names, size, left = append(some, o), append(names, key), size+len(key), left-1
			delete(unknown, key)
		}
		if len(some) == 0 || left > 0 && size < maxAsked {
			continue
		}
		answers, err := c.asked(to, some...)
		if err != nil {
			return nil, err
		}
		for i, key := range names {
			c.known[key] = answers[i]
		}
		some, names, size = nil, nil, 0
	}
	for _, key := range keys {
		converted = append(converted, runtime.DeepCopyJSON(c.known[key]))
	}
	return converted, nil
}

// asked has the webhook convert objects. They are sent with the metadata that a server gives all of them, and come back without.
func (c *carrying) asked(to *request.Version, all ...Object) ([]Object, error) {
	if err := c.carrier.context().Err(); err != nil {
		return nil, err
	}
	var sent []Object
	for _, o := range all {
		o = runtime.DeepCopyJSON(o)
		metadata, _ := o["metadata"].(map[string]any)
		if metadata == nil {
			metadata = map[string]any{}
		}
		if metadata["namespace"] == nil && c.from.Namespaced() {
			metadata["namespace"] = "default"
		}
		metadata["uid"], metadata["generation"] = "6d5c1b0a-0000-4000-8000-000000000001", int64(1)
		metadata["creationTimestamp"] = "2020-01-01T00:00:00Z"
		o["metadata"] = metadata
		sent = append(sent, o)
	}
	a := c.webhook.convert(c.carrier.context(), to.Name, sent)
	if a.Err != nil {
		return nil, noAnswer{a}
	}
	for i, o := range a.Objects {
		coerced, err := to.Coerce(o)
		if err != nil {
			return nil, noAnswer{&review.Answer{Kind: review.Contract, Err: err}}
		}
		was, _ := all[i]["metadata"].(map[string]any)
		is, _ := coerced["metadata"].(map[string]any)
		metadata := maps.Clone(was)
		for _, name := range []string{"labels", "annotations"} {
			if delete(metadata, name); is[name] != nil {
				if metadata == nil {
					metadata = map[string]any{}
				}
				metadata[name] = is[name]
			}
		}
		if delete(coerced, "metadata"); metadata != nil {
			coerced["metadata"] = metadata
		}
		a.Objects[i] = coerced
	}
	return a.Objects, nil
}

// unconverted notes why the webhook does not convert the object. Of its words, what may be a value of the object is hidden.
func (c *carrying) unconverted(err error) Object {
	var n noAnswer
	message := text.Sprintf("not migrated, because the run was stopped; run crdlift migrate again")
	switch {
	case c.carrier.context().Err() != nil: // which may have ended a request
	case !errors.As(err, &n):
		message = text.Sprintf("the API server cannot read what the webhook returns for it; fix the webhook")
	case n.Kind == review.Failure:
		words := n.Err.Error()
		if inner := errors.Unwrap(n.Err); inner != nil {
			words = inner.Error()
		}
		message = text.Sprintf(`the webhook fails with "%s"; correct the object, or fix the webhook`, text.Reason(c.scrub(words)))
	case n.Kind == review.Timeout:
		message = text.Sprintf("the webhook takes too long; run crdlift migrate again")
	case n.Kind == review.Transport:
		message = text.Sprintf("the webhook does not respond; check that it runs")
	case n.Kind == review.HTTP:
		message = text.Sprintf("the webhook responds with the HTTP status %d; read its log", n.Status)
	default:
		message = text.Sprintf("the API server does not accept the response of the webhook; run `crdlift webhook test` to see why")
	}
	if rule := "migrate-refused"; len(c.stands) > 0 && n.Answer != nil && n.Kind == review.Failure {
		c.note("migrate-not-alike", c.stands[0].at, text.Sprintf("the webhook needs the value of the placeholder; render the manifest first"))
	} else {
		c.note(rule, nil, message)
	}
	return nil
}

// minWord is the length of the shortest values that are hidden in the webhook's words: shorter ones are in every word.
const minWord = 4

func (c *carrying) scrub(words string) string {
	var hidden []string
	eachLeaf(c.object, nil, func(at request.Path, value any) {
		if word := fmt.Sprint(value); len(at) > 1 && internalwebhook.IsScalar(value) && value != nil && utf8.RuneCountInString(word) >= minWord {
			hidden = append(hidden, word)
		}
	})
	slices.SortFunc(hidden, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, word := range hidden {
		words = strings.ReplaceAll(words, word, "***")
	}
	return words
}
