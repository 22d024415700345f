package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/applying"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// appliers is how many objects of each CRD are applied, and rounds in how many parts, with another CRD after each.
const appliers, rounds = 8, 3

// TestApply has today's server apply objects of CRDs that are made at random, with other writes and other CRDs in between, and
// compares each answer, what is in etcd afterwards, and whose the fields are with what internal/request says of the same requests.
// With CRDLIFT_VOLUME=all it tells 2,000 stories.
func TestApply(t *testing.T) {
	s := today(t)
	kinds := 5
	if corpus.All() {
		kinds = 250
	}
	seed := corpus.Seed(t)
	var all []*crdManifest
	for i := range kinds {
		w := &workshop{random: rand.New(rand.NewPCG(seed, uint64(i))), number: i}
		manifest, err := json.Marshal(w.crd())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &crdManifest{file: &file{path: fmt.Sprint("seed ", seed)}, index: i, version: crd.V1, name: w.name(), group: w.group(), json: manifest})
	}
	seen := &codes{of: map[int]int{}}
	each(t, all, func(m *crdManifest, tally *tally) error {
		w := &workshop{random: rand.New(rand.NewPCG(seed, uint64(m.index))), number: m.index, tally: tally, m: m, seen: seen}
		w.crd() // the same again
		return s.inhabit(m, true, tally, w.tell)
	})
	least := 3
	if corpus.All() {
		least = 400
	}
	for _, code := range []int{http.StatusOK, http.StatusCreated, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusInternalServerError} {
		if seen.of[code] < least {
			t.Errorf("%d requests have the code %d, want %d at least", seen.of[code], code, least)
		}
	}
}

// codes counts answers.
type codes struct {
	sync.Mutex
	of map[int]int
}

func (c *codes) add(code int) {
	c.Lock()
	defer c.Unlock()
	c.of[code]++
}

// A workshop makes a CRD, objects of it, and requests.
type workshop struct {
	*resources
	m      *crdManifest
	tally  *tally
	random *rand.Rand
	number int

	versions  []string            // the first is stored
	fields    map[string][]string // the shapes of spec.f0 and so on, by version; "" where there is no such field
	hasStatus bool
	required  bool
	scope     string
	unserved  bool // the version that is not stored
	seen      *codes
	judge     *request.Server
}

func (w *workshop) group() string { return fmt.Sprintf("w%d.example.org", w.number) }
func (w *workshop) name() string  { return "crates." + w.group() }

// A shape is a schema, and values that it takes or, in some version of it, does not.
type shape struct {
	schema string
	values []string
	kin    string // what it may become
}

// shapes are the schemas of fields.
var shapes = map[string]shape{
	"text":    {`{"type":"string"}`, []string{`"x"`, `"y"`, `"z"`}, "number"},
	"short":   {`{"type":"string","maxLength":1,"default":"d"}`, []string{`"x"`, `"y"`, `"zz"`}, "text"},
	"choice":  {`{"type":"string","enum":["x","y"]}`, []string{`"x"`, `"y"`, `"z"`}, "text"},
	"number":  {`{"type":"integer"}`, []string{`1`, `2`, `9007199254740993`, `1.5`}, "text"},
	"share":   {`{"type":"number","default":0.5}`, []string{`1`, `2.5`, `1.0`}, "number"},
	"flag":    {`{"type":"boolean"}`, []string{`true`, `false`}, "text"},
	"time":    {`{"type":"string","format":"date-time"}`, []string{`"2026-01-01T00:00:00Z"`, `"2026-01-02T00:00:00Z"`, `5`}, "text"},
	"port":    {`{"x-kubernetes-int-or-string":true}`, []string{`1`, `"1"`, `"http"`, `{}`}, "text"},
	"maybe":   {`{"type":"string","nullable":true}`, []string{`"x"`, `null`, `"y"`}, "text"},
	"bare":    {`{"type":"object"}`, []string{`{}`, `{"a":"x"}`, `{"a":"y","b":{"c":1}}`}, "object"},
	"open":    {`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"in":{"type":"object","properties":{"a":{"type":"string"}}}}}`, []string{`{}`, `{"a":["x"]}`, `{"in":{"a":"x","b":1}}`, `{"a":["y"],"b":{"c":null}}`}, "object"},
	"object":  {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","default":"b"}}}`, []string{`{}`, `{"a":"x"}`, `{"a":"y","b":"x"}`, `{"b":"y"}`}, "whole"},
	"default": {`{"type":"object","default":{},"properties":{"a":{"type":"string","default":"a"},"b":{"type":"string"}}}`, []string{`{}`, `{"a":"x"}`, `{"b":"x"}`}, "object"},
	"whole":   {`{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, []string{`{}`, `{"a":"x"}`, `{"b":"x"}`}, "object"},
	"texts":   {`{"type":"object","minProperties":1,"additionalProperties":{"type":"string"}}`, []string{`{"a":"x"}`, `{"a":"x","b":"y"}`, `{"b.c":"z"}`, `{}`}, "wholes"},
	"wholes":  {`{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}}`, []string{`{"a":"x"}`, `{"a":"y"}`, `{}`}, "texts"},
	"list":    {`{"type":"array","items":{"type":"string"}}`, []string{`["x"]`, `["x","x"]`, `["y","x"]`, `[]`}, "set"},
	"set":     {`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}`, []string{`["x"]`, `["y","x"]`, `["z"]`, `["x","x"]`, `[]`}, "list"},
	"lists":   {`{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"},"l":{"type":"integer"},"v":{"type":"string"}}}}`, []string{`[{"k":"a","v":"x"}]`, `[{"v":"x"}]`, `[{"k":"a"},{"k":"a"}]`, `[]`}, "map"},
	"map": {`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"l":{"type":"integer"},"v":{"type":"string","default":"v"}}}}`,
		[]string{`[{"k":"a","v":"x"}]`, `[{"k":"b"}]`, `[{"k":"b","v":"y"},{"k":"a"}]`, `[{"k":"a"},{"k":"a"}]`, `[{"v":"x"}]`, `[null]`, `[]`}, "lists"},
	"pairs": {`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"l":{"type":"integer","default":1},"v":{"type":"string"}}}}`,
		[]string{`[{"k":"a","v":"x"}]`, `[{"k":"a","l":1,"v":"y"}]`, `[{"k":"a","l":2},{"k":"a"}]`, `[{"l":2}]`, `[{"k":"a"},{"k":"a","l":1}]`}, "lists"},
	"inner": {`{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`,
		[]string{`{"apiVersion":"v1","kind":"A","metadata":{"name":"x"}}`, `{"apiVersion":"v1","kind":"A","metadata":{"name":"y","labels":{"a":"b"}},"z":1}`, `{"kind":"A"}`, `{"apiVersion":"v1","kind":"A","metadata":{"foo":1}}`}, "open"},
	"objects": {`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string"}}}}`, []string{`[]`, `[{"a":"x"}]`}, "list"},
}

var shapeNames = slices.Sorted(maps.Keys(shapes))

func pick[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }

func (w *workshop) chance(percent int) bool { return w.random.IntN(100) < percent }

// crd makes the first CRD.
func (w *workshop) crd() map[string]any {
	w.versions = []string{"v1", "v2"}
	if w.chance(50) {
		w.versions = []string{"v2", "v1"}
	}
	w.hasStatus, w.required = w.chance(70), w.chance(25)
	if w.scope = "Namespaced"; w.chance(20) {
		w.scope = "Cluster"
	}
	w.fields = map[string][]string{}
	for range 7 {
		one := pick(w.random, shapeNames)
		w.fields["v1"] = append(w.fields["v1"], one)
		w.fields["v2"] = append(w.fields["v2"], w.changed(one, 12))
	}
	return w.manifest()
}

// changed is a shape, or by chance another one or none.
func (w *workshop) changed(name string, percent int) string {
	switch {
	case !w.chance(percent):
		return name
	case name == "" || w.chance(20):
		return pick(w.random, shapeNames)
	case w.chance(60):
		return shapes[name].kin
	}
	return ""
}

// alter makes another CRD of the one before.
func (w *workshop) alter() map[string]any {
	for _, version := range []string{"v1", "v2"} {
		for i, name := range w.fields[version] {
			w.fields[version][i] = w.changed(name, 10)
		}
	}
	if w.chance(20) {
		w.versions = w.versions[:1]
	}
	w.required, w.unserved = w.required != w.chance(20), w.chance(15)
	return w.manifest()
}

func (w *workshop) manifest() map[string]any {
	var versions []any
	for i, name := range w.versions {
		properties := map[string]any{}
		for n, shape := range w.fields[name] {
			if shape != "" {
				properties[fmt.Sprint("f", n)] = parsed(shapes[shape].schema)
			}
		}
		spec := map[string]any{"type": "object", "properties": properties}
		if w.required && w.fields[name][0] != "" {
			spec["required"] = []any{"f0"}
		}
		status := parsed(`{"type":"object","properties":{"phase":{"type":"string"},"seen":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}}`)
		version := map[string]any{"name": name, "served": i == 0 || !w.unserved, "storage": i == 0, "schema": map[string]any{
			"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{"spec": spec, "status": status}},
		}}
		if w.hasStatus {
			version["subresources"] = map[string]any{"status": map[string]any{}}
		}
		versions = append(versions, version)
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": w.name()},
		"spec": map[string]any{
			"group": w.group(), "scope": w.scope, "versions": versions,
			"names": map[string]any{"kind": "Crate", "listKind": "CrateList", "plural": "crates", "singular": "crate"},
		},
	}
}

func parsed(text string) (value any) {
	_ = json.Unmarshal([]byte(text), &value)
	return value
}

// tell has the server and internal/request answer the same requests.
func (w *workshop) tell(r *resources) error {
	w.resources = r
	if err := w.judgeBy(w.m.json); err != nil {
		return err
	}
	w.tally.count("stories", appliers)
	for round := range rounds {
		for i := range appliers {
			for range 3 + w.random.IntN(3) {
				if err := w.ask(fmt.Sprint("o", i)); err != nil {
					return err
				}
			}
		}
		if round == rounds-1 {
			break
		}
		manifest, err := json.Marshal(w.alter())
		if err != nil {
			return err
		}
		w.version = w.versions[0]
		answer, err := w.replace(manifest, fmt.Sprint("Round", round))
		if err != nil {
			return err
		}
		if !answer.ok() {
			w.tally.count("CRDs that the server does not replace", 1, answer.reason())
			return nil
		}
		w.tally.count("CRDs replaced", 1)
		if err := w.judgeBy(manifest); err != nil {
			return err
		}
	}
	return nil
}

func (w *workshop) judgeBy(manifest []byte) error {
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		return err
	}
	w.judge, err = request.New(decoded.Hub)
	return err
}

// content are some fields of an object of a version, now and then such that it does not have or in a form that it does not take.
func (w *workshop) content(version string) map[string]any {
	spec := map[string]any{}
	for i, name := range w.fields[version] {
		if w.chance(3) {
			name = pick(w.random, shapeNames)
		}
		if name == "" && !w.chance(3) || w.chance(45) {
			continue
		}
		if name == "" {
			name = "text"
		}
		values := shapes[name].values
		if !w.chance(10) {
			values = values[:min(2, len(values))]
		}
		spec[fmt.Sprint("f", i)] = parsed(pick(w.random, values))
		if w.chance(2) {
			spec[fmt.Sprint("f", i)] = nil
		}
	}
	if w.chance(3) {
		spec["zz"] = "x"
	}
	o := map[string]any{"spec": spec}
	if w.chance(15) {
		o["status"] = w.status()
	}
	if w.chance(3) {
		delete(o, "spec")
	}
	return o
}

func (w *workshop) status() map[string]any {
	status := map[string]any{}
	if w.chance(80) {
		status["phase"] = pick(w.random, []any{"x", "y", "z", int64(1)})
	}
	if w.chance(30) {
		status["seen"] = parsed(pick(w.random, []string{`["x"]`, `["y","x"]`, `[]`}))
	}
	if w.chance(3) {
		status["zz"] = "x"
	}
	return status
}

// ask makes a request about one object.
func (w *workshop) ask(name string) error {
	before, err := w.inEtcd(name)
	if err != nil {
		return err
	}
	r := applying.Request{Version: pick(w.random, []string{"v1", "v2", w.versions[0]}), Manager: pick(w.random, []string{"flux", "argo", "helm", "kubectl", "ed"})}
	body := map[string]any{"metadata": map[string]any{"name": name, "namespace": "default"}, "apiVersion": w.group() + "/" + r.Version, "kind": "Crate"}
	var patch any = body
	maps.Copy(body, w.content(r.Version))
	metadata := metadataOf(body)
	if w.chance(10) {
		metadata["labels"] = map[string]any{pick(w.random, []string{"a", "b.c/d"}): pick(w.random, []string{"x", "y"})}
	}
	if w.chance(6) {
		owner := map[string]any{"apiVersion": "v1", "kind": "A", "name": "x", "uid": pick(w.random, []string{"1", "2"})}
		metadata["ownerReferences"] = slices.Repeat([]any{owner}, 1+w.random.IntN(5)/4)
	}
	if w.chance(12) {
		last, err := json.Marshal(body)
		if err != nil {
			return err
		}
		metadata["annotations"] = map[string]any{lastApplied: string(last)}
	}
	switch n := w.random.IntN(100); {
	case n < 66:
		r.Op, r.Force, r.DryRun = applying.Apply, w.chance(25), w.chance(4)
		if w.chance(2) {
			metadata["resourceVersion"] = "1"
		}
		if w.chance(1) {
			metadata["uid"] = "u"
		}
		if w.chance(1) {
			body["apiVersion"] = w.group() + "/v3"
		}
		if w.chance(1) {
			metadata["managedFields"] = []any{}
		}
		if w.chance(1) {
			metadata["foo"] = "bar"
		}
		if w.chance(1) {
			r.Manager = ""
		}
	case n < 76:
		r.Op, r.Manager = applying.Merge, pick(w.random, []string{"ed", "ctl"})
		delete(body, "status")
		delete(metadata, "ownerReferences")
		delete(metadata, "labels")
		for key := range child(body, "spec") {
			if w.chance(30) {
				child(body, "spec")[key] = nil
			}
		}
	case n < 82:
		r.Op = applying.Put
		metadata["resourceVersion"] = w.revision(r.Version, name)
	case n < 88:
		r.Op = applying.Post
		if before != nil {
			return w.remove(name)
		}
	case n < 92:
		r.Op = applying.PutStatus
		body["status"] = w.status()
		metadata["resourceVersion"] = w.revision(r.Version, name)
	case n < 97:
		r.Op, r.Manager = applying.ApplyStatus, pick(w.random, []string{"ctl", "flux"})
		body = map[string]any{"apiVersion": body["apiVersion"], "kind": "Crate", "metadata": map[string]any{"name": name}, "status": w.status()}
		patch = body
	default:
		r.Op, r.Manager = applying.JSON, "fix"
		entry := map[string]any{
			"manager": "flux", "operation": pick(w.random, []string{"Apply", "Update"}), "fieldsType": "FieldsV1",
			"apiVersion": w.group() + "/" + pick(w.random, []string{"v1", "v2", "v9"}), "fieldsV1": parsed(`{"f:spec":{"f:f0":{},"f:f1":{}}}`),
		}
		if w.chance(50) {
			entry = map[string]any{}
		}
		patch = []any{map[string]any{"op": "replace", "path": "/metadata/managedFields", "value": []any{entry}}}
	}
	if (r.Op == applying.PutStatus || r.Op == applying.ApplyStatus) && !w.hasStatus {
		return nil
	}
	if r.Body, err = json.Marshal(patch); err != nil {
		return err
	}
	return w.compare(name, before, r)
}

// lastApplied is the annotation of client-side apply, which server-side apply looks at where kubectl is the manager.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// inEtcd is an object as it is in etcd; nil where there is none.
func (r *resources) inEtcd(name string) (map[string]any, error) {
	client, err := etcd()
	if err != nil {
		return nil, err
	}
	found, err := client.Get(context.Background(), r.key(name))
	if err != nil || len(found.Kvs) == 0 {
		return nil, err
	}
	object, err := decodedJSON(found.Kvs[0].Value)
	metadataOf(object)["resourceVersion"] = strconv.FormatInt(found.Kvs[0].ModRevision, 10)
	return object, err
}

// revision is the resourceVersion of an object; nil where it cannot be read.
func (w *workshop) revision(version, name string) any {
	a, err := w.server.request(http.MethodGet, w.path(version, name, ""), nil)
	if err != nil || !a.ok() {
		return nil
	}
	object, _ := a.object()
	return metadataOf(object)["resourceVersion"]
}

func (w *workshop) remove(name string) error {
	_, err := w.server.request(http.MethodDelete, w.path(w.version, name, ""), nil)
	return err
}

// compare has both answer a request.
func (w *workshop) compare(name string, before map[string]any, r applying.Request) error {
	answer, err := w.sendApply(name, r)
	if err != nil {
		return err
	}
	if answer.code == http.StatusGatewayTimeout {
		w.tally.count("not compared: the server took too long", 1)
		return nil
	}
	after, err := w.inEtcd(name)
	if err != nil {
		return err
	}
	judge := &applying.Server{CRD: w.judge, Stored: before}
	expected, err := judge.Do(r)
	if err != nil {
		w.tally.fail("no verdict", w.m, fmt.Sprintf("%s: %v", r.Body, err))
		return nil
	}
	w.seen.add(answer.code)
	w.tally.count("requests", 1)
	w.tally.count(fmt.Sprintf("requests: %s, %d", r.Op, answer.code), 1)
	if why := applyDiffers(answer, expected, after, judge.Stored); why != "" {
		w.tally.fail("a request", w.m, fmt.Sprintf("%s %s by %q (force %v, dry run %v) at %s: %s\n%s\n%s\nbefore: %s\nfields: %v, %s stored",
			r.Op, name, r.Manager, r.Force, r.DryRun, r.Version, r.Body, why, answer.reason(), text(before), w.fields, w.versions[0]))
	}
	return nil
}

func (w *workshop) sendApply(name string, r applying.Request) (answer, error) {
	method, subresource, contentType := http.MethodPatch, "", ""
	query := "?fieldManager=" + r.Manager
	switch r.Op {
	case applying.Apply, applying.ApplyStatus:
		contentType, query = "application/apply-patch+yaml", fmt.Sprintf("%s&force=%v", query, r.Force)
	case applying.Merge:
		contentType = "application/merge-patch+json"
	case applying.JSON:
		contentType = "application/json-patch+json"
	case applying.Post:
		method, name = http.MethodPost, ""
	default:
		method = http.MethodPut
	}
	if method != http.MethodPatch {
		contentType = "application/json"
	}
	if r.Op == applying.ApplyStatus || r.Op == applying.PutStatus {
		subresource = "status"
	}
	if r.DryRun {
		query += "&dryRun=All"
	}
	return w.server.requestOf(method, w.path(r.Version, name, subresource)+query, "application/json", contentType, r.Body)
}

// applyDiffers says in what a server's answer, and what it has stored, are not what was expected.
func applyDiffers(is answer, expected applying.Answer, stored, expectedStored map[string]any) string {
	if is.code != expected.Code {
		return fmt.Sprintf("the code is %d, and not %d for %+v", is.code, expected.Code, expected.Causes)
	}
	if at := valuesDiffer(asOwned(stored), asOwned(expectedStored), "stored"); at != "" {
		return fmt.Sprintf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(stored), text(expectedStored))
	}
	if is.ok() {
		object, err := is.object()
		if err != nil {
			return err.Error()
		}
		if at := valuesDiffer(asOwned(object), asOwned(expected.Object), "the answer"); at != "" {
			return fmt.Sprintf("%s differs: it is\n\t%s\nand not\n\t%s", at, text(object), text(expected.Object))
		}
		return ""
	}
	return causesDiffer(is, expected.Causes)
}

// causesDiffer compares the causes of a rejection. Where the answer has none, it is about one of those that are expected.
func causesDiffer(is answer, expected []request.Cause) string {
	var status metav1.Status
	if err := json.Unmarshal(is.body, &status); err != nil || len(expected) == 0 {
		return ""
	}
	if status.Details == nil || len(status.Details.Causes) == 0 {
		about := func(c request.Cause) bool {
			return strings.Contains(status.Message, c.Field) && (c.Stage != request.Owners || c.Field != "" || c.Detail != "" && strings.Contains(status.Message, c.Detail))
		}
		if !slices.ContainsFunc(expected, about) {
			return fmt.Sprintf("the message is about none of %+v", expected)
		}
		return ""
	}
	var causes, wanted []string
	for _, c := range status.Details.Causes {
		causes = append(causes, string(c.Type)+" "+c.Field)
		if c.Type == metav1.CauseTypeFieldManagerConflict {
			causes[len(causes)-1] = c.Field + " " + c.Message
		}
	}
	for _, c := range expected {
		wanted = append(wanted, string(c.Type)+" "+c.Field)
		if c.Stage == request.Conflict {
			wanted[len(wanted)-1] = c.Field + " " + c.Detail
		}
	}
	slices.Sort(causes)
	slices.Sort(wanted)
	if causes, wanted = slices.Compact(causes), slices.Compact(wanted); !reflect.DeepEqual(causes, wanted) {
		return fmt.Sprintf("the causes are %q, and not %q", causes, wanted)
	}
	return ""
}

// asOwned is an object without what only a server knows and what it drops when it reads metadata, and with managedFields in a fixed order
// and without times.
func asOwned(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	object = runtime.DeepCopyJSON(object)
	metadata, _ := object["metadata"].(map[string]any)
	for _, made := range []string{"uid", "creationTimestamp", "resourceVersion"} {
		delete(metadata, made)
	}
	// An apply leaves null of labels or annotations that it empties. That is in etcd, and no read shows it.
	maps.DeleteFunc(metadata, func(_ string, value any) bool { return value == nil })
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		delete(entry.(map[string]any), "time")
	}
	slices.SortFunc(entries, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return object
}
