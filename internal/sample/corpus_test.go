package sample_test

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A reach is how much of some CRDs there are valid objects for.
type reach struct {
	versions, made int // that there is a valid object of
	nodes, reached int // that have a value in a valid object
	filled, valid  int // objects, of those that were tried
}

// TestReach makes objects for the CRDs of the corpus that have a webhook, and for those that have rules.
func TestReach(t *testing.T) {
	t.Parallel()
	corpus.Need(t)
	var hooks, ruled []reach
	for _, file := range corpus.Sample(t, corpus.Files(t, "v1"), 20) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("x-kubernetes-validations")) && !bytes.Contains(text, []byte("strategy: Webhook")) {
			continue
		}
		crds, apiVersions, err := behaviour.Decode(text)
		if err != nil {
			continue
		}
		for i, crd := range crds {
			if apiVersions[i] != "apiextensions.k8s.io/v1" {
				continue
			}
			hook := crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensions.WebhookConverter && len(crd.Spec.Versions) > 1
			server, err := request.New(crd)
			if err != nil {
				continue
			}
			for _, version := range server.Versions() {
				v := server.Version(version)
				if v.Err() != nil {
					continue
				}
				if has := hasRules(v); hook || has {
					r := measure(t, server, version)
					if hook {
						hooks = append(hooks, r)
					}
					if has {
						ruled = append(ruled, r)
					}
				}
			}
		}
	}
	check(t, "webhooks", hooks, reach{made: 100, reached: 98, valid: 95})
	check(t, "rules", ruled, reach{made: 97, reached: 92, valid: 85})
}

func hasRules(v *request.Version) bool {
	found := false
	var visit func(s *apiextensions.JSONSchemaProps)
	visit = func(s *apiextensions.JSONSchemaProps) {
		if s == nil {
			return
		}
		found = found || len(s.XValidations) > 0
		for _, p := range s.Properties {
			visit(&p)
		}
		if s.Items != nil {
			visit(s.Items.Schema)
		}
		if s.AdditionalProperties != nil {
			visit(s.AdditionalProperties.Schema)
		}
	}
	visit(v.Schema)
	return found
}

func (r *reach) add(other reach) {
	r.versions += other.versions
	r.made += other.made
	r.nodes += other.nodes
	r.reached += other.reached
	r.filled += other.filled
	r.valid += other.valid
}

// hard is how many versions a sample may have of those that objects are hardest to make of.
const hard = 2

// check holds the shares of 100 that are promised of all.
func check(t *testing.T, about string, each []reach, want reach) {
	if !corpus.All() {
		slices.SortFunc(each, func(a, b reach) int { return cmp.Compare(a.worst(), b.worst()) })
		each = each[min(hard, len(each)):]
	}
	var r reach
	for _, of := range each {
		r.add(of)
	}
	t.Logf("CRDs with %s: %+v", about, r)
	if r.made*100 < r.versions*want.made || r.reached*100 < r.nodes*want.reached || r.valid*100 < r.filled*want.valid {
		t.Errorf("CRDs with %s: %+v; want %d%% of the versions, %d%% of the nodes, %d%% of the filled objects", about, r, want.made, want.reached, want.valid)
	}
}

// worst is the smallest of the shares of a version.
func (r reach) worst() float64 {
	return min(float64(r.made), float64(r.reached)/float64(max(1, r.nodes)), float64(r.valid)/float64(r.filled))
}

func measure(t *testing.T, server *request.Server, version string) (r reach) {
	g := sample.New(server, version, 1)
	r.versions = 1
	for _, at := range g.Nodes() {
		r.nodes++
		if _, ok := g.At(at); ok {
			r.reached++
		}
	}
	if r.reached > 0 {
		r.made = 1
	}
	r.filled = 10
	r.valid = len(g.Filled(10))
	return r
}
