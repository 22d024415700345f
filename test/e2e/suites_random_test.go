package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	crds "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestRandomSuites does as TestSuites with suites that are made at random: of the repository's CRDs, of some that are made as well, and of
// a sample of the real ones. With CRDLIFT_VOLUME=all there are 5,000 cases at least.
func TestRandomSuites(t *testing.T) {
	s, seed := today(t), corpus.Seed(t)
	kinds, cases, sampled := 2, 15, 5
	if corpus.All() {
		kinds, cases, sampled = 40, 60, 80
	}
	var files []*file
	paths, err := filepath.Glob("testdata/requests/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &file{path: path, src: src})
	}
	for _, one := range storiesOfSuites(t) {
		files = append(files, &file{path: one.path, src: one.files["crd.yaml"]})
	}
	all, _ := read(t, files, crd.V1)
	for i := range kinds {
		w := &workshop{random: rand.New(rand.NewPCG(seed, uint64(i))), number: i}
		manifest, err := json.Marshal(w.crd())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &crdManifest{file: &file{path: fmt.Sprint("seed ", seed)}, index: i, version: crd.V1, name: w.name(), group: w.group(), json: manifest})
	}
	if _, err := os.Stat(corpus.Dir()); err == nil {
		real, _ := read(t, realFiles(t, "v1"), crd.V1)
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(real), func(i, j int) { real[i], real[j] = real[j], real[i] })
		all = append(all, real[:min(len(real), sampled)]...)
	}
	each(t, all, func(m *crdManifest, tally *tally) error {
		a := &author{random: randomFor(seed, m.name), seed: seed}
		src, now, earlier, err := a.write(m, cases)
		if err != nil || src == nil {
			tally.count("CRDs without a suite", 1, err)
			return nil
		}
		changed := *m
		changed.json = now
		return s.inhabit(&changed, false, tally, func(r *resources) error {
			p := &performance{resources: r, m: &changed, tally: tally}
			return p.perform(src, earlier)
		})
	})
}

// An author writes suites at random.
type author struct {
	random  *rand.Rand
	seed    uint64
	judge   *request.Server
	version string
	before  []any // forms of that key
	valid   []map[string]any
	samples []map[string]any
}

func (a *author) chance(percent int) bool { return a.random.IntN(100) < percent }

// write writes a suite. The CRD is the given one, or one that is tighter than it was earlier.
func (a *author) write(m *crdManifest, cases int) (src, now []byte, earlier map[string][]byte, err error) {
	now = m.json
	for attempt := range 4 {
		changed, _, err := mutants.Tighter(a.random, m.json)
		if err != nil {
			return nil, nil, nil, err
		}
		d := crds.Definitions("crd.json", "crd.json", changed, true)[0]
		if _, why := d.Server(); attempt < a.random.IntN(5) && why == "" && !d.IsRefused() {
			now, earlier = changed, map[string][]byte{"earlier.yaml": m.json}
			a.before = append(a.before, map[string]any{"crd": "earlier.yaml"})
			break
		}
	}
	if !a.decode(now) {
		return nil, nil, nil, nil
	}
	var served []string
	for _, name := range a.judge.Versions() {
		if v := a.judge.Version(name); v.Served && v.Err() == nil && !a.judge.Converts(v, a.judge.Storage()) {
			served = append(served, name)
		}
	}
	if len(served) == 0 {
		return nil, nil, nil, nil
	}
	var all []any
	for i, version := range served {
		a.version = version
		a.gather()
		if len(a.valid) == 0 {
			continue
		}
		if !strings.Contains(fmt.Sprint(a.before), version) {
			a.before = append(a.before, a.constraints(now)...)
		}
		for n := range cases / len(served) {
			all = append(all, a.one(fmt.Sprintf("%d-%d", i, n)))
		}
	}
	if len(all) == 0 {
		return nil, nil, nil, nil
	}
	src, err = json.Marshal(map[string]any{"crdtest": "v1", "cases": all})
	return src, now, earlier, err
}

func (a *author) decode(manifest []byte) bool {
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		return false
	}
	a.judge, err = request.New(decoded.Hub)
	return err == nil && a.judge.Storage() != nil
}

// gather makes objects of a version.
func (a *author) gather() {
	g := behaviour.NewGenerator(a.judge, a.version, a.seed)
	a.valid, a.samples = g.Filled(4), nil
	for _, s := range g.Whole(8) {
		a.samples = append(a.samples, s.Object)
	}
	nodes := g.Nodes()
	a.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	for _, at := range nodes[:min(len(nodes), 20)] {
		found, _ := g.Node(at)
		for range min(len(found), 4) {
			a.samples = append(a.samples, pick(a.random, found).Object)
		}
	}
	a.samples = append(a.samples, a.valid...)
	for _, o := range append(a.samples, a.valid...) {
		if metadata, is := o["metadata"].(map[string]any); is {
			delete(metadata, "namespace") // as in the path of the request
		}
	}
}

// constraints are two that the version has, as before says them.
func (a *author) constraints(manifest []byte) (all []any) {
	var o map[string]any
	if json.Unmarshal(manifest, &o) != nil {
		return nil
	}
	var found []any
	var walk func(s map[string]any, at request.Path)
	walk = func(s map[string]any, at request.Path) {
		for _, keyword := range []string{"required", "enum", "pattern", "format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "x-kubernetes-validations", "default"} {
			if _, has := s[keyword]; has {
				found = append(found, at.To(request.Key(keyword)).String())
			}
		}
		if limit, has := s["maxLength"].(float64); has {
			found = append(found, map[string]any{at.To(request.Key("maxLength")).String(): limit + 20})
		}
		properties, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			below, _ := properties[name].(map[string]any)
			walk(below, at.To(request.Key(name)))
		}
		if items, is := s["items"].(map[string]any); is {
			walk(items, at.To(request.Index(0)))
		}
	}
	for _, v := range o["spec"].(map[string]any)["versions"].([]any) {
		v := v.(map[string]any)
		if v["name"] == a.version {
			schema, _ := v["schema"].(map[string]any)
			root, _ := schema["openAPIV3Schema"].(map[string]any)
			walk(root, nil)
		}
	}
	for range min(len(found), 2) {
		all = append(all, []any{pick(a.random, found)})
	}
	return all
}

// one is a case, and those that follow it.
func (a *author) one(name string) map[string]any {
	c := map[string]any{"name": name}
	if a.chance(60) {
		c["fieldValidation"] = pick(a.random, []string{"warn", "warn", "ignore", "strict"})
	}
	v := a.judge.Version(a.version)
	base := pick(a.random, a.valid)
	switch n := a.random.IntN(100); {
	case n < 35:
		a.change(c, nil, a.another(base))
	case n < 70:
		c["old"] = map[string]any{"object": a.some(base)}
		a.change(c, base, a.mutated(base))
	case n < 80:
		c["old"] = map[string]any{"object": base}
		if a.change(c, base, a.mutated(base)); v.HasStatus() {
			c["request"] = "status"
		}
	case n < 85 && v.HasScale():
		c["request"], c["old"], c["set"] = "scale", map[string]any{"object": base}, map[string]any{"replicas": pick(a.random, []int{0, 1, 7, 51, -1})}
	default:
		c["request"] = "apply"
		for _, o := range append(a.samples, base) { // of null that a schema declares as a text, an apply is rejected
			if metadata, is := o["metadata"].(map[string]any); is && metadata["generateName"] == nil {
				delete(metadata, "generateName")
			}
		}
		if a.chance(60) {
			c["old"] = map[string]any{"object": base}
			a.change(c, base, a.mutated(base))
		} else {
			a.change(c, nil, a.another(base))
		}
	}
	if c["old"] != nil && len(a.before) > 0 && a.chance(40) {
		c["before"] = pick(a.random, a.before)
		if a.chance(70) {
			c["old"] = map[string]any{"object": pick(a.random, a.samples)}
		}
	}
	if c["request"] == nil && a.chance(25) {
		next := map[string]any{"name": "next"}
		a.change(next, base, a.mutated(base))
		if v.HasStatus() && a.chance(30) {
			next["request"] = "status"
		}
		if a.chance(30) {
			next["request"] = "apply"
		}
		c["then"] = []any{next}
	}
	return c
}

// another is an object to be created.
func (a *author) another(base map[string]any) map[string]any {
	if a.chance(60) {
		return pick(a.random, a.samples)
	}
	return a.mutated(base)
}

// some is an object, now and then one that may be rejected.
func (a *author) some(base map[string]any) map[string]any {
	if a.chance(20) {
		return pick(a.random, a.samples)
	}
	return base
}

// mutated is an object with some changes, but to which one it is.
func (a *author) mutated(o map[string]any) map[string]any {
	o = runtime.DeepCopyJSON(o)
	for range 1 + a.random.IntN(2) {
		mutate(a.random, o)
	}
	return o
}

// change has a case send an object: as a whole, or as changes of what is there.
func (a *author) change(c, from, to map[string]any) {
	if from == nil || a.chance(40) || a.isNameless(to) {
		c["object"] = to
		return
	}
	set, unset := map[string]any{}, []any{}
	for key, value := range to {
		is, _ := from[key].(map[string]any)
		members, isObject := value.(map[string]any)
		if !isObject || is == nil {
			set[request.Keys(key).String()] = value
			continue
		}
		for name, member := range members {
			if text(member) != text(is[name]) {
				set[request.Keys(key, name).String()] = member
			}
		}
		for name := range is {
			if _, has := members[name]; !has && key != "status" {
				unset = append(unset, request.Keys(key, name).String())
			}
		}
	}
	if len(set) > 0 {
		c["set"] = set
	}
	if len(unset) > 0 {
		c["unset"] = unset
	}
}

// isNameless reports whether a member that would be set has the name "", which no path can say.
func (a *author) isNameless(o map[string]any) bool {
	for _, value := range o {
		members, _ := value.(map[string]any)
		if _, has := members[""]; has {
			return true
		}
	}
	_, has := o[""]
	return has
}
