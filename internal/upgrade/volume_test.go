package upgrade_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/upgrade"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// fixtures are pairs of CRDs that the rules about upgrades are tested with.
const upgradeFixtures = "../../rules/testdata/upgrade/*/old-crd.yaml"

// TestForetold: whatever is changed in an object once its CRD is replaced, a server rejects it for what is foretold, or for what
// was changed; and what survives can be touched.
func TestForetold(t *testing.T) {
	t.Parallel()
	t.Run("fixtures", func(t *testing.T) {
		t.Parallel()
		count, turns := counting(t), 20
		if testing.Short() {
			turns = 4
		}
		olds, err := filepath.Glob(upgradeFixtures)
		if err != nil || len(olds) == 0 {
			t.Fatalf("no fixtures: %v", err)
		}
		for _, old := range olds {
			was := read(t, old)
			foretell(t, old, 0, was, read(t, filepath.Join(filepath.Dir(old), "crd.yaml")), 40, count)
			for turn := range turns {
				foretell(t, old, turn, was, nil, 20, count)
			}
		}
		if count.refusals.Load() == 0 {
			t.Error("nothing was rejected")
		}
	})
	t.Run("releases", func(t *testing.T) {
		t.Parallel()
		count := counting(t)
		for _, files := range corpus.Sample(t, corpus.Releases(t), 8) {
			for i := range files[1:] {
				foretell(t, files[i+1], 0, read(t, files[i]), read(t, files[i+1]), 12, count)
			}
			foretell(t, files[0], 1, read(t, files[0]), nil, 12, count)
		}
	})
}

// read reads the first CRD of a file as a v1 manifest in JSON; nil where it has none.
func read(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(src), "\n---\n")
	raw, err := yaml.YAMLToJSON([]byte(first))
	if err != nil || !strings.Contains(string(raw), v1.SchemeGroupVersion.String()+`"`) {
		return nil
	}
	return raw
}

// serverOf is nil for a CRD that cannot be served.
func serverOf(manifest []byte) *request.Server {
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		return nil
	}
	s, err := request.New(decoded.Hub)
	if err != nil {
		return nil
	}
	for _, name := range s.Versions() {
		if s.Version(name).Err() != nil {
			return nil
		}
	}
	return s
}

// foretell replaces a CRD, by one that is made tighter where none is given, and tries objects.
func foretell(t *testing.T, about string, turn int, old, replacement []byte, objects int, count *tally) {
	t.Helper()
	if old == nil {
		return
	}
	hash := fnv.New64a()
	fmt.Fprint(hash, strings.TrimPrefix(about, corpus.Dir()), turn, corpus.Seed(t)) // the same wherever the corpus lies
	seed := hash.Sum64()
	random := rand.New(rand.NewPCG(seed, 1))
	if replacement == nil {
		tightened, how, err := mutants.Tighter(random, old)
		if err != nil {
			t.Fatal(err)
		}
		replacement, about = tightened, about+" under "+how
	}
	was, is := serverOf(old), serverOf(replacement)
	if was == nil || is == nil {
		return
	}
	for _, version := range was.Versions() {
		v := was.Version(version)
		to := is.Version(version)
		if to == nil || !to.Served || !v.Served || is.Version(was.Storage().Name) == nil || was.Converts(v, was.Storage()) || is.Converts(to, is.Storage()) {
			continue
		}
		for _, sample := range behaviour.NewGenerator(was, version, seed).Whole(objects) {
			created := v.Create(decoded(t, sample.Object))
			if !created.Accepted() {
				continue
			}
			stored, err := v.Store(created.Object)
			if err != nil {
				t.Fatal(err)
			}
			object, err := v.Serve(stored)
			if err != nil {
				continue
			}
			f := forecast{t, about, random, object, upgrade.New(was, is, nil).Of(object), count}
			count.objects.Add(1)
			if f.Worst() != upgrade.Survives {
				count.foretold.Add(1)
			}
			if f.Err != nil {
				t.Fatalf("%s: %v", about, f.Err)
			}
			if now, err := to.Serve(stored); err == nil {
				f.try(to, now)
			}
		}
	}
}

// decoded is an object as a server reads it.
func decoded(t *testing.T, o request.Object) request.Object {
	t.Helper()
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw)
}

// A forecast is an object and what is foretold of it.
type forecast struct {
	*testing.T
	about  string
	random *rand.Rand
	object request.Object
	*upgrade.Prospect
	tried *tally
}

// tally counts what was tried, and what of that was foretold.
type tally struct{ objects, writes, refusals, foretold atomic.Int64 }

// counting tells what was tried at the end.
func counting(t *testing.T) *tally {
	t.Helper()
	c := &tally{}
	t.Cleanup(func() {
		t.Logf("%d objects, of %d of which something is foretold; %d writes, of which %d are rejected for what was wrong before", c.objects.Load(), c.foretold.Load(), c.writes.Load(), c.refusals.Load())
	})
	return c
}

// try changes the object at random, and looks for rejections that are neither foretold nor for the change.
func (f forecast) try(v *request.Version, now request.Object) {
	for range 6 {
		changed := runtime.DeepCopyJSON(now)
		how := behaviour.Mutate(f.random, changed)
		f.tried.writes.Add(1)
		for _, cause := range v.Update(changed, now).Causes {
			f.check(v, how, cause, changed, now)
		}
		if v.HasStatus() {
			for _, cause := range v.UpdateStatus(changed, now).Causes {
				f.check(v, how+" in the status", cause, changed, now)
			}
		}
	}
}

// check finds the effect that a cause belongs to.
func (f forecast) check(v *request.Version, how string, cause request.Cause, changed, now request.Object) {
	if cause.Stage == request.RulesNotRun || cause.Stage == request.Metadata || cause.Stage == request.Decoding || f.Before {
		return
	}
	if before, _ := cause.Path.In(now); !reflect.DeepEqual(before, at(changed, cause.Path)) || isOfChange(cause, changed, now) || isOfAnother(v, cause.Path, changed, now) {
		return // the change made it wrong, or may have
	}
	f.tried.refusals.Add(1)
	if !slices.ContainsFunc(f.Effects, func(e upgrade.Effect) bool {
		return e.Cause != nil && e.Cause.Stage == cause.Stage && e.Cause.Path.Compare(cause.Path) == 0 && e.Class != upgrade.RefusedOnCreate && f.differs(e, changed, now)
	}) {
		raw, _ := json.Marshal(f.object)
		f.Errorf("%s: after %s, rejected for %s %s at %v\nobject %s\nforetold is\n%s", f.about, how, cause.Path, cause.Keyword, cause.SchemaPath, raw, strings.Join(told(f.Prospect), "\n"))
	}
}

// isOfChange reports whether a cause is about a node that the change is in, and which was right before, or that was not there: who
// removes a list may get a default with items that are wrong. Then it is no news of the stored object.
func isOfChange(cause request.Cause, changed, now request.Object) bool {
	holder := cause.Path
	if cause.Missing && len(holder) > 0 {
		holder = holder[:len(holder)-1]
	}
	if cause.Stage == request.List { // found at the second of two items that are the same
		holder = holder[:len(cause.Path)-1]
	}
	alternative := slices.ContainsFunc(cause.SchemaPath, func(step string) bool { return step == "anyOf" || step == "oneOf" || step == "allOf" })
	_, held := holder.In(now)
	return (cause.Stage == request.Rule || cause.Stage == request.List || alternative) && !reflect.DeepEqual(at(changed, holder), at(now, holder)) || !held || cause.Missing && at(now, holder) == nil
}

// isOfAnother reports whether a path leads into an item of a list that has other keys now: to the server it is a new one.
func isOfAnother(v *request.Version, path request.Path, changed, now request.Object) bool {
	for i, step := range path {
		list := v.Declared(path[:i])
		if !step.IsIndex() || list == nil {
			continue
		}
		for _, key := range list.XListMapKeys {
			if of := path[:i+1].To(request.Key(key)); !reflect.DeepEqual(at(changed, of), at(now, of)) {
				return true
			}
		}
	}
	return false
}

// differs reports whether a change is in the scope of an effect.
func (f forecast) differs(e upgrade.Effect, changed, now request.Object) bool {
	return len(e.Scope) == 0 || !reflect.DeepEqual(at(changed, e.Scope), at(now, e.Scope))
}

func at(o request.Object, path request.Path) any {
	value, _ := path.In(o)
	return value
}
