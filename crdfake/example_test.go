package crdfake_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdlift/crdlift/crdfake"
)

// A test whose fake client rejects what the CRD rejects. In a project of kubebuilder, Shelf is a type of its package api/v1.
func ExampleNew() {
	var t *testing.T      // of the function TestShelf(t *testing.T)
	var kubeconfig string // Kubeconfig of the server that crdtest.Serve(t, "../../config/crd/bases") starts

	scheme := newScheme()
	c := crdfake.New(t, kubeconfig, fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&Shelf{}).Build())

	err := c.Create(context.Background(), &Shelf{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"},
		Spec:       ShelfSpec{Min: 11},
	})
	if !errors.IsInvalid(err) {
		t.Errorf("min above max: %v", err)
	}
}
