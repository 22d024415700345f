package request_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
)

// A reference judges as upstream's own strategies do, with rest.BeforeCreate and rest.BeforeUpdate around them.
type reference struct {
	kind       schema.GroupVersionKind
	namespaced bool
	prunes     bool
	structural *structuralschema.Structural
	scale      *apiextensions.CustomResourceSubresourceScale
	strategy   interface {
		rest.RESTCreateStrategy
		rest.RESTUpdateStrategy
	}
	status rest.RESTUpdateStrategy
}

// newReference makes what getOrCreateServingInfoFor makes of a version.
func newReference(hub *apiextensions.CustomResourceDefinition, version string) (*reference, error) {
	r := &reference{
		kind:       schema.GroupVersionKind{Group: hub.Spec.Group, Version: version, Kind: hub.Spec.Names.Kind},
		namespaced: hub.Spec.Scope == apiextensions.NamespaceScoped,
		prunes:     hub.Spec.PreserveUnknownFields == nil || !*hub.Spec.PreserveUnknownFields,
	}
	var props *apiextensions.JSONSchemaProps
	if v, err := apiextensions.GetSchemaForVersion(hub, version); err != nil {
		return nil, err
	} else if v != nil {
		props = v.OpenAPIV3Schema
		r.structural, err = structuralschema.NewStructural(props)
		if r.prunes && err != nil {
			return nil, err
		}
		if r.prunes {
			r.structural = r.structural.DeepCopy()
			if err := defaulting.PruneDefaults(r.structural); err != nil {
				return nil, err
			}
		}
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	var statusSpec *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	if subresources != nil {
		statusSpec, r.scale = subresources.Status, subresources.Scale
	}
	if statusSpec != nil && props != nil {
		if status, ok := props.Properties["status"]; ok {
			if statusValidator, _, err = validation.NewSchemaValidator(&status); err != nil {
				return nil, err
			}
		}
	}
	strategy := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), r.namespaced, r.kind, validator, statusValidator, r.structural, statusSpec, r.scale, nil)
	r.strategy, r.status = strategy, customresource.NewStatusStrategy(strategy)
	return r, nil
}

// A verdict is the reference's.
type verdict struct {
	unread   bool     // decoding fails
	causes   []string // type and field
	texts    []string // of the causes
	message  string
	warnings int
	unknown  []string // upstream's paths of unknown fields
	object   request.Object
}

// recorder counts warnings.
type recorder struct{ n int }

func (r *recorder) AddWarning(string, string) { r.n++ }

func (r *reference) context() (context.Context, *recorder) {
	warnings := &recorder{}
	ctx := context.Background()
	if r.namespaced {
		ctx = genericrequest.WithNamespace(ctx, "default")
	} else {
		ctx = genericrequest.WithNamespace(ctx, "")
	}
	return warning.WithWarningRecorder(ctx, warnings), warnings
}

// decode is unstructuredSchemaCoercer.apply and the defaulter.
func (r *reference) decode(o request.Object) (*unstructured.Unstructured, []string, error) {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(o)}
	for _, key := range []string{"apiVersion", "kind"} {
		if text, _ := o[key].(string); text == "" {
			return nil, nil, fmt.Errorf("no %s", key)
		}
	}
	if o["apiVersion"] != r.kind.GroupVersion().String() {
		return nil, nil, errors.New("another version")
	}
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, nil, err
	}
	if o["kind"] == r.kind.Kind {
		if r.prunes {
			unknown = append(unknown, pruning.PruneWithOptions(u.Object, r.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
			defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, r.structural)
		}
		err, paths := objectmeta.CoerceWithOptions(nil, u.Object, r.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
		if err != nil {
			return nil, nil, err
		}
		unknown = append(unknown, paths...)
	}
	u.SetKind(o["kind"].(string))
	u.SetAPIVersion(o["apiVersion"].(string))
	if found {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, nil, err
		}
	}
	if o["kind"] == r.kind.Kind {
		defaulting.Default(u.Object, r.structural)
	}
	return u, unknown, nil
}

// stored is an object as it could be served if validation had let it pass.
func (r *reference) stored(o request.Object) request.Object {
	o = runtime.DeepCopyJSON(o)
	o["apiVersion"], o["kind"] = r.kind.GroupVersion().String(), r.kind.Kind
	u, _, err := r.decode(o)
	if err != nil {
		o["metadata"] = map[string]any{"name": "sample"}
		return o
	}
	return u.Object
}

// name gives an object the name that all have that are there, and takes a namespace away that none of them has.
func (r *reference) name(old request.Object) {
	u := &unstructured.Unstructured{Object: old}
	if u.GetName() == "" {
		u.SetName("sample")
	}
	if !r.namespaced {
		u.SetNamespace("")
	}
}

func (r *reference) create(o request.Object) verdict {
	u, unknown, err := r.decode(o)
	if err != nil {
		return verdict{unread: true}
	}
	again := dropOwnersAgain(u)
	name, namespace := u.GetName(), u.GetNamespace()
	rest.WipeObjectMetaSystemFields(u)
	u.SetCreationTimestamp(metav1.NewTime(time.Unix(1577836800, 0)))
	u.SetUID("00000000-0000-4000-8000-000000000000")
	if name == "" && u.GetGenerateName() != "" {
		u.SetName(u.GetGenerateName()[:min(58, len(u.GetGenerateName()))] + "bcdfg")
	}
	unstructured.RemoveNestedField(u.Object, "metadata", "managedFields")
	ctx, warnings := r.context()
	if r.namespaced && namespace != "" {
		ctx = genericrequest.WithNamespace(ctx, namespace)
	}
	v := r.verdict(rest.BeforeCreate(r.strategy, ctx, u), warnings, unknown, u)
	unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
	unstructured.RemoveNestedField(u.Object, "metadata", "uid")
	u.SetName(name)
	if r.namespaced {
		u.SetNamespace(namespace)
	}
	v.warnings += again
	return v
}

// dropOwnersAgain drops owner references that are there twice, as handlers do before the strategy, and counts them.
func dropOwnersAgain(u *unstructured.Unstructured) (again int) {
	var once []metav1.OwnerReference
	for _, owner := range u.GetOwnerReferences() {
		if slices.ContainsFunc(once, func(o metav1.OwnerReference) bool { return apiequality.Semantic.DeepEqual(o, owner) }) {
			again++
		} else {
			once = append(once, owner)
		}
	}
	if again > 0 {
		u.SetOwnerReferences(once)
	}
	return again
}

func (r *reference) update(status bool, o, old request.Object) verdict {
	u, unknown, err := r.decode(o)
	if err != nil {
		return verdict{unread: true}
	}
	again := dropOwnersAgain(u)
	v := r.put(status, u, old, unknown)
	v.warnings += again
	return v
}

func (r *reference) put(status bool, u *unstructured.Unstructured, old request.Object, unknown []string) verdict {
	was := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
	bare := r.namespaced && was.GetNamespace() == "" && (u.GetNamespace() == "" || status)
	if r.namespaced && was.GetNamespace() == "" {
		was.SetNamespace("default")
	}
	if was.GetResourceVersion() == "" {
		was.SetResourceVersion("1")
	}
	if u.GetResourceVersion() == "" {
		u.SetResourceVersion(was.GetResourceVersion())
	}
	unstructured.RemoveNestedField(u.Object, "metadata", "managedFields")
	unstructured.RemoveNestedField(was.Object, "metadata", "managedFields")
	ctx, warnings := r.context()
	if r.namespaced {
		if u.GetNamespace() == "" {
			u.SetNamespace(was.GetNamespace())
		}
		ctx = genericrequest.WithNamespace(ctx, u.GetNamespace())
	}
	var strategy rest.RESTUpdateStrategy = r.strategy
	if status {
		strategy = r.status
	}
	v := r.verdict(rest.BeforeUpdate(strategy, ctx, u, was), warnings, unknown, u)
	if bare && u.GetNamespace() == "default" {
		u.SetNamespace("")
	}
	return v
}

// setReplicas is what a PUT of a Scale makes of an object.
func (r *reference) setReplicas(old request.Object, replicas int32) verdict {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
	path := func(at string) []string { return strings.Split(strings.TrimPrefix(at, "."), ".") }
	for _, at := range []string{r.scale.SpecReplicasPath, r.scale.StatusReplicasPath} {
		if _, _, err := unstructured.NestedInt64(u.Object, path(at)...); err != nil {
			return verdict{unread: true}
		}
	}
	if at := r.scale.LabelSelectorPath; at != nil {
		if _, _, err := unstructured.NestedString(u.Object, path(*at)...); err != nil {
			return verdict{unread: true}
		}
	}
	if err := unstructured.SetNestedField(u.Object, int64(replicas), path(r.scale.SpecReplicasPath)...); err != nil || replicas == -1<<31 {
		return verdict{unread: true}
	}
	return r.put(false, u, old, nil)
}

func (r *reference) verdict(err error, warnings *recorder, unknown []string, u *unstructured.Unstructured) verdict {
	v := verdict{warnings: warnings.n, unknown: unknown, object: u.Object}
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		v.object, v.message = nil, status.ErrStatus.Message
		for _, cause := range status.ErrStatus.Details.Causes {
			v.causes = append(v.causes, string(cause.Type)+" "+cause.Field)
			v.texts = append(v.texts, cause.Field+": "+cause.Message)
		}
	} else if err != nil {
		return verdict{unread: true}
	}
	return v
}
