package fast_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A whole counts the CRDs of which a test compared the verdict with the one that comes about without shortcuts.
type whole struct {
	judged, unreadable, accepted int
	later                        int // of those accepted, v1 answered for v1beta1
}

// compare wants the verdict on a CRD to be the one that upstream gives when it decodes all of it by way of JSON and is asked
// about all of it, and the CRD to stay as it is. It returns whether it is accepted.
func (w *whole) compare(t *testing.T, name string, c *crd.CRD) bool {
	t.Helper()
	w.judged++
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return false
	}
	d, err := c.Decode()
	upstream, upstreamErr := crd.DecodeJSON(raw, c.Version)
	if err != nil || upstreamErr != nil {
		w.unreadable++
		if fmt.Sprint(err) != fmt.Sprint(upstreamErr) {
			t.Errorf("%s: reading says %v, and by way of JSON %v", name, err, upstreamErr)
		}
		return false
	}
	if !reflect.DeepEqual(d.Hub, upstream.Hub) {
		t.Errorf("%s: is read as\n%+v\nand by way of JSON as\n%+v", name, d.Hub, upstream.Hub)
	}
	got, want := fast.OnCreate(d.Hub, c.Version), apiserver.OnCreate(upstream.Hub, c.Version)
	sameVerdict(t, name, got.Verdict, want)
	if got.Later != nil {
		w.later++
		sameVerdict(t, name+", settled", *got.Later, apiserver.OnCreate(fast.Settled(d.Hub), crd.V1))
		sameVerdict(t, name+", by v1beta1", fast.WithoutLater(d.Hub, c.Version), want)
	}
	if !reflect.DeepEqual(d.Hub, upstream.Hub) {
		t.Errorf("%s: judging changed it", name)
	}
	if want.Accepted() {
		w.accepted++
	}
	return want.Accepted()
}

// sameVerdict compares what both say.
func sameVerdict(t *testing.T, name string, got, want apiserver.Verdict) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v %s, but in full %v %s", name, got.Errors, got.Panic, want.Errors, want.Panic)
	}
}

// mutate compares a number of mutants of a CRD, most with one mistake.
func (w *whole) mutate(t *testing.T, name string, c *crd.CRD, seed uint64, each int) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return
	}
	for n := range each {
		mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(seed, uint64(n))), 1+n%3/2)
		if err != nil {
			t.Fatal(err)
		}
		for _, mutant := range crd.Parse(mutated) {
			w.compare(t, fmt.Sprintf("%s, mutant %d %q", name, n, made), mutant)
		}
	}
}

// shaped is a CRD that upstream's validation would bring into shape.
const shaped = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com, namespace: a, generation: 7}
spec:
  group: example.com
  names: {plural: foos, kind: Foo}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          x:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            default: {apiVersion: v1, kind: Pod, metadata: {name: a, creationTimestamp: "2020-01-31T08:00:00+02:00", labels: {b: c}}}
status: {storedVersions: [v7]}
`

// TestWhole judges the fixtures and mutants of them.
func TestWhole(t *testing.T) {
	t.Parallel()
	each := 150
	if testing.Short() {
		each = 30
	}
	var all whole
	all.compare(t, "a default in need of shape", inputs.CRD(t, shaped))
	for _, version := range []string{"v1", "v1beta1"} {
		var w whole
		for i, f := range fixtures(t, version) {
			if w.compare(t, f.name, f.CRD) {
				w.mutate(t, f.name, f.CRD, uint64(i), each)
			}
		}
		t.Logf("%s: %+v", version, w)
		all.judged, all.accepted, all.later = all.judged+w.judged, all.accepted+w.accepted, all.later+w.later
	}
	if all.accepted < all.judged/4 || all.accepted > all.judged*3/4 || all.later < all.accepted/20 {
		t.Errorf("hardly worth comparing: %+v", all)
	}
}

func TestWholeCorpus(t *testing.T) {
	t.Parallel()
	var w whole
	left, all := 0, 0
	for i, path := range corpus.Sample(t, corpus.Files(t), 12) {
		for _, c := range inputs.CRDs(t, path) {
			w.compare(t, path, c)
			if d, err := c.Decode(); err == nil {
				l, a, _ := fast.LeftOut(d.Hub)
				left, all = left+l, all+a
				w.mutate(t, path, c, uint64(i), 4)
			}
		}
	}
	t.Logf("%+v; %d of %d schemas are left out the second time", w, left, all)
}

// TestWholeEach judges small CRDs with each field at each place changed to each of many values: a sample of these, which is
// another one each day, or all with CRDLIFT_VOLUME=all.
func TestWholeEach(t *testing.T) {
	t.Parallel()
	for name, text := range mutants.Small() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w whole
			c := inputs.CRD(t, text)
			if !w.compare(t, name, c) {
				t.Fatal("is not accepted")
			}
			raw, err := yaml11.ToJSON(c.Node)
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range corpus.Sample(t, mutants.Each(raw), 40) {
				for _, mutant := range crd.Parse(mutants.With(raw, change)) {
					w.compare(t, change.String(), mutant)
				}
			}
			t.Logf("%+v", w)
		})
	}
}
