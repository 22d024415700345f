package crdtest_test

import (
	"testing"

	"github.com/crdlift/crdlift/crdtest"
)

// Cases in *.crdtest.yaml files beside the CRDs.
func ExampleRun() {
	var t *testing.T // of the function TestSuites(t *testing.T)

	crdtest.Run(t, crdtest.Options{Paths: []string{"../../config/crd/tests"}})
}

// Cases in Go. In a project of kubebuilder, Shelf is a type of its package api/v1.
func ExampleFor() {
	var t *testing.T // of the function TestShelf(t *testing.T)

	s := crdtest.For(t, "../../config/crd/bases", &Shelf{APIVersion: "shop.example.com/v1", Kind: "Shelf", Spec: ShelfSpec{Min: 1}})
	s.Accept("minimal", nil)
	s.Reject("min above max", func(o *Shelf) { o.Spec.Min = 11 }, "min must not exceed max")
	s.Reject("not a number", crdtest.Set("spec.min", "x"), crdtest.At("spec.min", "type"))
	s.Update("class is immutable",
		func(o *Shelf) { o.Spec.Class = "fast" },
		func(o *Shelf) { o.Spec.Class = "slow" }, crdtest.Text("class is immutable"))
	s.Stored("defaults", nil, map[string]any{"spec.max": 10})
}
