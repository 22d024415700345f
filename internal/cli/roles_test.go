package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// TestRolesKeepTheContract validates roles as JSON against the published schema, which has all roles.
func TestRolesKeepTheContract(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/roles.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/schema/roles.json")
	if err != nil {
		t.Fatal(err)
	}
	if words := `["` + strings.Join(config.RoleNames(), `", "`) + `"]`; !bytes.Contains(text, []byte(words)) {
		t.Errorf("the schema does not have %s", words)
	}
	inConfigKeys(t)
	for _, args := range [][]string{{"-o", "json"}, {"-o", "json", "--set", "test=go"}, {"-o", "json", "--role", "docs"}} {
		var stdout, stderr bytes.Buffer
		if code := Run(append([]string{"roles"}, args...), strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, &stderr)
		}
		value, err := jsonschema.UnmarshalJSON(&stdout)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		if n := len(value.(map[string]any)["roles"].([]any)); (n == 0) != slices.Contains(args, "--role") {
			t.Errorf("%v: %d roles", args, n)
		}
	}
}

// rowsOf are files with custom resources, "path role reason" each.
func rowsOf(lines ...string) (rows []roleRow) {
	for _, line := range lines {
		word := strings.Fields(line + " because")
		rows = append(rows, roleRow{file: word[0], Decision: repository.Decision{Role: lint.Role(word[1]), Because: repository.Reason{Text: word[2]}}})
	}
	return rows
}

// TestFoldRows: a folder is a line where it says as much as its files.
func TestFoldRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		story string
		rows  []roleRow
		few   int
		want  string
	}{
		{"nothing", nil, 3, ""},
		{"one file", rowsOf("a/b/x test"), 3, "a/b/x 1"},
		{"one file at the top", rowsOf("x test"), 0, "x 1"},
		{"a folder", rowsOf("a/b/x test", "a/b/y test"), 3, "a/b 2"},
		{"a folder with folders", rowsOf("a/b/x test", "a/c/d/y test"), 3, "a 2"},
		{"folders that begin alike", rowsOf("a-b/x test", "a-b/y test", "a/x old", "a/y old"), 3, "a-b 2, a 2"},
		{"all that is at the top", rowsOf("x test", "y test"), 3, ". 2"},
		{"the top is no folder to tell of", rowsOf("a/x test", "a/y test", "b/x test"), 3, "a 2, b/x 1"},
		{"few reasons", rowsOf("a/b/x test one", "a/b/y test one", "a/c/x test two"), 3, "a/b 2, a/c/x 1"},
		{"many reasons", rowsOf("a/b/x test 1", "a/c/x test 2", "a/d/x test 3", "a/e/x test 4"), 3, "a 4"},
		{"as many as are told apart", rowsOf("a/b/x test 1", "a/c/x test 2", "a/d/x test 3"), 3, "a/b/x 1, a/c/x 1, a/d/x 1"},
		{"reasons do not count", rowsOf("a/b/x test 1", "a/c/x test 2"), 0, "a 2"},
		{"mixed files", rowsOf("a/x test", "a/y old", "a/z test"), 3, "a/x 1, a/y 1, a/z 1"},
		{"many beside another", rowsOf("a/v test", "a/w test", "a/x test", "a/y old", "a/z test"), 3, "a 4, a/y 1"},
		{"folders beside another", rowsOf("a/b/x test", "a/c/x test", "a/d/x test", "a/e/x test", "a/f old"), 3, "a/b/x 1, a/c/x 1, a/d/x 1, a/e/x 1, a/f 1"},
		{"folders of several beside another", rowsOf("a/b/x test", "a/b/y test", "a/c/x test", "a/c/y test", "a/d/x test", "a/d/y test", "a/e/x test", "a/e/y test", "a/f old"), 3, "a 8, a/f 1"},
		{"what a file has of several", rowsOf("a/x test", "a/x old", "a/x test"), 3, "a/x 2, a/x 1"},
	} {
		var got []string
		for _, g := range foldRows(".", test.rows, func(a, b roleRow) bool { return a.Role == b.Role }, test.few) {
			got = append(got, g.at+" "+strings.Fields(g.count())[0])
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", test.story, diff)
		}
	}
}

// TestHoldsObject finds custom resources of known kinds, and not what only mentions them.
func TestHoldsObject(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: toys.example.com\nspec:\n  group: example.com\n  names:\n    kind: Toy\n"
	files := map[string]string{
		"crd.yaml":   crd,
		"plain.yaml": "apiVersion: example.com/v1\nkind: Toy\n", "second.yaml": "kind: A\n---\n\"apiVersion\": 'example.com/v1'\nkind: Toy\n",
		"list.json":     `{"kind": "List", "apiVersion": "v1", "items": [{"kind": "Toy", "apiVersion": "example.com/v2"}]}`,
		"template.yaml": "{{- if .Values.toy }}\napiVersion: example.com/v1\nkind: Toy\n{{- end }}\n",
		"both.yaml":     crd + "---\napiVersion: example.com/v1\nkind: Toy\n",
		"broken.yaml":   "apiVersion: example.com/v1\nkind: [Toy\n",
		"kind.yaml":     "apiVersion: example.com/v1\nkind: Other\n", "group.yaml": "apiVersion: example.org/v1\nkind: Toy\n",
		"within.yaml": "apiVersion: v1\nkind: ConfigMap\nspec:\n  apiVersion: example.com/v1\n  kind: Toy\n", "toy.txt": "apiVersion: example.com/v1\nkind: Toy\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := Run([]string{"roles", "-o", "json"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	var got []string
	for line := range strings.Lines(stdout.String()) {
		if file, is := strings.CutPrefix(line, `      "file": "`); is {
			got = append(got, strings.Trim(file, "\n\","))
		}
	}
	if diff := cmp.Diff([]string{"both.yaml", "both.yaml", "crd.yaml", "list.json", "plain.yaml", "second.yaml", "template.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}
