package carry

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/review"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A converter answers for one object.
type converter func(o Object, to string) (Object, error)

// ServeHTTP is a webhook that answers by a converter.
func (convert converter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		APIVersion, Kind string
		Request          struct {
			UID, DesiredAPIVersion string
			Objects                []json.RawMessage
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result, all := map[string]any{"status": "Success"}, []any{}
	for _, raw := range q.Request.Objects {
		var o Object
		_ = utiljson.Unmarshal(raw, &o)
		converted, err := convert(o, strings.TrimPrefix(q.Request.DesiredAPIVersion, "kiln.example.com/"))
		if err != nil {
			result, all = map[string]any{"status": "Failure", "message": err.Error()}, nil
			break
		}
		converted["apiVersion"] = q.Request.DesiredAPIVersion
		all = append(all, converted)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": q.APIVersion, "kind": q.Kind,
		"response": map[string]any{"uid": q.Request.UID, "result": result, "convertedObjects": all}})
}

// asks has a handler asked for the conversions of a CRD.
func asks(h http.Handler) func(*objects.Definition) (Asker, error) {
	return func(d *objects.Definition) (Asker, error) {
		return review.New(review.Config{CRD: d.Hub, Handler: h, URL: "http://127.0.0.1/", Timeout: time.Second})
	}
}

// counted is a handler that counts requests.
type counted struct {
	http.Handler
	n atomic.Int64
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.n.Add(1)
	c.Handler.ServeHTTP(w, r)
}

// move has a value stand elsewhere in another object.
func move(from, to map[string]any, name, as string) {
	if value, found := from[name]; found {
		to[as] = value
	}
}

// below is a member that is an object, which is made where there is none.
func below(o map[string]any, name string) map[string]any {
	if _, is := o[name].(map[string]any); !is {
		o[name] = map[string]any{}
	}
	return o[name].(map[string]any)
}

// keptDye is the annotation that has what v1 has no place for.
const keptDye = "kiln.example.com/dye"

// cups converts between the versions of testdata/cups.yaml: fields have other names and places, one is split, one is computed, one is kept in an
// annotation, and some are filled in.
func cups(o Object, to string) (Object, error) {
	o = runtime.DeepCopyJSON(o)
	was, is := below(o, "spec"), map[string]any{}
	o["spec"] = is
	if to == "v1" {
		return o, cupUp(o, was, is)
	}
	return o, cupDown(o, was, is)
}

// lidded is the name of an object that gets another lid than the default on both ways.
const lidded = "lidded"

// racked is the name of an object that gets a rack on both ways, which is at another place in each version.
const racked = "racked"

// duration is one as clients in Go write it.
func duration(value any) any {
	if d, err := time.ParseDuration(fmt.Sprint(value)); err == nil {
		return d.String()
	}
	return value
}

func cupUp(o, was, is map[string]any) error {
	for _, name := range []string{"clock", "rest"} {
		if value, found := was[name]; found {
			below(is, "place")["rest"] = duration(value)
		}
	}
	if move(was, below(is, "place"), "rack", "rack"); below(is, "place")["rack"] == nil && below(o, "metadata")["name"] == racked {
		below(is, "place")["rack"] = "top"
	}
	if move(was, is, "lid", "lid"); is["lid"] == nil && below(o, "metadata")["name"] == lidded {
		is["lid"] = "domed"
	}
	if marks, ok := was["marks"].(map[string]any); ok {
		for name, mark := range marks {
			below(is, "marks")[strings.ToLower(name)] = mark
		}
	}
	if limit, found := was["limit"]; found {
		is["limit"] = fmt.Sprint(limit)
	}
	if was["note"] == "not this one" {
		return fmt.Errorf("cups with %v are not converted", was["note"])
	}
	for _, name := range []string{"grade", "fast", "memory", "shade", "box"} {
		move(was, is, name, name)
	}
	if was["deep"] == true { // omitempty
		is["deep"] = true
	}
	move(was, is, "count", "amount")
	if firing, ok := was["firing"].(string); ok {
		first, second, _ := strings.Cut(firing, " ")
		is["firing"] = map[string]any{"first": first, "second": second}
	}
	if bake, ok := was["bake"].(string); ok {
		d, err := time.ParseDuration(bake)
		if err != nil {
			return errors.New("bake is no duration")
		}
		is["bakeSeconds"] = int64(d / time.Second)
	}
	if memory, ok := was["memory"].(string); ok {
		if _, err := resource.ParseQuantity(memory); err != nil {
			return err
		}
	}
	move(was, below(is, "people"), "maker", "shape")
	move(was, below(is, "people"), "potter", "shape")
	move(was, below(is, "people"), "painter", "paint")
	move(was, below(is, "stamp"), "stamp", "text")
	if ref, ok := was["ref"].(map[string]any); ok {
		group, _, _ := strings.Cut(fmt.Sprint(ref["apiVersion"]), "/")
		is["ref"] = map[string]any{"group": group, "name": ref["name"]}
	}
	if parts, ok := was["parts"].([]any); ok {
		all := []any{}
		for _, p := range parts {
			all = append(all, map[string]any{"name": p})
		}
		is["parts"] = all
	}
	if dye, found := was["dye"]; found {
		below(below(o, "metadata"), "annotations")[keptDye] = dye
	}
	if was["grade"] == nil || was["grade"] == "" {
		is["grade"] = "second"
	}
	is["style"] = "old"
	is["extras"] = map[string]any{"ink": ""}
	o["status"] = below(o, "status")
	return nil
}

func cupDown(o, was, is map[string]any) error {
	move(below(was, "place"), is, "rest", "rest")
	if move(below(was, "place"), is, "rack", "rack"); is["rack"] == nil && below(o, "metadata")["name"] == racked {
		is["rack"] = "top"
	}
	if move(was, is, "lid", "lid"); is["lid"] == nil && below(o, "metadata")["name"] == lidded {
		is["lid"] = "domed"
	}
	move(was, is, "marks", "marks")
	move(was, is, "limit", "limit")
	for _, name := range []string{"grade", "fast", "deep", "memory", "shade", "box"} {
		move(was, is, name, name)
	}
	move(was, is, "amount", "count")
	if firing, ok := was["firing"].(map[string]any); ok {
		is["firing"] = strings.TrimSpace(fmt.Sprint(firing["first"]) + " " + fmt.Sprint(firing["second"]))
	}
	if seconds, ok := was["bakeSeconds"].(int64); ok {
		is["bake"] = fmt.Sprintf("%ds", seconds)
	}
	move(below(was, "people"), is, "shape", "potter")
	move(below(was, "people"), is, "paint", "painter")
	move(below(was, "stamp"), is, "text", "stamp")
	if ref, ok := was["ref"].(map[string]any); ok {
		is["ref"] = map[string]any{"apiVersion": fmt.Sprint(ref["group"]) + "/v1", "name": ref["name"]}
	}
	if parts, ok := was["parts"].([]any); ok {
		all := []any{}
		for _, p := range parts {
			all = append(all, p.(map[string]any)["name"])
		}
		is["parts"] = all
	}
	annotations := below(below(o, "metadata"), "annotations")
	if dye, found := annotations[keptDye]; found {
		delete(annotations, keptDye)
		is["dye"] = dye
	}
	if is["grade"] == nil || is["grade"] == "" {
		is["grade"] = "second"
	}
	return nil
}

const cup = "apiVersion: kiln.example.com/v1alpha1\nkind: Cup\nmetadata: {name: a}\n"

// traced are the traces, a line each.
func traced(all []Trace) string {
	var b strings.Builder
	for _, tr := range all {
		arrow := "->"
		if tr.Computed {
			arrow = "~>"
		}
		fmt.Fprintf(&b, "%s %s %s\n", tr.From, arrow, tr.To)
	}
	return b.String()
}

const written = "migrate-written spec.style: the webhook adds this value though nothing in v1alpha1 asks for it; crdlift writes it: check whether you want it\n"

// TestConverted are the stories of a webhook. All objects have `style: old` afterwards, which it adds on this way alone.
func TestConverted(t *testing.T) {
	for _, test := range []struct {
		name, given string
		options     Options
		part        bool
		want        string // "" where it is left as it is
		notes       string // without that of style
		traces      string
	}{
		{name: "another name", given: "spec: {count: 2}", want: "spec: {amount: 2, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "another default", given: "spec: {memory: 1Mi}", want: "spec: {memory: 1Mi, amount: 6, style: old}",
			notes: "migrate-default-written spec.amount: v1alpha1 and v1 have different defaults; crdlift writes the default of v1alpha1, so nothing changes\n"},
		{name: "computed", given: "spec: {count: 1, bake: 5m}", want: "spec: {amount: 1, bakeSeconds: 300, style: old}",
			traces: "spec.bake ~> spec.bakeSeconds\nspec.count -> spec.amount\n"},
		{name: "computed with a loss", given: "spec: {count: 1, bake: 1500ms}", notes: "migrate-lost spec.bake: the webhook changes it on the way back to v1alpha1, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "split", given: "spec: {count: 1, firing: 900 1240}", want: "spec: {amount: 1, firing: {first: '900', second: '1240'}, style: old}",
			traces: "spec.count -> spec.amount\nspec.firing ~> spec.firing.first\n"},
		{name: "equal values", given: "spec: {count: 1, potter: ann, painter: ann}", want: "spec: {amount: 1, people: {shape: ann, paint: ann}, style: old}",
			traces: "spec.count -> spec.amount\nspec.painter -> spec.people.paint\nspec.potter -> spec.people.shape\n"},
		{name: "a text becomes an object", given: "spec: {count: 1, stamp: K}", want: "spec: {amount: 1, stamp: {text: K}, style: old}",
			traces: "spec.count -> spec.amount\nspec.stamp -> spec.stamp.text\n"},
		{name: "items become objects", given: "spec: {count: 1, parts: [cup, lid]}", want: "spec: {amount: 1, parts: [{name: cup}, {name: lid}], style: old}",
			traces: "spec.count -> spec.amount\nspec.parts[0] -> spec.parts[0].name\nspec.parts[1] -> spec.parts[1].name\n"},
		{name: "a reference without its version", given: "spec: {count: 1, ref: {apiVersion: kiln.example.com/v1, name: x}}",
			want: "spec: {amount: 1, ref: {group: kiln.example.com, name: x}, style: old}", traces: "spec.count -> spec.amount\nspec.ref.apiVersion ~> spec.ref.group\n"},
		{name: "a field that is dropped", given: "spec: {count: 1, note: x}", notes: "migrate-lost spec.note: v1 does not keep it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "one that may go", given: "spec: {count: 1, note: x}", options: Options{AllowLoss: []string{"spec.note"}}, want: "spec: {amount: 1, style: old}",
			traces: "spec.count -> spec.amount\n"},
		{name: "one that is kept in an annotation", given: "spec: {count: 1, dye: red}",
			notes: "migrate-lost spec.dye: v1 does not declare it, but the webhook keeps it in an annotation; write that annotation with --keep-annotations\n"},
		{name: "with that", given: "spec: {count: 1, dye: red}", options: Options{KeepAnnotations: true},
			want:   "metadata: {annotations: {kiln.example.com/dye: red}}\nspec: {amount: 1, style: old}",
			traces: "spec.count -> spec.amount\nspec.dye -> metadata.annotations[kiln.example.com/dye]\n"},
		{name: "one that may go from there", given: "metadata: {annotations: {a: b}}\nspec: {count: 1, dye: red}", options: Options{AllowLoss: []string{"spec.dye"}},
			want: "metadata: {annotations: {a: b}}\nspec: {amount: 1, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "what is filled in is written already", given: "spec: {count: 1, grade: second}", want: "spec: {amount: 1, grade: second, style: old}",
			traces: "spec.count -> spec.amount\n"},
		{name: "an empty text that somebody wrote", given: "spec: {count: 1, stamp: ''}", want: "spec: {amount: 1, stamp: {text: ''}, style: old}",
			traces: "spec.count -> spec.amount\nspec.stamp -> spec.stamp.text\n"},
		{name: "an empty object that somebody wrote", given: "spec: {count: 1, box: {}}", want: "spec: {amount: 1, box: {}, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "false that is dropped", given: "spec: {count: 1, deep: false}", want: "spec: {amount: 1, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "false that has another default", given: "spec: {count: 1, fast: false}", want: "spec: {amount: 1, fast: false, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "one of few values", given: "spec: {count: 1, shade: dark}", want: "spec: {amount: 1, shade: dark, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "what the new version rejects", given: "spec: {count: 51}", notes: "migrate-refused spec.amount at v1: maximum\n"},
		{name: "what the old version rejects", given: "spec: {count: x}", notes: "migrate-refused spec.amount at v1: type\nmigrate-refused spec.count at v1alpha1: type\n"},
		{name: "the webhook says no", given: "spec: {count: 1, note: not this one}", notes: "migrate-refused : the webhook fails with \"cups with *** are not converted\"; correct the object, or fix the webhook\n"},
		{name: "a misspelt field", given: "spec: {count: 1, ftas: true}", want: "spec: {amount: 1, ftas: true, style: old}", traces: "spec.count -> spec.amount\n",
			notes: "object-unknown-field spec.ftas: v1alpha1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a misspelt field in what is nowhere else", given: "spec: {count: 1, ref: {apiVersion: a/v1, name: b, x: y}}", traces: "spec.count -> spec.amount\nspec.ref.apiVersion ~> spec.ref.group\n",
			want: "spec: {amount: 1, ref: {group: a, name: b, x: y}, style: old}", notes: "object-unknown-field spec.ref.x: v1alpha1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a field of the new version", given: "spec: {count: 1, amount: 2}", want: "spec: {amount: 1, style: old}", traces: "spec.count -> spec.amount\n",
			notes: "object-unknown-field spec.amount: v1alpha1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "another field of the new version", given: "spec: {count: 1, extras: {ink: blue}}",
			notes: "migrate-refused spec.extras: v1alpha1 drops it and v1 does not, so it would take effect; remove it first\n" +
				"object-unknown-field spec.extras: v1alpha1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "server state", given: "metadata: {uid: 1b, labels: {a: b}}\nspec: {count: 1}\nstatus: {ready: true}", want: "metadata: {labels: {a: b}}\nspec: {amount: 1, style: old}",
			traces: "spec.count -> spec.amount\n", notes: "object-server-fields metadata.uid: only the API server writes it; crdlift removes it\nobject-status-dropped status: only updates of the status subresource write it; crdlift removes it\n"},
		{name: "a field that has two names", given: "spec: {count: 1, maker: ann}", want: "spec: {amount: 1, people: {shape: ann}, style: old}",
			traces: "spec.count -> spec.amount\nspec.maker -> spec.people.shape\n"},
		{name: "of which one is not heard", given: "spec: {count: 1, maker: ann, potter: bob}",
			notes: "migrate-lost spec.maker: v1 does not keep it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "keys that stay", given: "spec: {count: 1, marks: {a: b}}", want: "spec: {amount: 1, marks: {a: b}, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "keys that do not", given: "spec: {count: 1, marks: {A: b}}",
			notes: "migrate-lost spec.marks.A: the webhook changes it on the way back to v1alpha1, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "0 that becomes a text", given: "spec: {count: 1, limit: 0}",
			notes: "migrate-lost spec.limit: the webhook changes it on the way back to v1alpha1, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "a text where a number could be", given: "spec: {count: 1, limit: '5'}", want: "spec: {amount: 1, limit: '5', style: old}",
			traces: "spec.count -> spec.amount\n"},
		{name: "what is filled in in the place of a default", given: "metadata: {name: lidded}\nspec: {count: 1}",
			want:   "metadata: {name: lidded}\nspec: {amount: 1, lid: domed, style: old}",
			traces: "spec.count -> spec.amount\n",
			notes:  "migrate-written spec.lid: the webhook adds this value though nothing in v1alpha1 asks for it; crdlift writes it: check whether you want it\n"},
		{name: "what is filled in in both versions, at other places", given: "metadata: {name: racked}\nspec: {count: 1}",
			want: "metadata: {name: racked}\nspec: {amount: 1, style: old}", traces: "spec.count -> spec.amount\n"},
		{name: "a duration that has two names, in other words", given: "spec: {count: 1, clock: 60s}", want: "spec: {amount: 1, place: {rest: 1m0s}, style: old}",
			traces: "spec.clock ~> spec.place.rest\nspec.count -> spec.amount\n"},
		{name: "an empty text that is filled in", given: "spec: {count: 1, grade: ''}", want: "spec: {amount: 1, grade: second, style: old}",
			traces: "spec.count -> spec.amount\nspec.grade ~> spec.grade\n"},
		{name: "the same that is written", given: "metadata: {name: lidded}\nspec: {count: 1, lid: domed}", traces: "spec.count -> spec.amount\n",
			want: "metadata: {name: lidded}\nspec: {amount: 1, lid: domed, style: old}"},
		{name: "labels and annotations stay", given: "metadata: {labels: {a: b}, annotations: {c: d, e: ''}, finalizers: [a.example.com/b]}\nspec: {count: 1}",
			want:   "metadata: {labels: {a: b}, annotations: {c: d, e: ''}, finalizers: [a.example.com/b]}\nspec: {amount: 1, style: old}",
			traces: "spec.count -> spec.amount\n"},
		{name: "a placeholder that has to be one of few", given: "spec: {count: 1, shade: '${A}'}",
			notes: "migrate-not-alike spec.shade: the webhook may convert each value of the placeholder differently; render the manifest first\n"},
		{name: "a placeholder that becomes a text", given: "spec: {count: 1, firing: '${A} ${B}'}",
			notes: "migrate-not-alike spec.firing: the webhook changes the value of the placeholder; render the manifest first\n"},
		{name: "a patch", part: true, given: "spec: {count: 1}", notes: "migrate-not-alike : a webhook cannot convert a part of an object; render the whole object first\n"},
		{name: "placeholders", given: "metadata: {name: '${A}-x', namespace: '${N:=b}'}\nspec: {count: '${C}', potter: '${A}', painter: 'p-${B}', parts: ['${A}']}",
			want:   "metadata: {name: '${A}-x', namespace: '${N:=b}'}\nspec: {amount: '${C}', people: {shape: '${A}', paint: 'p-${B}'}, parts: [{name: '${A}'}], style: old}",
			traces: "spec.count -> spec.amount\nspec.painter -> spec.people.paint\nspec.parts[0] -> spec.parts[0].name\nspec.potter -> spec.people.shape\n"},
		{name: "a placeholder that something is made of", given: "spec: {count: 1, firing: '${A}'}",
			notes: "migrate-not-alike spec.firing: the webhook changes the value of the placeholder; render the manifest first\n"},
		{name: "a placeholder that has to be a duration", given: "spec: {count: 1, bake: '${A}'}",
			notes: "migrate-not-alike spec.bake: the webhook needs the value of the placeholder; render the manifest first\n"},
		{name: "a placeholder for a boolean", given: "spec: {count: 1, fast: '${A}'}",
			notes: "migrate-not-alike spec.fast: the webhook may convert each value of the placeholder differently; render the manifest first\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.To = "v1"
			webhook := &counted{Handler: converter(cups)}
			w := wayTo(t, &Carrier{Options: test.options, Ask: asks(webhook)}, definition(t, read(t, "cups.yaml")), "v1alpha1")
			got := w.Carry(merged(object(t, cup), object(t, test.given)), test.part)
			if notes := strings.ReplaceAll(told(got.Notes), written, ""); notes != test.notes {
				t.Errorf("notes:\n%swant:\n%s", notes, test.notes)
			}
			if all := traced(got.Traces); got.Object != nil && all != test.traces {
				t.Errorf("traces:\n%swant:\n%s", all, test.traces)
			}
			var want Object
			if test.want != "" {
				want = merged(object(t, cup), object(t, test.want))
				want["apiVersion"] = "kiln.example.com/v1"
			}
			if is, wanted := asJSON(got.Object), asJSON(want); is != wanted {
				t.Errorf("it becomes\n%s want\n%s", is, wanted)
			}
			if n := webhook.n.Load(); n > 9 && got.Object != nil { // of the first object: what is learnt there is not asked again
				t.Errorf("%d requests", n)
			}
		})
	}
}

func asJSON(o Object) string {
	encoded, _ := json.Marshal(o)
	return string(encoded)
}

// TestFewRequests has at most five for an object, and two more for what is learnt from the first.
func TestFewRequests(t *testing.T) {
	webhook := &counted{Handler: converter(cups)}
	w := wayTo(t, &Carrier{Options: Options{To: "v1"}, Ask: asks(webhook)}, definition(t, read(t, "cups.yaml")), "v1alpha1")
	const objects = 50
	for i := range objects {
		o := object(t, cup+fmt.Sprintf("spec: {count: %d, bake: 5m, potter: p%d, firing: 900 1240, ref: {apiVersion: a.example.com/v1, name: b}}", i, i))
		if got := w.Carry(o, false); got.Object == nil {
			t.Fatal(told(got.Notes))
		}
	}
	if n := webhook.n.Load(); n > 5*objects+2 {
		t.Errorf("%d requests for %d objects", n, objects)
	}
}
