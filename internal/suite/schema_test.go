package suite

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
)

const schemaFile = "../../docs/schema/crdtest-v1.json"

// A published is the part of the JSON Schema that names keys and words.
type published struct {
	Properties  map[string]*published
	Definitions map[string]*published
	OneOf       []*published
	Enum        []string
}

func (p *published) keys() []string { return slices.Sorted(maps.Keys(p.Properties)) }

// TestSchemaKnowsTheKeys compares the keys and words of the JSON Schema with those that are read.
func TestSchemaKnowsTheKeys(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var suite published
	if err := json.Unmarshal(src, &suite); err != nil {
		t.Fatal(err)
	}
	of, cause, change := suite.Definitions["case"], suite.Definitions["cause"].OneOf[1], suite.Definitions["change"]
	for function, want := range map[string][]string{
		"read": suite.keys(), "changes": change.keys(), "expected": cause.keys(), "before": of.Properties["before"].OneOf[1].keys(),
		// what makes an object is read by changes
		"cases": slices.DeleteFunc(of.keys(), func(key string) bool { return change.Properties[key] != nil }),
	} {
		if diff := cmp.Diff(membersIn(t)[function], want); diff != "" {
			t.Errorf("%s (-read +schema):\n%s", function, diff)
		}
	}
	if diff := cmp.Diff(By, cause.Properties["by"].Enum); diff != "" {
		t.Errorf("by (-read +schema):\n%s", diff)
	}
	for key, want := range map[string][]string{
		"request": {string(Create), string(Update), string(Status), string(Scale), string(Apply)},
	} {
		if diff := cmp.Diff(want, of.Properties[key].Enum); diff != "" {
			t.Errorf("%s (-read +schema):\n%s", key, diff)
		}
	}
	if diff := cmp.Diff([]string{string(Strict), string(Warn), string(Ignore)}, suite.Definitions["fieldValidation"].Enum); diff != "" {
		t.Errorf("fieldValidation (-read +schema):\n%s", diff)
	}
}

// membersIn are the keys that the functions of the reader know, by the function.
func membersIn(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	var declared []ast.Decl
	for _, name := range []string{"read.go", "case.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		declared = append(declared, file.Decls...)
	}
	for _, d := range declared {
		f, is := d.(*ast.FuncDecl)
		if !is {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is || !isNamed(literal.Type, "members") {
				return true
			}
			for _, entry := range literal.Elts {
				key := entry.(*ast.KeyValueExpr).Key
				if written, is := key.(*ast.BasicLit); is {
					name, _ := strconv.Unquote(written.Value)
					all[f.Name.Name] = append(all[f.Name.Name], name)
				} else if isNamed(key, "Key") {
					all[f.Name.Name] = append(all[f.Name.Name], Key)
				}
			}
			return true
		})
		slices.Sort(all[f.Name.Name])
	}
	return all
}

func isNamed(e ast.Expr, name string) bool {
	n, is := e.(*ast.Ident)
	return is && n.Name == name
}

// TestSchemaAgrees validates what is read, and what is rejected, by the JSON Schema.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	valid := handwritten(t)
	valid["all keys"] = `
crdtest: v1
name: shelf
crd: git:v1.2.0:config/crd
version: v1
kubernetes: 1.30
fieldValidation: warn
base: {apiVersion: shop.example.com/v1, kind: Shelf}
cases:
- name: one
  skip: later
  request: update
  object: {kind: Shelf}
  set: {spec.a: null, "spec.b[0]": 1}
  unset: [spec.c]
  old: {object: {}, set: {spec.a: 1}, unset: [spec.d]}
  before: [spec.name.maxLength, {spec.name.minLength: 2}]
  stored: {spec.a: 1}
  absent: [spec.e]
  exactly: {spec: {}}
  warns: []
  fieldValidation: ignore
  kubernetes: "1.33"
  then: [{name: two, rejected: [{at: ., by: rule, text: part, rule: size}, other], also: true}]
- {name: three, at: spec.a, accept: [1], reject: [null], rejected: not so}
- {name: four, old: {}, before: {crd: git:v1.0.0:crd.yaml}}
`
	for name, text := range valid {
		if all := problems(text); len(all) > 0 {
			t.Errorf("%s cannot be read: %s", name, all)
		}
		if err := validate(schema, text); err != nil {
			t.Errorf("the schema rejects %s: %v", name, err)
		}
	}
	const base = "crdtest: v1\nbase: {apiVersion: shop.example.com/v1, kind: Shelf}\ncases:\n- "
	for _, text := range []string{
		"crdtest: v2\ncases: [{name: a}]", "crdtest: v1", "crdtest: v1\ncases: []", "crdtest: v1\ncases: {a: 1}", "crdtest: v1\nbase: a\ncases: [{name: a}]",
		"crdtest: v1\ncrd: ''\ncases: [{name: a, object: {}}]", "crdtest: v1\nkubernetes: v1.33\ncases: [{name: a, object: {}}]",
		base + "{set: {spec.a: 1}}", base + "{name: ''}", base + "{name: a, sett: {spec.a: 1}}", base + "{name: a, set: [spec.a]}", base + "{name: a, unset: spec.a}", base + "{name: a, unset: []}",
		base + "{name: a, accept: [1]}", base + "{name: a, at: spec.a, reject: []}", base + "{name: a, request: delete}", base + "{name: a, rejected: []}", base + "{name: a, rejected: {}}",
		base + "{name: a, rejected: {by: regex}}", base + "{name: a, rejected: {path: spec.a}}", base + "{name: a, also: maybe}", base + "{name: a, fieldValidation: none}",
		base + "{name: a, old: {}, before: []}", base + "{name: a, old: {}, before: [{a: 1, b: 2}]}", base + "{name: a, old: {}, before: {crds: a}}", base + "{name: a, then: []}", base + "{name: a, skip: ''}",
		base + "{name: a, exactly: [1]}", base + "{name: a, kubernetes: latest}",
	} {
		if len(problems(text)) == 0 {
			t.Errorf("this is read:\n%s", text)
		}
		if validate(schema, text) == nil {
			t.Errorf("the schema takes:\n%s", text)
		}
	}
}

// problems are those of a suite.
func problems(text string) (all []string) {
	for _, p := range Read(manifest.Parse("a.crdtest.yaml", []byte(text)).Documents[0]).Wrong {
		all = append(all, p.Message)
	}
	return all
}

func validate(schema *jsonschema.Schema, text string) error {
	raw, err := yaml11.ToJSON(manifest.Parse("a.crdtest.yaml", []byte(text)).Documents[0].Root.YNode())
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// handwritten are the suites of the repository that can be read, by file.
func handwritten(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(file string, text []byte) {
		documents := manifest.Parse(file, text).Documents
		if d := documents[0]; len(documents) == 1 && d.Err == nil && d.Root != nil {
			if suite := Read(d); suite != nil && len(suite.Wrong) == 0 {
				all[file] = string(text)
			}
		}
	}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		inTests := strings.Contains(path, "/testdata/") || strings.Contains(path, "/examples/")
		if err != nil || entry.IsDir() || !inTests {
			return err
		}
		switch ext := filepath.Ext(path); ext {
		case ".yaml", ".yml", ".txtar":
			text, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(text, []byte(Key)) {
				return err
			}
			if ext != ".txtar" {
				add(path, text)
				return nil
			}
			for _, file := range txtar.Parse(text).Files {
				if IsNamed(file.Name) {
					add(path+" "+file.Name, file.Data)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Errorf("found %d suites", len(all))
	}
	return all
}
