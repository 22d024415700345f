package crd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// everyField holds a value of every type that a CustomResourceDefinition has, in both API versions' spelling.
const everyField = `apiVersion: apiextensions.k8s.io/%s
kind: CustomResourceDefinition
metadata:
  name: backups.storage.example.com
  generation: 1
  clusterName: here
  creationTimestamp: "2020-01-31T08:00:00Z"
  labels: {a: b}
  ownerReferences: [{apiVersion: v1, kind: A, name: b, uid: c, controller: true}]
  managedFields: [{fieldsV1: {a: 1}, time: "2020-01-31T08:00:00Z", subresource: status}]
spec:
  group: storage.example.com
  names: {plural: backups, kind: Backup, shortNames: [bk]}
  preserveUnknownFields: false
  selectableFields: [{jsonPath: .spec.a}]
  additionalPrinterColumns: [{name: A, type: string, JSONPath: .spec.a, priority: 1}]
  conversion:
    strategy: Webhook
    conversionReviewVersions: [v1]
    webhookClientConfig: {caBundle: Cg==, url: "https://example.com", service: {port: 443}}
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {caBundle: Cg==, url: "https://example.com", service: {port: 443}}
  versions:
  - name: v1
    served: true
    deprecationWarning: gone
    schema:
      openAPIV3Schema:
        type: object
        maxLength: 3
        minimum: 1.5
        default: {a: 1}
        enum: [a, 1]
        externalDocs: {url: x}
        dependencies: {a: [b], c: {type: string}}
        definitions: {a: {type: string}}
        additionalItems: {type: string}
        x-kubernetes-list-map-keys: [a]
        x-kubernetes-validations: [{rule: self.a > 1, optionalOldSelf: true}]
        properties:
          a: {items: {Nullable: true, items: [{type: string}]}}
          b: {additionalProperties: {x-kubernetes-validations: [{rule: a}], Type: string}}
          c: {additionalProperties: true, nullable: true, Type: string}
`

// TestWrongTypesAgreeWithDecoding puts values of all kinds in the place of every node: there are wrong types exactly
// when the server cannot decode the manifest.
func TestWrongTypesAgreeWithDecoding(t *testing.T) {
	t.Parallel()
	values := []string{"y", "null", "text", "8", "3000000000", "1.5", "1e3", "1e30", "-9223372036854775809", "18446744073709551615",
		"'2020-01-31'", "Cg==", "[]", "{}", "[x]", "[7]", "[null]", "[{}]", "{x: 1}", "{type: 1}", "{Type: 1}", ".inf", "{null: 1}", "!!int x"}
	for _, version := range []crd.Version{crd.V1, crd.V1beta1} {
		base := yaml.MustParse(fmt.Sprintf(everyField, version)).YNode()
		count := size(base)
		for i := range count {
			if testing.Short() && i%4 != 0 {
				continue
			}
			for _, text := range values {
				root := crd.Clone(base)
				value := yaml.MustParse(text).YNode()
				*nth(root, i) = *value
				if !isCRD(root, version) {
					continue
				}
				c := &crd.CRD{Node: root, Version: version}
				_, err := c.Decode()
				if wrong := c.WrongTypes(); (err != nil) != (len(wrong) > 0) {
					t.Errorf("%s: %s: decoding says %v, wrong types are %v", c.Version, yaml.NewRNode(root).MustString(), err, wrong)
					return
				}
			}
		}
	}
}

func isCRD(root *yaml.Node, version crd.Version) bool {
	found, _ := crd.Find(root)
	return len(found) == 1 && found[0].Version == version
}

func size(n *yaml.Node) int {
	count := 1
	for _, c := range n.Content {
		count += size(c)
	}
	return count
}

// nth is a node of a tree, counted from the root.
func nth(n *yaml.Node, i int) *yaml.Node {
	if i == 0 {
		return n
	}
	i--
	for _, c := range n.Content {
		if s := size(c); i >= s {
			i -= s
		} else {
			return nth(c, i)
		}
	}
	return nil
}

func TestWrongTypes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ spec, want string }{
		{"scope: y", "spec.scope: a string, the boolean true"},
		{"group: [a]", "spec.group: a string, a list"},
		{"names: {shortNames: bk}", "spec.names.shortNames: a list, a string"},
		{"names: [a]", "spec.names: a mapping, a list"},
		{"versions: [{name: v1, served: 'true'}]", "spec.versions[0].served: true or false, a string"},
		{"versions: [{name: 1, served: yes, storage: 1}]", "spec.versions[0].name: a string, a number; spec.versions[0].storage: true or false, a number"},
		{"versions: [{schema: {openAPIV3Schema: {properties: {a: {additionalProperties: 'false'}}}}}]",
			"spec.versions[0].schema.openAPIV3Schema.properties[a].additionalProperties: a schema or a boolean, a string"},
		{"versions: [{schema: {openAPIV3Schema: {maxLength: 1.5}}}]", "spec.versions[0].schema.openAPIV3Schema.maxLength: a whole number of 64 bits, a number"},
		{"conversion: {webhook: {clientConfig: {caBundle: <CA>, service: {port: 3000000000}}}}",
			"spec.conversion.webhook.clientConfig.caBundle: base64 text, text that is not base64; spec.conversion.webhook.clientConfig.service.port: a whole number of 32 bits, a number"},
		{"conversion: {webhook: {clientConfig: {caBundle: true}}}", "spec.conversion.webhook.clientConfig.caBundle: a string, the boolean true"},
		{"versions: [{schema: {openAPIV3Schema: {properties: {a.b: {maximum: .inf}}}}}]",
			"spec.versions[0].schema.openAPIV3Schema.properties[a.b].maximum: JSON, .inf is not a JSON number"},
		{"versions: [{schema: {openAPIV3Schema: {items: text}}}]", ""}, // its decoder takes anything
	} {
		root := yaml.MustParse("spec: {" + test.spec + "}").YNode()
		var got []string
		for _, w := range (&crd.CRD{Node: root, Version: crd.V1}).WrongTypes() {
			got = append(got, fmt.Sprintf("%s: %s, %s", w.Place.Path, w.Want, w.Got))
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.spec, s, test.want)
		}
	}
}
