package webhooks

import (
	"net/http"
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

// answerFaults are what the API server refuses.
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
