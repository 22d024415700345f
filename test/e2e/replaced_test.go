package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/testing/upgrading"
)

// TestReplaced replaces CRDs of which there are objects, and compares what today's server then makes of reads and writes of each
// of them with what internal/upgrade foretold: nothing may be rejected or dropped that was to survive.
func TestReplaced(t *testing.T) {
	s := today(t)
	const objects, nth = 6, 50
	t.Run("fixtures", func(t *testing.T) {
		s.replaceAll(t, objects, fixturePairs(t), true)
	})
	t.Run("tighter fixtures", func(t *testing.T) {
		paths, err := filepath.Glob("testdata/requests/*.yaml")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no fixtures: %v", err)
		}
		var some []pair
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all, _ := read(t, []*file{{path: path, src: src}}, crd.V1)
			for _, m := range all {
				some = append(some, pair{m: m})
			}
		}
		s.replaceAll(t, 2*objects, some, true)
	})
	t.Run("releases", func(t *testing.T) {
		s.replaceAll(t, objects, corpus.Sample(t, releasePairs(t), nth), false)
	})
	t.Run("tighter", func(t *testing.T) {
		all, _ := read(t, realFiles(t, "v1"), crd.V1)
		var some []pair
		for _, m := range corpus.Sample(t, all, nth) {
			some = append(some, pair{m: m})
		}
		s.replaceAll(t, objects, some, false)
	})
}

// A pair is a CRD and what takes its place; without that, stricter ones that are made of it.
type pair struct {
	m       *crdManifest
	by      []replacement
	objects []map[string]any
}

// replaceAll replaces the first CRD of each pair, with objects of it.
func (s *server) replaceAll(t *testing.T, objects int, pairs []pair, own bool) {
	t.Helper()
	var all []*crdManifest
	of := map[*crdManifest]pair{}
	for _, p := range pairs {
		all = append(all, p.m)
		of[p.m] = p
	}
	seed := corpus.Seed(t)
	each(t, all, func(m *crdManifest, tally *tally) error {
		return s.inhabit(m, own, tally, func(r *resources) error {
			e, err := newEstate(r, m, tally, seed, objects, of[m].objects...)
			if err != nil || len(e.objects) == 0 {
				return err
			}
			if by := of[m].by; by != nil {
				return e.underTrial(by[0])
			}
			return e.stricter()
		})
	})
}

// stricter tries some stricter CRDs one after the other.
func (e *estate) stricter() error {
	makes := []func() (replacement, error){e.tighter, e.tighter, e.tighter, e.other}
	for _, make := range makes {
		by, err := make()
		if err != nil {
			return err
		}
		if by.is == nil {
			continue
		}
		if err := e.underTrial(by); err != nil {
			return err
		}
		if err := e.back(); err != nil {
			return err
		}
	}
	by, err := e.withoutStorage()
	if err != nil || by.is == nil {
		return err
	}
	return e.underTrial(by) // there is no way back
}

// tighter is the CRD with further constraints.
func (e *estate) tighter() (by replacement, err error) {
	by.is, by.about, err = mutants.Tighter(e.random, e.m.json)
	return by, err
}

// fixturePairs are those that were written by hand.
func fixturePairs(t *testing.T) (pairs []pair) {
	t.Helper()
	for _, row := range upgrading.Table(t, "../..") {
		for _, u := range row.Upgrades {
			m := manifestOf(t, u.Name, u.Was)
			pairs = append(pairs, pair{m, []replacement{{u.Name, u.Is}}, []map[string]any{u.Object}})
		}
	}
	folders, err := filepath.Glob("../../rules/testdata/upgrade/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("the rules have no upgrades: %v", err)
	}
	for i, folder := range folders {
		var both [2]*crdManifest
		for side, name := range []string{"old-crd.yaml", "crd.yaml"} {
			src, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			group := fmt.Sprintf("u%d.example.com", i)
			found, _ := read(t, []*file{{path: folder, src: bytes.ReplaceAll(src, []byte("example.com"), []byte(group))}}, crd.V1)
			both[side] = found[0]
		}
		if both[0].name == both[1].name {
			pairs = append(pairs, pair{both[0], []replacement{{folder, both[1].json}}, nil})
		}
	}
	return pairs
}

func manifestOf(t *testing.T, path string, raw []byte) *crdManifest {
	t.Helper()
	decoded, err := crd.DecodeJSON(raw, crd.V1)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &crdManifest{file: &file{path: path}, version: crd.V1, group: decoded.Hub.Spec.Group, name: decoded.Hub.Name, json: raw}
}

// releasePairs are successive releases of real CRDs, and the first with the last one.
func releasePairs(t *testing.T) (pairs []pair) {
	t.Helper()
	for _, paths := range corpus.Releases(t) {
		var releases []*crdManifest
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found, _ := read(t, []*file{{path: path, src: src}}, crd.V1)
			if len(found) > 0 {
				releases = append(releases, found[0])
			}
		}
		for i := 1; i < len(releases); i++ {
			pairs = append(pairs, pairOf(releases[i-1], releases[i]))
		}
		if len(releases) > 2 {
			pairs = append(pairs, pairOf(releases[0], releases[len(releases)-1]))
		}
	}
	return pairs
}

func pairOf(old, new *crdManifest) pair {
	m := *old // a CRD may be the old one of two pairs
	return pair{&m, []replacement{{"to " + filepath.Base(new.file.path), new.json}}, nil}
}
