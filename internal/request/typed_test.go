package request_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"k8s.io/apimachinery/pkg/runtime"
)

// A typedContest compares what the walk along types finds with upstream's errors.
type typedContest struct {
	t                 *testing.T
	objects, mistyped int
}

// TestMistypedEqualsUpstream has objects of all kinds, changed at random: where upstream finds a value that is not of its type, the walk
// finds it, too, and it finds none where upstream does not.
func TestMistypedEqualsUpstream(t *testing.T) {
	t.Parallel()
	c := &typedContest{t: t}
	for _, name := range slices.Sorted(maps.Keys(features)) {
		c.run(name, features[name], 300)
	}
	c.run("crates", crates("", "v1", lid), 600)
	if c.mistyped < c.objects/10 || c.mistyped > 9*c.objects/10 {
		t.Error("there are too few of one kind")
	}
	t.Logf("%d objects, of which %d are not of their types", c.objects, c.mistyped)
}

// TestMistypedEqualsUpstreamCorpus is the same for real CRDs.
func TestMistypedEqualsUpstreamCorpus(t *testing.T) {
	t.Parallel()
	c := &typedContest{t: t}
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1"), 60) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c.run(path, string(src), 40)
	}
	t.Logf("%d objects, of which %d are not of their types", c.objects, c.mistyped)
}

func (c *typedContest) run(name, manifest string, most int) {
	crds, _, err := behaviour.Decode([]byte(manifest))
	if err != nil {
		return
	}
	for _, hub := range crds {
		server, err := request.New(hub)
		if err != nil {
			continue
		}
		for _, version := range server.Versions() {
			v := server.Version(version)
			if v.Err() != nil {
				continue
			}
			random := rand.New(rand.NewPCG(corpus.Seed(c.t), uint64(most)))
			for _, sample := range behaviour.NewGenerator(server, version, corpus.Seed(c.t)).Whole(most) {
				o := runtime.DeepCopyJSON(sample.Object)
				for range random.IntN(3) {
					behaviour.Mutate(random, o)
				}
				repeat(random, o)
				o["apiVersion"], o["kind"] = v.GroupVersionKind().GroupVersion().String(), v.GroupVersionKind().Kind
				c.compare(name, v, o)
			}
		}
	}
}

// repeat has some lists in a value have an item twice.
func repeat(random *rand.Rand, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			value[key] = repeat(random, value[key])
		}
	case []any:
		if len(value) > 0 && random.IntN(8) == 0 {
			return append(value, runtime.DeepCopyJSONValue(value[0]))
		}
	}
	return value
}

func (c *typedContest) compare(name string, v *request.Version, o request.Object) {
	c.t.Helper()
	c.objects++
	for _, duplicates := range []bool{false, true} {
		find := v.Mistyped
		if duplicates {
			find = v.MistypedThere
		}
		causes, err := find(o)
		if err != nil {
			c.t.Fatalf("%s: %v", name, err)
		}
		want := v.Typed(o, duplicates)
		if (want != nil) != (len(causes) > 0) {
			c.t.Errorf("%s: with duplicates %v, %d causes are found (%s), and upstream says %v of\n%s", name, duplicates, len(causes), reasons(causes), want, text(o))
			return
		}
		if want != nil && !places(want, causes) {
			c.t.Errorf("%s: upstream says %v, which is none of %s", name, want, reasons(causes))
		}
		if want != nil && duplicates {
			c.mistyped++
		}
	}
}

// places reports whether each error of upstream's, one in a line, is about a place that is found.
func places(err error, causes []request.Cause) bool {
	for line := range strings.Lines(strings.TrimPrefix(err.Error(), "errors:\n")) {
		if !slices.ContainsFunc(causes, func(c request.Cause) bool {
			return strings.HasPrefix(strings.TrimSpace(line), c.Field+": ") || c.Field == ""
		}) {
			return false
		}
	}
	return true
}

func TestMistyped(t *testing.T) {
	t.Parallel()
	v := serveCRD(t, crates("", "v1", lid)).Version("v1")
	causes, err := v.Mistyped(request.Object{"spec": request.Object{"a": int64(1), "zz": nil, "s": []any{"x", "x"}}})
	if got := fmt.Sprint(reasons(causes), err); got != "spec.a type integer; spec.s[1] x-kubernetes-list-type; spec.zz properties<nil>" {
		t.Error(got)
	}
}
