package webhooktest_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/webhooktest"
)

// TestProgram is for the real program, of the repository that the module is in.
func TestProgram(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "crdlift")
	if out, err := exec.Command("go", "build", "-C", "..", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for name, test := range map[string]struct {
		handler string
		want    []string
	}{
		"a webhook that loses nothing": {"identity", []string{"--- PASS: TestWidgets "}},
		"a webhook that loses a field": {"forgetful", []string{
			"--- FAIL: TestWidgets/webhook-data-lost/", "error: v1 → v2 → v1 loses spec.size", "testdata/widgets.yaml:", "the smallest object:",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run", "^TestWidgets$", "-test.v")
			cmd.Env = append(os.Environ(), "WIDGETS="+test.handler, "CRDLIFT="+binary)
			output, err := cmd.CombinedOutput()
			for _, want := range test.want {
				if !strings.Contains(string(output), want) {
					t.Errorf("the output lacks %q (%v)\n%s", want, err, output)
				}
			}
		})
	}
}

// TestWidgets is what TestProgram runs.
func TestWidgets(t *testing.T) {
	webhook := os.Getenv("WIDGETS")
	if webhook == "" {
		return // to be run as a program of its own
	}
	webhooktest.Run(t, webhooktest.Options{CRD: filepath.Join("testdata", "widgets.yaml"), Count: 20, Handler: widgets(webhook == "forgetful")})
}

// widgets converts between versions that are alike, and may forget the size at v2.
func widgets(forgets bool) http.Handler {
	type object = map[string]any
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Request    struct {
				UID               string   `json:"uid"`
				DesiredAPIVersion string   `json:"desiredAPIVersion"`
				Objects           []object `json:"objects"`
			} `json:"request"`
		}
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		if err := decoder.Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result := object{"status": "Success"}
		if to := review.Request.DesiredAPIVersion; to != "example.com/v1" && to != "example.com/v2" {
			result = object{"status": "Failure", "message": "there is no version " + to}
		}
		converted := []object{}
		for _, o := range review.Request.Objects {
			if o == nil {
				http.Error(w, "null is no object", http.StatusBadRequest)
				return
			}
			o["apiVersion"] = review.Request.DesiredAPIVersion
			if o["metadata"] == nil {
				o["metadata"] = object{}
			}
			if spec, ok := o["spec"].(object); ok && forgets {
				delete(spec, "size")
			}
			converted = append(converted, o)
		}
		json.NewEncoder(w).Encode(object{
			"apiVersion": review.APIVersion, "kind": review.Kind,
			"response": object{"uid": review.Request.UID, "convertedObjects": converted, "result": result},
		})
	})
}
