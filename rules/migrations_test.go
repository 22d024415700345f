package rules

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// migrations are what carries the objects of a fixture, by the CRDs in the folder above it.
func (f fixture) migrations(t testing.TB) engine.Kind {
	t.Helper()
	at := filepath.Join(fixtureRoot, f.topic, "crds.yaml")
	crds, err := ReadCRDs(lint.File{Path: at, Label: at, Read: func() ([]byte, error) { return os.ReadFile(at) }}, true)
	if err != nil {
		t.Fatal(err)
	}
	by := &Objects{}
	by.Add(crds)
	return (&Migrations{Objects: by, To: "v1", Webhook: Webhook{URL: "http://127.0.0.1/convert", Handler: http.HandlerFunc(convertCandles)}}).kind()
}

// flickers makes answers differ each time.
var flickers atomic.Int64

// convertCandles is a conversion webhook: the wax of v1beta1 is the body of v1, which also has a mode
// that tells those objects apart, and how strong a scent is.
func convertCandles(w http.ResponseWriter, r *http.Request) {
	var review map[string]any
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	request := review["request"].(map[string]any)
	response := map[string]any{"uid": request["uid"], "result": map[string]any{"status": "Success"}}
	var all []any
	for _, one := range request["objects"].([]any) {
		object := one.(map[string]any)
		spec, _ := object["spec"].(map[string]any)
		switch name := object["metadata"].(map[string]any)["name"]; {
		case name == "unlit":
			response["result"] = map[string]any{"status": "Failure", "message": "no candle is made of this"}
		case spec == nil:
		case request["desiredAPIVersion"] == "lights.example.com/v1":
			rename(spec, "wax", "body")
			spec["mode"] = "Legacy"
			if scent, has := spec["scent"].(map[string]any); has {
				scent["strength"] = "faint"
			}
			if name == "flickering" {
				spec["body"] = fmt.Sprint(flickers.Add(1))
			}
		default:
			rename(spec, "body", "wax")
			delete(spec, "mode")
			if scent, has := spec["scent"].(map[string]any); has {
				delete(scent, "strength")
			}
		}
		object["apiVersion"] = request["desiredAPIVersion"]
		all = append(all, object)
	}
	response["convertedObjects"] = all
	delete(review, "request")
	review["response"] = response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

func rename(object map[string]any, from, to string) {
	if value, there := object[from]; there {
		object[to] = value
		delete(object, from)
	}
}
