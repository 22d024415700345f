package e2e

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A volume is how much TestRequests does with a CRD.
type volume struct {
	creates int // of objects, for each version
	updates int // objects to be updated, each in several ways
	rounds  int // replacements of the CRD by a tighter one
	touched int // objects to be updated after each

	own bool // the CRDs are the repository's, of which none may be rejected
}

// TestRequests has today's server create and update custom resources of all kinds, and compares what it answers, stores
// and serves with what internal/request says of the same requests.
func TestRequests(t *testing.T) {
	s := today(t)
	few, many := volume{100, 12, 4, 6, true}, volume{40, 5, 3, 4, false}
	if corpus.All() {
		few, many = volume{1 << 20, 60, 30, 20, true}, volume{60, 8, 4, 6, false}
	}
	t.Run("fixtures", func(t *testing.T) {
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
		all, _ := read(t, files, crd.V1)
		each(t, all, s.asked(corpus.Seed(t), few))
	})
	t.Run("corpus", func(t *testing.T) {
		all, _ := read(t, realFiles(t, "v1"), crd.V1)
		each(t, corpus.Sample(t, all, 100), s.asked(corpus.Seed(t), many))
	})
}

// asked is a check of one CRD: it sends as many requests as the volume says.
func (s *server) asked(seed uint64, volume volume) func(*crdManifest, *tally) error {
	return func(m *crdManifest, tally *tally) (err error) {
		return s.inhabit(m, volume.own, tally, func(r *resources) error {
			d := &dialogue{resources: r, m: m, tally: tally, seed: seed, random: randomFor(seed, m.name)}
			return d.talk(volume)
		})
	}
}

// randomFor is a source of its own for each name.
func randomFor(seed uint64, name string) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

// inhabit creates a CRD, of the repository's own if none may reject it, has its resources used, and deletes all.
func (s *server) inhabit(m *crdManifest, own bool, tally *tally, use func(*resources) error) (err error) {
	created, err := s.createCRD("v1", m.json)
	if err != nil {
		return err
	}
	if !created.ok() && own {
		tally.fail("a CRD is rejected", m, created.reason())
		return nil
	}
	if !created.ok() {
		tally.count("CRDs that are rejected", 1, m, ": ", created.reason())
		return nil
	}
	defer s.deleteBehind(m.name, &err)
	stored, err := s.readCRD(m.name)
	if err != nil {
		return err
	}
	r, reason, err := s.serve(stored)
	if err != nil {
		return err
	}
	if r == nil {
		tally.count("CRDs that are not served", 1, m, ": ", reason)
		return nil
	}
	defer func() {
		if failed := r.forget(); err == nil {
			err = failed
		}
	}()
	return use(r)
}

// A dialogue is what is said to a server about the objects of one CRD.
type dialogue struct {
	*resources
	m      *crdManifest
	tally  *tally
	seed   uint64
	random *rand.Rand
	judge  *request.Server // what is expected of the CRD as it is now
	names  []string        // of the objects that are stored
	made   int             // objects so far, for their names

	tightened string // what the CRD rejects beside what its manifest says
}

func (d *dialogue) talk(volume volume) error {
	if err := d.judgeBy(d.m.json); err != nil {
		return err
	}
	for _, version := range d.served {
		for _, sample := range d.samples(version, volume.creates) {
			if err := d.create(version, sample); err != nil {
				return err
			}
		}
	}
	for _, name := range d.some(volume.updates) {
		for _, version := range d.served {
			if err := d.updateInAllWays(version, name); err != nil {
				return err
			}
		}
	}
	for round := range volume.rounds {
		if err := d.tighten(round, volume.touched); err != nil {
			return err
		}
	}
	return nil
}

// judgeBy has internal/request expect what a v1 manifest of the CRD makes of objects.
func (d *dialogue) judgeBy(manifest []byte) error {
	decoded, err := crd.DecodeJSON(manifest, crd.V1)
	if err != nil {
		return err
	}
	d.judge, err = request.New(decoded.Hub)
	return err
}

// samples are objects of a version with at most one thing wrong at one node, some that are filled at random, and some of
// either with one change anywhere.
func (d *dialogue) samples(version string, most int) (all []behaviour.Sample) {
	g := behaviour.NewGenerator(d.judge, version, d.seed)
	all = g.Whole(most / 5)
	nodes := g.Nodes()
	d.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	for _, at := range nodes {
		if len(all) >= most {
			break
		}
		found, _ := g.Node(at)
		if !corpus.All() {
			d.random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
			found = found[:min(len(found), 8)]
		}
		all = append(all, found...)
	}
	for range len(all) / 4 {
		sample := all[d.random.IntN(len(all))]
		sample.Object = runtime.DeepCopyJSON(sample.Object)
		sample.About += ", then " + behaviour.Mutate(d.random, sample.Object)
		all = append(all, sample)
	}
	return all
}

// create sends an object in the mode that its turn brings, and in the other one as well if it has unknown fields: one
// rejects them.
func (d *dialogue) create(version string, sample behaviour.Sample) error {
	object := runtime.DeepCopyJSON(sample.Object)
	d.made++
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if metadata["name"] == "sample" {
			metadata["name"] = fmt.Sprintf("sample-%d", d.made)
		}
		if _, text := metadata["namespace"].(string); text || metadata["namespace"] == nil {
			delete(metadata, "namespace")
			if d.crd.Spec.Scope == v1.NamespaceScoped {
				metadata["namespace"] = "default" // as in the path of the request
			}
		}
	}
	w := write{operation: create, version: version, about: sample.About + " at " + sample.Node.String(), object: object, strict: d.made%2 == 0}
	code, err := d.try(w)
	if err == nil && w.strict && code == http.StatusBadRequest {
		w.strict = false
		_, err = d.try(w)
	}
	return err
}

// some are names of objects that are stored, chosen at random.
func (d *dialogue) some(most int) (names []string) {
	for _, i := range d.random.Perm(len(d.names))[:min(most, len(d.names))] {
		names = append(names, d.names[i])
	}
	return names
}

// updateInAllWays alters an object's metadata, its content and its status, each of which may be rejected.
func (d *dialogue) updateInAllWays(version, name string) error {
	for range 2 {
		if err := d.update(update, version, name, toMetadata[d.random.IntN(len(toMetadata))]); err != nil {
			return err
		}
	}
	one := alteration{"one change", func(object map[string]any) { mutate(d.random, object) }}
	more := alteration{"some changes", func(object map[string]any) { mutate(d.random, object); mutate(d.random, object) }}
	ways := []struct {
		operation
		alteration
	}{{update, one}, {update, one}, {update, one}, {updateStatus, more}}
	if other := d.some(1); len(other) > 0 {
		from, err := d.read(version, other[0])
		if err != nil {
			return err
		}
		like := alteration{"all of " + other[0], func(object map[string]any) { contentOf(object, from) }}
		ways = append(ways, struct {
			operation
			alteration
		}{update, like}, struct {
			operation
			alteration
		}{updateStatus, like})
	}
	for _, way := range ways {
		if err := d.update(way.operation, version, name, way.alteration); err != nil {
			return err
		}
	}
	return d.scale(version, name)
}

// update alters an object as it is served.
func (d *dialogue) update(operation operation, version, name string, change alteration) error {
	v := d.judge.Version(version)
	if operation == updateStatus && !v.HasStatus() {
		return nil
	}
	old, err := d.read(version, name)
	if err != nil {
		return err
	}
	object := runtime.DeepCopyJSON(old)
	change.make(object)
	_, err = d.try(write{operation: operation, version: version, about: change.about, object: object, old: old, strict: d.random.IntN(4) == 0})
	return err
}

// scale asks for some number of replicas.
func (d *dialogue) scale(version, name string) error {
	if !d.judge.Version(version).HasScale() {
		return nil
	}
	old, err := d.read(version, name)
	if err != nil {
		return err
	}
	replicas := []int32{0, 1, 7, 51, -1}[d.random.IntN(5)]
	_, err = d.try(write{operation: updateScale, version: version, about: fmt.Sprint(replicas, " replicas"), object: old, old: old, replicas: replicas})
	return err
}

// tighten replaces the CRD by one that rejects more, updates objects that were stored before, and puts the CRD back.
func (d *dialogue) tighten(round, most int) error {
	defer func() { d.tightened = "" }()
	for attempt := range 5 {
		manifest, about, err := mutants.Tighter(d.random, d.m.json)
		if err != nil {
			return err
		}
		column := fmt.Sprintf("Round%dx%d", round, attempt)
		answer, err := d.replace(manifest, column)
		if err != nil {
			return err
		}
		if !answer.ok() {
			continue
		}
		d.tally.count("CRDs replaced by tighter ones", 1)
		d.tightened = "\nunder " + about
		if err := d.judgeBy(manifest); err != nil {
			return err
		}
		for _, name := range d.some(most) {
			for _, version := range d.served {
				if err := d.updateInAllWays(version, name); err != nil {
					return err
				}
			}
		}
		if answer, err = d.replace(d.m.json, column+"back"); err == nil && !answer.ok() {
			err = fmt.Errorf("the CRD is rejected the second time: %s", answer.reason())
		}
		if err != nil {
			return err
		}
		return d.judgeBy(d.m.json)
	}
	return nil
}

// try sends a write and compares what became of it with what was expected.
func (d *dialogue) try(w write) (code int, err error) {
	if w.object, err = decoded(w.object); err != nil {
		return 0, err
	}
	answer, err := d.send(w)
	if err != nil {
		return 0, err
	}
	if w.operation == create && answer.code == http.StatusConflict {
		d.tally.count("not compared: there is one of that name", 1)
		return answer.code, nil
	}
	server, err := d.verdict(w, answer)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", w, err)
	}
	expected, err := d.expected(w)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", w, err)
	}
	d.tally.count(fmt.Sprintf("requests: %s, %d", w.operation, server.code), 1)
	if why := server.difference(expected); why != "" {
		d.tally.fail("a request", d.m, fmt.Sprintf("%s%s\n%s\n%s", w, d.tightened, why, answer.reason()))
	}
	if w.operation == create && answer.ok() {
		created, err := answer.object()
		if err != nil {
			return 0, err
		}
		d.names = append(d.names, name(created))
	}
	return server.code, nil
}

// decoded is an object as a server reads it: a whole number is an int64, however it was made.
func decoded(object map[string]any) (map[string]any, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var again map[string]any
	return again, utiljson.Unmarshal(raw, &again)
}
