package apply

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A Version is what field managers need of a version of a CRD besides its types.
type Version struct {
	Name      string
	Handled   bool // served or stored
	HasStatus bool // the status subresource is on
	Default   func(map[string]any)
}

// Managers are the field managers of a CRD: one for each version, and one more for its status.
type Managers struct {
	*Types
	versions map[string]Version
	made     map[place]*managedfields.FieldManager
	convert  func(to string, o map[string]any) (map[string]any, error)
}

// A place is where a request goes: a version, and a subresource of it or "".
type place struct{ version, subresource string }

// NewManagers makes the field managers as getOrCreateServingInfoFor of k8s.io/apiextensions-apiserver/pkg/apiserver does. Convert makes
// an object one of an apiVersion, and may change it. Where it is nil, versions differ by that alone: of a CRD that has a webhook, no entry
// of managedFields may be of another version than the request then.
func NewManagers(types *Types, versions []Version, convert func(to string, o map[string]any) (map[string]any, error)) (*Managers, error) {
	m := &Managers{types, map[string]Version{}, map[place]*managedfields.FieldManager{}, convert}
	status := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range versions {
		m.versions[v.Name] = v
		if v.Handled && v.HasStatus {
			status[m.apiVersion(v.Name)] = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		}
	}
	for _, v := range versions {
		whole := map[fieldpath.APIVersion]*fieldpath.Set{}
		if v.HasStatus {
			whole[m.apiVersion(v.Name)] = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
		}
		for subresource, resets := range map[string]map[fieldpath.APIVersion]*fieldpath.Set{"": whole, "status": status, "scale": nil} {
			kind := types.kind.WithVersion(v.Name)
			made, err := managedfields.NewDefaultCRDFieldManager(types, convertor{managers: m}, defaulter{m}, creater{}, kind, kind.GroupVersion(), subresource, fieldpath.NewExcludeFilterSetMap(resets))
			if err != nil {
				return nil, err
			}
			m.made[place{v.Name, subresource}] = made
		}
	}
	return m, nil
}

func (m *Managers) apiVersion(name string) fieldpath.APIVersion {
	return fieldpath.APIVersion(m.kind.WithVersion(name).GroupVersion().String())
}

// Apply is the live object with what a manager applies to a version of it or to its subresource, and with defaults; neither is changed.
// Live has its managedFields, and is nil where there is no object. The error is upstream's: a StatusError for what the body says it is and
// for conflicts, others where a value is not of its type in one of the versions that count; its text has values in it.
func (m *Managers) Apply(version, subresource string, live, body map[string]any, manager string, force bool) (map[string]any, error) {
	merged, err := m.made[place{version, subresource}].Apply(m.object(version, live), &unstructured.Unstructured{Object: runtime.DeepCopyJSON(body)}, manager, force)
	if err != nil {
		return nil, err
	}
	return merged.(*unstructured.Unstructured).Object, nil
}

// Update is an object that was written in another way than by applying it, with the managedFields that it has then. Live is nil where
// it was not there; neither is changed. Where upstream fails to tell what changed, the fields stay whose they were; see
// FieldManager.UpdateNoErrors.
func (m *Managers) Update(version, subresource string, live, written map[string]any, manager string) map[string]any {
	was, is := m.object(version, live), m.object(version, written)
	if updated, err := m.made[place{version, subresource}].Update(was, is, manager); err == nil {
		return updated.(*unstructured.Unstructured).Object
	}
	is.SetManagedFields(was.GetManagedFields())
	return is.Object
}

// object is a copy of an object, or one of the version that has nothing.
func (m *Managers) object(version string, o map[string]any) *unstructured.Unstructured {
	if o != nil {
		return &unstructured.Unstructured{Object: runtime.DeepCopyJSON(o)}
	}
	empty := &unstructured.Unstructured{}
	empty.SetGroupVersionKind(m.kind.WithVersion(version))
	return empty
}

// A creater is unstructuredCreator of k8s.io/apiextensions-apiserver/pkg/apiserver.
type creater struct{}

func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	return o, nil
}

// A defaulter is unstructuredDefaulter of the same package.
type defaulter struct{ *Managers }

func (d defaulter) Default(in runtime.Object) {
	o := in.(*unstructured.Unstructured)
	d.versions[o.GroupVersionKind().Version].Default(o.Object)
}

// A convertor is crConverter of k8s.io/apiextensions-apiserver/pkg/apiserver/conversion, with nopConverter in it unless a webhook is asked.
type convertor struct {
	runtime.ObjectConvertor // no other method is called
	managers                *Managers
}

func (c convertor) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	from := in.GetObjectKind().GroupVersionKind()
	to, _ := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from}) // none of another group, which is rejected as well
	if !c.managers.Has(to.GroupVersion()) {
		return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s", to.GroupVersion())
	}
	out := in.DeepCopyObject().(*unstructured.Unstructured)
	if c.managers.convert == nil || from == to {
		out.SetGroupVersionKind(to)
		return out, nil
	}
	converted, err := c.managers.convert(to.GroupVersion().String(), out.Object)
	return &unstructured.Unstructured{Object: converted}, err
}

// Has reports whether there is such a version, served or not.
func (m *Managers) Has(version schema.GroupVersion) bool {
	_, found := m.versions[version.Version]
	return found && version.Group == m.kind.Group
}
