package fast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// older is a CRD of v1beta1 with what its spec says besides its names.
func older(t *testing.T, spec string) (*crd.CRD, *crd.Object) {
	t.Helper()
	all := crd.Parse(fmt.Appendf(nil, `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: kettles.example.com}
spec: {group: example.com, names: {kind: Kettle, plural: kettles}, scope: Namespaced, %s}
`, spec))
	if len(all) != 1 {
		t.Fatal(spec)
	}
	d, err := all[0].Decode()
	if err != nil {
		t.Fatal(spec, err)
	}
	return all[0], d
}

const one = "version: v1, versions: [{name: v1, served: true, storage: true}]"

// shared is a spec with a schema that its only version shares, in a CRD that prunes.
func shared(schema string) string {
	return one + ", preserveUnknownFields: false, validation: {openAPIV3Schema: " + schema + "}"
}

func ofField(schema string) string { return shared("{type: object, properties: {a: " + schema + "}}") }

// TestShortcutsTaken has CRDs of v1beta1 that a v1 server surely answers for, and others that differ from them in one thing that
// v1 rejects and v1beta1 does not, or the other way around.
func TestShortcutsTaken(t *testing.T) {
	t.Parallel()
	unpruned := func(spec string) string { return strings.Replace(spec, ", preserveUnknownFields: false", "", 1) }
	for name, test := range map[string]struct {
		spec              string
		settled, postpone bool
	}{
		"no schema":                            {one, true, true},
		"no schema, and pruned":                {one + ", preserveUnknownFields: false", false, false},
		"an empty validation":                  {one + ", validation: {}", true, true},
		"a schema":                             {shared("{type: object}"), true, true},
		"unknown fields are kept":              {unpruned(shared("{type: object}")), true, true},
		"unknown fields are kept by word":      {unpruned(shared("{type: object}")) + ", preserveUnknownFields: true", true, true},
		"a webhook":                            {shared("{type: object}") + ", conversion: {strategy: Webhook, webhookClientConfig: {url: 'https://a.example'}}", true, true},
		"a webhook, unknown fields are kept":   {unpruned(shared("{type: object}")) + ", conversion: {strategy: Webhook, webhookClientConfig: {url: 'https://a.example'}}", false, false},
		"no conversion, unknown fields kept":   {unpruned(shared("{type: object}")) + ", conversion: {strategy: None}", true, true},
		"a root without a type":                {unpruned(shared("{properties: {a: {type: string}}}")), true, true},
		"a root without a type, pruned":        {shared("{properties: {a: {type: string}}}"), false, false},
		"a root without a type, of a map type": {unpruned(shared("{x-kubernetes-map-type: atomic}")), false, false},
		"a root with a format alone":           {unpruned(shared("{format: int32}")), false, false},
		"a field without a type":               {ofField("{}"), false, false},
		"an int-or-string":                     {ofField("{x-kubernetes-int-or-string: true}"), true, true},
		"a mark":                               {ofField("{x-kubernetes-preserve-unknown-fields: true}"), true, true},
		"a mark that is false":                 {ofField("{type: object, x-kubernetes-preserve-unknown-fields: false}"), false, false},
		"a default":                            {ofField("{type: string, default: a}"), false, false},
		"items":                                {ofField("{type: array, items: {type: string}}"), true, true},
		"items without a type":                 {ofField("{type: array, items: {}}"), false, false},
		"a map":                                {ofField("{type: object, additionalProperties: {type: string}}"), true, true},
		"a map of values without a type":       {ofField("{type: object, additionalProperties: {}}"), false, false},
		"a closed object":                      {ofField("{type: object, additionalProperties: false}"), true, true},
		"a closed object in a junctor":         {ofField("{type: object, anyOf: [{additionalProperties: false}]}"), false, false},
		"an open object in a junctor":          {ofField("{type: object, anyOf: [{additionalProperties: true}]}"), true, true},
		"a junctor":                            {ofField("{type: object, properties: {b: {type: string}}, oneOf: [{properties: {b: {minLength: 1}}}], not: {required: [b]}}"), true, true},
		"a default in all of":                  {ofField("{type: string, allOf: [{default: a}]}"), false, false},
		"a default in any of":                  {ofField("{type: string, anyOf: [{}, {default: a}]}"), false, false},
		"a default in one of":                  {ofField("{type: string, oneOf: [{default: a}]}"), false, false},
		"a default in not":                     {ofField("{type: string, not: {default: a}}"), false, false},
		"no version":                           {"versions: [{name: v1, served: true, storage: true}]", true, true}, // it has its default
		"another version":                      {"version: v2, versions: [{name: v1, served: true, storage: true}]", true, false},
		"a schema of a version":                {"version: v1, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]", true, false},
		"one of two schemas":                   {"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false}]", true, false},
		"no schema in one that is there":       {"versions: [{name: v1, served: true, storage: true, schema: {}}]", false, false},
		"subresources of a version":            {"versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]", true, false},
		"columns of a version":                 {"versions: [{name: v1, served: true, storage: true, additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]}]", true, false},
	} {
		_, d := older(t, test.spec)
		if got := Settled(d.Hub) != nil; got != test.settled {
			t.Errorf("%s: v1 is asked for v1beta1: %t", name, got)
		}
		if got := MayPostpone(d); got != test.postpone {
			t.Errorf("%s: the input is judged with the result: %t", name, got)
		}
	}
}

// TestSettles: what a conversion adds for v1 settles the input, unless a server asks for it, or a part of the versions got it.
func TestSettles(t *testing.T) {
	t.Parallel()
	_, d := older(t, "versions: [{name: v1, served: true, storage: true}, {name: v2, served: true, storage: false}]")
	at := func(id, path, schema string) *repair.Repair {
		node, err := yaml.Parse(schema)
		if err != nil {
			t.Fatal(err)
		}
		return &repair.Repair{ID: id, At: crd.Place{Path: path, Node: node.YNode()}}
	}
	added := at("schema-added", "spec.versions[0]", "{}")
	typed := at("schema-type-written", "spec.versions[0].schema.openAPIV3Schema", "{}")
	kept := at("schema-unknown-fields-kept", "spec.versions[0].schema.openAPIV3Schema", "{type: object}")
	for name, test := range map[string]struct {
		repairs []*repair.Repair
		want    bool
	}{
		"nothing":                     {nil, true},
		"a schema in each version":    {[]*repair.Repair{added, added}, true},
		"a schema in one":             {[]*repair.Repair{added}, false},
		"the type of a root":          {[]*repair.Repair{typed}, true},
		"the type of a field":         {[]*repair.Repair{at("schema-type-written", typed.At.Path+".properties[a]", "{}")}, false},
		"a mark on an object":         {[]*repair.Repair{kept, typed}, true},
		"a mark on what is no object": {[]*repair.Repair{typed, at(kept.ID, kept.At.Path, "{type: string}")}, false},
		"a mark on a resource":        {[]*repair.Repair{at(kept.ID, kept.At.Path, "{type: object, x-kubernetes-embedded-resource: true}")}, false},
		"one that is not embedded":    {[]*repair.Repair{at(kept.ID, kept.At.Path, "{type: object, x-kubernetes-embedded-resource: false}")}, true},
		"something else":              {[]*repair.Repair{kept, at("schema-type-inferred", kept.At.Path, "{}")}, false},
	} {
		if got := Settles(test.repairs, d); got != test.want {
			t.Errorf("%s: settles it: %t", name, got)
		}
	}
}

// TestPlain wants the shortcut of a conversion where all there is to do is to mark objects, and to know whether there are any.
func TestPlain(t *testing.T) {
	t.Parallel()
	prunes, keeps, root := repair.Policy{}, repair.Policy{KeepUnknown: true}, repair.Policy{KeepUnknownAtRoot: true}
	prunes.Pruned = true
	kept := func(spec string) string { return strings.Replace(spec, ", preserveUnknownFields: false", "", 1) }
	const string_, object = "{type: string}", "{type: object, properties: {b: {type: string}}}"
	for name, test := range map[string]struct {
		spec  string
		with  repair.Policy
		plain bool
		marks bool
	}{
		"no schema":        {one, keeps, true, true},
		"pruned before":    {ofField(object), prunes, true, false},
		"all is kept":      {kept(ofField(string_)), keeps, true, true},
		"the root is kept": {kept(ofField(string_)), root, true, true},
		"nothing is kept":  {kept(ofField(string_)), repair.Policy{}, true, false},
		"nothing is kept but what declares nothing": {kept(ofField("{type: object}")), repair.Policy{}, true, true},
		"an object of many is kept":                 {kept(ofField("{type: array, items: {type: object}}")), repair.Policy{}, true, true},
		"a value of a map is kept":                  {kept(ofField("{type: object, additionalProperties: {type: object}}")), repair.Policy{}, true, true},
		"a map needs no mark":                       {kept(ofField("{type: object, additionalProperties: {type: string}}")), repair.Policy{}, true, false},
		"marked already":                            {kept(shared("{type: object, x-kubernetes-preserve-unknown-fields: true}")), keeps, true, false},
		"metadata has no mark":                      {kept(shared("{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object}}}")), keeps, true, false},
		"a field of that name has one":              {kept(shared("{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object}}}}}")), keeps, true, true},
		"an embedded resource, which has fields":    {kept(ofField("{type: object, x-kubernetes-embedded-resource: true, properties: {b: {type: string}}}")), repair.Policy{}, true, false},
		"metadata of an embedded resource":          {kept(shared("{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object, properties: {name: {type: object}}}}}}}")), keeps, true, false},
		"an open object":                            {ofField("{type: object, additionalProperties: true}"), prunes, false, false},
		"a closed object":                           {ofField("{type: object, additionalProperties: false}"), prunes, true, false},
		"a field without a type":                    {ofField("{x-kubernetes-preserve-unknown-fields: true}"), prunes, true, false},
		"a field without a type, unpruned":          {kept(ofField("{x-kubernetes-preserve-unknown-fields: true}")), repair.Policy{}, false, false},
		"a field that may be null":                  {kept(ofField("{x-kubernetes-preserve-unknown-fields: true, nullable: true}")), repair.Policy{}, true, false},
		"items without a type":                      {kept(ofField("{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}")), repair.Policy{}, true, false},
		"a root without a type":                     {kept(shared("{properties: {a: {type: string}}}")), keeps, true, true},
		"an int-or-string":                          {ofField("{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}"), prunes, true, false},
		"types in a junctor":                        {ofField("{type: string, anyOf: [{type: string}]}"), prunes, false, false},
		"types in all of an int-or-string":          {ofField("{x-kubernetes-int-or-string: true, allOf: [{type: integer}]}"), prunes, false, false},
		"a junctor that validates":                  {ofField("{type: object, properties: {b: {type: string}}, allOf: [{properties: {b: {minLength: 1}}}], not: {required: [b]}}"), prunes, true, false},
		"a junctor that declares":                   {ofField("{type: object, properties: {b: {type: string}}, oneOf: [{properties: {c: {minLength: 1}}}]}"), prunes, false, false},
		"a junctor that declares items":             {ofField("{type: object, not: {items: {minLength: 1}}}"), prunes, false, false},
		"a junctor about items":                     {ofField("{type: array, items: {type: string}, not: {items: {minLength: 1}}}"), prunes, true, false},
		"a junctor that may be null":                {ofField("{type: string, anyOf: [{nullable: true}]}"), prunes, false, false},
		"a junctor within a junctor with a type":    {ofField("{type: string, anyOf: [{not: {type: string}}]}"), prunes, false, false},
		"an open map in a junctor":                  {ofField("{type: object, anyOf: [{additionalProperties: true}]}"), prunes, false, false},
		"versions of the same types":                {versions(string_, "{type: string, minLength: 1}"), keeps, true, true},
		"versions that differ in a type":            {versions(string_, "{type: integer}"), keeps, false, false},
		"which is as well where nothing is kept":    {versions(string_, "{type: integer}"), repair.Policy{}, true, false},
		"versions that differ in a type of items":   {versions("{type: array, items: {type: string}}", "{type: array, items: {type: integer}}"), keeps, false, false},
		"versions that differ in a type of values":  {versions("{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: integer}}"), keeps, false, false},
		"versions of which one declares a field":    {versions("{type: object}", object), keeps, true, true},
		"one of two versions has a schema":          {"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false}]", keeps, false, false},
		"columns of the versions and of all":        {"versions: [{name: v1, served: true, storage: true, additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]}], additionalPrinterColumns: []", keeps, false, false},
	} {
		c, d := older(t, test.spec)
		answer := OnCreate(d.Hub, crd.V1beta1)
		plain, marks := Plain(c, policy.Options{}.Decided(), test.with, &answer)
		if plain != test.plain || plain && marks != test.marks {
			t.Errorf("%s: plain %t, with marks %t (%v)", name, plain, marks, answer.Errors)
		}
		if plain, _ := Plain(c, policy.Options{To: policy.V1beta1}.Decided(), test.with, &answer); plain {
			t.Errorf("%s: plain, but for v1beta1", name)
		}
		if plain, _ := Plain(c, policy.Options{}.Decided(), test.with, nil); plain {
			t.Errorf("%s: plain, though no server was asked", name)
		}
	}
}

// versions is a spec of two versions that differ in a field.
func versions(a, b string) string {
	const version = "{name: v%d, served: true, storage: %t, schema: {openAPIV3Schema: {type: object, properties: {a: %s}}}}"
	return "versions: [" + fmt.Sprintf(version, 1, true, a) + ", " + fmt.Sprintf(version, 2, false, b) + "]"
}

// TestOlderProven: what a server of v1beta1 has accepted is left out of the next CRD that has it, unless there are rules, which
// 1.21 does not know.
func TestOlderProven(t *testing.T) {
	t.Parallel()
	const field = "{type: object, properties: {b: {type: string, pattern: ^older}, c: {type: integer}%s}}"
	for more, want := range map[string]bool{"": true, ", d: {type: string, x-kubernetes-validations: [{rule: 'true'}]}": false} {
		spec := ofField(fmt.Sprintf(field, more))
		_, d := older(t, spec)
		if v := unlessProven(d.Hub, crd.V1beta1); !v.Accepted() {
			t.Fatal(v.Errors)
		}
		_, next := older(t, strings.Replace(spec, "properties: {a", "properties: {z: {type: string}, a", 1))
		rest := newPruner(next.Hub, rulesOf(next.Hub, crd.V1beta1)).pruned(next.Hub)
		if got := rest != next.Hub; got != want {
			t.Errorf("with %q: something is left out: %t", more, got)
		}
	}
}
