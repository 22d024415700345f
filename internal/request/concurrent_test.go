package request_test

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apimachinery/pkg/runtime"
)

// Goroutines that share a server, none of whose versions is prepared, get what one of them alone gets.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	for name, manifest := range features {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hub := decode(t, manifest)
			alone, err := request.New(hub)
			if err != nil {
				t.Fatal(err)
			}
			shared, err := request.New(hub)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(3, 5))
			var all []request.Object
			for _, s := range behaviour.NewGenerator(alone, "v1", 3).Whole(6) {
				for range 4 {
					o := runtime.DeepCopyJSON(s.Object)
					behaviour.Mutate(random, o)
					all = append(all, o)
				}
			}
			want := everything(alone, all)
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					if !reflect.DeepEqual(everything(shared, all), want) {
						t.Error("outcomes are others than those of a server that is used by one")
					}
				})
			}
			group.Wait()
		})
	}
}

// everything is what all operations make of objects, each in the place of the one before, at all versions.
func everything(server *request.Server, all []request.Object) (results []any) {
	for _, name := range server.Versions() {
		v := server.Version(name)
		old := request.Object{"apiVersion": v.GroupVersionKind().GroupVersion().String(), "kind": "Test", "metadata": map[string]any{"name": "old"}}
		for _, o := range all {
			created := v.Create(o)
			results = append(results, created, v.Update(o, old), v.UpdateStatus(o, old), v.UpdateScale(old, 3))
			if created.Accepted() {
				stored, storeErr := v.Store(created.Object)
				served, serveErr := v.Serve(stored)
				results = append(results, stored, storeErr, served, serveErr)
				old = served
			}
		}
	}
	return results
}
