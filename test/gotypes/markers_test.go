package gotypes

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/marker"
)

// A sample is a value for the keyword of a marker, and the type of a field that may have it.
type sample struct{ of, value string }

// samples are values as JSON, by the markers above a field or above a type that say them. The keyword has that value after
// a run of controller-gen.
var samples = map[string][]sample{
	"x-kubernetes-list-type":               {{"[]string", `"set"`}, {"[]string", `"atomic"`}},
	"x-kubernetes-list-map-keys":           {{"[]Item", `["name"]`}, {"[]Item", `["name","port"]`}},
	"x-kubernetes-map-type":                {{"Item", `"atomic"`}},
	"x-kubernetes-map-type of a map":       {{"map[string]string", `"atomic"`}},
	"maxItems":                             {{"[]string", `12`}},
	"minItems":                             {{"[]string", `1`}},
	"uniqueItems":                          {{"[]string", `true`}},
	"maxProperties":                        {{"map[string]string", `9`}},
	"minProperties":                        {{"map[string]string", `1`}},
	"maxLength":                            {{"string", `63`}},
	"minLength":                            {{"string", `1`}},
	"pattern":                              {{"string", `"^[a-z]{1,3}$"`}, {"string", `"^\\d+(\\.\"x\")?$"`}, {"string", `"^(a|b);,=$"`}},
	"maximum":                              {{"int32", `7`}, {"int32", `-7`}},
	"minimum":                              {{"int32", `-1`}},
	"exclusiveMaximum":                     {{"int32", `true`}},
	"exclusiveMinimum":                     {{"int32", `true`}},
	"multipleOf":                           {{"int32", `2`}},
	"enum":                                 {{"string", `["a","b"]`}, {"string", `["1","true","a b",""]`}, {"int32", `[1,2]`}},
	"format":                               {{"string", `"date-time"`}, {"string", `"ipv4"`}},
	"type":                                 {{"string", `"string"`}},
	"nullable":                             {{"*string", `true`}},
	"default":                              {{"string", `"a"`}, {"string", `"1"`}, {"string", `"a \"b\" ` + "`c`" + `"`}, {"int32", `3`}, {"bool", `false`}, {"[]string", `["a","b"]`}, {"Item", `{}`}, {"Item", `{"name":"a","port":1}`}, {"map[string]string", `{"a.b/c":"d, e: {f}"}`}},
	"x-kubernetes-validations":             {{"string", `[{"rule":"self != \"a,b\"","message":"no \"a,b\""}]`}, {"int32", "[{\"rule\":\"self > 1\",\"message\":\"a `b`\"},{\"rule\":\"self < 9\"}]"}},
	"x-kubernetes-preserve-unknown-fields": {{"Item", `true`}},
	"x-kubernetes-embedded-resource":       {{"Item", `true`}},
	"x-kubernetes-int-or-string":           {{"Any", `true`}},
}

const sampleTypes = `-- go.mod --
module example.com/samples

go 1.24
-- v1/types.go --
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Sample struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec Spec ` + "`json:\"spec,omitempty\"`" + `
}

type Item struct {
	Name string ` + "`json:\"name\"`" + `
	Port int32  ` + "`json:\"port\"`" + `
}

type Any string
`

// TestMarkers writes every marker of a schema with a value, above a field and for the items of a list, and expects
// controller-gen to make that value of it.
func TestMarkers(t *testing.T) {
	var source strings.Builder
	source.WriteString(sampleTypes + "\ntype Spec struct {\n")
	want := map[string]sample{} // by property
	keywords := map[string]string{}
	add := func(row marker.Row, s sample, of string, items bool) {
		var value any
		if err := json.Unmarshal([]byte(s.value), &value); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("f%d", len(want))
		texts := row.Texts(value)
		if len(texts) == 0 {
			t.Errorf("%s has no marker for %s", row.Keyword, s.value)
		}
		if row.Name == "listMapKey" {
			texts = append([]string{"+listType=map"}, texts...)
		}
		for _, text := range texts {
			checkParsed(t, row, text, items)
			fmt.Fprintf(&source, "\t// %s\n", text)
		}
		fmt.Fprintf(&source, "\tF%d %s `json:%q`\n", len(want), of, name+",omitempty")
		keywords[name], _, _ = strings.Cut(row.Keyword, " of ")
		if items {
			name += " items"
		}
		want[name] = s
	}
	for _, row := range marker.All() {
		if row.Place == marker.Kind || row.Keyword == marker.Optional || row.Keyword == marker.Required {
			continue // TestKindMarkers and TestRequired have them
		}
		if len(samples[row.Keyword]) == 0 {
			t.Errorf("there is no sample for %s", row.Keyword)
		}
		for _, s := range samples[row.Keyword] {
			add(row, s, s.of, false)
			if of, ok := row.Items(); ok {
				add(of, s, "[]"+s.of, true)
			}
		}
	}
	source.WriteString("}\n")
	versions, complaints := generate(t, unpackText(t, source.String()), "./v1")
	if complaints != "" || len(versions) != 1 {
		t.Fatalf("%d versions, %s\n%s", len(versions), complaints, source.String())
	}
	checkMade(t, versions[0].schema["properties"].(map[string]any)["spec"].(map[string]any)["properties"].(map[string]any), keywords, want)
}

// checkMade expects the properties of a schema, or their items, to have the values of samples.
func checkMade(t *testing.T, spec map[string]any, keywords map[string]string, want map[string]sample) {
	for name, s := range want {
		property, items := strings.CutSuffix(name, " items")
		node := spec[property].(map[string]any)
		if items {
			node = node["items"].(map[string]any)
		}
		var value any
		if err := json.Unmarshal([]byte(s.value), &value); err != nil {
			t.Fatal(err)
		}
		if got := node[keywords[property]]; !reflect.DeepEqual(got, value) {
			t.Errorf("%s of %s (%s): controller-gen makes %v, not %s", keywords[property], s.of, name, got, s.value)
		}
	}
}

// checkParsed expects a marker to be read as what it was written from.
func checkParsed(t *testing.T, row marker.Row, text string, items bool) {
	t.Helper()
	p, ok := marker.Parse(text)
	if row.Name != "listMapKey" && (!ok || p.Name != row.Name || p.Items != items) {
		t.Errorf("%s is read as %+v", text, p)
	}
}

// unpackText is unpack for an archive that is no file.
func unpackText(t *testing.T, archive string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.txtar")
	if err := os.WriteFile(path, txtar.Format(txtar.Parse([]byte(archive))), 0o600); err != nil {
		t.Fatal(err)
	}
	return unpack(t, path)
}

// kindMarkers are values of what the struct of a kind has markers for, with the path of the value in the manifest.
var kindMarkers = map[string]struct{ value, path string }{
	"subresources.status":      {`{}`, "spec.versions.0.subresources.status"},
	"subresources.scale":       {`{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas","labelSelectorPath":".status.selector"}`, "spec.versions.0.subresources.scale"},
	"additionalPrinterColumns": {`[{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"},{"name":"A, \"b\"","type":"string","format":"byte","priority":1,"description":"x: {y}","jsonPath":".spec.conditions[?(@.type==\"Ready\")].status"}]`, "spec.versions.0.additionalPrinterColumns"},
	"selectableFields":         {`[{"jsonPath":".spec.name"}]`, "spec.versions.0.selectableFields"},
	"storage":                  {`true`, "spec.versions.0.storage"},
	"served":                   {`false`, "spec.versions.0.served"},
	"skipped":                  {`true`, "spec.versions.0.name"},
	"deprecated":               {`true`, "spec.versions.0.deprecated"},
	"deprecationWarning":       {`"use v2; it is, \"better\""`, "spec.versions.0.deprecationWarning"},
	"spec.names.plural":        {`"samplesets"`, "spec.names.plural"},
	"spec.names.singular":      {`"sampleset"`, "spec.names.singular"},
	"spec.names.shortNames":    {`["sa","sb"]`, "spec.names.shortNames"},
	"spec.names.categories":    {`["all"]`, "spec.names.categories"},
	"spec.scope":               {`"Cluster"`, "spec.scope"},
	"metadata.annotations":     {`"example.com/a=b, c"`, "metadata.annotations.example~1com/a"},
	"metadata.labels":          {`"app=sample"`, "metadata.labels.app"},
}

// TestKindMarkers writes every marker of a kind above its struct, one at a time, and expects its value in the manifest.
func TestKindMarkers(t *testing.T) {
	for _, row := range marker.All() {
		if row.Place != marker.Kind {
			continue
		}
		s, ok := kindMarkers[row.Keyword]
		if !ok {
			t.Errorf("there is no sample for %s", row.Keyword)
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(s.value), &value); err != nil {
			t.Fatal(err)
		}
		source := sampleTypes + "\ntype Spec struct {\n\tName string `json:\"name\"`\n}\n"
		var markers strings.Builder
		for _, text := range row.Texts(value) {
			checkParsed(t, row, text, false)
			markers.WriteString("// " + text + "\n")
		}
		marked := strings.Replace(source, "type Sample struct", markers.String()+"type Sample struct", 1)
		if row.Keyword == "served" || row.Keyword == marker.Skipped { // a CRD needs another version then
			_, other, _ := strings.Cut(source, "-- v1/types.go --\n")
			marked += "-- v2/types.go --\n" + strings.NewReplacer("package v1", "package v2", "type Sample struct", "// +kubebuilder:storageversion\ntype Sample struct").Replace(other)
		}
		dir := unpackText(t, marked)
		crd := manifest(t, dir)
		if row.Keyword == marker.Skipped {
			value = "v2" // which is the first then
		}
		if _, pair, ok := strings.Cut(s.value, "="); ok && strings.HasPrefix(row.Keyword, "metadata") {
			value = strings.TrimSuffix(pair, `"`)
		}
		if got := valueAt(crd, s.path); !reflect.DeepEqual(got, value) {
			t.Errorf("%s: controller-gen makes %v of %s", row.Keyword, got, markers.String())
		}
	}
}

// manifest is the one that controller-gen makes of a module.
func manifest(t *testing.T, module string) (crd map[string]any) {
	t.Helper()
	out := t.TempDir()
	if complaints := run(module, out, "./..."); complaints != "" {
		t.Fatal(complaints)
	}
	files, err := filepath.Glob(filepath.Join(out, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
	}
	return crd
}

// valueAt is the value at a path with dots, of which ~1 is one in a key.
func valueAt(value any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[strings.ReplaceAll(step, "~1", ".")]
		case []any:
			value = at[0]
		}
	}
	return value
}

// TestRequired writes the markers of required and optional fields, in each of their spellings.
func TestRequired(t *testing.T) {
	var source strings.Builder
	source.WriteString(sampleTypes + "\ntype Spec struct {\n")
	var want []any
	n := 0
	for _, keyword := range []string{marker.Required, marker.Optional} {
		row, _ := marker.Of(keyword)
		for _, name := range append([]string{row.Name}, row.Others...) {
			n++
			tag := fmt.Sprintf("f%d", n)
			if keyword == marker.Required {
				want = append(want, tag)
				tag += ",omitempty"
			}
			fmt.Fprintf(&source, "\t// +%s\n\tF%d string `json:%q`\n", name, n, tag)
		}
	}
	source.WriteString("}\n")
	crd := manifest(t, unpackText(t, source.String()))
	if got := valueAt(crd, "spec.versions.0.schema.openAPIV3Schema.properties.spec.required"); !reflect.DeepEqual(got, want) {
		t.Errorf("required are %v, want %v", got, want)
	}
}
