package config

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// TestSchemaHasTheKeys keeps the JSON Schema, the decoder and the documentation in step.
func TestSchemaHasTheKeys(t *testing.T) {
	t.Parallel()
	root := fileSchema()
	docs, err := os.ReadFile("../../docs/reference/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	r, cover := &reader{}, root.Properties["test"].Properties["cover"]
	for _, test := range []struct {
		name    string
		node    *schemaNode
		members []Member
		row     string // before a key in the documentation
	}{
		{"the file", root, r.fields(&lint.Config{}), "| `"},
		{"overrides", root.Properties["overrides"].Items, r.overrideFields(&lint.Override{}), "`"},
		{"ignore", root.Properties["ignore"].Items, r.ignoreFields(&lint.Ignore{}), "| `"},
		{"compatibility", root.Properties["compatibility"], r.compatibilityFields(&lint.Compatibility{}), "| `compatibility."},
		{"validate", root.Properties["validate"], r.validateFields(&lint.Validate{}), "| `validate."},
		{"test", root.Properties["test"], r.testFields(&lint.Test{}), "| `test."},
		{"test.cover", cover, r.coverFields(&lint.Cover{}), "| `test.cover."},
		{"test.cover.min", cover.Properties["min"], r.minFields(nil), "`"},
		{"test.cover.ignore", cover.Properties["ignore"].Items, r.uncoveredFields(&lint.Ignore{}), "`"},
		{"convert", root.Properties["convert"], r.convertFields(&policy.Options{}), "| `convert."},
	} {
		if test.node.Others.schemaNode != nil || test.node.Type != "object" {
			t.Errorf("%s: the schema takes unknown keys", test.name)
		}
		known := map[string]bool{}
		for _, m := range test.members {
			known[m.Name] = true
			if _, ok := test.node.Properties[m.Name]; !ok {
				t.Errorf("%s: the schema does not know %s", test.name, m.Name)
			}
			if below := test.node.Properties[m.Name]; (below == nil || below.Properties == nil) && !bytes.Contains(docs, []byte(test.row+m.Name+"`")) {
				t.Errorf("%s: docs/reference/configuration.md does not tell of %s", test.name, m.Name)
			}
		}
		for name := range test.node.Properties {
			if !known[name] {
				t.Errorf("%s: nothing reads the schema's %s", test.name, name)
			}
		}
	}
}

func TestSchemaHasTheWords(t *testing.T) {
	t.Parallel()
	root := fileSchema()
	conversion := root.Properties["convert"].Properties
	severity := root.Definitions["severity"].Enum // false is off, as YAML 1.1 reads it
	type words struct {
		got  []any
		want []string
	}
	tests := map[string]words{
		"preset": {root.Definitions["preset"].Enum, lint.Presets()}, "severity": {severity[:len(severity)-1], lint.Severities()},
		"apply":  {root.Properties["apply"].Enum, lint.Ways()},
		"failOn": {root.Properties["failOn"].Enum, append(lint.Severities()[lint.Info:], lint.Never.String())}, "minSeverity": {root.Properties["minSeverity"].Enum, append(lint.Severities()[lint.Info:], lint.Never.String())},
	}
	for _, s := range policy.Settings() {
		if !s.Once {
			tests["convert."+s.Key] = words{conversion[s.Key].Enum, s.Words}
		}
	}
	for name, test := range tests {
		var got []string
		for _, word := range test.got {
			got = append(got, word.(string))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestSchemaAgrees validates what ReadConfig takes and rejects by the JSON Schema.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/config.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) error {
		d := manifest.Parse("x", []byte(text)).Documents[0]
		if d.Root == nil {
			return nil
		}
		raw, err := yaml11.ToJSON(d.Root.YNode())
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	for _, text := range slices.Concat(examples(t), []string{fullConfig, string(YAML(&lint.Config{})), `kubernetesVersion: "v1.27.3"`}) {
		if !strings.Contains(text, "extends:") { // of files that are not here
			mustRead(t, "x", text)
		}
		if err := validate(text); err != nil {
			t.Errorf("rejects what ReadConfig takes: %v\n%s", err, text)
		}
	}
	for _, test := range invalidConfigs {
		if test.schemaTakes {
			continue
		}
		if err := validate(test.text); err == nil {
			t.Errorf("%s: takes what ReadConfig rejects:\n%s", test.name, test.text)
		}
	}
}

// examples are the configurations in the documentation.
func examples(t *testing.T) (all []string) {
	t.Helper()
	docs, err := os.ReadFile("../../docs/reference/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(docs), -1) {
		if !strings.HasPrefix(m[1], "apiVersion:") {
			all = append(all, m[1])
		}
	}
	if len(all) != 6 {
		t.Errorf("found %d examples", len(all))
	}
	return all
}
