// Package crdfake has the fake client of controller-runtime judge custom resources as the API server does: it rejects what the
// schema and the rules of a CustomResourceDefinition reject, fills in defaults, drops undeclared fields, and keeps the status from
// those who do not write it by its subresource.
//
// Objects stay in the fake client. Before it creates, updates, patches or applies one, a server of the program crdlift is asked
// about it by a dry run, and the fake client keeps what the server answers. Kinds of which the server has no CRD are not judged,
// and neither is what is deleted.
package crdfake

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// New is a client that writes to fake, a client of package fake of controller-runtime, what the server of a kubeconfig accepts. The
// server is one of crdlift serve, with the CRDs that it has when New is called. Interceptors of your own go around the client:
//
//	interceptor.NewClient(crdfake.New(t, server.Kubeconfig, fake.NewClientBuilder().Build()), interceptor.Funcs{})
//
// While the server is asked about an object that is there, it has the object as well. So test binaries that run at the same time
// need a server each, and objects that are written to the server itself need other names.
func New(t testing.TB, kubeconfig string, fake client.WithWatch) client.WithWatch {
	t.Helper()
	j, err := newJudge(kubeconfig)
	if err != nil {
		t.Fatalf("crdfake: %v", err)
	}
	funcs := interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			var o client.CreateOptions
			return j.create(ctx, c, obj, *o.ApplyOptions(opts).AsCreateOptions(), func() error { return c.Create(ctx, obj, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			var o client.UpdateOptions
			o.ApplyOptions(opts)
			return j.update(ctx, c, obj, *o.AsUpdateOptions(), func() error { return c.Update(ctx, obj, opts...) })
		},
		Patch: func(ctx context.Context, c client.WithWatch, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
			var o client.PatchOptions
			return j.patch(ctx, c, obj, patch, *o.ApplyOptions(opts).AsPatchOptions(), func() error { return c.Patch(ctx, obj, patch, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, obj client.Object, opts ...client.SubResourceUpdateOption) error {
			plain := func() error { return c.SubResource(sub).Update(ctx, obj, opts...) }
			if sub != "status" {
				return plain()
			}
			var o client.SubResourceUpdateOptions
			return j.update(ctx, c, orBody(obj, o.ApplyOptions(opts).SubResourceBody), *o.AsUpdateOptions(), plain, sub)
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
			plain := func() error { return c.SubResource(sub).Patch(ctx, obj, patch, opts...) }
			if sub != "status" {
				return plain()
			}
			var o client.SubResourcePatchOptions
			return j.patch(ctx, c, orBody(obj, o.ApplyOptions(opts).SubResourceBody), patch, *o.AsPatchOptions(), plain, sub)
		},
	}
	j.addApply(&funcs)
	return interceptor.NewClient(fake, funcs)
}

// orBody is what is sent to a subresource.
func orBody(obj, body client.Object) client.Object {
	if body != nil {
		return body
	}
	return obj
}

// addApply adds Apply and SubResourceApply, which controller-runtime has from 0.22 on; their types do not compile with those before.
func (j *judge) addApply(funcs *interceptor.Funcs) {
	for _, name := range []string{"Apply", "SubResourceApply"} {
		field := reflect.ValueOf(funcs).Elem().FieldByName(name)
		if !field.IsValid() {
			continue
		}
		field.Set(reflect.MakeFunc(field.Type(), func(args []reflect.Value) []reflect.Value { // ctx, client, maybe subresource, object, options
			fake, last := args[1], args[len(args)-2:]
			var sub []string
			if len(args) == 5 {
				sub = []string{args[2].String()}
				fake = fake.MethodByName("SubResource").Call(args[2:3])[0]
			}
			plain := func() []reflect.Value {
				return fake.MethodByName("Apply").CallSlice([]reflect.Value{args[0], last[0], last[1]})
			}
			if sub != nil && sub[0] != "status" {
				return plain()
			}
			err := j.apply(args[0].Interface().(context.Context), args[1].Interface().(client.Client), last[0].Interface(), last[1], func() error {
				err, _ := plain()[0].Interface().(error)
				return err
			}, sub...)
			return []reflect.Value{reflect.ValueOf(&err).Elem()}
		}))
	}
}

// apply does what an apply configuration says, which clients send as a patch.
func (j *judge) apply(ctx context.Context, c client.Client, configuration any, opts reflect.Value, plain func() error, sub ...string) error {
	option := opts.Type().Elem().Method(0) // such as ApplyToApply(*ApplyOptions)
	o := reflect.New(option.Type.In(0).Elem())
	for i := range opts.Len() {
		opts.Index(i).MethodByName(option.Name).Call([]reflect.Value{o})
	}
	data, err := json.Marshal(configuration)
	if err != nil {
		return err
	}
	obj := &unstructured.Unstructured{}
	if err := obj.UnmarshalJSON(data); err != nil {
		return err
	}
	options := o.Interface().(interface{ AsPatchOptions() *metav1.PatchOptions }).AsPatchOptions()
	if err := j.patch(ctx, c, obj, client.RawPatch(types.ApplyPatchType, data), *options, plain, sub...); err != nil {
		return err
	}
	return fill(configuration, obj)
}
