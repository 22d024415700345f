package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestConversionWebhook has a real API server call a webhook with each mistake, and compares its errors with what internal/review
// says of the webhook's answers, and what it stores and shows with the way that objects take by internal/request.
func TestConversionWebhook(t *testing.T) {
	g := inhabitGadgets(t)
	for _, fault := range append([]webhooks.Fault{{Name: none}}, webhooks.Faults...) {
		t.Run(fault.Name, func(t *testing.T) {
			for _, only := range g.served {
				for _, d := range demands {
					g.demand(t, d, fault.Name, only)
				}
			}
		})
	}
}

// none is the name of no mistake.
const none = "none"

// An exchange is a request, what the server did for it, and what is foreseen of it.
type exchange struct {
	*gadgets
	demand
	t           *testing.T
	fault, only string

	answer
	asked, foreasked []question
	forecast
	judgement
}

func (x *exchange) errorf(format string, args ...any) {
	x.t.Helper()
	x.t.Errorf("with conversions to %s as they should not be, %s: %s", x.only, x.about, fmt.Sprintf(format, args...))
}

// demand makes a request while conversions to one version go wrong.
func (g *gadgets) demand(t *testing.T, d demand, fault, only string) {
	x := &exchange{gadgets: g, demand: d, t: t, fault: fault, only: only}
	if only == "v3" && !x.manages() {
		return // nothing else needs that version
	}
	goWrong := func() {
		if fault != none {
			g.err(fault, only)
		} else {
			g.err("", "")
		}
	}
	defer g.err("", "")
	revision, err := g.putBack(first, g.raw)
	if err != nil {
		t.Fatal(err)
	}
	goWrong()
	x.forecast = d.foresee(g) // before the server changes anything
	x.foreasked = g.questions()
	c := d.call(g, revision)
	goWrong()
	if x.answer, err = g.request(c); err != nil {
		t.Fatal(err)
	}
	x.asked = g.questions()
	if goWrong(); !x.ok() || x.manages() {
		x.judgement = g.judgeAll(x.asked)
	}
	x.compareText()
	if fault == none || fault != "random" && d.about != lesser { // where no more is left to chance
		x.compareObjects()
		x.compareQuestions()
	}
	if err := g.takeOut(third); err != nil {
		t.Fatal(err)
	}
}

// A judgement is what crdlift says of the answers to a server's questions.
type judgement struct {
	first, last  string // the server's errors about the first and the last of them; "" for none
	failed       bool   // there is an error about any
	unmanageable bool   // managed fields cannot be found in one of them
}

// judgeAll asks all of it once more.
func (g *gadgets) judgeAll(asked []question) (j judgement) {
	for i, q := range asked {
		a := g.client.Convert(context.Background(), "", q.to, q.objects...)
		j.last = ""
		if a.Err != nil {
			j.last, j.failed = a.Err.Error(), true
		} else {
			v := g.judge.Version(q.to)
			_, err := v.Coerce(a.Objects[0])
			j.last = upstreams(err)
			j.unmanageable = j.unmanageable || err != nil || len(v.Undeclared(a.Objects[0])) > 0 || mistyped(v, a.Objects[0])
		}
		if i == 0 {
			j.first = j.last
		}
	}
	return j
}

// mistyped reports whether a value of an object has a type that its schema does not have.
func mistyped(v *request.Version, o request.Object) bool {
	bare := maps.Clone(o)
	delete(bare, "status")
	causes := slices.Concat(v.Update(o, nil).Causes, v.UpdateStatus(o, bare).Causes)
	return slices.ContainsFunc(causes, func(c request.Cause) bool { return c.Keyword == "type" })
}

// upstreams are the words of an error of internal/request as upstream has them.
func upstreams(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// Around the error of a conversion, the server says which object it cannot read, and for what it reads it.
const (
	undecodable = `object not decodable revision=\d+: `
	corrupt     = `StorageError: corrupt object, Code: 7, Key: \S+, ResourceVersion: 0, AdditionalErrorMsg: ` + undecodable
	managed     = `failed to prune fields: failed add back owned items: failed to convert (pruned|merged) object at version example.com/v\d: `
	undeclared  = `(failed to create typed live object \(default/first; example.com/v\d, Kind=Gadget\): )?\.(spec|status)\.\S+: (field not declared in schema|expected (map|string), got .*)`
)

// compareText compares the server's error with what is foreseen.
func (x *exchange) compareText() {
	managing := x.manages() && (x.failed || x.unmanageable)
	switch {
	case x.invalid && x.code != http.StatusUnprocessableEntity:
		x.errorf("it is not rejected for what is foreseen, %v: %s", x.forecast.err, x.reason())
	case x.invalid:
	case x.forecast.err == nil && !managing && !x.ok():
		x.errorf("it fails, which is not foreseen: %s", x.reason())
	case x.forecast.err == nil && !managing:
	case x.ok():
		x.errorf("it does not fail, which is foreseen: %v", x.forecast.err)
	default:
		var status metav1.Status
		if err := json.Unmarshal(x.body, &status); err != nil {
			x.t.Fatal(err)
		}
		if text := x.text(); !regexp.MustCompile("^" + unnumbered(text) + "$").MatchString(unnumbered(status.Message)) {
			x.errorf("the server says\n\t%s\nand not\n\t%s", status.Message, text)
		}
	}
}

// manages reports whether the request needs managed fields: others go without those that cannot be converted.
func (x *exchange) manages() bool { return strings.HasPrefix(x.about, "server-side apply") }

// text is what the server's error has to match.
func (x *exchange) text() string {
	about := regexp.QuoteMeta(x.last)
	switch {
	case x.about == "get":
		return "Internal error occurred: " + corrupt + about
	case x.about == "list":
		return "failed to read one or more gadgets.example.com from the storage: " + corrupt + regexp.QuoteMeta(x.first) + `( \(and 1 more\))?`
	case x.manages() && x.unmanageable && !x.failed && !x.reading:
		return undeclared
	case x.reading:
		return undecodable + about
	case x.forecast.err != nil:
		return about
	}
	return "(" + managed + ")?" + about
}

var uid = regexp.MustCompile(`response\\?\.uid="[^"]*"`)

// unnumbered is a text without the UID that each request has of its own.
func unnumbered(text string) string { return uid.ReplaceAllString(text, "response.uid=") }

// compareObjects compares what is in etcd, and what the answer shows, with what is foreseen.
func (x *exchange) compareObjects() {
	foreseen := x.forecast.stored
	if foreseen == nil || x.forecast.err == nil && !x.ok() { // for what managed fields ask for
		foreseen = x.before()
	}
	is, err := x.resources.stored(name(foreseen))
	if err != nil {
		x.t.Fatal(err)
	}
	if at := valuesDiffer(asWritten(is), asWritten(foreseen), "stored"); at != "" {
		x.errorf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(is), text(foreseen))
	}
	if !x.ok() {
		return
	}
	if x.about == unchanged {
		raw, err := x.resources.raw(first)
		if err != nil {
			x.t.Fatal(err)
		}
		at := valuesDiffer(asWritten(foreseen), asWritten(x.before()), "stored")
		if written := !bytes.Equal(raw, x.raw); written != (at != "") {
			x.errorf("it is written: %v; what is foreseen differs at %q\n\t%s\n\t%s", written, at, raw, x.raw)
		}
	}
	answer, err := x.object()
	if err != nil {
		x.t.Fatal(err)
	}
	all, list := answer["items"].([]any)
	if !list {
		all = []any{answer}
	}
	if len(all) != len(x.shown) {
		x.errorf("%d objects are shown, and not %d", len(all), len(x.shown))
	}
	for _, o := range all {
		is := o.(map[string]any)
		if at := valuesDiffer(asWritten(is), asWritten(x.shown[name(is)]), "shown"); at != "" {
			x.errorf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(is), text(x.shown[name(is)]))
		}
	}
}

// before is the object as it was in etcd.
func (x *exchange) before() map[string]any {
	o, err := decodedJSON(x.raw)
	if err != nil {
		x.t.Fatal(err)
	}
	return o
}

// compareQuestions: the server asks for one object at a time, and for all that is asked for to foresee what it does.
func (x *exchange) compareQuestions() {
	for _, q := range x.asked {
		if len(q.objects) != 1 {
			x.errorf("the server asks for %d objects at once", len(q.objects))
		}
	}
	if x.manages() && !x.ok() {
		return // it has not come as far
	}
	for _, q := range x.foreasked {
		if !slices.ContainsFunc(x.asked, func(is question) bool {
			return is.to == q.to && valuesDiffer(asWritten(is.objects[0]), asWritten(q.objects[0]), "") == ""
		}) {
			x.errorf("the server does not ask for %s of %s", q.to, text(q.objects[0]))
		}
	}
}
