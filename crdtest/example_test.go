package crdtest_test

import (
	"log"
	"os"
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

// A test with a server of its own. A client of client-go or controller-runtime has the configuration that
// clientcmd.BuildConfigFromFlags("", server.Kubeconfig) returns.
func ExampleServe() {
	var t *testing.T // of the function TestController(t *testing.T), or GinkgoTB() in a BeforeSuite

	server := crdtest.Serve(t, "../../config/crd/bases")
	t.Setenv("KUBECONFIG", server.Kubeconfig) // for what reads that
	namespace := server.Namespace(t)
	_ = namespace // of the objects of this test
}

// A server that the controller's tests can have ConfigMaps and Secrets on as well, which are stored without validation.
func ExampleOptions_Serve() {
	var t *testing.T

	server := crdtest.Options{CRDs: []string{"../../config/crd/bases"}, Args: []string{"--also=v1/ConfigMap,v1/Secret"}}.Serve(t)
	server.Reset(t) // removes all objects, if several tests have the server
}

// A server for all tests of a package.
func ExampleOptions_Start() {
	var m *testing.M // of the function TestMain(m *testing.M)

	server, stop, err := crdtest.Options{CRDs: []string{"../../config/crd/bases"}}.Start()
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("KUBECONFIG", server.Kubeconfig)
	code := m.Run()
	stop()
	os.Exit(code)
}
