package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// definitions are the CRDs themselves. They are stored as a built-in kind, and judged here.
var definitions = schema.GroupResource{Group: apiextensions.GroupName, Resource: "customresourcedefinitions"}

var definitionKind = v1.SchemeGroupVersion.WithKind("CustomResourceDefinition")

// Define serves a CRD, as a client that creates or replaces it. Objects that are stored stay. Of one that a cluster would reject today it
// does so all the same, as one that has it already.
func (s *Server) Define(hub *apiextensions.CustomResourceDefinition) error {
	s.defining.Lock()
	defer s.defining.Unlock()
	at := place{resource: definitions, name: hub.Name}
	var k *kind
	_, err := s.store.write(at, func(there item) ([]byte, error) {
		var was request.Object
		var old *apiextensions.CustomResourceDefinition
		if there.is() {
			var err error
			if was, old, err = definition(there.raw); err != nil {
				return nil, err
			}
		}
		if version := s.stranded(hub, old); version != "" {
			return nil, fmt.Errorf("objects are stored in version %s, which the CRD no longer has", version)
		}
		o, err := shownDefinition(hub)
		if err != nil {
			return nil, err
		}
		metadata := map[string]any{"name": hub.Name, "generation": int64(1)}
		for name, texts := range map[string]map[string]string{"labels": hub.Labels, "annotations": hub.Annotations} {
			for key, text := range texts {
				request.Keys(name, key).Set(metadata, text)
			}
		}
		o["metadata"] = metadata
		if was == nil {
			begin(o)
		} else {
			keep(metadata, was["metadata"].(map[string]any))
		}
		if k, err = s.establish(o, hub, old, storedVersions(old)); err != nil {
			return nil, err
		}
		return json.Marshal(o)
	})
	if err == nil {
		s.setKind(k)
	}
	return err
}

// stranded is a version in which objects are stored, and which a CRD does not have any more; "" for none.
func (s *Server) stranded(hub, old *apiextensions.CustomResourceDefinition) string {
	for _, version := range storedVersions(old) {
		all, _, _ := s.store.list(schema.GroupResource{Group: hub.Spec.Group, Resource: hub.Spec.Names.Plural}, "", 0) // of now, which never fails
		begins := []byte(`{"apiVersion":"` + hub.Spec.Group + "/" + version + `"`)
		if !hasVersion(hub, version) && slices.ContainsFunc(all, func(k kept) bool { return bytes.HasPrefix(k.raw, begins) }) {
			return version
		}
	}
	return ""
}

// keep takes from the metadata of a CRD what only the server knows.
func keep(metadata, was map[string]any) {
	for _, name := range []string{"uid", "creationTimestamp", "managedFields"} {
		if value, found := was[name]; found {
			metadata[name] = value
		}
	}
	if generation, is := was["generation"].(int64); is {
		metadata["generation"] = generation + 1
	}
}

// definition is a CRD that is stored.
func definition(raw []byte) (o request.Object, hub *apiextensions.CustomResourceDefinition, err error) {
	if o, err = decodeStored(raw); err != nil {
		return nil, nil, err
	}
	decoded, err := crd.DecodeJSON(raw, crd.V1)
	if err != nil {
		return nil, nil, err
	}
	return o, decoded.Hub, nil
}

// shownDefinition is a CRD as the API shows it.
func shownDefinition(hub *apiextensions.CustomResourceDefinition) (o request.Object, err error) {
	shown, err := crd.ToV1(hub)
	if err != nil {
		return nil, err
	}
	shown.SetGroupVersionKind(definitionKind)
	raw, err := json.Marshal(shown)
	if err == nil {
		err = utiljson.Unmarshal(raw, &o)
	}
	return o, err
}

// define judges a CRD that a client writes, gives it its status, and makes the kind that it defines.
func (x *exchange) define(o, was request.Object) (*kind, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	decoded, err := crd.DecodeJSON(raw, crd.V1)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	hub := decoded.Hub
	var old *apiextensions.CustomResourceDefinition
	verdict := apiserver.Verdict{}
	if was == nil {
		verdict = apiserver.OnCreate(hub, crd.V1)
	} else {
		if raw, err = json.Marshal(was); err == nil {
			_, old, err = definition(raw)
		}
		if err != nil {
			return nil, err
		}
		verdict = apiserver.OnUpdate(hub, old, crd.V1)
	}
	switch {
	case verdict.Panic != "":
		return nil, request.Broken(verdict.Panic)
	case len(verdict.Errors) > 0:
		return nil, apierrors.NewInvalid(definitionKind.GroupKind(), hub.Name, verdict.Errors)
	}
	shown, err := shownDefinition(hub)
	if err != nil {
		return nil, err
	}
	o["spec"] = shown["spec"]
	return x.establish(o, hub, old, hub.Status.StoredVersions)
}

// establish gives a CRD the status of one that is served, and makes its kind.
func (s *Server) establish(o request.Object, hub, old *apiextensions.CustomResourceDefinition, stored []string) (*kind, error) {
	storage, err := apiextensions.GetCRDStorageVersion(hub)
	if err != nil {
		return nil, err
	}
	stored = slices.DeleteFunc(slices.Clone(stored), func(version string) bool { return !hasVersion(hub, version) })
	if !slices.Contains(stored, storage) {
		stored = append(stored, storage)
	}
	status := v1.CustomResourceDefinitionStatus{StoredVersions: stored}
	since := now()
	if old != nil && len(old.Status.Conditions) > 0 {
		since = old.Status.Conditions[0].LastTransitionTime.UTC().Format("2006-01-02T15:04:05Z07:00")
	}
	names, err := crd.ToV1(hub)
	if err != nil {
		return nil, err
	}
	status.AcceptedNames = names.Spec.Names
	shown, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&status)
	if err != nil {
		return nil, err
	}
	shown["conditions"] = []any{
		condition(v1.NamesAccepted, "NoConflicts", "no conflicts found", since),
		condition(v1.Established, "InitialNamesAccepted", "the initial names have been accepted", since),
	}
	o["status"] = shown
	var convert func(string, request.Object) (request.Object, error)
	if c := hub.Spec.Conversion; c != nil && c.Strategy == apiextensions.WebhookConverter {
		if convert, err = s.config.Converter(hub); err != nil {
			return nil, err
		}
	}
	return newKind(hub, convert)
}

func condition(of v1.CustomResourceDefinitionConditionType, reason, message, since string) any {
	return map[string]any{"type": string(of), "status": string(metav1.ConditionTrue), "reason": reason, "message": message, "lastTransitionTime": since}
}

func storedVersions(hub *apiextensions.CustomResourceDefinition) []string {
	if hub == nil {
		return nil
	}
	return hub.Status.StoredVersions
}

func hasVersion(hub *apiextensions.CustomResourceDefinition, name string) bool {
	return slices.ContainsFunc(hub.Spec.Versions, func(v apiextensions.CustomResourceDefinitionVersion) bool { return v.Name == name })
}

// setKind has a kind served, in the place of another form of it, whose streams end.
func (s *Server) setKind(k *kind) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if was := s.kinds[k.GroupResource]; was == nil || !reflect.DeepEqual(was.crd.Spec, k.crd.Spec) {
		s.kinds[k.GroupResource] = k
		s.store.wake()
	}
}

// undefine has the kind of a CRD that is gone no longer served, and removes its objects.
func (s *Server) undefine(name string) {
	of := schema.ParseGroupResource(name)
	s.lock.Lock()
	delete(s.kinds, of)
	s.lock.Unlock()
	s.sweep(of)
	s.store.wake()
}

// sweep removes the objects of a kind that is not served: those that there were, and one that was written while the kind was removed.
func (s *Server) sweep(of schema.GroupResource) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if s.kinds[of] == nil {
		s.store.clear(func(r schema.GroupResource) bool { return r != of })
	}
}
