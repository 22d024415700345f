package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/lint"
)

// A loss takes something away from a schema, or puts something into it, and says which rules tell of it: forth where the CRD of a cluster
// lost it and back where the needed one has. It returns false for a schema that it says nothing about.
type loss struct {
	name        string
	forth, back string // rules; "" for none
	make        func(r *rand.Rand, schema object, path []string) (done bool)
}

type object = map[string]any

// bound takes a keyword away.
func bound(keyword string) loss {
	return loss{keyword, "requirement-loosened", "requirement-refused", func(_ *rand.Rand, s object, _ []string) bool {
		value, is := s[keyword]
		is = is && value != ".*"
		if most, whole := value.(int64); whole && (most >= math.MaxInt32 && s["format"] == "int32" || most > math.MaxInt64-1<<20) {
			return false // as good as none
		}
		junctors := s["anyOf"] != nil || s["oneOf"] != nil || s["allOf"] != nil || s["not"] != nil || s["enum"] != nil && keyword != "enum"
		delete(s, keyword)
		return is && !junctors
	}}
}

var losses = []loss{
	bound("maxLength"), bound("pattern"), bound("maxItems"), bound("maximum"), bound("enum"),
	{"a lower maximum", "requirement-refused", "requirement-loosened", func(_ *rand.Rand, s object, _ []string) bool {
		for _, keyword := range []string{"maxItems", "maxLength", "maxProperties"} {
			if n, is := s[keyword].(int64); is && n > 1 && n < 1<<20 && s["enum"] == nil && s["pattern"] == nil && s["format"] == nil {
				s[keyword] = n - 1
				return true
			}
		}
		return false
	}},
	{"a field", "requirement-missing", "", func(r *rand.Rand, s object, path []string) bool {
		names := slices.DeleteFunc(keysOf(s["properties"]), func(name string) bool {
			return len(path) == 0 && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name)
		})
		if len(names) == 0 || s["x-kubernetes-preserve-unknown-fields"] == true || s["x-kubernetes-validations"] != nil || s["default"] != nil {
			return false
		}
		name := names[r.IntN(len(names))]
		required, _ := s["required"].([]any)
		keys, _ := s["x-kubernetes-list-map-keys"].([]any)
		delete(s["properties"].(object), name)
		return !slices.Contains(required, any(name)) && !slices.Contains(keys, any(name))
	}},
	{"a default", "requirement-differs", "requirement-differs", func(_ *rand.Rand, s object, _ []string) bool {
		value, is := s["default"]
		delete(s, "default")
		return is && value != ""
	}},
	{"an enum value", "requirement-refused", "requirement-loosened", func(_ *rand.Rand, s object, _ []string) bool {
		all, _ := s["enum"].([]any)
		if len(all) < 2 || s["default"] == all[0] || all[0] == nil || s["type"] != "string" || s["pattern"] != nil {
			return false
		}
		s["enum"] = all[1:]
		return true
	}},
	{"a required field", "requirement-loosened", "requirement-refused", func(_ *rand.Rand, s object, path []string) bool {
		all, _ := s["required"].([]any)
		if len(all) == 0 || len(path) == 0 {
			return false
		}
		name, _ := all[0].(string)
		properties, _ := s["properties"].(object)
		field, is := properties[name].(object)
		s["required"] = all[1:]
		return is && field["default"] == nil
	}},
	{"a rule", "requirement-loosened", "requirement-refused", func(_ *rand.Rand, s object, _ []string) bool {
		all, _ := s["x-kubernetes-validations"].([]any)
		if len(all) != 1 {
			return false
		}
		delete(s, "x-kubernetes-validations")
		return true
	}},
	{"a type", "requirement-refused", "requirement-refused", func(_ *rand.Rand, s object, _ []string) bool {
		if s["type"] != "boolean" || s["default"] != nil || s["enum"] != nil {
			return false
		}
		s["type"] = "integer"
		return true
	}},
	{"a list type", "requirement-differs", "requirement-differs", func(_ *rand.Rand, s object, _ []string) bool {
		is := s["x-kubernetes-list-type"] == "map"
		delete(s, "x-kubernetes-list-map-keys")
		delete(s, "x-kubernetes-list-type")
		return is
	}},
	{"null", "requirement-refused", "requirement-loosened", func(_ *rand.Rand, s object, _ []string) bool {
		is := s["nullable"] == true && s["enum"] == nil
		delete(s, "nullable")
		return is
	}},
	{"unknown fields", "requirement-missing", "", func(_ *rand.Rand, s object, path []string) bool {
		is := s["x-kubernetes-preserve-unknown-fields"] == true && s["type"] == "object" && len(path) > 0 && s["properties"] == nil
		is = is && s["additionalProperties"] == nil && s["x-kubernetes-embedded-resource"] == nil
		delete(s, "x-kubernetes-preserve-unknown-fields")
		return is
	}},
	{"a description", "", "", func(_ *rand.Rand, s object, _ []string) bool {
		s["description"] = "Something else."
		return true
	}},
}

// versionLosses are the losses of versions themselves.
var versionLosses = []loss{
	{"a served version", "requirement-missing", "", func(_ *rand.Rand, version object, _ []string) bool {
		version["served"] = false
		return true
	}},
	{"a status subresource", "requirement-missing", "requirement-differs", func(_ *rand.Rand, version object, _ []string) bool {
		below, _ := version["subresources"].(object)
		_, is := below["status"]
		delete(below, "status")
		return is
	}},
	{"columns", "", "", func(_ *rand.Rand, version object, _ []string) bool {
		delete(version, "additionalPrinterColumns")
		version["deprecated"] = true
		return true
	}},
}

func keysOf(v any) []string {
	m, _ := v.(object)
	return slices.Sorted(maps.Keys(m))
}

// schemasIn visits the schemas that a server prunes and validates by, outside of metadata.
func schemasIn(s object, path []string, visit func(s object, path []string)) {
	visit(s, path)
	for _, name := range keysOf(s["properties"]) {
		if below, is := s["properties"].(object)[name].(object); is && !(len(path) == 0 && name == "metadata") {
			schemasIn(below, append(slices.Clip(path), name), visit)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, is := s[keyword].(object); is {
			schemasIn(below, append(slices.Clip(path), "["+keyword+"]"), visit)
		}
	}
}

// requirements are the rules about requirements that tell of a CRD, given the needed one.
func requirements(t *testing.T, needed, is []byte) (all []string, report *lint.Report) {
	t.Helper()
	l := &engine.Linter{Rules: allRules, Options: lint.Options{Config: &lint.Config{}, Changes: true, Requirement: true}}
	l.Old = oldSide("needed.yaml", needed)
	report = l.Report([]*engine.FileReport{l.File("is.yaml", is)})
	for _, f := range report.Findings {
		all = append(all, f.Rule.ID)
	}
	return all, report
}

// TestRequirementsMutated takes something away from CRDs, one thing at a time, and wants exactly that to be told, both where the CRD of a
// cluster has lost it and where only it has it.
func TestRequirementsMutated(t *testing.T) {
	t.Parallel()
	files := []string{"requirement/requirement-missing/old.yaml", "requirement/requirement-loosened/old.yaml", "requirement/requirement-refused/old.yaml",
		"requirement/requirement-differs/old.yaml"}
	texts := map[string][]byte{}
	for _, file := range files {
		src, err := os.ReadFile(fixtureRoot + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = src
	}
	if _, err := os.Stat(corpus.Dir()); err == nil {
		for _, file := range corpus.Turn(t, corpus.Sample(t, corpus.Files(t, "v1"), 40)) {
			if src, err := os.ReadFile(file); err == nil {
				texts[file] = src
			}
		}
	}
	seen := map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		for i, doc := range strings.Split("\n"+string(texts[file]), "\n---") {
			var root object
			raw, err := yaml.YAMLToJSON([]byte(doc))
			if err != nil || json.Unmarshal(raw, &root) != nil || root["kind"] != "CustomResourceDefinition" || root["apiVersion"] != "apiextensions.k8s.io/v1" {
				continue
			}
			mutate(t, fmt.Sprintf("%s#%d", file, i), root, seen)
		}
	}
	for _, l := range slices.Concat(losses, versionLosses) {
		if seen[l.name] == 0 {
			t.Errorf("%s: nothing was lost", l.name)
		}
	}
	t.Logf("%v", seen)
}

// mutate makes each loss at some schema of a served version.
func mutate(t *testing.T, name string, root object, seen map[string]int) {
	r := rand.New(rand.NewPCG(corpus.Seed(t), uint64(len(name))))
	whole := numbers(runtime.DeepCopyJSON(root)).(object)
	spec, _ := whole["spec"].(object)
	versions, _ := spec["versions"].([]any)
	for i, l := range slices.Concat(losses, versionLosses) {
		for v := range versions {
			version, _ := versions[v].(object)
			if version["served"] != true {
				continue
			}
			lost := runtime.DeepCopyJSON(whole)
			is := lost["spec"].(object)["versions"].([]any)[v].(object)
			holder, _ := is["schema"].(object)
			top, _ := holder["openAPIV3Schema"].(object)
			if top == nil {
				continue
			}
			type place struct {
				schema object
				path   []string
			}
			var places []place
			visit := func(s object, path []string) {
				if l.make(r, runtime.DeepCopyJSON(s), path) {
					places = append(places, place{s, path})
				}
			}
			if i < len(losses) {
				schemasIn(top, nil, visit)
			} else {
				visit(is, nil)
			}
			if len(places) == 0 {
				continue
			}
			at := places[r.IntN(len(places))]
			if !l.make(r, at.schema, at.path) {
				continue
			}
			seen[l.name]++
			for _, side := range []struct {
				needed, is object
				want, way  string
			}{{whole, lost, l.forth, "lost"}, {lost, whole, l.back, "had besides"}} {
				got, report := requirements(t, textOfCRD(t, side.needed), textOfCRD(t, side.is))
				if i := slices.IndexFunc(report.Findings, isOfKey); l.name == "a default" && i >= 0 {
					got = slices.Delete(got, i, i+1)
					got = append(got, "requirement-differs") // of a field that is required as well
				}
				if want := strings.Fields(side.want); !slices.Equal(got, want) {
					t.Errorf("%s: %s %s at %s: want %v, got", name, l.name, side.way, strings.Join(at.path, "."), want)
					for _, f := range report.Findings {
						t.Errorf("  %s: %s [%s]", f.Severity, f.Message, f.Rule.ID)
					}
				}
			}
		}
	}
}

// isOfKey tells of a default without which a required field has to be there.
func isOfKey(f *lint.Finding) bool { return strings.Contains(f.Message, "but has the default") }

func textOfCRD(t *testing.T, root object) []byte {
	t.Helper()
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// numbers are values of JSON whose whole numbers are integers.
func numbers(v any) any {
	switch v := v.(type) {
	case object:
		for name, value := range v {
			v[name] = numbers(value)
		}
	case []any:
		for i, value := range v {
			v[i] = numbers(value)
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return v
}
