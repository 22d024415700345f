package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/upgrading"
	"k8s.io/apimachinery/pkg/runtime"
)

// keeper is a finalizer that a client removes once it has cleaned up behind an object.
const keeper = "e2e.crdlift.example/keeper"

// TestUpgradingPage has today's server do what the table of docs/internals/verdicts.md is about.
func TestUpgradingPage(t *testing.T) {
	s, rows := today(t), upgrading.Table(t, "../..")
	inUpgrade := s.inUpgrades(t, rows)
	for _, row := range rows {
		for _, u := range row.Upgrades {
			t.Run(u.Name, func(t *testing.T) {
				if made := inUpgrade[u.Name]; made.err != nil {
					t.Error(made.err)
				} else {
					tryRow(t, made.resources, row, u)
					deleteIn(t, made.resources, row)
				}
			})
		}
	}
}

// replacedResources are the resources of a CRD that was replaced, or why there are none.
type replacedResources struct {
	*resources
	err error
}

// inUpgrades makes all upgrades at a time, as servers hold back the first object of each CRD.
func (s *server) inUpgrades(t *testing.T, rows []upgrading.Row) map[string]*replacedResources {
	all := map[string]*replacedResources{}
	var wg sync.WaitGroup
	for _, row := range rows {
		for _, u := range row.Upgrades {
			m := &replacedResources{}
			all[u.Name] = m
			wg.Go(func() { m.resources, m.err = s.inUpgrade(t, u) })
		}
	}
	wg.Wait()
	return all
}

// inUpgrade creates the CRD and the object of an upgrade, and replaces the CRD.
func (s *server) inUpgrade(t *testing.T, u upgrading.Upgrade) (*resources, error) {
	decoded, err := crd.DecodeJSON(u.Was, crd.V1)
	if err != nil {
		return nil, err
	}
	name := decoded.Hub.Name
	t.Cleanup(func() {
		if err := s.deleteCRD(name); err != nil {
			t.Error(err)
		}
	})
	if created, err := s.createCRD("v1", u.Was); err != nil || !created.ok() {
		return nil, fmt.Errorf("the old CRD: %s: %w", created.reason(), err)
	}
	stored, err := s.readCRD(name)
	if err != nil {
		return nil, err
	}
	r, reason, err := s.serve(stored)
	if err != nil || r == nil {
		return nil, fmt.Errorf("the old CRD is not served: %s: %w", reason, err)
	}
	t.Cleanup(func() {
		if err := r.forget(); err != nil {
			t.Error(err)
		}
	})
	object := runtime.DeepCopyJSON(u.Object)
	metadataOf(object)["finalizers"] = []any{keeper}
	if reason, err := r.store(object); reason != "" || err != nil {
		return nil, fmt.Errorf("the object: %s: %w", reason, err)
	}
	if read, err := r.read("v1", theOne); err != nil || valuesDiffer(read["status"], u.Object["status"], "") != "" {
		return nil, fmt.Errorf("the status is %v: %w", read["status"], err)
	}
	if replaced, err := r.replace(u.Is, "Stricter"); err != nil || !replaced.ok() {
		return nil, fmt.Errorf("the new CRD: %s: %w", replaced.reason(), err)
	}
	return r, nil
}

// theOne is the name of each object.
const theOne = "test"

// tryRow writes the object in all ways.
func tryRow(t *testing.T, r *resources, row upgrading.Row, u upgrading.Upgrade) {
	t.Helper()
	label := func(o map[string]any) { child(metadataOf(o), "labels")[touched] = "yes" }
	nothing := func(map[string]any) {}
	for _, w := range []struct {
		about   string
		change  func(map[string]any)
		sent    operation
		said    upgrading.Cell
		changes bool
	}{
		{"a label", label, update, row.Touch, upgrading.Part},
		{"a finalizer less", unkept, update, row.Touch, upgrading.Part},
		{"the same status", nothing, updateStatus, row.Status, upgrading.Elsewhere},
		{"another status", u.Status, updateStatus, row.Status, upgrading.Part},
		{"a change inside", u.Inside, update, row.Other, upgrading.Part},
		{"a change outside", u.Outside, update, row.Other, upgrading.Elsewhere},
		{"a create", nothing, create, row.Create, upgrading.Part},
	} {
		raw, err := r.raw(theOne)
		if err != nil {
			t.Fatal(err)
		}
		object, err := r.read("v1", theOne)
		if err != nil {
			t.Fatal(err)
		}
		w.change(object)
		if w.sent == create {
			object = runtime.DeepCopyJSON(u.Object)
			if err := r.takeOut(theOne); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := r.send(write{operation: w.sent, version: "v1", object: object})
		if err != nil {
			t.Fatal(err)
		}
		w.said.Hold(t, w.about, w.changes, upgrading.Verdict{Refused: !answer.ok(), Warned: slices.ContainsFunc(answer.warnings, unmet.MatchString), Why: answer.reason()})
		if _, err := r.putBack(theOne, raw); err != nil {
			t.Fatal(err)
		}
	}
}

// unkept removes the finalizer.
func unkept(o map[string]any) { delete(metadataOf(o), "finalizers") }

// deleteIn deletes the object, which has a finalizer: it is gone once that can be removed.
func deleteIn(t *testing.T, r *resources, row upgrading.Row) {
	t.Helper()
	deleted, err := r.server.request(http.MethodDelete, r.path("v1", theOne, ""), nil)
	if err != nil || !deleted.ok() {
		t.Fatalf("the deletion: %s: %v", deleted.reason(), err)
	}
	object, err := r.read("v1", theOne)
	if err != nil || metadataOf(object)["deletionTimestamp"] == nil {
		t.Fatalf("the object is not about to be deleted: %v: %v", slices.Sorted(maps.Keys(metadataOf(object))), err)
	}
	unkept(object)
	answer, err := r.send(write{operation: update, version: "v1", object: object})
	if err != nil || answer.ok() == row.Touch.Refused {
		t.Errorf("the finalizer of an object that is about to be deleted: %s: %v", answer.reason(), err)
	}
	gone, err := r.server.request(http.MethodGet, r.path("v1", theOne, ""), nil)
	if want := !row.Touch.Refused; err != nil || (gone.code == http.StatusNotFound) != want {
		t.Errorf("the object answers %d: %v", gone.code, err)
	}
}
