package apiserver_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// TestForeseeUnjudged: what a server says of a field may depend on how a mistake elsewhere is corrected. It is told where it does not,
// and named as not judged where it does.
func TestForeseeUnjudged(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		field    string // a field beside one that is mistaken and one that is not
		told     bool
		unjudged string
	}{
		"a default":                               {"{type: object, default: {b: 1}, properties: {b: {type: string}, c: {}}}", true, ""},
		"a default with the mistaken field":       {"{type: object, default: {c: {d: 1}}, properties: {b: {type: string}, c: {}}}", false, apiserver.DefaultValues},
		"a default that lacks it":                 {"{type: object, default: {b: 1, e: 1}, properties: {b: {type: string}, c: {}}}", true, apiserver.DefaultValues},
		"a default beside the mistake":            {"{type: object, properties: {c: {}, e: {type: string, default: 1}}}", true, ""},
		"a rule about another field":              {`{type: object, properties: {b: {type: string}, c: {}}, x-kubernetes-validations: [{rule: "self.b > 1"}]}`, true, ""},
		"a rule about the mistaken field":         {`{type: object, properties: {b: {type: string}, c: {}}, x-kubernetes-validations: [{rule: "self.c.size() > 1"}]}`, false, ""}, // it may have a size
		"a message about the mistaken field":      {`{type: object, properties: {b: {type: string}, c: {}}, x-kubernetes-validations: [{rule: "true", messageExpression: "self.c + 1"}]}`, false, apiserver.CELRules},
		"a rule of the mistaken field":            {`{type: object, properties: {b: {type: string}, c: {x-kubernetes-validations: [{rule: "self.d"}]}}}`, false, apiserver.CELRules},
		"an older value in a list of an odd type": {`{type: object, properties: {c: {}, l: {type: array, x-kubernetes-list-type: bag, maxItems: 3, items: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}}}`, false, apiserver.CELRules},
	} {
		d, err := inputs.CRD(t, strings.NewReplacer("FIELD", test.field, `, default: 1}
          z: {type: string, x-kubernetes-validations: [{rule: self.steam}]}`, "}").Replace(behind)).Decode()
		if err != nil {
			t.Fatal(name, err)
		}
		verdict := apiserver.OnCreate(d.Hub, crd.V1)
		if verdict.Accepted() {
			t.Fatalf("%s: there is no mistake", name)
		}
		foreseen := apiserver.Foresee(d.Hub, crd.V1, verdict, apiserver.OnCreate)
		if got := len(foreseen.Errors) > 0; got != test.told || strings.Join(foreseen.Unjudged, ", ") != test.unjudged {
			t.Errorf("%s: foreseen is %v, and not judged %q", name, foreseen.Errors, foreseen.Unjudged)
		}
	}
}

// TestUnchanged judges a CRD that upstream's validation would bring into shape: it stays as it is.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	for _, where := range []string{
		"x: FIELD", "x: {type: array, items: FIELD}", "x: {type: object, additionalProperties: FIELD}",
	} {
		field := `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true,
            default: {apiVersion: v1, kind: Pod, metadata: {name: a, creationTimestamp: "2020-01-31T08:00:00+02:00", labels: {b: c}}}}`
		text := strings.Replace(behind, "x: FIELD", strings.Replace(where, "FIELD", field, 1), 1)
		for _, version := range []crd.Version{crd.V1, crd.V1beta1} {
			d, err := inputs.CRD(t, text).Decode()
			if err != nil {
				t.Fatal(err)
			}
			before := d.Hub.DeepCopy()
			first := fmt.Sprint(apiserver.OnCreate(d.Hub, version).Errors)
			if !reflect.DeepEqual(d.Hub, before) {
				t.Errorf("%s: %s has changed it", where, version)
			}
			if again := fmt.Sprint(apiserver.OnCreate(d.Hub, version).Errors); again != first {
				t.Errorf("%s: %s says %s, and then %s", where, version, first, again)
			}
		}
	}
}
