package request_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"sigs.k8s.io/yaml"
)

// A score counts what contests compared.
type score struct {
	sync.Mutex
	crds, versions, objects, refused, unserved, unstored int

	tried map[string]int // objects by operation
}

// judge compares the judge with upstream for all versions of a CRD, by about so many objects.
func (s *score) judge(t *testing.T, name string, hub *apiextensions.CustomResourceDefinition, seed uint64, most int) {
	t.Helper()
	server, err := request.New(hub)
	if err != nil { // without a storage version no server takes it
		t.Logf("%s: %v", name, err)
		s.Lock()
		defer s.Unlock()
		s.unstored++
		return
	}
	for _, version := range server.Versions() {
		c, err := newContest(server, hub, version)
		if (err == nil) != (server.Version(version).Err() == nil) {
			t.Errorf("%s: %s: is served: %v, should be: %v", name, version, server.Version(version).Err(), err)
		}
		if err != nil {
			s.add(contest{}, 1)
			continue
		}
		c.run(behaviour.NewGenerator(server, version, seed), seed, most/len(server.Versions()))
		for _, failure := range c.failures {
			t.Errorf("%s: %s: seed %d: %s", name, version, seed, failure)
		}
		s.add(*c, 0)
	}
	s.Lock()
	defer s.Unlock()
	s.crds++
}

func (s *score) add(c contest, unserved int) {
	s.Lock()
	defer s.Unlock()
	s.versions++
	s.objects += c.objects
	s.refused += c.refused
	s.unserved += unserved
	if s.tried == nil {
		s.tried = map[string]int{}
	}
	for operation, n := range c.tried {
		s.tried[operation] += n
	}
}

// objects is how many objects to try per CRD: CRDLIFT_OBJECTS says so for more than the usual.
func objects(t testing.TB, usual int) int {
	text := os.Getenv("CRDLIFT_OBJECTS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("CRDLIFT_OBJECTS: %v", err)
	}
	return n
}

// TestEqualsUpstream compares the judge with upstream's strategies for CRDs written by hand, by feature.
func TestEqualsUpstream(t *testing.T) {
	t.Parallel()
	for name, manifest := range features {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s score
			s.judge(t, name, decode(t, manifest), corpus.Seed(t), objects(t, 600))
			if s.refused == 0 || s.refused == s.objects {
				t.Errorf("%d of %d objects are rejected", s.refused, s.objects)
			}
		})
	}
}

// TestEqualsUpstreamEach compares the judge with upstream's strategies for small CRDs with each field at each place changed to
// each of many values, where a server takes them: for a sample of these, or for all with CRDLIFT_VOLUME=all.
func TestEqualsUpstreamEach(t *testing.T) {
	t.Parallel()
	var s score
	for name, text := range mutants.Small() {
		if strings.HasPrefix(name, "v1beta1") {
			continue
		}
		raw, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range corpus.Sample(t, mutants.Each(raw), 300) {
			d, err := crd.DecodeJSON(mutants.With(raw, change), crd.V1)
			if err == nil && apiserver.OnCreate(d.Hub, crd.V1).Accepted() {
				s.judge(t, name+", "+change.String(), d.Hub, corpus.Seed(t), 8)
			}
		}
	}
	t.Logf("%d objects of %d CRDs compared, of which %d are rejected", s.objects, s.crds, s.refused)
	if s.crds == 0 || s.refused == 0 || s.refused == s.objects {
		t.Errorf("%d of %d objects are rejected", s.refused, s.objects)
	}
}

// TestEqualsUpstreamCorpus is TestEqualsUpstream for real CRDs.
func TestEqualsUpstreamCorpus(t *testing.T) {
	t.Parallel()
	var s score
	var seen sync.Map
	t.Run("files", func(t *testing.T) {
		for _, path := range corpus.Sample(t, corpus.Files(t, "v1", "v1beta1", "evolution", "pairs"), 160) {
			t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				source, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				crds, _, err := behaviour.Decode(source)
				if err != nil {
					t.Skipf("the API server cannot read it: %v", err)
				}
				for _, hub := range crds {
					if key, err := json.Marshal(hub.Spec); err != nil {
						t.Fatal(err)
					} else if _, again := seen.LoadOrStore(string(key), true); !again {
						s.judge(t, hub.Name, hub, corpus.Seed(t), objects(t, 120))
					}
				}
			})
		}
	})
	t.Logf("%d objects of %d versions of %d CRDs compared (%v), of which %d are rejected; %d versions are served by nobody, %d CRDs have no storage version",
		s.objects, s.versions, s.crds, s.tried, s.refused, s.unserved, s.unstored)
}
