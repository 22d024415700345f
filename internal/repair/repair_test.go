package repair

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var update = flag.Bool("update", false, "write the expected schemas anew")

// policies are those of the sections in testdata.
var policies = map[string]Policy{
	"keep":   {KeepUnknown: true},
	"root":   {KeepUnknownAtRoot: true},
	"prune":  {InferTypes: true, Loosen: true},
	"pruned": {Pruned: true, KeepUnknown: true},
	"loosen": {Pruned: true, InferTypes: true, Loosen: true},
}

// TestSchemas repairs the schemas of testdata. A section "NAME: schema" is the schema of a version's root, or "NAME:
// versions" a list of versions; "NAME: POLICY" is what becomes of it, with the repairs as comments at the end.
func TestSchemas(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, input := "", ""
			for i, section := range archive.Files {
				in, kind, _ := strings.Cut(section.Name, ": ")
				if policy, ok := policies[kind]; ok && in == name {
					t.Run(in+"/"+kind, func(t *testing.T) {
						if got := repaired(t, input, policy); *update {
							archive.Files[i].Data = []byte(got)
						} else if got != string(section.Data) {
							t.Errorf("got\n%s\nwant\n%s", got, section.Data)
						}
					})
					continue
				}
				switch name, input = in, string(section.Data); kind {
				case "versions":
				case "schema":
					input = "- name: v1\n  served: true\n  storage: true\n  schema:\n    openAPIV3Schema:\n" + indented(input, 6)
				default:
					t.Fatalf("what is %q?", section.Name)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// repaired is what becomes of some versions. It holds the repairs to what all of them promise.
func repaired(t *testing.T, versions string, policy Policy) string {
	t.Helper()
	text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n" + indented(versions, 2)
	c := inputs.CRD(t, text)
	made, prunes := Schemas(c, policy)
	out := yaml.NewRNode(crd.Get(c.Node, "spec", "versions")).MustString()
	if strings.HasPrefix(versions, "- name: v1\n  served: true\n  storage: true\n  schema:") {
		out = yaml.NewRNode(crd.Get(crd.Get(c.Node, "spec", "versions").Content[0], "schema", "openAPIV3Schema")).MustString()
	}
	original := bytes.Split([]byte(text), []byte("\n"))
	for _, r := range made {
		class := string(r.Class)
		if r.Mark {
			class += " mark"
		}
		out += fmt.Sprintf("# %s %s %s: %s\n", class, r.ID, short(r.At.Path), r.Message)
		out += fmt.Sprintf("#   changes %s\n", shortAll(r.Fields))
		for _, n := range r.Touched {
			if n.Line > len(original) {
				t.Errorf("line %d is touched, of %d", n.Line, len(original))
			}
		}
	}
	if prunes {
		out += "# prunes\n"
	}
	holdsFields(t, inputs.CRD(t, text), c, made)
	again, prunesStill := Schemas(c, policy)
	for _, r := range again {
		t.Errorf("once more: %s %s: %s", r.ID, r.At.Path, r.Message)
	}
	if prunesStill != prunes {
		t.Errorf("prunes: %v, and once more %v", prunes, prunesStill)
	}
	return out
}

// holdsFields reports what differs between two CRDs and no repair names.
func holdsFields(t *testing.T, before, after *crd.CRD, made []*Repair) {
	t.Helper()
	was, is := values(before), values(after)
	for path := range was {
		if was[path] != is[path] && !named(path, made) {
			t.Errorf("%s was %q and is %q, which no repair tells", path, was[path], is[path])
		}
	}
	for path := range is {
		if _, known := was[path]; !known && !named(path, made) && !(is[path] == "" && nameBelow(path, made)) {
			t.Errorf("%s is new, which no repair tells", path)
		}
	}
}

// named reports whether a repair names a path or one above it, nameBelow whether it names one below it.
func named(path string, made []*Repair) bool {
	return anyField(made, func(f string) bool { return strings.HasPrefix(path, f) })
}

func nameBelow(path string, made []*Repair) bool {
	return anyField(made, func(f string) bool { return strings.HasPrefix(f, path) })
}

func anyField(made []*Repair, is func(string) bool) bool {
	return slices.ContainsFunc(made, func(r *Repair) bool { return slices.ContainsFunc(r.Fields, is) })
}

// values are the scalars of a CRD and its empty mappings and lists, by their paths.
func values(c *crd.CRD) map[string]string {
	all := map[string]string{}
	var add func(n *yaml.Node, path string, ofUser bool)
	add = func(n *yaml.Node, path string, ofUser bool) { // the user's are the names of properties
		n = crd.Deref(n)
		switch {
		case len(n.Content) == 0 && !crd.IsNull(n): // null and an empty schema are one
			all[path] = n.Value
		case n.Kind == yaml.MappingNode:
			for _, e := range crd.Entries(n) {
				if ofUser {
					add(e.Value, crd.Under(path, e.Name), false)
				} else {
					add(e.Value, crd.Join(path, e.Name), e.Name == "properties")
				}
			}
		case n.Kind == yaml.SequenceNode:
			for i, item := range n.Content {
				add(item, crd.Item(path, i), false)
			}
		}
	}
	add(crd.Get(c.Node, "spec"), "spec", false)
	return all
}

func indented(text string, by int) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+space) + "\n"
}

// short is a path from the root of the schema.
func short(path string) string {
	path = strings.TrimPrefix(path, "spec.versions[0].schema.openAPIV3Schema")
	return strings.TrimPrefix(path, ".")
}

func shortAll(paths []string) string {
	var all []string
	for _, p := range paths {
		all = append(all, short(p))
	}
	return strings.Join(all, ", ")
}
