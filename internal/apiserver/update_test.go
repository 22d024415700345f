package apiserver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
)

var typer = func() runtime.ObjectTyper {
	s := runtime.NewScheme()
	if err := apiextensions.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
}()

// registry returns the answer of upstream's registry to a PUT that changes the old object, which was created through it
// and is established, into the new one: like kubectl's, the request includes the metadata that the server keeps.
func registry(old, new *apiextensions.CustomResourceDefinition) (causes []string) {
	defer func() {
		if p := recover(); p != nil {
			causes = []string{fmt.Sprint("panic: ", p)}
		}
	}()
	strategy := customresourcedefinition.NewStrategy(typer)
	ctx := genericapirequest.WithNamespace(genericapirequest.NewContext(), "")
	stored, obj := old.DeepCopy(), new.DeepCopy()
	stored.Namespace, obj.Namespace = "", ""
	stored.DeletionTimestamp, obj.DeletionTimestamp = nil, nil
	stored.DeletionGracePeriodSeconds, obj.DeletionGracePeriodSeconds = nil, nil
	strategy.PrepareForCreate(ctx, stored)
	stored.ResourceVersion, stored.UID, stored.ManagedFields = "7", "1234", nil
	apiextensions.SetCRDCondition(stored, apiextensions.CustomResourceDefinitionCondition{
		Type: apiextensions.Established, Status: apiextensions.ConditionTrue,
	})
	obj.ResourceVersion, obj.UID, obj.ManagedFields = "7", "", nil
	obj.SetSelfLink(stored.GetSelfLink())
	obj.CreationTimestamp, obj.GenerateName = stored.CreationTimestamp, stored.GenerateName

	err := rest.BeforeUpdate(strategy, ctx, obj, stored)
	var status *apierrors.StatusError
	if errors.As(err, &status) && status.ErrStatus.Details != nil {
		for _, c := range status.ErrStatus.Details.Causes {
			causes = append(causes, fmt.Sprint(c.Type, " ", unswapped(c), " ", c.Message))
		}
	} else if err != nil {
		causes = []string{err.Error()}
	}
	slices.Sort(causes)
	return slices.Compact(causes)
}

// unswapped is the path of a cause, where upstream does not confuse a service's name and namespace.
func unswapped(c metav1.StatusCause) string {
	const service = "spec.conversion.webhookClientConfig.service."
	switch c.Field {
	case service + "name":
		return service + "namespace"
	case service + "namespace":
		return service + "name"
	}
	return c.Field
}

// answer returns the verdict of the package under test.
func answer(old, new *apiextensions.CustomResourceDefinition) []string {
	v := apiserver.OnUpdate(new, old, crd.V1)
	if v.Panic != "" {
		return []string{"panic: " + v.Panic}
	}
	var causes []string
	for _, err := range v.Errors {
		causes = append(causes, fmt.Sprint(string(err.Type), " ", err.Field, " ", err.ErrorBody()))
	}
	slices.Sort(causes)
	return slices.Compact(causes)
}

func hubOf(c *crd.CRD) *apiextensions.CustomResourceDefinition {
	d, err := c.Decode()
	if err != nil {
		return nil
	}
	return d.Hub
}

// updates counts the comparisons.
type updates struct{ pairs, refused int }

func (u *updates) compare(t *testing.T, about string, old, new *crd.CRD) {
	t.Helper()
	was, is := hubOf(old), hubOf(new)
	if was == nil || is == nil || was.Name == "" || is.Name == "" {
		return // no request could be made
	}
	was.Status, is.Status = apiextensions.CustomResourceDefinitionStatus{}, apiextensions.CustomResourceDefinitionStatus{}
	want, got := registry(was, is), answer(was, is)
	u.pairs++
	if len(want) > 0 {
		u.refused++
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s:\nthe registry says %s\nwe say %s", about, strings.Join(want, "\n  "), strings.Join(got, "\n  "))
	}
}

// TestUpdatesOfMutants makes mistakes in the fixtures and updates the originals to them, and them to the originals.
func TestUpdatesOfMutants(t *testing.T) {
	t.Parallel()
	each := 400
	if testing.Short() {
		each = 100
	}
	var u updates
	for _, f := range fixtures(t, "v1") {
		if slices.Equal(f.want, []string{"accepted"}) {
			u.mutants(t, f.crd, each)
		}
	}
	t.Logf("%d updates, %d rejected", u.pairs, u.refused)
	if u.refused*10 < u.pairs || u.refused*10 > u.pairs*9 {
		t.Error("hardly worth comparing: nearly all or none are rejected")
	}
}

func (u *updates) mutants(t *testing.T, c *crd.CRD, each int) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		t.Fatal(err)
	}
	for n := range each {
		mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(11, uint64(n))), 1+n%3/2)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range crd.Parse(mutated) {
			u.compare(t, fmt.Sprint(c.Name(), " to ", made), c, m)
			u.compare(t, fmt.Sprint(c.Name(), " from ", made), m, c)
		}
	}
}

// TestUpdatesOfCorpus updates every CRD to the next release's and back, and the last one to mutants.
func TestUpdatesOfCorpus(t *testing.T) {
	t.Parallel()
	var u updates
	for _, releases := range corpus.Sample(t, corpus.Releases(t), 8) {
		before := map[string]*crd.CRD{}
		for i, path := range releases {
			for _, c := range inputs.CRDs(t, path) {
				if old := before[c.Name()]; old != nil {
					u.compare(t, path, old, c)
					u.compare(t, path+" back", c, old)
				}
				if i == len(releases)-1 {
					u.mutants(t, c, 4)
				}
				before[c.Name()] = c
			}
		}
	}
	t.Logf("%d updates, %d rejected", u.pairs, u.refused)
}
