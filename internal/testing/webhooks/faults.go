package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// A Fault is a mistake of a webhook. Its functions are nil where the webhook is right.
type Fault struct {
	Name    string
	HTTP    func(*Request, http.ResponseWriter) bool // answers, or leaves that to the webhook
	Answer  func(q *Request, review map[string]any)  // changes the answer
	Object  func(*Conversion)                        // changes an object of it
	List    func(q *Request, converted []any)        // changes all objects of it
	Panics  bool                                     // at requests that make no sense
	Lenient bool                                     // takes any desired version
}

// Faults are all of them: first those of the answer, then those of the objects.
var Faults = append(append(append([]Fault{}, answerFaults...), objectFaults...), behaviours...)

// answerFaults are what the API server rejects.
var answerFaults = []Fault{
	{Name: "review-of-no-kind", Answer: func(_ *Request, review map[string]any) { delete(review, "kind") }},
	{Name: "other-review-version", Answer: func(_ *Request, review map[string]any) {
		review["apiVersion"] = "apiextensions.k8s.io/v2"
	}},
	{Name: "no-response", Answer: func(_ *Request, review map[string]any) { delete(review, "response") }},
	{Name: "capitals", Answer: func(_ *Request, review map[string]any) {
		review["Response"] = review["response"]
		delete(review, "response")
	}},
	{Name: "other-request", Answer: func(_ *Request, review map[string]any) { response(review)["uid"] = "another" }},
	{Name: "no-result", Answer: func(_ *Request, review map[string]any) { delete(response(review), "result") }},
	{Name: "success-in-small-letters", Answer: func(_ *Request, review map[string]any) {
		response(review)["result"] = map[string]any{"status": "success"}
	}},
	{Name: "no-objects", Answer: func(_ *Request, review map[string]any) { response(review)["convertedObjects"] = []any{} }},
	{Name: "one-object-more", Answer: func(_ *Request, review map[string]any) {
		response(review)["convertedObjects"] = append(objects(review), objects(review)[0])
	}},
	{Name: "null-object", Answer: func(_ *Request, review map[string]any) { objects(review)[0] = nil }},
	{Name: "text-object", Answer: func(_ *Request, review map[string]any) { objects(review)[0] = "a" }},
	{Name: "no-kind", Object: func(c *Conversion) { delete(c.Out, "kind") }},
	{Name: "version-of-before", Object: func(c *Conversion) { c.Out["apiVersion"] = c.In["apiVersion"] }},
	{Name: "other-group", Object: func(c *Conversion) { c.Out["apiVersion"] = "example.org/" + c.To }},
	{Name: "other-kind", Object: func(c *Conversion) { c.Out["kind"] = "Widget" }},
	{Name: "other-name", Object: func(c *Conversion) { metadata(c)["name"] = "another" }},
	{Name: "other-namespace", Object: func(c *Conversion) { metadata(c)["namespace"] = "another" }},
	{Name: "other-object-uid", Object: func(c *Conversion) { metadata(c)["uid"] = "another" }},
	{Name: "no-metadata", Object: func(c *Conversion) { delete(c.Out, "metadata") }},
	{Name: "labels-as-list", Object: func(c *Conversion) { metadata(c)["labels"] = []any{"a"} }},
	{Name: "label-as-number", Object: func(c *Conversion) { metadata(c)["labels"] = map[string]any{"a": int64(1)} }},
	{Name: "invalid-label", Object: func(c *Conversion) { metadata(c)["labels"] = map[string]any{"a": "-"} }},
	{Name: "invalid-annotation", Object: func(c *Conversion) { metadata(c)["annotations"] = map[string]any{"a b": ""} }},
	{Name: "template-of-no-object", Object: there(func(c *Conversion) {
		if spec := specOf(c); spec["template"] != nil {
			spec["template"] = map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": "text"}
		}
	})},
	{Name: "empty-answer", HTTP: func(*Request, http.ResponseWriter) bool { return true }},
	{Name: "no-json", HTTP: write(http.StatusOK, "application/json", "ok")},
	{Name: "list-as-response", HTTP: write(http.StatusOK, "application/json", `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":[]}`)},
	{Name: "status-as-answer", HTTP: write(http.StatusOK, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Success"}`)},
	{Name: "content-type", HTTP: write(http.StatusOK, "text html", `{}`)},
	{Name: "error-500", HTTP: write(http.StatusInternalServerError, "text/plain", "out of order")},
	{Name: "error-404", HTTP: write(http.StatusNotFound, "text/plain", "no such page")},
	{Name: "connection-cut", HTTP: func(*Request, http.ResponseWriter) bool { panic(http.ErrAbortHandler) }},
}

func write(code int, contentType, body string) func(*Request, http.ResponseWriter) bool {
	return func(_ *Request, w http.ResponseWriter) bool {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body)) // a client that is gone wants no answer
		return true
	}
}

func response(review map[string]any) map[string]any { return member(review, "response") }

func objects(review map[string]any) []any {
	all, _ := response(review)["convertedObjects"].([]any)
	return all
}

func metadata(c *Conversion) map[string]any { return member(c.Out, "metadata") }

// specOf is the spec of the answer; without one, what is written to it is lost.
func specOf(c *Conversion) map[string]any { return of(c.Out, "spec") }

func statusOf(c *Conversion) map[string]any { return of(c.Out, "status") }

func of(object map[string]any, name string) map[string]any {
	if value, ok := object[name].(map[string]any); ok {
		return value
	}
	return map[string]any{}
}

// Hang is how long a webhook that hangs takes for an answer: a busy machine may take a second or two without.
const Hang = 6 * time.Second

// behaviours are faults that need certain requests to be seen.
var behaviours = []Fault{
	{Name: "pair-missing", Object: func(c *Conversion) {
		if c.From == "v2" && c.To == "v3" {
			c.Err = "v2 cannot be converted to v3"
		}
	}},
	{Name: "version-missing", Object: func(c *Conversion) {
		if c.From == "v3" || c.To == "v3" {
			c.Err = "no such version: v3"
		}
	}},
	{Name: "value-refused", Object: there(func(c *Conversion) {
		if specOf(c)["capacity"] == "large" {
			c.Err = "too large"
		}
	})},
	{Name: "absent-field", HTTP: crash(func(object map[string]any) bool {
		return object["spec"] != nil && of(object, "spec")["image"] == nil
	})},
	{Name: "text-read", Object: there(func(c *Conversion) { // as metav1.Duration reads it; and it loses another field
		delete(specOf(c), "command")
		if image, ok := specOf(c)["image"].(string); ok {
			if _, err := time.ParseDuration(image); err != nil {
				c.Err = err.Error()
			}
		}
	})},
	{Name: "text-never-read", Object: there(func(c *Conversion) {
		delete(specOf(c), "command")
		if image, ok := specOf(c)["image"].(string); ok && image != "the word" {
			c.Err = "no such image: " + fmt.Sprintf("%q", image)
		}
	})},
	{Name: "spec-needed", Object: there(func(c *Conversion) {
		if c.In["spec"] == nil {
			c.Err = "spec is missing"
		}
	})},
	{Name: "name-of-part-needed", Object: there(func(c *Conversion) { // which the schema requires
		if unnamed(specOf(c)) {
			c.Err = "a part has no name"
		}
	})},
	{Name: "crash-without-spec", HTTP: crash(func(object map[string]any) bool {
		return object["spec"] == nil && object["metadata"] != nil
	})},
	{Name: "metadata-left-out", Object: there(func(c *Conversion) {
		if c.In["metadata"] == nil {
			delete(c.Out, "metadata")
		}
	})},
	{Name: "crash-without-name-of-part", HTTP: crash(func(object map[string]any) bool { return unnamed(of(object, "spec")) })},
	{Name: "annotation-misread", HTTP: crash(func(object map[string]any) bool { // which users can write
		text, found := of(of(object, "metadata"), "annotations")[noteAnnotation].(string)
		return found && json.Unmarshal([]byte(text), new(string)) != nil
	})},
	{Name: "crash-on-invalid", HTTP: crash(func(object map[string]any) bool {
		n, ok := of(object, "spec")["replicas"].(int64)
		return ok && (n < 0 || n > 100)
	})},
	{Name: "random", Object: there(func(c *Conversion) {
		if args, ok := specOf(c)["args"].([]any); ok && len(args) > 1 && c.requests.Load()%2 == 0 {
			args[0], args[1] = args[1], args[0]
		}
	})},
	{Name: "list-in-other-order", List: func(q *Request, converted []any) {
		if len(converted) > 1 && q.To == "v2" && version(q.Objects[0].(map[string]any)) == "v1" { // under the right names
			first, last := converted[0].(map[string]any), converted[len(converted)-1].(map[string]any)
			first["spec"], last["spec"] = last["spec"], first["spec"]
		}
	}},
	{Name: "no-v1beta1", HTTP: func(q *Request, w http.ResponseWriter) bool {
		if q.Review["apiVersion"] != "apiextensions.k8s.io/v1" {
			http.Error(w, "only v1", http.StatusBadRequest)
			return true
		}
		return false
	}},
	{Name: "panics-at-garbage", Panics: true},
	{Name: "any-version", Lenient: true},
	{Name: "same-version-changed", Object: func(c *Conversion) {
		if c.From == c.To {
			spec := member(c.Out, "spec")
			spec["paused"] = spec["paused"] != true
		}
	}},
	{Name: "mixes-up-requests", Object: there(func(c *Conversion) { // when two run at once
		c.busy.Add(1)
		defer c.busy.Add(-1)
		c.last.Store(fmt.Sprint(specOf(c)["image"]))
		time.Sleep(5 * time.Millisecond)
		if c.busy.Load() > 1 && specOf(c)["image"] != nil {
			specOf(c)["image"] = c.last.Load()
		}
	})},
	{Name: "hangs", HTTP: func(q *Request, _ http.ResponseWriter) bool {
		for _, object := range q.Objects {
			if object, ok := object.(map[string]any); ok && of(object, "spec")["paused"] == true && isThere(q, object) {
				time.Sleep(Hang)
			}
		}
		return false
	}},
	{Name: "large-annotation", Object: stashes("all", func(c *Conversion) any { // a whole copy of the object, as some libraries stash it
		return fmt.Sprint(c.In["spec"], c.In["status"])
	}, func(*Conversion, any) {})},
}

// unnamed reports whether a part in a spec has no name.
func unnamed(spec map[string]any) bool {
	parts, _ := spec["parts"].([]any)
	return slices.ContainsFunc(parts, func(part any) bool {
		p, ok := part.(map[string]any)
		return ok && p["name"] == nil
	})
}

// crash cuts the connection for some objects that are converted from v1 to v2.
func crash(at func(object map[string]any) bool) func(*Request, http.ResponseWriter) bool {
	return func(q *Request, _ http.ResponseWriter) bool {
		for _, object := range q.Objects {
			if object, ok := object.(map[string]any); ok && isThere(q, object) && at(object) {
				panic(http.ErrAbortHandler)
			}
		}
		return false
	}
}

func isThere(q *Request, object map[string]any) bool { return version(object) == "v1" && q.To == "v2" }
