package xrd_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/google/go-cmp/cmp"
)

// TestProblems: what is rejected, left out and overwritten of an XRD, at its place, with what to do about it.
func TestProblems(t *testing.T) {
	t.Parallel()
	const kind = ", kind: CompositeResourceDefinition, metadata: {name: as.b.c}, spec: {group: b.c, "
	const v1, v2 = "{apiVersion: apiextensions.crossplane.io/v1" + kind, "{apiVersion: apiextensions.crossplane.io/v2" + kind
	const version = "names: {kind: A, plural: as}, versions: [{name: v1, served: true, referenceable: true, "
	const schema, end = version + "schema: {openAPIV3Schema: ", "}}]}}"
	const inSchema = "spec.versions[0].schema.openAPIV3Schema"
	for text, want := range map[string]string{
		v2 + schema + "{}" + end: "",
		// what says nothing is no loss, but a default is
		v2 + schema + "{type: object, nullable: false, title: '', example: null, allOf: [], properties: {spec: {default: {}, not: {}}}}" + end: `
~.properties[spec].default: Crossplane drops default of spec from its CRDs; write defaults at the fields below`,
		v2 + schema + "{title: a, properties: {spec: {nullable: true, minProperties: 1, additionalProperties: {type: string}}}}" + end: `
~.title: Crossplane drops title of the schema from its CRDs; remove it
~.properties[spec].nullable: Crossplane drops nullable of spec from its CRDs; remove it
~.properties[spec].minProperties: Crossplane drops minProperties of spec from its CRDs; write a rule in x-kubernetes-validations
~.properties[spec].additionalProperties: Crossplane drops additionalProperties of spec from its CRDs; declare the fields, or write the keyword at one field`,
		v2 + schema + "{required: [spec, status, x], properties: {x: {type: string}, spec: {type: string, required: [a], anyOf: [{}]}}}" + end: `
~.required: Crossplane ignores required fields at the root except spec; remove status and x from required, or require fields inside spec
~.properties[x]: Crossplane keeps only fields of spec and status; move x into one of them
~.properties[spec].type: Crossplane makes spec an object; write type: object
~.properties[spec].anyOf: Crossplane drops anyOf of spec from its CRDs; write a rule in x-kubernetes-validations`,
		v2 + schema + "{required: [spec], propertys: {}, proprties: {a: {}}, properties: {status: {x-kubernetes-preserve-unknown-fields: true}}}" + end: `
~.proprties: Crossplane drops proprties of the schema from its CRDs; did you mean properties?
~.properties[status].x-kubernetes-preserve-unknown-fields: Crossplane drops x-kubernetes-preserve-unknown-fields of status from its CRDs; ` +
			`declare the fields, or write the keyword at one field`,
		v2 + schema + "{properties: {metadata: {required: [name], properties: {name: {pattern: a, maxLength: 9}, labels: {type: object}}}}}" + end: `
~.properties[metadata].required: Crossplane drops required of metadata from its CRDs; remove it
~.properties[metadata].properties[name].pattern: Crossplane drops pattern of metadata.name from its CRDs; remove it
~.properties[metadata].properties[labels]: Crossplane keeps only maxLength of metadata.name; remove labels`,
		// a name may be shorter than Crossplane's, and no longer
		v2 + schema + "{properties: {metadata: {properties: {name: {maxLength: 64}}}}}" + end: `
~.properties[metadata].properties[name].maxLength: Crossplane drops maxLength of metadata.name from its CRDs; remove it`,
		v2 + schema + "{properties: {metadata: {properties: {name: {maxLength: null}}}}}" + end: "",
		// Crossplane's own fields: what it covers loses nothing, descriptions apart
		v2 + schema + "{properties: {spec: {properties: {crossplane: {type: object, description: mine}}}, status: {properties: {conditions: {type: array}}}}}" +
			end: "",
		v2 + schema + "{properties: {spec: {properties: {crossplane: {type: string}}}, status: {properties: {conditions: {description: {type: x}}}}}}" + end: `
~.properties[status].properties[conditions].description: description must be a string, but this is a mapping
~.properties[spec].properties[crossplane]: Crossplane overwrites crossplane in the spec of composite resources; rename the field, or remove it
~.properties[status].properties[conditions]: Crossplane overwrites conditions in the status of composite resources; ` +
			`rename the field, or remove it`,
		v1 + "claimNames: {kind: C, plural: cs}, " + schema + "{properties: {spec: {properties: {resourceRef: {type: string}, claimRef: {type: string}, " +
			"writeConnectionSecretToRef: {type: object, required: [name, namespace]}}}}}" + end: `
~.properties[spec].properties[claimRef]: Crossplane overwrites claimRef in the spec of composite resources; rename the field, or remove it
~.properties[spec].properties[resourceRef]: Crossplane overwrites resourceRef in the spec of claims; rename the field, or remove it`,
		v2 + schema + "{properties: {spec: {properties: {crossplane: [a]}}}}" + end: `
~.properties[spec].properties[crossplane]: crossplane must be a mapping, but this is a list
~.properties[spec].properties[crossplane]: Crossplane overwrites crossplane in the spec of composite resources; rename the field, or remove it`,
		v2 + "claimNames: {kind: B, plural: bs}, " + schema + "{properties: {spec: {properties: {claimRef: {type: string}}}}}" + end: `
spec.claimNames: apiextensions.crossplane.io/v2 has no claimNames; remove it, or write apiextensions.crossplane.io/v1 with scope: LegacyCluster`,
		// an alias is what it stands for, and told once
		v2 + version + "schema: &s {openAPIV3Schema: {title: a}}}, {name: v2, served: true, referenceable: false, schema: *s}]}}": `
~.title: Crossplane drops title of the schema from its CRDs; remove it
spec.versions[1].schema.openAPIV3Schema.title: Crossplane drops title of the schema from its CRDs; remove it`,

		// what is rejected
		v2 + "scope: LegacyCluster, " + schema + "{}" + end: `
spec.scope: there is no scope "LegacyCluster" in apiextensions.crossplane.io/v2; write Namespaced or Cluster`,
		v1 + "scope: '', defaultCompositeDeletePolicy: Now, defaultCompositionUpdatePolicy: Never, " + schema + "{}" + end: `
spec.defaultCompositeDeletePolicy: there is no defaultCompositeDeletePolicy "Now" in apiextensions.crossplane.io/v1; write Background or Foreground
spec.defaultCompositionUpdatePolicy: there is no defaultCompositionUpdatePolicy "Never" in apiextensions.crossplane.io/v1; write Automatic or Manual`,
		v2 + "claimNames: {kind: A, plural: as}, connectionSecretKeys: null, " + schema + "{}" + end: `
spec.claimNames: apiextensions.crossplane.io/v2 has no claimNames; remove it, or write apiextensions.crossplane.io/v1 with scope: LegacyCluster
spec.claimNames.kind: claims have the same kind as composite resources, so Crossplane offers no claims; choose another one
spec.claimNames.plural: claims have the same plural as composite resources, so Crossplane offers no claims; choose another one`,
		v1 + "scope: Cluster, connectionSecretKeys: [a], " + schema + "{}" + end: `
spec.connectionSecretKeys: only composite resources of scope LegacyCluster have connectionSecretKeys; remove it, or write that scope`,
		v1 + "defaultCompositionRef: {}, enforcedCompositionRef: null, conversion: {strategy: None}, " + schema + "{}" + end: `
spec.defaultCompositionRef: defaultCompositionRef has no name; write the name of a Composition
spec.conversion.strategy: apiextensions.crossplane.io/v1 accepts only strategy Webhook; remove conversion to convert without a webhook`,
		v2 + "conversion: {strategy: None}, enforcedCompositionRef: 5, " + schema + "{}" + end: `
spec.enforcedCompositionRef: enforcedCompositionRef must be a mapping, but this is a number`,
		v2 + "versions: [{name: v1, storage: true, subresources: {status: {}}, shema: {}}, null]}}": `
spec.versions[0].storage: apiextensions.crossplane.io/v2 has no field "storage" here; write referenceable
spec.versions[0].subresources.status: apiextensions.crossplane.io/v2 has no field "status" here; remove it, since Crossplane adds it
spec.versions[0].shema: apiextensions.crossplane.io/v2 has no field "shema" here; did you mean schema?
spec.versions[0].name: served is missing in this version; write true or false
spec.versions[0].name: referenceable is missing in this version; write true or false`,
		v2 + "zzz: 1, names: {zzz: 1}, versions: [{name: v1, served: 'yes', referenceable: true, schema: {openAPIV3Schema: {zzz: 1}}}]}}": `
spec.zzz: apiextensions.crossplane.io/v2 has no field "zzz" here; remove it
~.zzz: Crossplane drops zzz of the schema from its CRDs; remove it`,
	} {
		var got string
		for _, c := range find(t, text) {
			for _, p := range c.From.Problems {
				got += "\n" + strings.ReplaceAll(p.At.Path, inSchema, "~") + ": " + p.Message
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", text, diff)
		}
	}
}

// TestPlaces says where the XRD has what is in the CRD of claims, and whether that is the value itself.
func TestPlaces(t *testing.T) {
	t.Parallel()
	claim := find(t, claimed)[1]
	const scale, schema = "spec.versions[0].subresources.scale", "spec.versions[0].schema.openAPIV3Schema"
	for path, want := range map[string]string{
		"metadata.name":                               "spec.claimNames.plural",
		"spec.names.kind":                             "spec.claimNames.kind *",
		"spec.names.categories":                       "spec.claimNames",
		"spec.scope":                                  "spec.claimNames",
		"metadata.annotations[taken]":                 "spec.metadata.annotations[taken] *",
		"metadata.labels[x]":                          "metadata.labels[x] *",
		"metadata.labels[b]":                          "spec.metadata.labels[b] *",
		"spec.versions[0].storage":                    "spec.versions[0].referenceable *",
		scale:                                         scale + " *",
		"spec.versions[0].subresources.status":        "spec.versions[0].subresources",
		schema + ".properties[spec].properties[size]": schema + ".properties[spec].properties[size] *",
		schema + ".properties[spec].properties[compositionRef].type": schema + ".properties[spec].properties",
	} {
		at, complete := claim.Resolve(crd.Steps(path))
		if !complete {
			t.Fatalf("no %s", path)
		}
		in, exact := claim.From.Place(at)
		got := in.Path
		if exact {
			got += " *"
		}
		if got != want {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
}
