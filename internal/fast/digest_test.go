package fast

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestDigestEach compares schemas with those that differ from them in one field at one place: where a digest has all of both, it
// is the same if and only if they are, but for the words of titles and descriptions, and for lists that are empty. What is noted of a schema is what a walk
// through it finds.
func TestDigestEach(t *testing.T) {
	t.Parallel()
	same, other := 0, 0
	for name, text := range mutants.Small() {
		c := crd.Parse([]byte(text))[0]
		raw, err := yaml11.ToJSON(c.Node)
		if err != nil {
			t.Fatal(err)
		}
		base := rootsOf(t, raw, c.Version)
		for _, change := range corpus.Sample(t, mutants.Each(raw), 200) {
			changed := rootsOf(t, mutants.With(raw, change), c.Version)
			if len(changed) != len(base) {
				continue
			}
			for i := range base {
				a, b := noted(t, base[i]), noted(t, changed[i])
				if !a.plain || !b.plain {
					continue
				}
				one, two := withoutWords(base[i]), withoutWords(changed[i])
				is, alike := reflect.DeepEqual(one, two), equality.Semantic.DeepEqual(one, two)
				if is && a.digest != b.digest || !alike && a.digest == b.digest {
					t.Errorf("%s, %s: the same is %t, the same digest %t", name, change, is, a.digest == b.digest)
				}
				if is {
					same++
				} else {
					other++
				}
			}
		}
	}
	if same < 10 || other < 10 {
		t.Errorf("hardly worth comparing: %d are the same, and %d are not", same, other)
	}
}

// rootsOf are the schemas of a CRD; none where it cannot be read.
func rootsOf(t *testing.T, raw []byte, version crd.Version) (all []*apiextensions.JSONSchemaProps) {
	t.Helper()
	d, err := crd.DecodeJSON(raw, version)
	if err != nil {
		return nil
	}
	apiserver.EachRoot(&d.Hub.Spec, func(root *apiextensions.JSONSchemaProps, _ *field.Path) { all = append(all, root) })
	return all
}

// noted is what a digester finds out about a schema. It compares that with the facts.
func noted(t *testing.T, s *apiextensions.JSONSchemaProps) mark {
	t.Helper()
	var d digester
	m := d.marks[d.scan("", "", s)]
	want := mark{digest: m.digest, below: m.below, plain: m.plain}
	var look func(s *apiextensions.JSONSchemaProps, branch bool)
	look = func(s *apiextensions.JSONSchemaProps, branch bool) {
		rules := len(s.XValidations) > 0
		want.schemas++
		want.rules = want.rules || rules && !branch
		want.defaults = want.defaults || s.Default != nil
		want.embedded = want.embedded || s.XEmbeddedResource
		want.extensions = want.extensions || s.XEmbeddedResource || s.XPreserveUnknownFields != nil || s.XIntOrString || s.XListType != nil || len(s.XListMapKeys) > 0 || rules
		for name := range s.Properties {
			member := s.Properties[name]
			look(&member, branch)
		}
		if s.Items != nil && s.Items.Schema != nil {
			look(s.Items.Schema, branch)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			look(s.AdditionalProperties.Schema, branch)
		}
		apiserver.EachJunctor(s, func(b *apiextensions.JSONSchemaProps) { look(b, true) })
	}
	look(s, false)
	if m != want {
		t.Errorf("%s: got %+v, want %+v", fmt.Sprint(s), m, want)
	}
	return m
}

// withoutWords is a schema with the same title and description in each place that has some.
func withoutWords(s *apiextensions.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	out := s.DeepCopy()
	eachOf(out, func(s *apiextensions.JSONSchemaProps) {
		for _, words := range []*string{&s.Title, &s.Description} {
			if *words != "" {
				*words = "words"
			}
		}
	})
	return out
}

// eachOf changes a schema and those below it.
func eachOf(s *apiextensions.JSONSchemaProps, change func(*apiextensions.JSONSchemaProps)) {
	change(s)
	for name, member := range s.Properties {
		eachOf(&member, change)
		s.Properties[name] = member
	}
	if s.Items != nil && s.Items.Schema != nil {
		eachOf(s.Items.Schema, change)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		eachOf(s.AdditionalProperties.Schema, change)
	}
	apiserver.EachJunctor(s, func(b *apiextensions.JSONSchemaProps) { eachOf(b, change) })
}
