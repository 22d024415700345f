package carry

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// kettles have a default of v1beta1 that v1 lacks, and no status subresource. Both versions have an account, in different places.
const kettles = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kettles.kiln.example.com}
spec:
  group: kiln.example.com
  scope: Namespaced
  names: {kind: Kettle, listKind: KettleList, plural: kettles, singular: kettle}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: kiln, name: kettles}}}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {account: {type: string}, boils: {type: integer}, litres: {type: integer, default: 2}}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              template: {type: object, properties: {account: {type: string}, boils: {type: integer}}}
              litres: {type: integer}
              origin: {type: string}
              retries: {type: integer}
`

// kettle fills in the account and how often it boils at both versions, and at v1 two values that nothing of v1beta1 says.
func kettle(o Object, to string) (Object, error) {
	o = runtime.DeepCopyJSON(o)
	was, is := below(o, "spec"), map[string]any{}
	o["spec"] = is
	move(was, is, "litres", "litres")
	if to == "v1" {
		template := below(is, "template")
		template["account"], template["boils"] = "default", int64(1)
		move(was, template, "account", "account")
		move(was, template, "boils", "boils")
		is["origin"], is["retries"] = "migrated", int64(1)
		return o, nil
	}
	is["account"], is["boils"] = "default", int64(1)
	move(below(was, "template"), is, "account", "account")
	move(below(was, "template"), is, "boils", "boils")
	return o, nil
}

// TestFilledInElsewhere leaves out what a webhook fills in at both versions, though in different places. What it says of one of them alone
// stays, even where it is equal to what is filled in.
func TestFilledInElsewhere(t *testing.T) {
	for _, test := range []struct{ given, want string }{
		{"spec: {litres: 3}", "spec: {litres: 3, origin: migrated, retries: 1}"},
		{"spec: {litres: 3, account: cook}", "spec: {litres: 3, template: {account: cook}, origin: migrated, retries: 1}"},
		{"spec: {account: default}", "spec: {litres: 2, template: {account: default}, origin: migrated, retries: 1}"},
	} {
		const head = "kind: Kettle\nmetadata: {name: a}\n"
		c := &Carrier{Options: Options{To: "v1"}, Ask: asks(converter(kettle))}
		got := wayTo(t, c, definition(t, []byte(kettles)), "v1beta1").Carry(object(t, "apiVersion: kiln.example.com/v1beta1\n"+head+test.given), false)
		if want := object(t, "apiVersion: kiln.example.com/v1\n"+head+test.want); asJSON(got.Object) != asJSON(want) {
			t.Errorf("%s\nis %s\nand not %s\n%s", test.given, asJSON(got.Object), asJSON(want), told(got.Notes))
		}
	}
}

// TestFillInsOfOthers has a value that means something in one object only: what is written of the other does not depend on which comes first.
func TestFillInsOfOthers(t *testing.T) {
	origin := converter(func(o Object, to string) (Object, error) {
		o = runtime.DeepCopyJSON(o)
		spec := below(o, "spec")
		if to == "v1" {
			delete(spec, "account")
			spec["origin"] = "migrated"
		} else if delete(spec, "origin"); spec["litres"] == int64(1) {
			spec["account"] = "migrated"
		}
		return o, nil
	})
	d := definition(t, []byte(kettles))
	small, large := "spec: {litres: 1}\n", "spec: {litres: 2}\n"
	for _, order := range [][]string{{small, large}, {large, small}} {
		c := &Carrier{Options: Options{To: "v1"}, Ask: asks(origin)}
		for _, given := range order {
			got := wayTo(t, c, d, "v1beta1").Carry(object(t, "apiVersion: kiln.example.com/v1beta1\nkind: Kettle\nmetadata: {name: a}\n"+given), false)
			if got.Object == nil {
				t.Fatal(told(got.Notes))
			}
			if _, written := below(got.Object, "spec")["origin"]; written != (given == large) {
				t.Errorf("with %q first, %q has an origin: %v\n%s", order[0], given, written, told(got.Notes))
			}
		}
	}
}
