package v121

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"sigs.k8s.io/yaml"
)

// TestTestdata needs nothing but the repository.
func TestTestdata(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil {
		t.Fatal(err)
	}
	testCases(t, dirs)
}

// TestSharedCases runs the larger collection of judged manifests, which is not part of the repository.
func TestSharedCases(t *testing.T) {
	root := corpus.Cases()
	var dirs []string
	for _, pattern := range []string{"extra/v1beta1-create/*", "seeds/*-v1beta1"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, found...)
	}
	if len(dirs) == 0 {
		t.Skipf("no cases at %s, beside the folder that CRDLIFT_CORPUS names", root)
	}
	testCases(t, dirs)
}

// An expectation is the part of a case's expected.json that concerns this judge.
type expectation struct {
	Accepted bool
	// DecodeErrors has one element at most, the error or a part of it.
	DecodeErrors []string
	Errors       []Error
}

// testCases judges crd.yaml of each folder and compares the verdict with expected.json and, where there is one, the
// conversion with to-v1.yaml.
func testCases(t *testing.T, dirs []string) {
	if len(dirs) == 0 {
		t.Fatal("no cases")
	}
	j := Start(t)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			v, err := j.Judge(readYAML(t, filepath.Join(dir, "crd.yaml")))
			if err != nil {
				t.Fatal(err)
			}
			var want expectation
			b, err := os.ReadFile(filepath.Join(dir, "expected.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}

			if v.Panic != "" {
				t.Errorf("panic: %s", v.Panic)
			}
			if v.Accepted != want.Accepted {
				t.Errorf("accepted is %t, want %t", v.Accepted, want.Accepted)
			}
			if want := strings.Join(want.DecodeErrors, "\n"); !strings.Contains(v.DecodeError, want) || want == "" && v.DecodeError != "" {
				t.Errorf("decoding error %q, want %q", v.DecodeError, want)
			}
			compareErrors(t, v.Errors, want.Errors)

			toV1 := filepath.Join(dir, "to-v1.yaml")
			if _, err := os.Stat(toV1); errors.Is(err, os.ErrNotExist) || v.V1 == nil {
				return
			}
			if got, want := manifest(t, v.V1), manifest(t, readYAML(t, toV1)); !reflect.DeepEqual(got, want) {
				t.Errorf("as v1 it is\n%v\nwant\n%v", got, want)
			}
		})
	}
}

// compareErrors compares two sets of errors. An expected error without a bad value does not say what it is: the cases
// leave out empty and composite ones.
func compareErrors(t *testing.T, got, want []Error) {
	t.Helper()
	rest := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(rest, func(g Error) bool {
			return g.Type == w.Type && g.Field == w.Field && g.Detail == w.Detail &&
				(w.BadValue == nil || sameJSON(g.BadValue, w.BadValue))
		})
		if i < 0 {
			t.Errorf("missing error: %s %s: %s: %s", w.Type, w.Field, w.BadValue, w.Detail)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, g := range rest {
		t.Errorf("unexpected error: %s %s: %s: %s", g.Type, g.Field, g.BadValue, g.Detail)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// manifest is a CRD as one would write it, without what encoding the Go type adds.
func manifest(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "status")
	if meta, ok := m["metadata"].(map[string]any); ok && meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp")
	}
	return m
}

func readYAML(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = yaml.YAMLToJSON(b); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return b
}

// TestDefaulted looks at what the cases do not state: the defaults.
func TestDefaulted(t *testing.T) {
	v, err := Start(t).Judge(readYAML(t, filepath.Join("testdata", "accepted", "crd.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1beta1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "crontabs.example.com"},
		"spec": map[string]any{
			"group":                 "example.com",
			"names":                 map[string]any{"plural": "crontabs", "singular": "crontab", "kind": "CronTab", "listKind": "CronTabList"},
			"scope":                 "Namespaced",
			"version":               "v1",
			"versions":              []any{map[string]any{"name": "v1", "served": true, "storage": true}},
			"conversion":            map[string]any{"strategy": "None"},
			"preserveUnknownFields": true,
		},
	}
	if got := manifest(t, v.Defaulted); !reflect.DeepEqual(got, want) {
		t.Errorf("defaulted to\n%v\nwant\n%v", got, want)
	}
}

// TestJSONAsWritten asks with JSON that no YAML becomes, so that the manifest must have reached the server's decoder
// byte by byte.
func TestJSONAsWritten(t *testing.T) {
	const manifest = `{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "crontabs.example.com"},
		"spec": {"group": "wrong", "group": "example.com", "version": "v1",
			"names": {"plural": "crontabs", "kind": "CronTab"}}}`
	v, err := Start(t).Judge([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if !v.Accepted {
		t.Errorf("the last of two equal keys does not win: %+v", v)
	}
}

// TestNotJSON checks that a bad question leaves the judge alive.
func TestNotJSON(t *testing.T) {
	j := Start(t)
	for _, bad := range []string{"", "{", "{}}", "{} {}"} {
		if v, err := j.Judge([]byte(bad)); err == nil {
			t.Errorf("a verdict on %q: %+v", bad, v)
		}
	}
	if v, err := j.Judge([]byte("{}")); err != nil || v.DecodeError == "" {
		t.Errorf("the verdict on {} is %+v, %v; want a decoding error", v, err)
	}
}

// TestOnlyTestsImport keeps the judge out of the product.
func TestOnlyTestsImport(t *testing.T) {
	const self = "github.com/crdlift/crdlift/internal/testing/v121"
	// -e: a package that does not build is for its own tests to report.
	cmd := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}}: {{.Imports}}", "github.com/crdlift/crdlift/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		importer, imports, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if slices.Contains(strings.Fields(strings.Trim(imports, "[]")), self) {
			t.Errorf("%s imports %s outside its tests", importer, self)
		}
	}
}
