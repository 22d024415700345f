package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/rules"
)

// kilnCRDs are two kinds: nothing converts kilns, and a webhook converts ovens, whose fuel is called wood in v1.
const kilnCRDs = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kilns.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Kiln, listKind: KilnList, plural: kilns, singular: kiln}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              clay: {type: string, maxLength: 90}
              glaze: {type: string}
              pin: {type: string, maxLength: 90}
              size: {type: string, default: small}
              words: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 90}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              clay: {type: string, maxLength: 3}
              pin: {type: string, maxLength: 90}
              size: {type: string, default: large}
              words: {type: object, maxProperties: 9, additionalProperties: {type: string, enum: [a]}}
            x-kubernetes-validations:
            - {rule: "!has(self.pin)", messageExpression: "'not ' + self.pin"}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ovens.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Oven, listKind: OvenList, plural: ovens, singular: oven}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://kilns.example.com/convert"}}}
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      fuel: {type: string}, lost: {type: string}, fail: {type: string}, flicker: {type: string}}}}}}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      wood: {type: string}, mode: {type: string}, flicker: {type: string}}}}}}}
`

// ovens is a webhook of ovens that dies after so many requests; never for 0. Its errors have values in them.
func ovens(t *testing.T, dies int64) (url string) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var review struct {
			APIVersion, Kind string
			Request          struct {
				UID, DesiredAPIVersion string
				Objects                []map[string]any
			}
		}
		n := requests.Add(1)
		if json.NewDecoder(q.Body).Decode(&review) != nil || dies > 0 && n > dies {
			panic(http.ErrAbortHandler)
		}
		result := map[string]any{"status": "Success"}
		for _, object := range review.Request.Objects {
			object["apiVersion"] = review.Request.DesiredAPIVersion
			spec, _ := object["spec"].(map[string]any)
			if spec == nil {
				continue
			}
			if why, fails := spec["fail"]; fails {
				result = map[string]any{"status": "Failure", "message": fmt.Sprintf("spec.fail: %v is wrong", why)}
			}
			from, to := "wood", "fuel"
			if strings.HasSuffix(review.Request.DesiredAPIVersion, "/v1") {
				from, to = to, from
				spec["mode"] = "Legacy"
			} else {
				delete(spec, "mode")
			}
			if value, found := spec[from]; found {
				spec[to] = value
				delete(spec, from)
			}
			if value, found := spec["flicker"]; found {
				spec["flicker"] = fmt.Sprint(value, n)
			}
			delete(spec, "lost")
		}
		response := map[string]any{"uid": review.Request.UID, "result": result, "convertedObjects": review.Request.Objects}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": review.APIVersion, "kind": review.Kind, "response": response})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/convert"
}

// migrateCanaries are files with a secret at each §, as canaryObjects.
var migrateCanaries = map[string]string{
	"plain.yaml":     "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a, labels: {a: §}, annotations: {§: §}}\nspec: {size: §} # §\n",
	"refused.yaml":   "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {clay: §, words: {§: §}}\n",
	"rule.yaml":      "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {pin: §}\n",
	"lost.yaml":      "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {glaze: §}\n",
	"unknown.yaml":   "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a, uid: §}\nspec: {typo: §, more: {§: §}}\n",
	"wrong.yaml":     "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {clay: [§], words: §}\n",
	"broken.yaml":    "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {clay: [§\n  §: §\n",
	"text.yaml":      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {§: 'example.com/v1beta1 §'}\n---\napiVersion: example.com/v1beta1\nkind: Kiln\nmetadata: {name: b}\n",
	"group.yaml":     "apiVersion: example.org/v1beta1\nkind: Kiln\nmetadata: {name: a}\nspec: {clay: §}\n",
	"template.yaml":  "apiVersion: example.com/v1beta1\nkind: Kiln\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  clay: §\n",
	"oven.yaml":      "apiVersion: example.com/v1beta1\nkind: Oven\nmetadata: {name: a}\nspec: {fuel: §} # §\n",
	"oven-lost.yaml": "apiVersion: example.com/v1beta1\nkind: Oven\nmetadata: {name: a}\nspec: {fuel: §, lost: §}\n",
	"oven-no.yaml":   "apiVersion: example.com/v1beta1\nkind: Oven\nmetadata: {name: a}\nspec: {fail: §}\n",
	"merged.yaml":    "apiVersion: example.com/v1beta1\nkind: Oven\nmetadata:\n  name: a\n  annotations: &a {fuel: §}\nspec:\n  <<: *a\n",
}

// TestMigrateCanaries: no output has a value of an object, whichever rule speaks. What is printed as the file, and diffs, are the user's.
func TestMigrateCanaries(t *testing.T) {
	t.Parallel()
	c := &canaryRun{t, &flock{rand.New(rand.NewPCG(rand.Uint64(), 44)), map[string]bool{}}, t.TempDir(), map[string]bool{}}
	crds := c.write("crds.yaml", kilnCRDs)
	for name, text := range migrateCanaries {
		c.write("files/"+name, c.fill(text))
	}
	written := filepath.Join(c.dir, "written")
	c.write("unstable/flicker.yaml", c.fill("apiVersion: example.com/v1beta1\nkind: Oven\nmetadata: {name: a}\nspec: {flicker: §}\n"))
	args := []string{"migrate", "--config", "off", "--to", "v1", "--crds", crds, "--url", ovens(t, 0)}
	files, unstable := filepath.Join(c.dir, "files"), filepath.Join(c.dir, "unstable")
	formats := []string{"--check"}
	for _, format := range append(report.Formats(), run.FormatHTML) {
		formats = append(formats, "-o", format+"="+written+"."+format)
	}
	said := ""
	for _, more := range [][]string{{"--check", files}, slices.Concat(formats, []string{files}), slices.Concat(formats, []string{unstable}),
		{"--check", "--write-baseline", written + ".yaml", files}, {"--write", "--keep-annotations", files}} {
		var stdout, stderr strings.Builder
		Run(append(args, more...), strings.NewReader(""), &stdout, &stderr)
		outputs := stdout.String() + stderr.String()
		reports, _ := filepath.Glob(written + ".*")
		for _, file := range reports {
			text, _ := os.ReadFile(file)
			outputs += string(text)
		}
		if leak := c.leaks(outputs); leak != "" {
			t.Errorf("%q: a secret in …%s…", more, leak)
		}
		said += outputs
	}
	for _, r := range rules.All() {
		if r.Migration && !strings.Contains(said, r.ID) {
			t.Errorf("%s says nothing, so that nothing is tried", r.ID)
		}
	}
}

// TestMigrateOutlivesWebhook: where the webhook dies in the middle of a run, each file is the old one or what it is to be, and the
// output names those that are the old one.
func TestMigrateOutlivesWebhook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	crds := filepath.Join(dir, "crds.yaml")
	if err := os.WriteFile(crds, []byte(kilnCRDs), 0o600); err != nil {
		t.Fatal(err)
	}
	const count = 30
	old := func(i int) string {
		return fmt.Sprintf("# the oven\napiVersion: example.com/v1beta1\nkind: Oven\nmetadata: {name: oven%d}\nspec:\n  fuel: beech # dry\n", i)
	}
	carried := func(i int) string {
		return fmt.Sprintf("# the oven\napiVersion: example.com/v1\nkind: Oven\nmetadata: {name: oven%d}\nspec:\n  wood: beech # dry\n  mode: Legacy\n", i)
	}
	path := func(i int) string { return filepath.Join(dir, "ovens", fmt.Sprintf("oven%02d.yaml", i)) }
	if err := os.Mkdir(filepath.Join(dir, "ovens"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		if err := os.WriteFile(path(i), []byte(old(i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	migrate := func(url string) (code, whole int, said string) {
		var stdout, stderr strings.Builder
		code = Run([]string{"migrate", "--config", "off", "--to", "v1", "--crds", crds, "--url", url, "-w", filepath.Dir(path(0))}, strings.NewReader(""), &stdout, &stderr)
		for i := range count {
			switch text, err := os.ReadFile(path(i)); {
			case err != nil:
				t.Fatal(err)
			case string(text) == carried(i):
				whole++
			case string(text) != old(i):
				t.Errorf("%s is neither the old one nor the new one:\n%s", path(i), text)
			case !strings.Contains(stdout.String()+stderr.String(), filepath.Base(path(i))):
				t.Errorf("%s stays as it is, and is not named:\n%s", path(i), &stderr)
			}
		}
		return code, whole, stdout.String() + stderr.String()
	}
	code, whole, said := migrate(ovens(t, 40))
	if code != run.ExitTrouble || whole == 0 || whole == count || !strings.Contains(said, "left as they are because the webhook does not respond") {
		t.Errorf("exit code %d, %d files are migrated\n%s", code, whole, said)
	}
	if code, whole, said = migrate(ovens(t, 0)); code != 0 || whole != count {
		t.Errorf("the second run: exit code %d, %d files are migrated\n%s", code, whole, said)
	}
}
