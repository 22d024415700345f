package webhooktest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/crdlift/crdlift/webhooktest"
)

// In a project of kubebuilder, the handler is what conversion.NewWebhookHandler of controller-runtime makes of its scheme.
func ExampleRun() {
	var t *testing.T // of the function TestConversion(t *testing.T)

	// Versions that differ by their names only.
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review map[string]any
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber() // so that large numbers stay what they are
		if err := decoder.Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		request, _ := review["request"].(map[string]any)
		result := map[string]any{"status": "Success"}
		if to := request["desiredAPIVersion"]; to != "example.com/v1" && to != "example.com/v2" {
			result = map[string]any{"status": "Failure", "message": fmt.Sprintf("there is no version %v", to)}
		}
		objects, _ := request["objects"].([]any)
		for _, object := range objects {
			if object, ok := object.(map[string]any); ok {
				object["apiVersion"] = request["desiredAPIVersion"]
				if object["metadata"] == nil { // server-side apply leaves it out, and the API server wants it back
					object["metadata"] = map[string]any{}
				}
			}
		}
		json.NewEncoder(w).Encode(map[string]any{
			"apiVersion": review["apiVersion"],
			"kind":       review["kind"],
			"response": map[string]any{
				"uid": request["uid"], "convertedObjects": objects, "result": result,
			},
		})
	})

	webhooktest.Run(t, webhooktest.Options{
		CRD:     "../../config/crd/bases",
		Handler: handler,
		Samples: []string{"../../config/samples"},
	})
}
