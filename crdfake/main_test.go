package crdfake_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdlift/crdlift/crdfake"
)

// kubeconfig is that of a server for the CRDs in testdata, which all tests share. Other modules have crdtest to start one.
var kubeconfig string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "crdfake")
	if err != nil {
		log.Fatal(err)
	}
	stop, err := serve(dir)
	if err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

func serve(dir string) (stop func(), err error) {
	binary := os.Getenv("CRDLIFT") // make crdfake has it, so that it is built once for several versions of controller-runtime
	if binary == "" {
		binary = filepath.Join(dir, "crdlift")
		if out, err := exec.Command("go", "build", "-C", "..", "-o", binary, ".").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	kubeconfig = filepath.Join(dir, "kubeconfig")
	cmd := exec.Command(binary, "serve", "--crds", "testdata", "--kubeconfig", kubeconfig, "--exit-on-eof")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err = os.Stat(kubeconfig); err == nil || time.Now().After(end) {
			break
		}
	}
	return func() {
		stdin.Close()
		_ = cmd.Wait()
	}, err
}

type Shelf struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShelfSpec   `json:"spec"`
	Status            ShelfStatus `json:"status,omitempty"`
}

type ShelfSpec struct {
	Min   int    `json:"min"`
	Max   *int   `json:"max,omitempty"`
	Class string `json:"class,omitempty"`
}

type ShelfStatus struct {
	Used int `json:"used,omitempty"`
}

func (s *Shelf) DeepCopyObject() runtime.Object {
	c := *s
	s.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if s.Spec.Max != nil {
		limit := *s.Spec.Max
		c.Spec.Max = &limit
	}
	return &c
}

type ShelfList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Shelf `json:"items"`
}

func (l *ShelfList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = nil
	for _, s := range l.Items {
		c.Items = append(c.Items, *s.DeepCopyObject().(*Shelf))
	}
	return &c
}

var shop = schema.GroupVersion{Group: "shop.example.com", Version: "v1"}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(shop, &Shelf{}, &ShelfList{})
	metav1.AddToGroupVersion(scheme, shop)
	return scheme
}

// builder has fake clients that know the type.
func builder() *fake.ClientBuilder {
	return fake.NewClientBuilder().WithScheme(newScheme()).WithStatusSubresource(&Shelf{})
}

func judged(t *testing.T, objects ...client.Object) client.WithWatch {
	t.Helper()
	return crdfake.New(t, kubeconfig, builder().WithObjects(objects...).Build())
}

func shelf(name string) *Shelf {
	return &Shelf{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: ShelfSpec{Min: 1}}
}

// stored is what a client has of a shelf.
func stored(t *testing.T, c client.Client, name string) *Shelf {
	t.Helper()
	s := &Shelf{}
	if err := c.Get(context.Background(), client.ObjectKey{Namespace: "shop", Name: name}, s); err != nil {
		t.Fatal(err)
	}
	return s
}
