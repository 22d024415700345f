package request_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apimachinery/pkg/util/json"
)

// contestants are makers of a contest for each feature, in a fixed order.
var contestants = sync.OnceValue(func() (all []func(t testing.TB) *contest) {
	for _, name := range slices.Sorted(maps.Keys(features)) {
		for _, version := range []string{"v1", "v2"} {
			servers := sync.OnceValues(func() (*request.Server, *reference) {
				crds, _, err := behaviour.Decode([]byte(features[name]))
				if err != nil {
					panic(err)
				}
				server, err := request.New(crds[0])
				if err != nil || server.Version(version) == nil {
					return nil, nil
				}
				reference, err := newReference(crds[0], version)
				if err != nil {
					panic(err)
				}
				return server, reference
			})
			all = append(all, func(t testing.TB) *contest {
				server, reference := servers()
				if server == nil {
					t.Skip("there is no such version")
				}
				return &contest{version: server.Version(version), reference: reference, tried: map[string]int{}}
			})
		}
	}
	return all
})

// fuzz calls compare with two objects for one of the features: an object, and one that it replaces.
func fuzz(f *testing.F, compare func(c *contest, o, old request.Object)) {
	for i, name := range slices.Sorted(maps.Keys(features)) {
		crds, _, err := behaviour.Decode([]byte(features[name]))
		if err != nil {
			f.Fatal(err)
		}
		server, err := request.New(crds[0])
		if err != nil {
			f.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		for _, s := range behaviour.NewGenerator(server, "v1", 1).Whole(4) {
			old := text(s.Object)
			behaviour.Mutate(random, s.Object)
			f.Add(uint8(2*i), text(s.Object), old)
		}
	}
	f.Fuzz(func(t *testing.T, feature uint8, text, oldText string) {
		c := *contestants()[int(feature)%len(contestants())](t)
		var o, old request.Object
		if json.Unmarshal([]byte(text), &o) != nil || json.Unmarshal([]byte(oldText), &old) != nil || o == nil || old == nil {
			t.Skip("these are no two objects")
		}
		old = c.reference.stored(old)
		c.reference.name(old)
		compare(&c, o, old)
		for _, failure := range c.failures {
			t.Error(failure)
		}
	})
}

func FuzzCreate(f *testing.F) {
	fuzz(f, func(c *contest, o, _ request.Object) { c.create(o) })
}

func FuzzUpdate(f *testing.F) {
	fuzz(f, func(c *contest, o, old request.Object) {
		c.update(o, old)
		c.rewrite(o)
	})
}

func FuzzUpdateStatus(f *testing.F) {
	fuzz(f, func(c *contest, o, old request.Object) {
		if c.version.HasStatus() {
			c.updateStatus(o, old)
		}
	})
}

func FuzzUpdateScale(f *testing.F) {
	fuzz(f, func(c *contest, o, old request.Object) {
		if replicas, _ := o["replicas"].(int64); c.version.HasScale() {
			c.setReplicas(old, int32(replicas))
		}
	})
}
