package apiserver_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// create is what the server of v1 says of a CRD: what rest.BeforeCreate does.
func create(scheme *runtime.Scheme, obj *apiextensions.CustomResourceDefinition) (o opinion) {
	defer func() {
		if recover() != nil {
			o = opinion{refused: true, panics: "yes"}
		}
	}()
	s := customresourcedefinition.NewStrategy(scheme)
	ctx := genericrequest.WithRequestInfo(context.Background(), &genericrequest.RequestInfo{APIGroup: apiextensions.GroupName, APIVersion: "v1"})
	rest.FillObjectMetaSystemFields(obj)
	obj.Namespace = "" // see EnsureObjectNamespaceMatchesRequestNamespace
	s.PrepareForCreate(ctx, obj)
	errs := rest.ValidateCreate(ctx, obj, s)
	for _, err := range errs {
		apiserver.Unswap(err)
	}
	return opinionOf(errs)
}

// TestStrategy has the server's own strategy judge random mutants of v1 CRDs, and wants both ways to find the same errors.
func TestStrategy(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	install.Install(scheme)
	each := map[string]int{"v1": 200, "v1 with rules": 100}
	if corpus.All() {
		each = map[string]int{"v1": 8000, "v1 with rules": 2500}
	}
	var r record
	for name, text := range mutants.Small() {
		if strings.HasPrefix(name, "v1beta1") {
			continue
		}
		raw, err := yaml11.ToJSON(inputs.CRD(t, text).Node)
		if err != nil {
			t.Fatal(err)
		}
		for n := range each[name] {
			mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(corpus.Seed(t), uint64(n))), 1+n%3/2)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range crd.Parse(mutated) {
				r.asked++
				d, err := c.Decode()
				if err != nil {
					r.undecodable++
					continue
				}
				want := create(scheme, d.Hub.DeepCopy())
				if want.refused {
					r.refused++
				}
				for _, judge := range []func(*apiextensions.CustomResourceDefinition, crd.Version) apiserver.Verdict{apiserver.OnCreate, quick} {
					got := profile(c, judge)
					if got.refused != want.refused || (got.panics != "") != (want.panics != "") || !slices.Equal(got.errors, want.errors) {
						r.verdicts++
						t.Errorf("%s, mutant %d %q: got %v, want %v", name, n, made, got, want)
					}
				}
			}
		}
	}
	r.log(t, "mutants of small CRDs")
}
