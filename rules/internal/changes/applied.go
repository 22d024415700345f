package changes

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// caBundle is what injectors write into a CRD, and injected whose it is then.
var (
	caBundle = []string{"spec", "conversion", "webhook", "clientConfig", "caBundle"}
	injected = metav1.ManagedFieldsEntry{
		Manager: "cainjector", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: crd.Group + "/v1", FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:conversion":{"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}}}}`),
	}
)

// A standing is the CRD in a cluster that a manifest is applied to: one that was read from there, or what the older manifest makes
// there, applied in the same way.
type standing struct {
	live    *unstructured.Unstructured // as apiextensions.k8s.io/v1 serves it
	older   map[string]any             // the manifest that made it; nil where it is not known and what live tells has to do
	made    bool                       // no cluster has it; it stands for those that the older manifest was applied to
	bundled bool                       // its caBundle is made up: something fills it in
	manager string                     // who applies it server-side
}

// standingOf is that of an older CRD. A manager may be "" for the one that live has.
func standingOf(was *crd.CRD, manager string) (*standing, error) {
	object, err := served(was)
	if err != nil {
		return nil, err
	}
	s := &standing{live: &unstructured.Unstructured{Object: object}, made: !older.FromCluster(was), manager: manager}
	if s.manager == "" {
		s.manager = s.applier()
	}
	switch byHelm := slices.ContainsFunc(s.live.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool { return e.Manager == "helm" }); {
	case s.made && was.Version == crd.V1:
		s.older, err = written(was)
	case s.made || byHelm || !s.tells():
		s.older = guessed(object)
		keeps, found, _ := unstructured.NestedBool(object, "spec", "preserveUnknownFields")
		if found && s.made && crd.Get(was.Node, "spec", "preserveUnknownFields") != nil {
			_ = unstructured.SetNestedField(s.older, keeps, "spec", "preserveUnknownFields")
		}
	}
	_, service, _ := unstructured.NestedMap(object, append(slices.Clone(caBundle[:4]), "service")...)
	_, has, _ := unstructured.NestedString(object, caBundle...)
	if s.bundled = s.made && !has && (service || crds.Injector(was) != ""); s.bundled {
		err = unstructured.SetNestedField(object, "Q0E=", caBundle...)
	}
	return s, err
}

// tells reports whether the CRD says who wrote what.
func (s *standing) tells() bool {
	return len(s.live.GetManagedFields()) > 0 || s.live.GetAnnotations()[apply.LastApplied] != ""
}

// applier is who has applied the CRD server-side: of several, who has written its versions; "" for nobody.
func (s *standing) applier() (manager string) {
	for _, e := range s.live.GetManagedFields() {
		if e.Operation != metav1.ManagedFieldsOperationApply || e.Subresource != "" {
			continue
		}
		if manager == "" || e.FieldsV1 != nil && strings.Contains(e.FieldsV1.GetRawString(), `"f:versions"`) {
			manager = e.Manager
		}
	}
	return manager
}

// ways are those in which the manifest gets there, of which known says that there is no other.
func (s *standing) ways(asked lint.Way) (ways []lint.Way, known bool) {
	if asked != "" && asked != lint.AutoApply && asked != lint.AnyApply {
		return []lint.Way{asked}, true
	}
	switch {
	case asked == lint.AnyApply || !s.tells():
		return []lint.Way{lint.ServerSide, lint.ClientSide, lint.ReplacedBy}, false
	case s.applier() != "":
		return []lint.Way{lint.ServerSide}, true
	case s.live.GetAnnotations()[apply.LastApplied] != "" || s.older != nil:
		return []lint.Way{lint.ClientSide}, true
	}
	return []lint.Way{lint.ReplacedBy}, true
}

// with is the CRD after a manifest of it was applied in a way; the server has not validated it.
func (s *standing) with(manifest map[string]any, way lint.Way) (is map[string]any, err error) {
	switch {
	case way == lint.ReplacedBy:
		return apply.Replace(s.live.Object, manifest), nil
	case way == lint.ServerSide:
		live := s.migrated()
		if len(live.GetManagedFields()) == 0 {
			if live, err = s.applied(); err != nil {
				return nil, err
			}
		}
		return apply.Definition(live.Object, manifest, cmp.Or(s.manager, "applier"))
	case s.live.GetAnnotations()[apply.LastApplied] == "" && s.older != nil:
		is, _, err = apply.Release(s.live.Object, s.older, manifest)
	default:
		is, _, err = apply.ClientSide(s.live.Object, manifest)
	}
	return is, err
}

// migrated is the CRD as those leave its managedFields who take over what kubectl applied client-side before they apply: kubectl itself
// (csaupgrade of k8s.io/client-go), Argo CD and Flux. Of somebody unknown that is assumed.
func (s *standing) migrated() *unstructured.Unstructured {
	entries := s.live.GetManagedFields()
	if !slices.Contains([]string{"", "kubectl", "argocd-controller", "kustomize-controller"}, s.manager) || s.applier() != "" {
		return s.live
	}
	for i := range entries {
		if entries[i].Manager == "kubectl-client-side-apply" {
			entries[i].Manager, entries[i].Operation = cmp.Or(s.manager, "applier"), metav1.ManagedFieldsOperationApply
		}
	}
	live := s.live.DeepCopy()
	live.SetManagedFields(entries)
	return live
}

// applied is the CRD with the managedFields that it has where the older manifest was applied server-side.
func (s *standing) applied() (*unstructured.Unstructured, error) {
	manifest := s.older
	if manifest == nil {
		manifest = guessed(s.live.Object)
	}
	first, err := apply.Definition(nil, manifest, cmp.Or(s.manager, "applier"))
	if err != nil {
		return nil, err
	}
	entries := (&unstructured.Unstructured{Object: first}).GetManagedFields()
	_, own, _ := unstructured.NestedString(manifest, caBundle...)
	if _, has, _ := unstructured.NestedString(s.live.Object, caBundle...); has && !own {
		entries = append(entries, injected)
	}
	live := s.live.DeepCopy()
	live.SetManagedFields(entries)
	return live, nil
}

// guessed is the manifest that a CRD was made from, where nobody has it: without what others write, and without a
// preserveUnknownFields that hardly any manifest has.
func guessed(live map[string]any) map[string]any {
	manifest := runtime.DeepCopyJSON(live)
	name := (&unstructured.Unstructured{Object: live}).GetName()
	manifest["metadata"] = map[string]any{"name": name}
	for _, path := range [][]string{{"status"}, caBundle, {"spec", "preserveUnknownFields"}} {
		unstructured.RemoveNestedField(manifest, path...)
	}
	return manifest
}

// written is a manifest as clients send it.
func written(c *crd.CRD) (manifest map[string]any, err error) {
	raw, err := yaml11.ToJSON(c.Node)
	if err == nil {
		err = utiljson.Unmarshal(raw, &manifest)
	}
	return manifest, err
}

// served is a CRD as apiextensions.k8s.io/v1 serves it.
func served(c *crd.CRD) (live map[string]any, err error) {
	obj, err := c.Decode()
	if err != nil {
		return nil, err
	}
	is, err := crd.ToV1(obj.Hub)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(is)
	if err == nil {
		err = utiljson.Unmarshal(raw, &live)
	}
	live["apiVersion"], live["kind"] = crd.Group+"/v1", crd.Kind
	return live, err
}

// decoded is what a server makes of a CRD in version v1.
func decoded(object map[string]any) (*apiextensions.CustomResourceDefinition, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	is, err := crd.DecodeJSON(raw, crd.V1)
	if err != nil {
		return nil, err
	}
	return is.Hub, nil
}
