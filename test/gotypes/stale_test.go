package gotypes

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/marker"
)

// notCompared are the changes of types that manifests are not reported for, with the reasons.
var notCompared = map[string]string{
	`add type "string"`:             "it says what the field is anyway",
	`add items of type "string"`:    "it says what the elements are anyway",
	`remove type "string"`:          "it says what the field is anyway",
	`remove items of type "string"`: "it says what the elements are anyway",

	"add x-kubernetes-int-or-string true":             ofTypes,
	"add items of x-kubernetes-int-or-string true":    ofTypes,
	"remove x-kubernetes-int-or-string true":          ofTypes,
	"remove items of x-kubernetes-int-or-string true": ofTypes,

	"remove x-kubernetes-preserve-unknown-fields true":          ofTypes,
	"remove items of x-kubernetes-preserve-unknown-fields true": ofTypes,
	"remove x-kubernetes-embedded-resource true":                ofTypes,
	"remove items of x-kubernetes-embedded-resource true":       ofTypes,

	`change default {} to {"name":"a","port":1}`: "values that are objects are not read",
	`change default {"name":"a","port":1} to {}`: "values that are objects are not read",

	"a text where there is none":  ofTools,
	"no text where there is one":  ofTools,
	"add metadata.annotations":    ofTools,
	"remove metadata.annotations": ofTools,
	"add metadata.labels":         ofTools,
	"remove metadata.labels":      ofTools,

	"add spec.names.plural": "controller-gen writes another file then",
}

const (
	ofTypes = "types make it, too, without a marker"
	ofTools = "tools add and remove it"
)

// A staleField is a field of the fixture, without its markers, and these.
type staleField struct {
	keyword string
	value   string // as JSON, for messages
	of      string
	texts   []string
}

// staleFields are a field for each sample of each marker, above it and, where there is a marker for that, for the elements.
func staleFields(t *testing.T) (all []staleField) {
	for _, row := range marker.All() {
		for _, s := range samples[row.Keyword] {
			var value any
			if err := json.Unmarshal([]byte(s.value), &value); err != nil {
				t.Fatal(err)
			}
			add := func(keyword, of string, row marker.Row) {
				texts := row.Texts(value)
				if row.Name == "listMapKey" {
					texts = append([]string{"+listType=map"}, texts...)
				}
				all = append(all, staleField{keyword, s.value, of, texts})
			}
			add(row.Keyword, s.of, row)
			if of, ok := row.Items(); ok {
				add("items of "+row.Keyword, "[]"+s.of, of)
			}
		}
	}
	return all
}

// typesOf is the source of the fixture with these fields, some with their markers.
func typesOf(fields []staleField, marked func(i int) bool) string {
	var source strings.Builder
	_, types, _ := strings.Cut(sampleTypes, "-- v1/types.go --\n")
	source.WriteString(types + "\ntype Spec struct {\n")
	for i, f := range fields {
		fmt.Fprintf(&source, "\t// F%d is a field.\n", i)
		if marked(i) {
			for _, text := range f.texts {
				fmt.Fprintf(&source, "\t// %s\n", text)
			}
		}
		fmt.Fprintf(&source, "\tF%d %s `json:\"f%d,omitempty\"`\n", i, f.of, i)
	}
	source.WriteString("}\n")
	return source.String()
}

// sampleManifest is the file that controller-gen makes of the fixture.
const sampleManifest = "crds/example.com_samples.yaml"

// generated returns a module with these types, and the manifest that controller-gen makes of them.
func (r *recall) generated(t *testing.T, source string) (module string) {
	t.Helper()
	head, _, _ := strings.Cut(sampleTypes, "-- v1/types.go --\n")
	module = unpackText(t, head+"-- v1/types.go --\n"+source)
	if complaints := run(module, filepath.Join(module, "crds"), "./..."); complaints != "" {
		t.Fatal(complaints)
	}
	if found := r.stale(t, module, source); found {
		t.Errorf("the manifest is new, and differs from\n%s", source)
	}
	return module
}

// stale reports whether crdlift reports the manifest of a module for the types in another source.
func (r *recall) stale(t *testing.T, module, source string) bool {
	t.Helper()
	if err := os.WriteFile(filepath.Join(module, "v1", "types.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	lint := exec.Command(r.crdlift, "lint", "--config", "off", "--only", "manifest-stale", "-q", "--fail-on", "never", "-o", "json", sampleManifest)
	lint.Dir, lint.Stderr = module, os.Stderr
	out, err := lint.Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct{ Findings []lintFinding }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return len(report.Findings) > 0
}

// A recall counts which changes of types manifest-stale reports a manifest for.
type recall struct {
	crdlift           string // the program
	changes, reported int
	met               map[string]bool // of notCompared
}

// expect counts a change that is reported or, for a reason, is not.
func (r *recall) expect(t *testing.T, change string, reported bool) {
	t.Helper()
	r.changes++
	if reported {
		r.reported++
		return
	}
	if notCompared[change] == "" {
		t.Errorf("%s: the manifest is not reported", change)
	}
	r.met[change] = true
}

// TestStale changes the types of a manifest in every way that markers and declarations have, one at a time, and expects
// the manifest to be reported. Of the types that it was made from, nothing is.
func TestStale(t *testing.T) {
	r := &recall{crdlift: filepath.Join(t.TempDir(), "crdlift"), met: map[string]bool{}}
	if said, err := exec.Command("go", "build", "-C", "../..", "-o", r.crdlift, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	r.fields(t)
	r.declarations(t)
	r.kinds(t)
	for change := range maps.Keys(notCompared) {
		if !r.met[change] {
			t.Errorf("%s: reported, or not there: %s", change, notCompared[change])
		}
	}
	t.Logf("%d of %d changes are reported", r.reported, r.changes)
}

// fields adds, removes and changes the markers of fields.
func (r *recall) fields(t *testing.T) {
	fields := staleFields(t)
	for _, way := range []string{"add ", "remove "} {
		removes := way == "remove "
		module := r.generated(t, typesOf(fields, func(int) bool { return removes }))
		for i, f := range fields {
			r.expect(t, way+f.keyword+" "+f.value, r.stale(t, module, typesOf(fields, func(k int) bool { return (k == i) != removes })))
		}
		if !removes {
			continue
		}
		for i, f := range fields {
			for _, other := range fields {
				if other.keyword != f.keyword || other.of != f.of || other.value == f.value {
					continue
				}
				changed := slices.Clone(fields)
				changed[i].texts = other.texts
				r.expect(t, "change "+f.keyword+" "+f.value+" to "+other.value, r.stale(t, module, typesOf(changed, func(int) bool { return true })))
			}
		}
	}
}

// declarations are changes of the types besides their markers.
var declarations = map[string][2]string{
	"add a field":                  {"\t// Name of it.", "\tOther string `json:\"other,omitempty\"`\n\t// Name of it."},
	"remove a field":               {"\tCount int32 `json:\"count\"`\n", ""},
	"rename a field":               {"`json:\"count\"`", "`json:\"number\"`"},
	"take a field out of the JSON": {"`json:\"count\"`", "`json:\"-\"`"},
	"another text of a field":      {"// Name of it.", "// How it is called."},
	"another text of a type":       {"// Part is a part.", "// Part is a piece."},
	"another text of the kind":     {"// Thing is a sample.", "// Thing is an example."},
	"a text where there is none":   {"\tCount int32", "\t// Count is how many.\n\tCount int32"},
	"no text where there is one":   {"\t// Name of it.\n", ""},
	"a string as a number":         {"\tName string `json:\"name\"`\n\tCount", "\tName int32 `json:\"name\"`\n\tCount"},
	"a number as a string":         {"Count int32", "Count string"},
	"a number of another size":     {"Count int32", "Count int64"},
	"a number as true or false":    {"Count int32", "Count bool"},
	"one value as a list":          {"Count int32", "Count []int32"},
	"a list as one value":          {"Parts []Part", "Parts Part"},
	"a list as a map":              {"Parts []Part", "Parts map[string]Part"},
	"a list of other values":       {"Names []string", "Names []int32"},
	"a struct as text":             {"Part Part", "Part string"},
	"a field that is optional now": {"`json:\"count\"`", "`json:\"count,omitempty\"`"},
	"a field that is required now": {"`json:\"names,omitempty\"`", "`json:\"names\"`"},
	"a field of an inlined struct": {"\tSize int32 `json:\"size\"`\n", ""},
	"a struct that is inlined":     {"\tInlined `json:\",inline\"`\n", ""},
	"another type by name":         {"Part Part", "Part Inlined"},
}

const declared = `
// Thing is a sample.
type Spec struct {
	// Name of it.
	Name string ` + "`json:\"name\"`" + `
	Count int32 ` + "`json:\"count\"`" + `
	Names []string ` + "`json:\"names,omitempty\"`" + `
	Parts []Part ` + "`json:\"parts,omitempty\"`" + `
	Part Part ` + "`json:\"part\"`" + `
	Inlined ` + "`json:\",inline\"`" + `
}

// Part is a part.
type Part struct {
	Title string ` + "`json:\"title\"`" + `
}

type Inlined struct {
	Size int32 ` + "`json:\"size\"`" + `
}
`

// declarations changes what declares fields.
func (r *recall) declarations(t *testing.T) {
	_, types, _ := strings.Cut(sampleTypes, "-- v1/types.go --\n")
	source := types + declared
	module := r.generated(t, source)
	for _, change := range slices.Sorted(maps.Keys(declarations)) {
		edit := declarations[change]
		if strings.Count(source, edit[0]) != 1 {
			t.Fatalf("%s: %q is not there once", change, edit[0])
		}
		r.expect(t, change, r.stale(t, module, strings.Replace(source, edit[0], edit[1], 1)))
	}
}

// kinds adds and removes the markers of the struct of the kind.
func (r *recall) kinds(t *testing.T) {
	_, types, _ := strings.Cut(sampleTypes, "-- v1/types.go --\n")
	plain := types + "\ntype Spec struct {\n\tName string `json:\"name\"`\n}\n"
	without := r.generated(t, plain)
	for _, row := range marker.All() {
		if row.Place != marker.Kind || row.Keyword == "served" || row.Keyword == marker.Skipped || row.Keyword == "storage" {
			continue // a CRD needs another version then
		}
		var value any
		if err := json.Unmarshal([]byte(kindMarkers[row.Keyword].value), &value); err != nil {
			t.Fatal(err)
		}
		marked := strings.Replace(plain, "type Sample struct", "// "+strings.Join(row.Texts(value), "\n// ")+"\ntype Sample struct", 1)
		r.expect(t, "add "+row.Keyword, r.stale(t, without, marked))
		if row.Keyword == "spec.names.plural" {
			continue // another CRD
		}
		r.expect(t, "remove "+row.Keyword, r.stale(t, r.generated(t, marked), plain))
	}
}
