package rules

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// appliedOtherwise are the requests of cases, by their places, of which a run over manifests says something else than the server
// answers, and why.
var appliedOtherwise = map[string]string{
	"bare-object-later-declared 0":          "the server drops a field without a word",
	"unknown-below-bare-object 0":           "the server drops a field without a word",
	"unknown-below-preserving-parent 0":     "the server drops a field without a word",
	"unknown-in-bare-map-value 0":           "the server drops a field without a word",
	"duplicate-keys-strict 0":               "clients send the last of two keys",
	"no-field-manager 0":                    "clients have a field manager",
	"new-default-in-new-version 2":          "the object was read before the CRD had the default",
	"new-default-in-new-version 4":          "the object was read before the CRD had the default",
	"version-removed 2":                     "the object was read at a version that is gone",
	"version-removed 3":                     "the object was read at a version that is gone",
	"managed-fields-rewritten-afterwards 2": "the object was read at a version that is gone",
}

// TestApplyCases: of each manifest that a server was asked to apply to what it had, a run says whether the server takes it.
func TestApplyCases(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpus.Cases(), "apply", "*", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skipf("no cases of apply in %s: set CRDLIFT_CORPUS to a folder beside them", corpus.Cases())
	}
	otherwise := maps.Clone(appliedOtherwise)
	asked := 0
	for _, path := range paths {
		dir := filepath.Dir(path)
		var story struct {
			Steps []struct {
				CRD     string
				Request struct {
					Op, Body, Manager string
					Force             bool
					DryRun            any
				}
				Expected struct {
					Code          int
					Object        map[string]any
					ManagedFields []map[string]any
				}
			}
		}
		if strings.HasPrefix(filepath.Base(dir), "crd-") {
			continue
		}
		if err := json.Unmarshal(textOf(t, path), &story); err != nil {
			t.Fatal(err)
		}
		crd, live := "crd.yaml", map[string]any(nil)
		for i, step := range story.Steps {
			if step.CRD != "" {
				crd = step.CRD
				continue
			}
			if step.Request.Op == "apply" && step.Request.DryRun == nil {
				by := lint.Apply{Way: lint.ServerSide, Manager: step.Request.Manager, Force: step.Request.Force}
				refused := refusesApply(t, by, filepath.Join(dir, crd), live, filepath.Join(dir, step.Request.Body))
				place := filepath.Base(dir) + " " + strconv.Itoa(i)
				_, known := otherwise[place]
				if asked++; (refused == (step.Expected.Code >= 400)) == known {
					t.Errorf("%s: the server answers %d, and the manifest is rejected: %t", place, step.Expected.Code, refused)
				}
				delete(otherwise, place)
			}
			if object := step.Expected.Object; object != nil {
				live = object
			}
			if live != nil && step.Expected.ManagedFields != nil {
				for _, e := range step.Expected.ManagedFields {
					e["fieldsType"] = "FieldsV1"
				}
				live["metadata"].(map[string]any)["managedFields"] = step.Expected.ManagedFields
			}
		}
	}
	if asked < 150 || len(otherwise) > 0 {
		t.Errorf("%d manifests are applied; never seen: %v", asked, slices.Sorted(maps.Keys(otherwise)))
	}
}

// refusesApply reports whether a run has an error of a manifest that is applied to what is there, if anything is.
func refusesApply(t *testing.T, by lint.Apply, crd string, live map[string]any, manifest string) bool {
	t.Helper()
	linter := &Linter{Objects: &Objects{}, Options: lint.Options{Config: &lint.Config{Apply: by}}}
	crds, err := ReadCRDs(fileOf(crd, string(textOf(t, crd))), true)
	if err != nil {
		t.Fatal(err)
	}
	linter.Objects.Add(crds)
	if live != nil {
		dump := maps.Clone(live)
		meta := maps.Clone(live["metadata"].(map[string]any))
		meta["uid"], meta["resourceVersion"], dump["metadata"] = "6f2b1a34-8a0f-4b3e-9a57-1c2d3e4f5a6b", "7", meta
		text, err := json.Marshal(dump)
		if err == nil {
			linter.Objects.Old, err = linter.Objects.ReadOld([]lint.File{fileOf("live.json", string(text))})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	report := linter.Report(linter.File("manifest.yaml", textOf(t, manifest)))
	return slices.ContainsFunc(report.Findings, func(f *lint.Finding) bool { return f.Severity == lint.Error })
}

func textOf(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
