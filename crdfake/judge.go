package crdfake

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A judge asks a server about what is to be written to a fake client.
type judge struct {
	kinds   meta.RESTMapper
	objects dynamic.Interface
	own     rest.Interface // for the endpoints that only crdlift serve has
	managed sync.Map       // managedFields of objects by their kinds and names: fake clients hide them, or have none
}

func newJudge(kubeconfig string) (*judge, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1 // no limit
	discover, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(discover)
	if err != nil {
		return nil, err
	}
	objects, err := dynamic.NewForConfig(config)
	return &judge{kinds: restmapper.NewDiscoveryRESTMapper(groups), objects: objects, own: discover.RESTClient()}, err
}

// A write is one to a fake client.
type write struct {
	obj     client.Object
	sub     []string     // the subresource, if it is of one
	creates bool         // what is not there; otherwise the fake client says that it is not
	dryRun  []string     // as the caller has it
	plain   func() error // does it without a judge
	send    request
}

// A request asks a server about an object. Version is what the server has for a resourceVersion of the fake client.
type request func(api dynamic.ResourceInterface, obj *unstructured.Unstructured, version func(string) string) (*unstructured.Unstructured, error)

func (j *judge) create(ctx context.Context, c client.Client, obj client.Object, o metav1.CreateOptions, plain func() error) error {
	w := write{obj: obj, creates: true, dryRun: o.DryRun, plain: plain}
	o.DryRun = []string{metav1.DryRunAll}
	w.send = func(api dynamic.ResourceInterface, obj *unstructured.Unstructured, _ func(string) string) (*unstructured.Unstructured, error) {
		return api.Create(ctx, obj, o)
	}
	return j.write(ctx, c, w)
}

func (j *judge) update(ctx context.Context, c client.Client, obj client.Object, o metav1.UpdateOptions, plain func() error, sub ...string) error {
	w := write{obj: obj, sub: sub, dryRun: o.DryRun, plain: plain}
	o.DryRun = []string{metav1.DryRunAll}
	w.send = func(api dynamic.ResourceInterface, obj *unstructured.Unstructured, version func(string) string) (*unstructured.Unstructured, error) {
		obj.SetResourceVersion(version(obj.GetResourceVersion()))
		return api.Update(ctx, obj, o, sub...)
	}
	return j.write(ctx, c, w)
}

func (j *judge) patch(ctx context.Context, c client.Client, obj client.Object, patch client.Patch, o metav1.PatchOptions, plain func() error, sub ...string) error {
	data, err := patch.Data(obj)
	if err != nil {
		return err
	}
	w := write{obj: obj, sub: sub, creates: patch.Type() == types.ApplyPatchType, dryRun: o.DryRun, plain: plain}
	o.DryRun = []string{metav1.DryRunAll}
	w.send = func(api dynamic.ResourceInterface, obj *unstructured.Unstructured, version func(string) string) (*unstructured.Unstructured, error) {
		sent := data
		var fields map[string]any
		if json.Unmarshal(data, &fields) == nil { // neither a JSON patch nor YAML
			if ours, _, _ := unstructured.NestedString(fields, "metadata", "resourceVersion"); ours != "" {
				_ = unstructured.SetNestedField(fields, version(ours), "metadata", "resourceVersion")
				sent, _ = json.Marshal(fields)
			}
		}
		return api.Patch(ctx, obj.GetName(), patch.Type(), sent, o, sub...)
	}
	return j.write(ctx, c, w)
}

// write writes what the server makes of an object, and makes the object that. It tries again if what the fake client has changes
// meanwhile, as the server does with patches (patcher.patchResource); that a resourceVersion is old is an answer of the server.
func (j *judge) write(ctx context.Context, fake client.Client, w write) error {
	kind, err := fake.GroupVersionKindFor(w.obj)
	if err != nil {
		return err
	}
	mapping, err := j.kinds.RESTMapping(kind.GroupKind()) // in any version: the server knows which ones it serves
	if kind.Group == "" || kind.Group == "apiextensions.k8s.io" || meta.IsNoMatchError(err) {
		return w.plain()
	} else if err != nil {
		return err
	}
	resources := j.objects.Resource(mapping.Resource.GroupResource().WithVersion(kind.Version))
	api := dynamic.ResourceInterface(resources)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if w.obj.GetNamespace() == "" { // which clients do not send either
			return fmt.Errorf("crdfake: %s %q has no namespace", kind.Kind, w.obj.GetName())
		}
		api = resources.Namespace(w.obj.GetNamespace())
	}
	for range 5 {
		current := &unstructured.Unstructured{}
		current.SetGroupVersionKind(kind)
		switch err = fake.Get(ctx, client.ObjectKeyFromObject(w.obj), current); {
		case errors.IsNotFound(err) && w.creates:
			current = nil
		case errors.IsNotFound(err):
			return w.plain()
		case err != nil:
			return err
		}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(w.obj)
		if err != nil {
			return err
		}
		sent := &unstructured.Unstructured{Object: content}
		sent.SetGroupVersionKind(kind)
		answer, err := j.ask(ctx, api, current, sent, w.send)
		if err != nil {
			return err
		}
		if err = j.store(ctx, fake, current, answer, w); err == nil {
			return fill(w.obj, answer)
		}
		if !errors.IsConflict(err) {
			return err
		}
	}
	return err
}

// store has the fake client have what the server answers.
func (j *judge) store(ctx context.Context, fake client.Client, current, answer *unstructured.Unstructured, w write) (err error) {
	managed := answer.GetManagedFields()
	answer.SetManagedFields(nil)
	if current != nil {
		answer.SetResourceVersion(current.GetResourceVersion())
	}
	options := client.UpdateOptions{DryRun: w.dryRun}
	switch {
	case current == nil:
		err = fake.Create(ctx, answer, &client.CreateOptions{DryRun: w.dryRun})
	case w.sub != nil:
		err = fake.SubResource(w.sub[0]).Update(ctx, answer, &client.SubResourceUpdateOptions{UpdateOptions: options})
	default:
		err = fake.Update(ctx, answer, &options)
	}
	if err == nil && w.dryRun == nil {
		j.managed.Store(keyOf(answer), managed)
	}
	return err
}

func keyOf(obj *unstructured.Unstructured) string {
	return obj.GroupVersionKind().String() + " " + obj.GetNamespace() + " " + obj.GetName()
}

// asking is held while a server has an object of a fake client: another fake client may have one of that name.
var asking sync.Mutex

// ask has the server judge a write when it has what the fake client has.
func (j *judge) ask(ctx context.Context, api dynamic.ResourceInterface, current, sent *unstructured.Unstructured, send request) (*unstructured.Unstructured, error) {
	asking.Lock()
	defer asking.Unlock()
	if current == nil {
		return send(api, sent, func(version string) string { return version })
	}
	there := current.DeepCopy()
	if managed, ok := j.managed.Load(keyOf(there)); ok {
		there.SetManagedFields(managed.([]metav1.ManagedFieldsEntry))
	}
	served, err := j.put(ctx, there)
	if err != nil {
		return nil, err
	}
	answer, err := send(api, sent, func(version string) string {
		switch version {
		case "":
			return ""
		case current.GetResourceVersion():
			return served.GetResourceVersion()
		}
		return served.GetResourceVersion() + "0" // which the server has never had
	})
	if there.GetFinalizers() != nil { // which would keep it
		there.SetFinalizers(nil)
		_, _ = j.put(ctx, there)
	}
	_ = api.Delete(ctx, there.GetName(), metav1.DeleteOptions{}) // if it stays, the next one of that name replaces it
	return answer, err
}

// put has the server have an object, which it does not judge.
func (j *judge) put(ctx context.Context, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	body, err := obj.MarshalJSON()
	if err != nil {
		return nil, err
	}
	text, err := j.own.Put().AbsPath("/crdlift/objects").SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	served := &unstructured.Unstructured{}
	return served, served.UnmarshalJSON(text)
}

// fill makes an object what the server answers.
func fill(obj any, from *unstructured.Unstructured) error {
	if u, ok := obj.(runtime.Unstructured); ok {
		u.SetUnstructuredContent(from.Object)
		return nil
	}
	text, err := from.MarshalJSON()
	if err != nil {
		return err
	}
	reflect.ValueOf(obj).Elem().SetZero()
	return stdjson.Unmarshal(text, obj)
}
