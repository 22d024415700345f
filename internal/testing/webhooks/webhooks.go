// Package webhooks is a conversion webhook that is right, and one for each mistake that a webhook can make. Tests run it to
// learn whether the mistake is found, and nothing else.
package webhooks

import (
	_ "embed" // for the CRD
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// CRD is the manifest of the CRD that the webhook converts.
//
//go:embed gadgets.yaml
var CRD []byte

// A webhook answers ConversionReviews, with its fault.
type webhook struct {
	Fault
	state
	kind     string
	versions []string
	convert  func(object map[string]any, to string)
}

// A state is what faults remember from one request to the next.
type state struct {
	requests atomic.Int64
	busy     atomic.Int64
	last     atomic.Value
}

// Handler is a webhook with the fault of a name, and a correct one for "". It panics for a name that no fault has.
func Handler(name string) http.Handler {
	h := &webhook{kind: "Gadget", versions: []string{"v1", "v2", "v3"}, convert: convert}
	if name == "" {
		return h
	}
	for _, f := range Faults {
		if f.Name == name {
			h.Fault = f
			return h
		}
	}
	panic(fmt.Sprintf("no fault is called %q", name))
}

// Identity is a correct webhook of a CRD whose versions all have the same schema: it changes apiVersion. A spec that is not nil
// takes the place of each object's.
func Identity(group, kind string, spec any, versions ...string) http.Handler {
	return &webhook{kind: kind, versions: versions, convert: func(object map[string]any, to string) {
		object["apiVersion"] = group + "/" + to
		if member(object, "metadata"); spec != nil {
			object["spec"] = spec
		}
	}}
}

// A Request is one for one or more objects.
type Request struct {
	*state
	Review  map[string]any // the ConversionReview as it came
	To      string         // the version
	Objects []any
}

// A Conversion is that of one object.
type Conversion struct {
	*Request
	In, Out  map[string]any // the object as it came, and as a correct webhook answers; faults change it
	From, To string
	Err      string // why it fails; "" for success
}

// largest is what a webhook reads of a request: as much as an API server does.
const largest = 3 << 20

func (h *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > largest {
		_, _ = io.Copy(io.Discard, r.Body) // so that the client comes to read the answer
		h.garbage(w)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var review map[string]any
	if r.Method != http.MethodPost || utiljson.Unmarshal(body, &review) != nil {
		h.garbage(w)
		return
	}
	request, _ := review["request"].(map[string]any)
	if request == nil {
		h.garbage(w)
		return
	}
	h.requests.Add(1)
	q := &Request{state: &h.state, Review: review}
	q.Objects, _ = request["objects"].([]any)
	q.To = version(map[string]any{"apiVersion": request["desiredAPIVersion"]})
	if h.HTTP != nil && h.HTTP(q, w) {
		return
	}
	answer := map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": h.respond(q, request["uid"])}
	if h.Answer != nil {
		h.Answer(q, answer)
	}
	text, err := utiljson.Marshal(answer)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // a client that is gone wants no answer
}

func (h *webhook) garbage(w http.ResponseWriter) {
	if h.Panics {
		panic(http.ErrAbortHandler)
	}
	http.Error(w, "this is no ConversionReview", http.StatusBadRequest)
}

// respond converts the objects one by one.
func (h *webhook) respond(q *Request, uid any) map[string]any {
	failure := func(message string) map[string]any {
		return map[string]any{"uid": uid, "result": map[string]any{"status": "Failure", "message": message}}
	}
	if !slices.Contains(h.versions, q.To) {
		if h.Lenient {
			return map[string]any{"uid": uid, "convertedObjects": q.Objects, "result": map[string]any{"status": "Success"}}
		}
		return failure("no version " + q.To)
	}
	converted := []any{}
	for _, object := range q.Objects {
		in, ok := object.(map[string]any)
		if !ok || in["kind"] != h.kind {
			return failure("this is no " + h.kind)
		}
		c := &Conversion{Request: q, In: in, Out: runtime.DeepCopyJSON(in), From: version(in), To: q.To}
		if c.From == c.To && h.Object == nil {
			return failure("it is at that version")
		}
		h.convert(c.Out, q.To)
		if h.Object != nil {
			h.Object(c)
		}
		if c.Err != "" {
			return failure(c.Err)
		}
		converted = append(converted, c.Out)
	}
	if h.List != nil {
		h.List(q, converted)
	}
	return map[string]any{"uid": uid, "convertedObjects": converted, "result": map[string]any{"status": "Success"}}
}

// The annotations in which an object carries what its version has no field for.
const (
	legacyAnnotation = "gadgets.example.com/legacy"
	noteAnnotation   = "gadgets.example.com/note"
)

// convert makes the object one of the version, as a correct webhook does: it loses nothing.
func convert(object map[string]any, to string) {
	from := version(object)
	object["apiVersion"] = "example.com/" + to
	member(object, "metadata") // which server-side apply leaves out, and the answer has to have
	spec, _ := object["spec"].(map[string]any)
	switch {
	case from != "v2" && to == "v2":
		rename(spec, "size", "capacity")
		stash(object, spec, "legacy", legacyAnnotation)
		unstash(object, "note", noteAnnotation)
	case from == "v2" && to != "v2":
		rename(spec, "capacity", "size")
		stash(object, spec, "note", noteAnnotation)
		unstash(object, "legacy", legacyAnnotation)
	}
}

func version(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	_, version, _ := strings.Cut(apiVersion, "/")
	return version
}

func rename(spec map[string]any, from, to string) {
	if value, found := spec[from]; found {
		delete(spec, from)
		spec[to] = value
	}
}

// stash moves a field of the spec into an annotation.
func stash(object, spec map[string]any, field, annotation string) {
	value, found := spec[field]
	if !found {
		return
	}
	delete(spec, field)
	text, _ := json.Marshal(value) // it comes from JSON
	member(member(object, "metadata"), "annotations")[annotation] = string(text)
}

// unstash moves it back. What users wrote into the annotation, and is none of the field's values, stays where it is.
func unstash(object map[string]any, field, annotation string) {
	annotations := of(of(object, "metadata"), "annotations")
	text, _ := annotations[annotation].(string)
	var value string
	if text == "" || json.Unmarshal([]byte(text), &value) != nil {
		return
	}
	delete(annotations, annotation)
	member(object, "spec")[field] = value
}

// member is the object at a name, which is made where there is none.
func member(object map[string]any, name string) map[string]any {
	value, ok := object[name].(map[string]any)
	if !ok {
		value = map[string]any{}
		object[name] = value
	}
	return value
}
