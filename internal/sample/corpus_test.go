package sample_test

import (
	"bytes"
	"os"
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
	var hooks, ruled reach
	for _, file := range corpus.Sample(t, corpus.Files(t, "v1"), 8) {
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
						hooks.add(r)
					}
					if has {
						ruled.add(r)
					}
				}
			}
		}
	}
	hooks.check(t, "webhooks", 100, 98, 95)
	ruled.check(t, "rules", 97, 92, 85)
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

// check holds shares of 100 against what is promised.
func (r reach) check(t *testing.T, about string, made, reached, valid int) {
	t.Logf("CRDs with %s: %+v", about, r)
	if r.made*100 < r.versions*made || r.reached*100 < r.nodes*reached || r.valid*100 < r.filled*valid {
		t.Errorf("CRDs with %s: %+v; want %d%% of the versions, %d%% of the nodes, %d%% of the filled objects", about, r, made, reached, valid)
	}
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
