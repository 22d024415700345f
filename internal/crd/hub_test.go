package crd

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestDecode(t *testing.T) {
	d, err := only(t, older).Decode()
	if err != nil {
		t.Fatal(err)
	}
	spec := d.Hub.Spec
	if len(spec.Versions) != 1 || !spec.Versions[0].Storage || spec.Scope != "Namespaced" || !*spec.PreserveUnknownFields {
		t.Errorf("v1beta1's defaults are missing: %+v", spec)
	}
	d, err = only(t, newerText).Decode()
	if err != nil {
		t.Fatal(err)
	}
	if d.Hub.Spec.Validation == nil || d.Hub.Spec.Versions[1].Schema != nil || d.Hub.Spec.Scope != "" {
		t.Errorf("v1's equal schemas are not at the top, or it got v1beta1's defaults: %+v", d.Hub.Spec)
	}
	if v1, err := ToV1(d.Hub); err != nil || v1.Spec.Versions[1].Schema == nil {
		t.Errorf("the schema does not come back: %v", err)
	}
	for _, bad := range []string{
		"apiVersion: apiextensions.k8s.io/v2\nkind: CustomResourceDefinition", header + "spec: 5", header + "spec: {group: y}",
		header + "? [a]\n: b", header + "x: .inf",
	} {
		if d, err := only(t, bad).Decode(); err == nil {
			t.Errorf("%s is read as %+v", bad, d.Hub)
		}
	}
}

// TestDecodeV1beta1 reads what Kubernetes 1.21 read differently.
func TestDecodeV1beta1(t *testing.T) {
	read := func(rest string) (string, error) {
		d, err := only(t, strings.Replace(header, "v1", "v1beta1", 1)+rest).Decode()
		if err != nil {
			return "", err
		}
		if d.Hub.Spec.Validation == nil {
			return "", nil
		}
		s := d.Hub.Spec.Validation.OpenAPIV3Schema
		var types []string
		types = append(types, "root "+s.Type)
		for name, p := range s.Properties {
			types = append(types, name+" "+p.Type)
			if p.Items != nil && p.Items.Schema != nil {
				types = append(types, name+" items "+p.Items.Schema.Type+fmt.Sprintf(" %d %q %d", len(p.Items.Schema.Properties), p.Items.Schema.ID, len(p.Items.Schema.XValidations)))
			}
		}
		slices.Sort(types)
		return strings.Join(types, ", "), nil
	}
	for _, test := range []struct{ rest, want string }{
		{"spec: {validation: {openAPIV3Schema: {Type: object, properties: {a: {Type: string}}}}}", "a , root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {TYPE: string}}}}}}", "a , a items string 0 \"\" 0, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {type: object, Type: string, Properties: {Type: {tYpe: x}}}}}}}}", "a , a items object 1 \"\" 0, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {Type: string, type: object, iD: x}}}}}}", "a , a items object 0 \"x\" 0, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {Properties: {b: {}}, properties: {a: {}}}}}}}}", "a , a items  2 \"\" 0, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {Items: {type: string}, items: {items: {\"de\u017fcription\": 5, default: {Type: 1}}}}}}}", ""},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {X-Kubernetes-Validations: x, type: string}}}}}}", "a , a items string 0 \"\" 0, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {x-kubernetes-validations: [{rule: x}], type: string}}}}}}", "a , a items string 0 \"\" 1, root "},
		{"spec: {validation: {openAPIV3Schema: {properties: {a: {items: {x-kubernetes-validations: x, type: string}}}}}}", "a , a items string 0 \"\" 0, root "},
		{"spec: {selectableFields: 5, versions: [{selectableFields: x}]}\nstatus: {observedGeneration: x, conditions: [{observedGeneration: []}]}", ""},
		{"metadata: {managedFields: [{subresource: {}}], clusterName: null}", ""},
	} {
		got, err := read(test.rest)
		if wantError := strings.Contains(test.rest, "\u017f"); (err != nil) != wantError || got != test.want {
			t.Errorf("%s\nis read as %q, %v; want %q", test.rest, got, err, test.want)
		}
	}
	for _, bad := range []string{"metadata: {clusterName: 5}", "spec: {selectableFields: 5, group: []}", "spec: {validation: {openAPIV3Schema: {items: {Type: 5}}}}",
		"spec: {validation: {openAPIV3Schema: {items: {Type: true, type: string}}}}",
	} {
		if _, err := read(bad); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// strictPath turns a path of upstream's strict decoding ("a.b[0].key.c") into steps.
func strictPath(path string) string { return strings.Join(Steps(path), "/") }

var quoted = regexp.MustCompile(`^unknown field "(.*)"$`)

// TestUnknownFields compares with upstream's strict decoding, which does not look into items and additionalProperties.
func TestUnknownFields(t *testing.T) {
	for _, text := range []string{
		header + "spec: {version: v1, validation: {}, versions: [{name: v1, Schema: {}, schema: {openAPIV3Schema: {foo: 1, properties: {a: {readOnly: true}}}}}]}\nstatus: {x: 1}\nmetadata: {labels: {a: b}, finaliser: []}\nextra: 1\n",
		header + "spec: {conversion: {webhookClientConfig: {}, webhook: {clientConfig: {URL: x}}}, versions: [{additionalPrinterColumns: [{JSONPath: .a}]}]}\n",
		strings.Replace(header, "v1", "v1beta1", 1) + "spec: {validation: {openAPIV3Schema: {default: {any: thing}, enum: [{x: 1}], allOf: [{Type: x}], not: {z: 1}}}, names: {Kind: X}}\n",
		header + "spec: &s {names: {a: 1}, versions: [{name: v1}]}\n",
	} {
		c := only(t, text)
		d, err := c.Decode()
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, err := range d.Strict {
			if m := quoted.FindStringSubmatch(err.Error()); m != nil {
				want = append(want, strictPath(m[1]))
			}
		}
		for _, u := range c.UnknownFields() {
			got = append(got, strings.Join(Steps(u.Place.Path), "/"))
			if k, v := Lookup(u.Parent, u.Key.Value); k != u.Key || v != u.Place.Node {
				t.Errorf("%s is not the entry of its parent", u.Place.Path)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %v\nwant %v", text, got, want)
		}
	}
	c := only(t, header+"spec: {versions: [{schema: {openAPIV3Schema: {items: {readOnly: true, Type: x}, additionalProperties: {foo: 1}}}}]}\n")
	var got []string
	for _, u := range c.UnknownFields() {
		got = append(got, u.Place.Path+" "+u.Meant)
	}
	const schema = "spec.versions[0].schema.openAPIV3Schema."
	if want := []string{schema + "items.readOnly ", schema + "items.Type type", schema + "additionalProperties.foo "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzDecode looks for manifests that make decoding panic, or rewriting change what a plain decoder reads.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{older, newerText, "{\"apiVersion\":\"apiextensions.k8s.io/v1beta1\",\"kind\":\"CustomResourceDefinition\",\"spec\":{\"validation\":{\"openAPIV3Schema\":{\"items\":{\"Type\":1}}}}}"} {
		f.Add(text)
	}
	fixtures, _ := filepath.Glob(filepath.Join("..", "apiserver", "testdata", "*", "*.yaml"))
	for _, path := range fixtures {
		if src, err := os.ReadFile(path); err == nil {
			for doc := range strings.SplitSeq(string(src), "\n---\n") {
				f.Add(doc)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Parse([]byte(text)) {
			asUpstream(t, "input", c)
			d, err := c.Decode()
			if err != nil {
				if strings.HasPrefix(err.Error(), "decoding failed: ") {
					t.Errorf("panic: %v", err)
				}
				continue
			}
			if _, err := ToV1(d.Hub); err != nil {
				t.Errorf("it cannot be converted: %v", err)
			}
		}
	})
}

// TestToHubLetsGo keeps the internal type from keeping the object that it was converted from, which is as large.
func TestToHubLetsGo(t *testing.T) {
	t.Parallel()
	convert := func() (*Object, weak.Pointer[v1.CustomResourceDefinition]) {
		obj := &v1.CustomResourceDefinition{}
		if !decodeNodes(only(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{name: v1}]}").Node, obj) {
			t.Fatal("it is not read")
		}
		d, err := toHub(obj, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d, weak.Make(obj)
	}
	d, from := convert()
	runtime.GC()
	if from.Value() != nil {
		t.Error("what it was converted from is still there")
	}
	runtime.KeepAlive(d)
}
