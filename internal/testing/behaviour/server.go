// Package behaviour models an API server's treatment of a custom resource, given its CustomResourceDefinition: the
// stored object, or the reason for its refusal. Tests use it to show that a conversion changes nothing about that, or
// only what it says.
//
// It follows k8s.io/apiextensions-apiserver v0.37.2 and calls its functions wherever they are exported. A v1beta1 CRD
// with preserveUnknownFields is served by the same code, as v0.37.2 still serves such a CRD that is in etcd already.
// v0.21.14, the last server that took one, goes through the same steps in the same order (its
// unstructuredSchemaCoercer.apply, pruning, defaulting, coercion and list type validation differ in how they spare the
// root's metadata and report unknown fields, and not in what becomes of the object); only its value validation is
// older. Both sides are compared under one server's code on purpose: an upgrade of the server is not the conversion's
// doing.
//
// It does not know admission, managed fields, conversion webhooks (they are taken to change nothing but apiVersion)
// and updates other than of the status.
package behaviour

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// An Outcome is what became of a request.
type Outcome struct {
	Refused []string       // why, unsorted; nil when accepted
	Stored  map[string]any // what is in etcd afterwards, in the storage version; nil when refused
}

// Accepted reports whether the object was stored.
func (o Outcome) Accepted() bool { return o.Stored != nil }

func refused(err error) Outcome { return Outcome{Refused: []string{err.Error()}} }

// A Server answers requests for the custom resources of one CRD. It keeps no objects.
type Server struct {
	kind       schema.GroupKind
	namespaced bool
	prunes     bool   // preserveUnknownFields is not true
	storage    string // the storage version
	order      []string
	versions   map[string]*Version
}

// A Version is how one version of the CRD is served.
type Version struct {
	Name       string
	Schema     *apiextensions.JSONSchemaProps // nil when the version has none
	Structural *structuralschema.Structural   // nil when there is no schema, or it uses what NewStructural refuses
	HasStatus  bool                           // the status subresource is on

	create rest.RESTCreateStrategy
	status rest.RESTUpdateStrategy

	tree         sync.Once
	declaredTree *structuralschema.Structural // see declared
}

// NewServer prepares to serve a CRD that has its defaults, as crdHandler.getOrCreateServingInfoFor does. Versions that
// are not served are prepared as well, since they may be tomorrow.
func NewServer(crd *apiextensions.CustomResourceDefinition) (*Server, error) {
	storage, err := apiextensions.GetCRDStorageVersion(crd)
	if err != nil {
		return nil, err
	}
	s := &Server{
		kind:       schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind},
		namespaced: crd.Spec.Scope == apiextensions.NamespaceScoped,
		prunes:     crd.Spec.PreserveUnknownFields == nil || !*crd.Spec.PreserveUnknownFields,
		storage:    storage,
		versions:   map[string]*Version{},
	}
	for _, v := range crd.Spec.Versions {
		version, err := s.newVersion(crd, v.Name)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Name, err)
		}
		s.order = append(s.order, v.Name)
		s.versions[v.Name] = version
	}
	return s, nil
}

func (s *Server) newVersion(crd *apiextensions.CustomResourceDefinition, name string) (*Version, error) {
	v := &Version{Name: name}
	validation, err := apiextensions.GetSchemaForVersion(crd, name)
	if err != nil {
		return nil, err
	}
	if validation != nil {
		v.Schema = validation.OpenAPIV3Schema
		v.Structural, err = structuralschema.NewStructural(v.Schema)
		if s.prunes && err != nil {
			return nil, err
		}
		if s.prunes {
			v.Structural = v.Structural.DeepCopy()
			if err := defaulting.PruneDefaults(v.Structural); err != nil {
				return nil, err
			}
		}
	}
	validator, _, err := apiservervalidation.NewSchemaValidator(v.Schema)
	if err != nil {
		return nil, err
	}

	subresources, err := apiextensions.GetSubresourcesForVersion(crd, name)
	if err != nil {
		return nil, err
	}
	var statusSpec *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	var statusValidator apiservervalidation.SchemaValidator
	if subresources != nil {
		statusSpec, scale = subresources.Status, subresources.Scale
	}
	v.HasStatus = statusSpec != nil
	if v.HasStatus && v.Schema != nil {
		if status, ok := v.Schema.Properties["status"]; ok {
			if statusValidator, _, err = apiservervalidation.NewSchemaValidator(&status); err != nil {
				return nil, err
			}
		}
	}
	strategy := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), s.namespaced,
		s.kind.WithVersion(name), validator, statusValidator, v.Structural, statusSpec, scale,
		[]apiextensionsv1.SelectableField(nil))
	v.create = strategy
	v.status = customresource.NewStatusStrategy(strategy)
	return v, nil
}

// Versions are the CRD's versions in its own order.
func (s *Server) Versions() []string { return s.order }

// Version is one version of the CRD, nil when there is none of that name.
func (s *Server) Version(name string) *Version { return s.versions[name] }

// GroupVersionKind is what objects of a version must say they are.
func (s *Server) GroupVersionKind(version string) schema.GroupVersionKind {
	return s.kind.WithVersion(version)
}

// Create is a POST of an object to a version. The object is not changed.
func (s *Server) Create(version string, object map[string]any) Outcome {
	u, reasons := s.create(version, object)
	if reasons != nil {
		return Outcome{Refused: reasons}
	}
	return s.store(u)
}

// create is a POST up to the point where the object is stored, or the reasons for its refusal.
func (s *Server) create(version string, object map[string]any) (u *unstructured.Unstructured, reasons []string) {
	u = &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	if err := s.decode(version, u); err != nil {
		return nil, []string{err.Error()}
	}
	// rest.FillObjectMetaSystemFields, with fixed values; rest.BeforeCreate.
	u.SetCreationTimestamp(metav1.NewTime(time.Unix(1577836800, 0)))
	u.SetUID("00000000-0000-4000-8000-000000000000")
	if s.namespaced && u.GetNamespace() == "" {
		u.SetNamespace("default")
	}
	strategy := s.versions[version].create
	strategy.PrepareForCreate(context.Background(), u)
	return u, messages(strategy.Validate(context.Background(), u))
}

// UpdateStatus creates the object, as far as that goes, and PUTs it to the status subresource. It refuses what Create
// refuses.
func (s *Server) UpdateStatus(version string, object map[string]any) Outcome {
	v := s.versions[version]
	old, reasons := s.create(version, object)
	if reasons != nil {
		return Outcome{Refused: reasons}
	}
	old.SetResourceVersion("1")
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	if err := s.decode(version, u); err != nil {
		return refused(err)
	}
	v.status.PrepareForUpdate(context.Background(), u, old)
	if reasons := messages(v.status.ValidateUpdate(context.Background(), u, old)); reasons != nil {
		return Outcome{Refused: reasons}
	}
	return s.store(u)
}

// Show is the request that shows what becomes of the node at path: where the status subresource is on, create drops
// the status, so what stands there only shows when it is updated.
func (s *Server) Show(version string, at Path, object map[string]any) Outcome {
	if s.versions[version].HasStatus && len(at) > 0 && at[0] == (Step{Property, "status"}) {
		return s.UpdateStatus(version, object)
	}
	return s.Create(version, object)
}

// decode is schemaCoercingDecoder.Decode and unstructuredDefaulter.Default, in the order of
// unstructuredNegotiatedSerializer.DecoderToVersion.
func (s *Server) decode(version string, u *unstructured.Unstructured) error {
	if err := s.apply(u); err != nil {
		return err
	}
	defaulting.Default(u.Object, s.versions[version].Structural)
	return nil
}

// store is crdConversionRESTOptionsGetter's codec: to the storage version with nopConverter, then coerced and pruned
// by that version's schema.
func (s *Server) store(u *unstructured.Unstructured) Outcome {
	u.SetAPIVersion(s.kind.WithVersion(s.storage).GroupVersion().String())
	if err := s.apply(u); err != nil {
		return refused(err)
	}
	return Outcome{Stored: u.Object}
}

// again is what becomes of an object that is stored already when its storage version's schema gets at it.
func (s *Server) again(stored map[string]any) Outcome {
	return s.store(&unstructured.Unstructured{Object: runtime.DeepCopyJSON(stored)})
}

// apply is unstructuredSchemaCoercer.apply for requests (dropInvalidMetadata and repairGeneration are for reading old
// objects only).
func (s *Server) apply(u *unstructured.Unstructured) error {
	kind, foundKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return err
	}
	apiVersion, foundAPIVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return err
	}
	meta, foundMeta, err := objectmeta.GetObjectMeta(u.Object, false)
	if err != nil {
		return err
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return err
	}
	if gv.Group == s.kind.Group && kind == s.kind.Kind {
		var structural *structuralschema.Structural
		if v := s.versions[gv.Version]; v != nil {
			structural = v.Structural
		}
		if s.prunes {
			pruning.PruneWithOptions(u.Object, structural, true, structuralschema.UnknownFieldPathOptions{})
			defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, structural)
		}
		if err := objectmeta.Coerce(nil, u.Object, structural, false, false); err != nil {
			return err
		}
	}
	if foundKind {
		u.SetKind(kind)
	}
	if foundAPIVersion {
		u.SetAPIVersion(apiVersion)
	}
	if foundMeta {
		return objectmeta.SetObjectMeta(u.Object, meta)
	}
	return nil
}

// messages are the texts of errors; nil for none.
func messages(errs field.ErrorList) (texts []string) {
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}
