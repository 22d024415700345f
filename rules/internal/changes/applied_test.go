package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// TestAppliedAgrees holds what applying a manifest to a CRD comes to against what a server did.
func TestAppliedAgrees(t *testing.T) {
	root := os.Getenv("CRDLIFT_CORPUS")
	if root == "" {
		root = "../../../../shared"
	}
	folders, _ := filepath.Glob(filepath.Join(root, "cases/apply/crd-*"))
	if len(folders) == 0 {
		t.Skip("no cases of CRDs below " + root)
	}
	if len(folders) < 23 {
		t.Errorf("only %d cases", len(folders))
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			read := func(name string) *crd.CRD {
				src, err := os.ReadFile(filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				return crd.Parse(src)[0]
			}
			var want struct {
				Way      string
				Expected struct {
					Code    int
					Message string
					Spec    map[string]any
				}
			}
			src, _ := os.ReadFile(filepath.Join(folder, "expected.json"))
			if err := json.Unmarshal(src, &want); err != nil {
				t.Fatal(err)
			}
			way, manager := lint.ReplacedBy, ""
			switch {
			case strings.HasPrefix(want.Way, "server-side"):
				way, manager = lint.ServerSide, "flux"
			case strings.HasPrefix(want.Way, "client-side"), strings.HasPrefix(want.Way, "merge patch"):
				way = lint.ClientSide
			}
			s, err := standingOf(read("live.yaml"), manager)
			if err != nil {
				t.Fatal(err)
			}
			got, spec := judged(t, s, read("manifest.yaml"), way)
			if got != want.Expected.Code {
				t.Errorf("code %d, want %d: %s", got, want.Expected.Code, want.Expected.Message)
			}
			delete(want.Expected.Spec, "versions")
			if a, b := asJSON(spec), asJSON(want.Expected.Spec); got == 200 && a != b {
				t.Errorf("spec\n%s, want\n%s", a, b)
			}
		})
	}
}

// judged is the answer to a manifest that is applied, and what is there then, without versions.
func judged(t *testing.T, s *standing, c *crd.CRD, way lint.Way) (code int, spec map[string]any) {
	t.Helper()
	manifest, err := written(c)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := s.with(manifest, way)
	if d, _ := c.Decode(); err != nil || way == lint.ServerSide && !known(d, c) {
		return 500, nil // what the older manifest could not have is rejected by its type
	}
	is, err := decoded(merged)
	if err != nil {
		t.Fatal(err)
	}
	was, err := decoded(s.live.Object)
	if err != nil {
		t.Fatal(err)
	}
	if v := apiserver.OnUpdate(is, was, crd.V1); len(v.Errors) > 0 {
		t.Log(v.Errors)
		return 422, nil
	}
	v1, err := crd.ToV1(is)
	if err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(asJSON(v1.Spec)), &spec)
	delete(spec, "versions")
	return 200, spec
}

func known(d *crd.Object, c *crd.CRD) bool {
	raw, _ := json.Marshal(must(written(c)))
	again, err := crd.DecodeJSON(raw, crd.V1)
	return err == nil && len(again.Strict) == 0
}

func must[T any](v T, _ error) T { return v }

func asJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// TestApplied has the situations of those cases in short: who wrote what, what the manifest has instead, and what comes of it.
func TestApplied(t *testing.T) {
	const (
		webhook   = `"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":{"namespace":"a","name":"b","path":"/c"}}}}`
		hookLive  = `"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"caBundle":"Q0E=","service":{"namespace":"a","name":"b","path":"/c","port":443}}}}`
		none      = `"conversion":{"strategy":"None"}`
		keeps     = `"preserveUnknownFields":true`
		hookOwned = `"f:conversion":{"f:strategy":{},"f:webhook":{"f:conversionReviewVersions":{},"f:clientConfig":{"f:service":{"f:namespace":{},"f:name":{},"f:path":{}}}}}`
	)
	apply, update := "Apply", "Update"
	flux, kubectl, create, helm := "flux", "kubectl-client-side-apply", "kubectl-create", "helm"
	// by is who wrote live, last what the annotation of kubectl apply has; x is another field of spec, names those in names
	for name, test := range map[string]struct {
		live, last    string
		by, operation string
		manifest      string
		way           lint.Way
		code          int
		has           string // in spec afterwards, "!" before what it has not
	}{
		"server-side same":               {hookLive, "", flux, apply, webhook, lint.ServerSide, 200, "Q0E="},
		"server-side without":            {hookLive, "", flux, apply, "", lint.ServerSide, 422, ""},
		"server-side none":               {hookLive, "", flux, apply, none, lint.ServerSide, 422, ""},
		"server-side status":             {"", "", flux, apply, `"status":{"storedVersions":[]}`, lint.ServerSide, 200, "None"},
		"server-side unknown":            {"", "", flux, apply, `"foo":1`, lint.ServerSide, 500, ""},
		"server-side names gone":         {`"shortNames":["gg"],"categories":["all"]`, "", flux, apply, "", lint.ServerSide, 200, "!gg"},
		"created, server-side names":     {`"shortNames":["gg"],"categories":["all"]`, "", create, update, "", lint.ServerSide, 200, "gg"},
		"created, client-side names":     {`"shortNames":["gg"],"categories":["all"]`, "", create, update, "", lint.ClientSide, 200, "gg"},
		"client-side, client-side names": {`"shortNames":["gg"]`, `"shortNames":["gg"]`, kubectl, update, "", lint.ClientSide, 200, "!gg"},
		"created, replaced names":        {`"shortNames":["gg"]`, "", create, update, "", lint.ReplacedBy, 200, "!gg"},
		"client-side same":               {hookLive, webhook, kubectl, update, webhook, lint.ClientSide, 200, "Q0E="},
		"client-side without":            {hookLive, webhook, kubectl, update, "", lint.ClientSide, 200, "None"},
		"client-side none":               {hookLive, webhook, kubectl, update, none, lint.ClientSide, 200, "!Q0E="},
		"created, client-side none":      {hookLive, "", create, update, none, lint.ClientSide, 422, ""},
		"created, client-side without":   {hookLive, "", create, update, "", lint.ClientSide, 200, "Q0E="},
		"client-side, flux without":      {hookLive, webhook, kubectl, update, "", lint.ServerSide, 200, "Q0E="},
		"client-side, flux none":         {hookLive, webhook, kubectl, update, none, lint.ServerSide, 422, ""},
		"Helm same":                      {hookLive, "", helm, update, webhook, lint.ClientSide, 200, "Q0E="},
		"Helm without":                   {hookLive, "", helm, update, "", lint.ClientSide, 200, "None"},
		"Helm none":                      {hookLive, "", helm, update, none, lint.ClientSide, 200, "!Q0E="},
		"replaced same":                  {hookLive, "", create, update, webhook, lint.ReplacedBy, 200, "!Q0E="},
		"replaced without":               {hookLive, "", create, update, "", lint.ReplacedBy, 200, "None"},
		"keeps, server-side default":     {keeps, "", flux, apply, `default`, lint.ServerSide, 422, ""},
		"keeps, server-side false":       {keeps, "", flux, apply, `"preserveUnknownFields":false,default`, lint.ServerSide, 200, "!true"},
		"keeps, client-side default":     {keeps, `"scope":"Namespaced"`, kubectl, update, `default`, lint.ClientSide, 422, ""},
		"keeps, replaced default":        {keeps, "", create, update, `default`, lint.ReplacedBy, 200, "!true"},
		"keeps, server-side without":     {keeps, "", flux, apply, "", lint.ServerSide, 200, "true"},
	} {
		t.Run(name, func(t *testing.T) {
			owned := `"f:group":{},"f:scope":{},"f:versions":{},"f:names":{"f:kind":{},"f:plural":{},"f:shortNames":{},"f:categories":{}}`
			if strings.Contains(test.live, "Webhook") {
				owned += "," + hookOwned
			}
			entries := `{"manager":"` + test.by + `","operation":"` + test.operation + `","apiVersion":"apiextensions.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{` + owned + `}}},` +
				`{"manager":"cainjector","operation":"Update","apiVersion":"apiextensions.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:conversion":{"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}}}}}`
			metadata := `"managedFields":[` + entries + `]`
			if test.last != "" {
				metadata += `,"annotations":{"kubectl.kubernetes.io/last-applied-configuration":` + asJSON(gadget(test.last, "")) + `}`
			}
			s, err := standingOf(crd.Parse([]byte(gadget(test.live, metadata+`,"uid":"a"`)))[0], map[bool]string{true: flux}[test.way == lint.ServerSide])
			if err != nil {
				t.Fatal(err)
			}
			code, spec := judged(t, s, crd.Parse([]byte(gadget(test.manifest, "")))[0], test.way)
			if code != test.code {
				t.Errorf("code %d, want %d", code, test.code)
			}
			without, not := strings.CutPrefix(test.has, "!")
			if test.has != "" && strings.Contains(asJSON(spec), without) == not {
				t.Errorf("spec is %s, want %s", asJSON(spec), test.has)
			}
		})
	}
}

// gadget is a CRD in JSON with another field of its spec, its names or itself, and more metadata.
func gadget(field, metadata string) string {
	spec, names, status, schema := "", "", "", `{"type":"string"}`
	field, defaulted := strings.CutSuffix(field, "default")
	if field = strings.TrimSuffix(field, ","); defaulted {
		schema = `{"type":"string","default":"x"}`
	}
	switch {
	case field == "":
	case strings.HasPrefix(field, `"shortNames"`):
		names = "," + field
	case strings.HasPrefix(field, `"status"`):
		status = "," + field
	case field != `"scope":"Namespaced"`:
		spec = "," + field
	}
	if metadata != "" {
		metadata = "," + metadata
	}
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"gadgets.example.com"` + metadata + `},"spec":{"group":"example.com","scope":"Namespaced",` +
		`"names":{"kind":"Gadget","plural":"gadgets"` + names + `},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":` + schema + `}}}}}}]` + spec + `}` + status + `}`
}
