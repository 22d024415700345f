package main

import (
	"cmp"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// applied are specs that the rows of docs/guides/applying.md are tried with: of the manifest as it was created, as somebody else has made it,
// and as it is applied. What is at the path says what became of it.
var applied = map[string]struct {
	was, edited, is string
	by              string // who edited it
	at              []string
	force           bool
}{
	"creates an undeclared field":                             {is: "{size: s, sise: x}", at: []string{"sise"}},
	"creates a field below an object that declares none":      {is: "{bare: {a: x}}", at: []string{"bare", "a"}},
	"creates a `null` that the CRD does not allow":            {is: "{size: null}", at: []string{"size"}},
	"creates a number instead of a string":                    {is: "{size: 1}", at: []string{"size"}},
	"has `{}` where it had members":                           {was: "{limits: {a: x}}", is: "{limits: {}}", at: []string{"limits"}},
	"omits a field that it had":                               {was: "{size: s, name: x}", is: "{size: s}", at: []string{"name"}},
	"omits a field that it had and somebody edited":           {was: "{size: s, name: x}", edited: "{size: s, name: m}", by: "kubectl-edit", is: "{size: s}", at: []string{"name"}},
	"never had a field that a controller wrote":               {was: "{size: s}", edited: "{size: s, name: m}", is: "{size: s}", at: []string{"name"}},
	"never had an item that a controller added to a list map": {was: "{ports: [{name: a}]}", edited: "{ports: [{name: a}, {name: b}]}", is: "{ports: [{name: a}]}", at: []string{"ports", "1"}},
	"has another value than a controller wrote":               {was: "{size: s}", edited: "{size: m}", is: "{size: s}", at: []string{"size"}},
	"has another value than a controller wrote, forced":       {was: "{size: s}", edited: "{size: m}", is: "{size: s}", at: []string{"size"}, force: true},
	"is a CRD without the injected `caBundle`": {
		was: "{conversion: {webhook: {clientConfig: {url: u}}}}", edited: "{conversion: {webhook: {clientConfig: {url: u, caBundle: b}}}}",
		is: "{conversion: {webhook: {clientConfig: {url: u}}}}", at: []string{"conversion", "webhook", "clientConfig", "caBundle"},
	},
}

// TestApplyingPage tries each row of the table of docs/guides/applying.md, in each way, and holds the ways of the other table against those
// that there are.
func TestApplyingPage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/guides/applying.md")
	server := serverOf(t, []byte(`{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "crates.example.org"},
"spec": {"group": "example.org", "scope": "Namespaced", "names": {"kind": "Crate", "plural": "crates"}, "versions": [{"name": "v1", "served": true, "storage": true,
"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
"size": {"type": "string"}, "name": {"type": "string"}, "bare": {"type": "object"},
"limits": {"type": "object", "additionalProperties": {"type": "string"}},
"ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
  "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
"conversion": {"type": "object", "properties": {"webhook": {"type": "object", "properties": {"clientConfig": {"type": "object", "properties": {
  "url": {"type": "string"}, "caBundle": {"type": "string"}}}}}}}}}}}}}]}}`))
	rows := rowsOf(page, "| the manifest | `server-side` | `client-side` | `replace` |")
	for _, row := range rows {
		try, ok := applied[row[0]]
		if !ok || len(row) != 4 {
			t.Fatalf("nothing tries the row %q", row)
		}
		for i, way := range []lint.Way{lint.ServerSide, lint.ClientSide, lint.ReplacedBy} {
			t.Run(row[0]+" "+string(way), func(t *testing.T) {
				t.Parallel()
				w := writer{t, server.Version("v1"), way, try.force}
				var live request.Object
				if try.was != "" {
					live = w.must(w.write(crateOf(t, try.was), nil))
				}
				if try.edited != "" {
					edited := runtime.DeepCopyJSON(live)
					edited["spec"] = crateOf(t, try.edited)["spec"]
					live = w.must(w.v.Update(edited, live, request.ManagedBy(cmp.Or(try.by, "controller"))))
				}
				is := crateOf(t, try.is)
				if got := w.became(w.write(is, live), is, live, try.at); got != row[i+1] {
					t.Errorf("it is %s, and the page says %s", got, row[i+1])
				}
			})
		}
	}
	if len(rows) != len(applied) {
		t.Errorf("the page has %d rows, and %d are tried", len(rows), len(applied))
	}
	ways := strings.Join(lint.Ways(), " ")
	for _, row := range rowsOf(page, "| client | way | field manager | overwrites fields of others |") {
		if !strings.Contains(ways, strings.Trim(row[1], "`")) {
			t.Errorf("%s applies in an unknown way, %s", row[0], row[1])
		}
	}
}

// rowsOf are the cells of a table below its head.
func rowsOf(page, head string) (rows [][]string) {
	_, table, _ := strings.Cut(page, "\n"+head+"\n")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|\n"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		if !strings.HasPrefix(cells[0], "-") {
			rows = append(rows, cells)
		}
	}
	return rows
}

func crateOf(t *testing.T, spec string) request.Object {
	t.Helper()
	o := request.Object{"apiVersion": "example.org/v1", "kind": "Crate", "metadata": map[string]any{"name": "a", "namespace": "b"}}
	var value any
	if err := yaml.Unmarshal([]byte(spec), &value); err != nil {
		t.Fatal(err)
	}
	o["spec"] = value
	return o
}

// A writer writes manifests in one way.
type writer struct {
	*testing.T
	v     *request.Version
	way   lint.Way
	force bool
}

func (w writer) must(out *request.Outcome) request.Object {
	w.Helper()
	if out.Err != nil || !out.Accepted() {
		w.Fatal(out.Err, out.Causes)
	}
	return out.Object
}

func (w writer) write(manifest, live request.Object) *request.Outcome {
	w.Helper()
	by := request.ManagedBy("client")
	saved, err := apply.Saved(manifest)
	if err != nil {
		w.Fatal(err)
	}
	switch {
	case w.way == lint.ServerSide:
		return w.v.Apply(manifest, live, request.Applier{Manager: "client", Force: w.force})
	case live == nil && w.way == lint.ClientSide:
		return w.v.Create(saved, by)
	case live == nil:
		return w.v.Create(manifest, by)
	case w.way == lint.ClientSide:
		merged, _, err := apply.ClientSide(live, manifest)
		if err != nil {
			w.Fatal(err)
		}
		return w.v.Update(merged, live, by)
	}
	return w.v.Update(apply.Replace(live, manifest), live, by)
}

// became is the word for what a read returns at a path of the spec.
func (w writer) became(out *request.Outcome, manifest, live request.Object, at []string) string {
	if out.Err != nil {
		return out.Err.Error()
	}
	if !out.Accepted() {
		if out.Causes[0].Stage == request.Conflict {
			return "conflict"
		}
		return "rejected"
	}
	sent, isSent := valueAt(manifest["spec"], at)
	had, isThere := valueAt(live["spec"], at)
	read, err := w.v.Store(out.Object)
	if err == nil {
		read, err = w.v.Serve(read)
	}
	if err != nil {
		return err.Error()
	}
	is, stored := valueAt(read["spec"], at)
	switch {
	case !stored && isThere:
		return "removed"
	case !stored:
		return "dropped"
	case !isSent && reflect.DeepEqual(is, had):
		return "stays"
	case reflect.DeepEqual(is, map[string]any{}):
		return "emptied"
	case reflect.DeepEqual(is, sent):
		return "overwritten"
	}
	return "something else"
}

func valueAt(value any, at []string) (any, bool) {
	for _, key := range at {
		if list, ok := value.([]any); ok {
			if key != "1" || len(list) < 2 {
				return nil, false
			}
			value = list[1]
			continue
		}
		m, _ := value.(map[string]any)
		var ok bool
		if value, ok = m[key]; !ok {
			return nil, false
		}
	}
	return value, true
}
