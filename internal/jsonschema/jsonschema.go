// Package jsonschema writes the schemas of CRDs as JSON Schema, for programs that know nothing of CRDs: what an API server rejects of
// a custom resource is invalid by them, as far as JSON Schema has words for it.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// draft is the version of JSON Schema that kubeconform and yaml-language-server both read.
const draft = "http://json-schema.org/draft-07/schema#"

// A writer makes the schemas of one version.
type writer struct {
	definition *objects.Definition
	version    string
	strict     bool // what the server drops is invalid, too
	prunes     bool // the server drops what the schema does not declare
}

// File is where programs that read the catalogue of CRDs look for the schema of a version: GROUP/KIND_VERSION.json.
func File(d *objects.Definition, version string) string {
	return strings.ToLower(d.Hub.Spec.Group + "/" + d.Hub.Spec.Names.Kind + "_" + version + ".json")
}

// Of is the schema of a version. By a strict one, what the server drops is invalid, too.
func Of(d *objects.Definition, version string, strict bool) ([]byte, error) {
	keeps := d.Hub.Spec.PreserveUnknownFields
	w := &writer{d, version, strict, keeps == nil || !*keeps}
	raw, err := yaml11.ToJSON(w.root())
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", version, err)
	}
	var out bytes.Buffer
	err = json.Indent(&out, raw, "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// root is the schema of the objects of the version. A version without a schema takes any fields.
func (w *writer) root() *yaml.Node {
	group, kind := w.definition.Hub.Spec.Group, w.definition.Hub.Spec.Names.Kind
	m := layout.Mapping()
	if root := w.definition.Root(w.version); root != nil {
		m = w.object(root)
	}
	layout.Set(m, "type", layout.String("object")) // a custom resource is never null
	for _, is := range [][2]string{{"apiVersion", group + "/" + w.version}, {"kind", kind}} {
		layout.Set(within(m, is[0]), "type", layout.String("string"))
		layout.Set(within(m, is[0]), "const", layout.String(is[1]))
	}
	metadata(within(m, "metadata"))
	demand(m, "apiVersion", "kind", "metadata")
	about := layout.Mapping("$schema", layout.String(draft), "x-kubernetes-group-version-kind", layout.Node([]any{map[string]any{"group": group, "version": w.version, "kind": kind}}))
	m.Content = append(about.Content, m.Content...)
	return m
}

// within is what a schema says about a property, nothing at first where it is new.
func within(m *yaml.Node, name string) *yaml.Node {
	for _, key := range []string{"properties", name} {
		if crd.Get(m, key) == nil {
			layout.Set(m, key, layout.Mapping())
		}
		m = crd.Get(m, key)
	}
	return m
}

// subdomain is the pattern of names: see IsDNS1123Subdomain of k8s.io/apimachinery.
const subdomain = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`

// fill has a schema say what it does not say yet about properties.
func fill(m *yaml.Node, properties map[string]any) {
	for _, e := range crd.Entries(layout.Node(properties)) {
		if at := within(m, e.Name); len(at.Content) == 0 {
			*at = *e.Value
		}
	}
}

// metadata has a schema say what every object's metadata has to be, and no more than that: which fields there are is not the CRD's.
func metadata(m *yaml.Node) {
	text := map[string]any{"type": "string"}
	texts := map[string]any{"type": "object", "additionalProperties": text}
	name := map[string]any{"type": "string", "maxLength": int64(253), "pattern": subdomain}
	layout.Set(m, "type", layout.String("object"))
	layout.Set(m, "additionalProperties", layout.Bool(true))
	fill(m, map[string]any{"name": name, "generateName": text, "namespace": text, "labels": texts, "annotations": texts})
	layout.Set(m, "anyOf", layout.Node([]any{map[string]any{"required": []any{"name"}}, map[string]any{"required": []any{"generateName"}}}))
}

// demand adds to the names of properties that a schema requires.
func demand(m *yaml.Node, names ...string) {
	for _, name := range names {
		if have := crd.Get(m, "required"); have == nil {
			layout.Set(m, "required", layout.List(layout.String(name)))
		} else if !slices.Contains(crd.Strings(have), name) { // JSON Schema has no name twice
			have.Content = append(have.Content, layout.String(name))
		}
	}
}
