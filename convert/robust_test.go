package convert_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// options are all ways to convert.
var options = []policy.Options{
	{},
	{Policy: policy.Idiomatic, UnapprovedAPI: true},
	{UnknownFields: policy.Root, UpgradeInPlace: true, KeepStatus: true},
	{UnknownFields: policy.Prune},
	{MissingTypes: policy.Infer, UnapprovedAPI: true},
}

// checkSound converts a text in every way. Whatever the text is, nothing may panic, a result must pass Verify, and
// converting it again must change nothing.
func checkSound(t *testing.T, path string, src []byte) {
	t.Helper()
	for _, opt := range options {
		res, err := convert.File(path, src, opt)
		var syntax *manifest.SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%s: %+v: %v", path, opt, err)
			continue
		}
		for _, c := range res.CRDs {
			for _, n := range c.Notes {
				if strings.Contains(n.Message, "a fault of crdlift") {
					t.Errorf("%s:%d: %+v: %s", path, c.Line, opt, n.Message)
				}
			}
		}
		if err == nil && res.Template == "" {
			if err := convert.Verify(path, src, res); err != nil {
				t.Errorf("%s: %+v: %v", path, opt, err)
			}
		}
		again, err := convert.File(path, res.Output, opt)
		if again == nil || err != nil && !errors.As(err, &syntax) {
			t.Errorf("%s: %+v: the second run fails: %v", path, opt, err)
		} else if !bytes.Equal(again.Output, res.Output) {
			t.Errorf("%s: %+v: a second run changes the result:\n%s", path, opt, difference(res.Output, again.Output))
		}
	}
}

// TestHostileCorpus converts everything that a folder walk finds: files that do not parse, parts of CRDs, manifests
// that servers reject, and v1 manifests.
func TestHostileCorpus(t *testing.T) {
	for _, folder := range []string{"broken", "fragments", "../cases", "pairs", "v1"} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			nth := 2
			if folder == "v1" || folder == "pairs" {
				nth = 20 // the ways to convert are many, and these files large
			}
			files := corpus.Sample(t, corpus.Files(t, folder), nth)
			forEach(files, func(path string) {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Error(err)
				} else if ext := filepath.Ext(path); ext == ".yaml" || ext == ".yml" || ext == ".json" {
					checkSound(t, path, src)
				}
			})
		})
	}
}

// TestCorpusV1 converts manifests that are v1 already: those that a server accepts come out as they went in.
func TestCorpusV1(t *testing.T) {
	var files, there, converted, person int
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1"), 4) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		res, err := convert.File(path, src, policy.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		files++
		changed := false
		for _, c := range res.CRDs {
			switch c.State {
			case policy.AlreadyThere:
				there++
			case policy.Converted:
				converted++
				changed = true
				t.Logf("%s:%d: repaired", path, c.Line)
			default:
				person++
				t.Logf("%s:%d: %s", path, c.Line, c.Notes[0].Message)
			}
		}
		if !changed && !bytes.Equal(src, res.Output) {
			t.Errorf("%s was changed though no CRD was converted", path)
		}
	}
	t.Logf("%d files: %d CRDs need nothing, %d were repaired, %d need a person", files, there, converted, person)
}

func FuzzConvert(f *testing.F) {
	inputs, err := filepath.Glob("../testdata/convert/*/input.*")
	if err != nil || len(inputs) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, path := range inputs {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkSound(t, "fuzz.yaml", src) })
}

// TestVerify tampers with results: each must be noticed.
func TestVerify(t *testing.T) {
	const path = "crontabs.yaml"
	src := []byte(`a: b
...
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
spec:
  group: example.com
  names: {kind: CronTab, plural: crontabs}
  version: v1
  validation:
    openAPIV3Schema:
      properties:
        spec:
          type: object
          properties:
            image: {type: string}
---
c: d
`)
	fresh := func(t *testing.T) *convert.Result {
		res, err := convert.File(path, src, policy.Options{})
		if err != nil || res.CRDs[0].State != policy.Converted {
			t.Fatal(res, err)
		}
		return res
	}
	if err := convert.Verify(path, src, fresh(t)); err != nil {
		t.Fatal(err)
	}
	for name, tamper := range map[string]func(r *convert.Result){
		"another type": func(r *convert.Result) { r.Output = bytes.Replace(r.Output, []byte("string"), []byte("integer"), 1) },
		"another scope": func(r *convert.Result) {
			r.Output = bytes.Replace(r.Output, []byte("Namespaced"), []byte("Cluster"), 1)
		},
		"a field is gone": func(r *convert.Result) { r.Output = bytes.Replace(r.Output, []byte("image: {type: string}"), nil, 1) },
		"still v1beta1": func(r *convert.Result) {
			r.Output = bytes.Replace(r.Output, []byte("k8s.io/v1"), []byte("k8s.io/v1beta1"), 1)
		},
		"rejected by servers": func(r *convert.Result) {
			r.Output = bytes.Replace(r.Output, []byte("storage: true"), []byte("storage: false"), 1)
		},
		"a document is gone":       func(r *convert.Result) { r.Output = bytes.Replace(r.Output, []byte("---\nc: d\n"), nil, 1) },
		"a document becomes a key": func(r *convert.Result) { r.Output = bytes.Replace(r.Output, []byte("---\n"), nil, 1) },
		"another document changes": func(r *convert.Result) { r.Output = bytes.Replace(r.Output, []byte("c: d"), []byte("c: e"), 1) },
		"a CRD is gone":            func(r *convert.Result) { r.Output = nil },
		"an unnamed change":        func(r *convert.Result) { r.CRDs[0].Notes = nil },
	} {
		t.Run(name, func(t *testing.T) {
			res := fresh(t)
			tamper(res)
			if err := convert.Verify(path, src, res); err == nil {
				t.Error("was not noticed")
			}
		})
	}
}

// TestCopies converts what many versions share: as much as an API server takes, and more.
func TestCopies(t *testing.T) {
	for _, test := range []struct {
		name, shared string
		versions     int
		want         policy.State
	}{
		{"a schema", "validation: {openAPIV3Schema: {type: object, description: " + strings.Repeat("x", 32<<10) + "}}", 90, policy.Converted},
		{"a schema that is too large", "validation: {openAPIV3Schema: {type: object, description: " + strings.Repeat("x", 32<<10) + "}}", 100, policy.NeedsPerson},
		{"columns that are too many", "additionalPrinterColumns: [" + strings.Repeat("{name: A, type: string, JSONPath: .a}, ", 1000) + "]", 100, policy.NeedsPerson},
	} {
		t.Run(test.name, func(t *testing.T) {
			var src strings.Builder
			src.WriteString("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec:\n" +
				"  group: example.com\n  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  " + test.shared + "\n  versions:\n")
			for i := range test.versions {
				fmt.Fprintf(&src, "  - {name: v%d, served: true, storage: %t}\n", i+1, i == 0)
			}
			res, err := convert.File("widgets.yaml", []byte(src.String()), policy.Options{})
			if err != nil || res.CRDs[0].State != test.want {
				t.Fatal(err, res.CRDs[0].State, res.CRDs[0].Notes)
			}
			if test.want == policy.NeedsPerson && (len(res.CRDs[0].Notes) != 1 || res.CRDs[0].Notes[0].ID != "manifest-too-large") {
				t.Error(res.CRDs[0].Notes)
			}
		})
	}
}
