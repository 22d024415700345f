package crdfake_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/crdlift/crdlift/crdfake"
)

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused holds that an error is one of the API server's, and says why.
func refused(t *testing.T, err error, is func(error) bool, why string) {
	t.Helper()
	if !is(err) || !strings.Contains(fmt.Sprint(err), why) {
		t.Errorf("the error is %v (%s)", err, errors.ReasonForError(err))
	}
}

// TestRefused creates what the plain fake client takes.
func TestRefused(t *testing.T) {
	t.Parallel()
	plain := builder().Build()
	c := crdfake.New(t, kubeconfig, plain)
	wrong := func() *Shelf {
		s := shelf("a")
		s.Spec.Min = 11
		return s
	}
	refused(t, c.Create(ctx, wrong()), errors.IsInvalid, "min must not exceed max")
	refused(t, c.Get(ctx, client.ObjectKeyFromObject(wrong()), &Shelf{}), errors.IsNotFound, `"a" not found`)
	astray := shelf("a")
	astray.Namespace = ""
	if err := c.Create(ctx, astray); err == nil || err.Error() != `crdfake: Shelf "a" has no namespace` {
		t.Errorf("without a namespace: %v", err)
	}
	must(t, plain.Create(ctx, wrong()))
	refused(t, c.Create(ctx, shelf("a")), errors.IsAlreadyExists, `shelves.shop.example.com "a" already exists`)
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c := judged(t)
	s := shelf("a")
	s.Status.Used = 5
	must(t, c.Create(ctx, s))
	for name, s := range map[string]*Shelf{"given": s, "stored": stored(t, c, "a")} {
		if s.Spec.Max == nil || *s.Spec.Max != 10 {
			t.Errorf("%s: max has no default", name)
		}
		if s.Status.Used != 0 {
			t.Errorf("%s: whoever creates an object has set its status", name)
		}
		if s.UID == "" || s.Generation != 1 || s.ResourceVersion != "1" || s.ManagedFields != nil {
			t.Errorf("%s: metadata is %+v", name, s.ObjectMeta)
		}
	}
}

func TestUndeclaredFields(t *testing.T) {
	t.Parallel()
	c := crdfake.New(t, kubeconfig, builder().Build())
	s := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"min": int64(1), "mx": int64(2)}}}
	s.SetGroupVersionKind(shop.WithKind("Shelf"))
	s.SetNamespace("shop")
	s.SetName("a")
	strict := &client.CreateOptions{Raw: &metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}}
	if field := reflect.ValueOf(strict).Elem().FieldByName("FieldValidation"); field.IsValid() { // of later versions, which do not look at the other one
		field.SetString(metav1.FieldValidationStrict)
	}
	refused(t, c.Create(ctx, s.DeepCopy(), strict), errors.IsBadRequest, `unknown field "spec.mx"`)
	must(t, c.Create(ctx, s))
	if spec := s.Object["spec"]; !reflect.DeepEqual(spec, map[string]any{"min": int64(1), "max": int64(10)}) {
		t.Errorf("spec is %v", spec)
	}
}

func TestUpdates(t *testing.T) {
	t.Parallel()
	there := shelf("a")
	there.Spec.Class = "fast"
	c := judged(t, there)
	s := stored(t, c, "a")
	s.Spec.Class = "slow"
	refused(t, c.Update(ctx, s), errors.IsInvalid, "class is immutable")

	s = stored(t, c, "a")
	s.Spec.Min, s.Status.Used = 2, 5
	must(t, c.Update(ctx, s))
	if got := stored(t, c, "a"); got.Spec.Min != 2 || got.Status.Used != 0 || got.Generation != s.Generation || got.ResourceVersion != s.ResourceVersion {
		t.Errorf("after an update: %+v, and the client has %+v", got, s)
	}
	generation := s.Generation
	s.Labels = map[string]string{"a": "b"}
	must(t, c.Update(ctx, s))
	if s.Generation != generation {
		t.Error("a label made a new generation")
	}
	s.Spec.Min = 3
	must(t, c.Update(ctx, s))
	if s.Generation != generation+1 {
		t.Errorf("generation %d comes after %d", s.Generation, generation)
	}

	s.ResourceVersion = "7"
	refused(t, c.Update(ctx, s), errors.IsConflict, "the object has been modified")
	s.ResourceVersion = ""
	refused(t, c.Update(ctx, s), errors.IsInvalid, "metadata.resourceVersion: Invalid value")
	refused(t, c.Update(ctx, shelf("b")), errors.IsNotFound, `"b" not found`)
}

func TestStatus(t *testing.T) {
	t.Parallel()
	c := judged(t, shelf("a"))
	s := stored(t, c, "a")
	s.Status.Used, s.Spec.Min = -1, 2
	refused(t, c.Status().Update(ctx, s), errors.IsInvalid, "status.used")
	s.Status.Used = 3
	must(t, c.Status().Update(ctx, s))
	if got := stored(t, c, "a"); got.Status.Used != 3 || got.Spec.Min != 1 || s.Spec.Min != 1 || got.ResourceVersion != s.ResourceVersion {
		t.Errorf("after an update of the status: %+v, and the client has %+v", got, s)
	}
	from := s.DeepCopyObject().(*Shelf)
	s.Status.Used = -2
	refused(t, c.Status().Patch(ctx, s, client.MergeFrom(from)), errors.IsInvalid, "status.used")
	s.Status.Used = 4
	must(t, c.Status().Patch(ctx, s, client.MergeFrom(from)))
	if got := stored(t, c, "a"); got.Status.Used != 4 {
		t.Errorf("after a patch of the status: %+v", got.Status)
	}
}

func TestPatches(t *testing.T) {
	t.Parallel()
	there := shelf("a")
	there.Spec.Class = "fast"
	c := judged(t, there)
	s := stored(t, c, "a")
	from := s.DeepCopyObject().(*Shelf)
	s.Spec.Class = "slow"
	refused(t, c.Patch(ctx, s.DeepCopyObject().(*Shelf), client.MergeFrom(from)), errors.IsInvalid, "class is immutable")
	s.Spec.Class, s.Spec.Min = "fast", 2
	must(t, c.Patch(ctx, s, client.MergeFromWithOptions(from, client.MergeFromWithOptimisticLock{})))
	if got := stored(t, c, "a"); got.Spec.Min != 2 || got.ResourceVersion != s.ResourceVersion || s.Spec.Max == nil {
		t.Errorf("after a patch: %+v, and the client has %+v", got, s)
	}
	s.Spec.Min = 3
	refused(t, c.Patch(ctx, s, client.MergeFromWithOptions(from, client.MergeFromWithOptimisticLock{})), errors.IsConflict, "the object has been modified")

	json := func(text string) client.Patch { return client.RawPatch(types.JSONPatchType, []byte(text)) }
	refused(t, c.Patch(ctx, shelf("a"), json(`[{"op": "replace", "path": "/spec/min", "value": 12}]`)), errors.IsInvalid, "min must not exceed max")
	must(t, c.Patch(ctx, shelf("a"), json(`[{"op": "replace", "path": "/spec/min", "value": 4}]`)))
	partly := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "a"}}
	partly.SetGroupVersionKind(shop.WithKind("Shelf"))
	must(t, c.Patch(ctx, partly, client.RawPatch(types.MergePatchType, []byte(`{"metadata": {"labels": {"a": "b"}}}`))))
	if got := stored(t, c, "a"); got.Spec.Min != 4 || got.Labels["a"] != "b" || partly.Labels["a"] != "b" {
		t.Errorf("after patches: %+v", got)
	}
	refused(t, c.Patch(ctx, shelf("a"), client.StrategicMergeFrom(shelf("a"))), errors.IsUnsupportedMediaType, "")
	if err := c.Patch(ctx, shelf("a"), json(`[{"op": "test", "path": "/metadata/resourceVersion", "value": "`+s.ResourceVersion+`"}]`)); err == nil {
		t.Error("the README says that this fails")
	}
	refused(t, c.Patch(ctx, shelf("b"), json(`[]`)), errors.IsNotFound, `"b" not found`)
}

func apply(name, spec string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON([]byte(`{"apiVersion": "shop.example.com/v1", "kind": "Shelf", "metadata": {"namespace": "shop", "name": "` + name + `"}, "spec": ` + spec + `}`)); err != nil {
		panic(err)
	}
	return u
}

// TestApplied applies with versions of controller-runtime whose fake client does not, too.
func TestApplied(t *testing.T) {
	t.Parallel()
	c := judged(t)
	refused(t, c.Patch(ctx, apply("a", `{"min": 11}`), client.Apply, client.FieldOwner("me")), errors.IsInvalid, "min must not exceed max")
	u := apply("a", `{"min": 1, "class": "fast"}`)
	must(t, c.Patch(ctx, u, client.Apply, client.FieldOwner("me")))
	if limit, _, _ := unstructured.NestedInt64(u.Object, "spec", "max"); limit != 10 {
		t.Errorf("the object is %v", u.Object)
	}
	must(t, c.Patch(ctx, apply("a", `{"min": 3}`), client.Apply, client.FieldOwner("nobody"), client.ForceOwnership, client.DryRunAll))
	refused(t, c.Patch(ctx, apply("a", `{"min": 2}`), client.Apply, client.FieldOwner("you")), errors.IsConflict, `conflict with "me": .spec.min`)
	must(t, c.Patch(ctx, apply("a", `{"min": 2}`), client.Apply, client.FieldOwner("you"), client.ForceOwnership))
	must(t, c.Patch(ctx, apply("a", `{}`), client.Apply, client.FieldOwner("me")))
	if got := stored(t, c, "a"); got.Spec.Min != 2 || got.Spec.Class != "" {
		t.Errorf("what is no longer applied stays: %+v", got.Spec)
	}
}

// configuration is an apply configuration, as controller-gen makes them.
type configuration struct {
	Shelf `json:",inline"`
}

func (*configuration) IsApplyConfiguration() {}

// untyped is one like those of client.ApplyConfigurationFromUnstructured.
type untyped struct{ *unstructured.Unstructured }

func (untyped) IsApplyConfiguration() {}

// TestApplyConfigurations calls methods that clients have from controller-runtime 0.22 on.
func TestApplyConfigurations(t *testing.T) {
	t.Parallel()
	c := judged(t)
	send := func(on, configuration any) error {
		method := reflect.ValueOf(on).MethodByName("Apply")
		if !method.IsValid() {
			t.Skip("this version of controller-runtime has no Apply")
		}
		out := method.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(configuration), reflect.ValueOf(client.FieldOwner("me"))})
		err, _ := out[0].Interface().(error)
		return err
	}
	call := func(on any, spec ShelfSpec, used int) (*configuration, error) {
		a := &configuration{*shelf("a")}
		a.TypeMeta = metav1.TypeMeta{APIVersion: shop.String(), Kind: "Shelf"}
		a.Spec, a.Status.Used = spec, used
		return a, send(on, a)
	}
	_, err := call(c, ShelfSpec{Min: 11}, 0)
	refused(t, err, errors.IsInvalid, "min must not exceed max")
	a, err := call(c, ShelfSpec{Min: 1}, 0)
	must(t, err)
	if a.Spec.Max == nil || *stored(t, c, "a").Spec.Max != 10 {
		t.Errorf("there are no defaults: %+v", a)
	}
	_, err = call(c.Status(), ShelfSpec{Min: 1}, -1)
	refused(t, err, errors.IsInvalid, "status.used")
	a, err = call(c.Status(), ShelfSpec{Min: 1}, 3)
	must(t, err)
	if a.Status.Used != 3 || stored(t, c, "a").Status.Used != 3 {
		t.Errorf("the status is %+v", a.Status)
	}
	u := untyped{apply("b", `{"min": 1}`)}
	must(t, send(c, u))
	if limit, _, _ := unstructured.NestedInt64(u.Object, "spec", "max"); limit != 10 {
		t.Errorf("the object is %v", u.Object)
	}
}

// TestOtherKinds passes over what the server has no CRD of.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	scheme := newScheme()
	must(t, corev1.AddToScheme(scheme))
	c := crdfake.New(t, kubeconfig, builder().WithScheme(scheme).Build())
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "a"}}
	must(t, c.Create(ctx, m))
	m.Data = map[string]string{"a": "b"}
	must(t, c.Update(ctx, m))
	must(t, c.Patch(ctx, m, client.RawPatch(types.MergePatchType, []byte(`{"data": {"a": "c"}}`))))
	must(t, c.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}))
	if m.Data["a"] != "c" {
		t.Errorf("the data is %v", m.Data)
	}
	crd := &unstructured.Unstructured{}
	crd.SetAPIVersion("apiextensions.k8s.io/v1")
	crd.SetKind("CustomResourceDefinition")
	crd.SetName("shelves.shop.example.com") // which the server has
	must(t, c.Create(ctx, crd))
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(shop.WithKind("Till"))
	u.SetName("a")
	must(t, c.Create(ctx, u))
	u = apply("a", `{"min": 1}`)
	u.SetAPIVersion("shop.example.com/v2")
	refused(t, c.Create(ctx, u), errors.IsNotFound, "could not find the requested resource")
}

func TestClusterScope(t *testing.T) {
	t.Parallel()
	c := judged(t)
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	u.SetGroupVersionKind(shop.WithKind("Rack"))
	u.SetName("a")
	must(t, c.Create(ctx, u))
	if height, _, _ := unstructured.NestedInt64(u.Object, "spec", "height"); height != 42 {
		t.Errorf("the object is %v", u.Object)
	}
	_ = unstructured.SetNestedField(u.Object, int64(0), "spec", "height")
	refused(t, c.Update(ctx, u), errors.IsInvalid, "spec.height")
}

func TestFinalizers(t *testing.T) {
	t.Parallel()
	c := judged(t)
	for range 2 { // the second one has the name of one that is deleted
		s := shelf("finalized")
		s.Finalizers = []string{"shop.example.com/a"}
		must(t, c.Create(ctx, s))
		must(t, c.Delete(ctx, s))
		s = stored(t, c, "finalized")
		if s.DeletionTimestamp == nil {
			t.Fatal("it is not being deleted")
		}
		s.Finalizers = append(s.Finalizers, "shop.example.com/b")
		refused(t, c.Update(ctx, s), errors.IsInvalid, "no new finalizers can be added")
		s.Finalizers = nil
		must(t, c.Update(ctx, s))
		refused(t, c.Get(ctx, client.ObjectKeyFromObject(s), s), errors.IsNotFound, "")
	}
}

func TestGeneratedNames(t *testing.T) {
	t.Parallel()
	c := judged(t)
	s := shelf("")
	s.GenerateName = "a-"
	must(t, c.Create(ctx, s))
	if !strings.HasPrefix(s.Name, "a-") || len(s.Name) < 5 || stored(t, c, s.Name).Spec.Max == nil {
		t.Errorf("the object is %+v", s)
	}
}

func TestDryRuns(t *testing.T) {
	t.Parallel()
	c := judged(t, shelf("a"))
	must(t, c.Create(ctx, shelf("b"), client.DryRunAll))
	refused(t, c.Get(ctx, client.ObjectKey{Namespace: "shop", Name: "b"}, &Shelf{}), errors.IsNotFound, "")
	s := stored(t, c, "a")
	s.Spec.Min = 2
	must(t, c.Update(ctx, s, client.DryRunAll))
	if got := stored(t, c, "a"); got.Spec.Min != 1 || s.Spec.Max == nil {
		t.Errorf("after a dry run: %+v, and the client has %+v", got.Spec, s.Spec)
	}
}

// TestTogether has clients with objects of the same names, at the same time, and leaves nothing on the server.
func TestTogether(t *testing.T) {
	t.Parallel()
	t.Run("clients", func(t *testing.T) {
		for _, class := range []string{"a", "b", "c", "d"} {
			t.Run(class, func(t *testing.T) {
				t.Parallel()
				c := judged(t)
				s := shelf("together")
				s.Spec.Class = class
				must(t, c.Create(ctx, s))
				for i := range 20 {
					s.Spec.Min = i % 10
					must(t, c.Update(ctx, s))
					s.Spec.Class = class + class
					refused(t, c.Update(ctx, s), errors.IsInvalid, "class is immutable")
					s.Spec.Class = class
				}
			})
		}
	})
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(t, err)
	server, err := dynamic.NewForConfig(config)
	must(t, err)
	left, err := server.Resource(shop.WithResource("shelves")).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=together"})
	must(t, err)
	if len(left.Items) != 0 {
		t.Errorf("the server still has %v", left.Items)
	}
}

// TestThereBefore has an object that a rule which came later rejects: what is wrong with it already does not matter to an update.
func TestThereBefore(t *testing.T) {
	t.Parallel()
	wrong := shelf("a")
	limit := 10
	wrong.Spec = ShelfSpec{Min: 11, Max: &limit}
	c := judged(t, wrong)
	s := stored(t, c, "a")
	s.Labels = map[string]string{"a": "b"}
	must(t, c.Update(ctx, s))
	s.Spec.Min = 12
	refused(t, c.Update(ctx, s), errors.IsInvalid, "min must not exceed max")
}

// TestInterceptors has an interceptor of a test's own around the client.
func TestInterceptors(t *testing.T) {
	t.Parallel()
	failing := interceptor.Funcs{
		Update: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			if obj.(*Shelf).Spec.Min == 3 {
				return errors.NewServiceUnavailable("out of order")
			}
			return c.Update(ctx, obj, opts...)
		},
	}
	c := interceptor.NewClient(judged(t, shelf("a")), failing)
	s := stored(t, c, "a")
	for least, is := range map[int]func(error) bool{3: errors.IsServiceUnavailable, 11: errors.IsInvalid} {
		s.Spec.Min = least
		refused(t, c.Update(ctx, s), is, "")
	}
}

// TestPatchedTogether patches one object from several goroutines.
func TestPatchedTogether(t *testing.T) {
	t.Parallel()
	c := judged(t, shelf("a"))
	done := make(chan error)
	for i := range 4 {
		go func() {
			done <- c.Patch(ctx, shelf("a"), client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata": {"labels": {"a%d": "b"}}}`, i)))
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := stored(t, c, "a"); len(got.Labels) != 4 {
		t.Errorf("labels are %v", got.Labels)
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, with := range []string{"fake", "judged"} {
		b.Run(with, func(b *testing.B) {
			c := builder().Build()
			if with == "judged" {
				c = crdfake.New(b, kubeconfig, c)
			}
			s := shelf("a")
			if err := c.Create(ctx, s); err != nil {
				b.Fatal(err)
			}
			for i := range b.N {
				s.Spec.Min = i % 10
				if err := c.Update(ctx, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
