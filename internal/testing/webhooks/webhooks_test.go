package webhooks

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// ask has the handler convert an object.
func ask(t *testing.T, h http.Handler, object map[string]any, to string) map[string]any {
	t.Helper()
	body, err := utiljson.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": map[string]any{"uid": "1", "desiredAPIVersion": "example.com/" + to, "objects": []any{object}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
	var review map[string]any
	if err := utiljson.Unmarshal(w.Body.Bytes(), &review); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	all := objects(review)
	if len(all) != 1 {
		t.Fatalf("converted: %s", w.Body)
	}
	return all[0].(map[string]any)
}

// TestRoundTrip has the correct webhook convert to each version and back.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"},
		"spec": map[string]any{"size": "large", "legacy": "b", "replicas": int64(2)}, "status": map[string]any{"phase": "c"},
	}
	for _, version := range []string{"v2", "v3"} {
		h := Handler("")
		there := ask(t, h, object, version)
		back := ask(t, h, there, "v1")
		delete(of(back, "metadata"), "annotations") // {} is left
		if !reflect.DeepEqual(back, object) {
			t.Errorf("by %s: %v", version, back)
		}
	}
	if there := ask(t, Handler(""), object, "v2"); of(there, "spec")["capacity"] != "large" || of(there, "spec")["legacy"] != nil {
		t.Errorf("at v2: %v", there)
	}
}

// TestFaults has names that differ, and as many faults as are promised.
func TestFaults(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, f := range Faults {
		if names[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		names[f.Name] = true
	}
	if len(names) < 40 {
		t.Errorf("%d faults", len(names))
	}
	if Handler("field-lost") == nil {
		t.Error("no handler")
	}
}
