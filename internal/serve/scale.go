package serve

import (
	"fmt"
	"math"
	"net/http"
	"sync"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/request"
)

var scaleKind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}

// unset is the number of a Scale whose object has none, until the request sets it. See scaleUpdatedObjectInfo of
// k8s.io/apiextensions-apiserver.
const unset = math.MinInt32

// scaleOf is the Scale of an object, and whether that says how many replicas it wants. See scaleFromCustomResource of
// k8s.io/apiextensions-apiserver.
func (x *exchange) scaleOf(o request.Object) (scale request.Object, found bool, err error) {
	paths := x.version.ScalePaths()
	number := func(at request.Path) (n int64, found bool) {
		value, found := at.In(o)
		n, is := value.(int64)
		if found && !is {
			err = fmt.Errorf("%s accessor error: %v is of the type %T, expected int64", "."+fieldName(at), value, value)
		}
		return n, found
	}
	wanted, found := number(paths[0])
	actual, _ := number(paths[1])
	status := map[string]any{"replicas": actual}
	if len(paths) > 2 {
		if selector, is := paths[2].In(o); is {
			status["selector"] = selector
		}
	}
	is := &unstructured.Unstructured{Object: o}
	metadata := map[string]any{"name": is.GetName(), "uid": string(is.GetUID()), "resourceVersion": is.GetResourceVersion()}
	for _, name := range []string{"namespace", "creationTimestamp"} {
		if value, there := request.Keys("metadata", name).In(o); there {
			metadata[name] = value
		}
	}
	spec := map[string]any{}
	if wanted != 0 {
		spec["replicas"] = wanted
	}
	return request.Object{"kind": scaleKind.Kind, "apiVersion": scaleKind.GroupVersion().String(), "metadata": metadata, "spec": spec, "status": status}, found, err
}

func (x *exchange) answerScale(o request.Object) error {
	scale, found, err := x.scaleOf(o)
	switch {
	case err != nil:
		return err
	case !found:
		return apierrors.NewInternalError(fmt.Errorf("the spec replicas field %q does not exist", "."+fieldName(x.version.ReplicasPath())))
	}
	return x.answer(http.StatusOK, &unstructured.Unstructured{Object: scale})
}

// scaleTable has the columns of a Scale. See getScaleColumnsForVersion of k8s.io/apiextensions-apiserver.
var scaleTable = sync.OnceValues(func() (*form, error) {
	return newForm(&v1.CustomResourceDefinitionVersion{AdditionalPrinterColumns: []v1.CustomResourceColumnDefinition{
		{Name: "Desired", Type: "integer", Description: "Number of desired replicas", JSONPath: ".spec.replicas"},
		{Name: "Available", Type: "integer", Description: "Number of actual replicas", JSONPath: ".status.replicas"},
		age,
	}})
})

// sentScale reads a Scale.
func (x *exchange) sentScale(w write) (request.Object, error) {
	raw, err := x.body()
	if err != nil {
		return nil, err
	}
	info, err := x.format()
	if err != nil {
		return nil, err
	}
	o, strict, found, err := x.decode(raw, info, w, scaleKind)
	if _, is := replicas(o); err != nil || *found != scaleKind || !is { // as servers say, whatever it is
		return nil, apierrors.NewBadRequest(`no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"`)
	}
	return o, x.judgeStrict(strict, w, x.version.GroupVersionKind(), apierrors.NewBadRequest)
}

// replicas is the number of a Scale, if it can be one.
func replicas(scale request.Object) (int32, bool) {
	value, _ := request.Keys("spec", "replicas").In(scale)
	n, is := value.(int64)
	return int32(n), value == nil || is && n >= math.MinInt32 && n <= math.MaxInt32
}

// scale writes the number that become makes of the Scale of an object.
func (x *exchange) scale(w write, become func(was request.Object) (request.Object, error)) error {
	is, err := x.keep(w, func(was request.Object) (request.Object, error) {
		if was == nil {
			return nil, x.notFound()
		}
		before, found, err := x.scaleOf(was)
		if err != nil {
			return nil, err
		}
		if !found {
			request.Keys("spec", "replicas").Set(before, int64(unset))
		}
		after, err := become(before)
		if err != nil {
			return nil, err
		}
		if err = x.checkPlace(after, true); err == nil {
			err = x.isSame(after, before)
		}
		if err != nil {
			return nil, err
		}
		sent := &unstructured.Unstructured{Object: after}
		if sent.GetResourceVersion() != "" {
			if err := x.isNewest(after, was); err != nil {
				return nil, err
			}
		}
		n, _ := replicas(after)
		if n == unset {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", "."+fieldName(x.version.ReplicasPath())))
		}
		return x.admitted(x.version.UpdateScale(was, n, w.by()...))
	})
	if err != nil {
		return err
	}
	scale, _, err := x.scaleOf(is.Object)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return x.answer(http.StatusOK, &unstructured.Unstructured{Object: scale})
}
