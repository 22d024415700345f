package fast_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
)

// wantAsUpstream wants the rules of a CRD to be what they are to upstream, and returns how many schemas have good ones and
// others.
func wantAsUpstream(t *testing.T, name string, c *crd.CRD) (good, bad int) {
	t.Helper()
	d, err := c.Decode()
	if err != nil {
		return 0, 0
	}
	here, upstream := fast.CompiledTwice(d.Hub)
	for at, want := range upstream {
		if !reflect.DeepEqual(here[at], want) {
			t.Errorf("%s: rules %d: got %+v, want %+v", name, at, here[at], want)
		}
		if want.Good() {
			good++
		} else {
			bad++
		}
	}
	return good, bad
}

// TestCompiled compiles rules about values of many types, one after the other in the same environments, and all of them at
// once.
func TestCompiled(t *testing.T) {
	t.Parallel()
	specs := []struct {
		spec string
		good bool
	}{
		{`{type: string, maxLength: 20, x-kubernetes-validations: [{rule: "self == oldSelf"}, {rule: "self.size() > 2"}]}`, true},
		{`{type: string, x-kubernetes-validations: [{rule: "self.matches('^[a-z')"}]}`, false},
		{`{type: string, x-kubernetes-validations: [{rule: "duration(self) < duration('1z')"}]}`, false},
		{`{type: string, format: duration, x-kubernetes-validations: [{rule: "self < duration('1h')"}]}`, true},
		{`{type: string, x-kubernetes-validations: [{rule: "!oldSelf.hasValue() || self == oldSelf.value()", optionalOldSelf: true}, {rule: "self == oldSelf"}]}`, true},
		{`{type: string, x-kubernetes-validations: [{rule: "self != ''", optionalOldSelf: true}]}`, false},
		{`{type: string, x-kubernetes-validations: [{rule: "self == oldSelf.value()"}]}`, false},
		{`{type: integer, x-kubernetes-validations: [{rule: "self == oldSelf"}, {rule: "self > 2", messageExpression: "'at most ' + '2'"}]}`, true},
		{`{type: integer, x-kubernetes-validations: [{rule: "self > 2", messageExpression: "'not ' + string(self)"}]}`, false}, // which costs too much
		{`{type: integer, x-kubernetes-validations: [{rule: "self > 2", messageExpression: "self"}]}`, false},
		{`{type: integer, x-kubernetes-validations: [{rule: "self"}]}`, false},
		{`{type: integer, x-kubernetes-validations: [{rule: "   "}]}`, false},
		{`{type: object, properties: {a: {type: string}, namespace: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.namespace"}]}`, true},
		{`{type: object, properties: {a: {type: integer}, namespace: {type: integer}}, x-kubernetes-validations: [{rule: "self.a < self.namespace"}]}`, true},
		{`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != 'x'"}]}`, false},
		{`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "type(self) == selfType"}]}`, false},
		{`{type: object, properties: {b: {type: object, properties: {c: {type: string}}}}, x-kubernetes-validations: [{rule: "has(self.b.c) && self.b.c.startsWith('x')"}]}`, true},
		{`{type: object, properties: {b: {type: object, properties: {d: {type: string}}}}, x-kubernetes-validations: [{rule: "has(self.b.c) && self.b.c.startsWith('x')"}]}`, false},
		{`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "self.metadata.name != self.kind"}]}`, true},
		{`{type: array, maxItems: 10, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: "self.all(a, a.startsWith('x'))"}]}`, true},
		{`{type: array, maxItems: 10, items: {type: object, properties: {a: {type: string}}}, x-kubernetes-validations: [{rule: "self.exists_one(e, e.a == 'x')"}]}`, true},
		{`{type: array, maxItems: 10, items: {type: object, properties: {b: {type: string}}}, x-kubernetes-validations: [{rule: "self.exists_one(e, e.a == 'x')"}]}`, false},
		{`{type: object, maxProperties: 5, additionalProperties: {type: string, maxLength: 7}, x-kubernetes-validations: [{rule: "self.all(k, k.size() < 5 && self[k].matches('^a+$'))"}]}`, true},
		{`{x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: "type(self) == int ? self > 1 : self != '1'"}]}`, true},
		{`{type: string, x-kubernetes-validations: [{rule: "isQuantity(self) && quantity(self).isGreaterThan(quantity('1Mi'))"}, {rule: "url(self).getHost() != ''"}]}`, true},
		{`{type: string, x-kubernetes-validations: [{rule: "self != ''", messageExpression: "  "}]}`, false},
	}
	var at sync.WaitGroup
	for range 3 {
		at.Go(func() {
			for _, tt := range specs {
				good, bad := wantAsUpstream(t, tt.spec, inputs.CRD(t, fieldOf(tt.spec, "", "")))
				if (good == 1) != tt.good || good+bad != 1 {
					t.Errorf("%s: %d good, %d bad", tt.spec, good, bad)
				}
			}
		})
	}
	at.Wait()
}

func TestCompiledFixtures(t *testing.T) {
	t.Parallel()
	for _, f := range fixtures(t, "v1") {
		wantAsUpstream(t, f.name, f.CRD)
	}
}

func TestCompiledCorpus(t *testing.T) {
	t.Parallel()
	good, bad := 0, 0
	for _, path := range corpus.Sample(t, corpus.Files(t), 12) {
		for i, c := range inputs.CRDs(t, path) {
			g, b := wantAsUpstream(t, fmt.Sprint(path, " ", i), c)
			good, bad = good+g, bad+b
		}
	}
	t.Logf("%d schemas with rules that upstream has nothing against, %d others", good, bad)
}

// TestRuleCostsApart asks for the costs of a rule after those of the same rule where upstream cannot compile it, for something
// that no digest has.
func TestRuleCostsApart(t *testing.T) {
	t.Parallel()
	schema := &apiextensions.JSONSchemaProps{Type: "string", Ref: new("#/a"), XValidations: apiextensions.ValidationRules{{Rule: "self != 'apart'"}}}
	costs := func() []apiserver.Cost { return fast.RuleCosts(schema, validation.RootCELContext(schema), false) }
	if got := costs(); len(got) != 0 {
		t.Errorf("beside a reference the costs are %v", got)
	}
	schema.Ref = nil
	if got := costs(); len(got) != 1 {
		t.Errorf("without a reference the costs are %v", got)
	}
}
