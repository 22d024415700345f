package request

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/apply"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// An Applier says who applies something, and how.
type Applier struct {
	Manager string // the fieldManager of the request
	Force   bool   // what conflicts is taken from those who manage it
}

// Apply is a server-side apply of an object, which is not changed. Live is what is there, as it is served at the version with its
// managedFields, and nil where there is nothing. The object that is admitted has managedFields, without times where the request
// changes them. It is not pruned, unlike that of another write: what no schema declares is stored, and dropped when it is read.
func (v *Version) Apply(o, live Object, by Applier, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) { return v.applied(main, o, live, by, out, options) })
}

// ApplyStatus is a server-side apply of an object to the status subresource of the live one. It counts only for its status and
// what identifies it.
func (v *Version) ApplyStatus(o, live Object, by Applier, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) {
		if !v.hasStatus || live == nil {
			return nil, fmt.Errorf("version %s has no status subresource, or there is no object", v.Name)
		}
		return v.applied(status, o, live, by, out, options)
	})
}

// The subresources that field managers know.
const (
	main   = ""
	status = "status"
)

// ManagedBy has a server's field manager note whose the fields are that a create or an update changes. The object that is there has
// its managedFields then, and so has the one that is admitted, as that of Apply.
func ManagedBy(manager string) Option { return func(r *reading) { r.manager = manager } }

// Now has the entries of managedFields that a request changes keep the time of the check.
func Now() Option { return func(r *reading) { r.timed = true } }

// newManagers makes the field managers of the server's versions.
func (s *Server) newManagers() (*apply.Managers, error) {
	schemas := map[string]*apiextensions.JSONSchemaProps{}
	var versions []apply.Version
	for _, name := range s.order {
		v := s.versions[name]
		if err := v.grown(); err != nil {
			return nil, err
		}
		schemas[name] = v.Schema
		versions = append(versions, apply.Version{
			Name: name, Handled: v.Served || v == s.storage, HasStatus: v.hasStatus,
			Default: func(o map[string]any) { defaulting.Default(o, v.trimmed.defaults) },
		})
	}
	types, err := apply.NewTypes(s.kind, schemas, !s.prunes)
	if err != nil {
		return nil, err
	}
	return apply.NewManagers(types, versions, s.convert)
}

// applied is applyPatcher.applyPatchToCurrentObject of k8s.io/apiserver and what Store.Update makes of its result.
func (v *Version) applied(subresource string, o, live Object, by Applier, out *Outcome, options []Option) (Object, error) {
	r := &reading{version: v, out: out, object: o, given: o, meta: &metav1.ObjectMeta{}}
	r.take(options)
	if r.refuseApplier(by); r.refused() {
		return nil, nil
	}
	was, err := v.live(live)
	if err != nil {
		return nil, err
	}
	managers, there, err := r.ready(was)
	if err != nil {
		return nil, err
	}
	merged, refusal := managers.Apply(v.Name, subresource, there, o, by.Manager, by.Force)
	if refusal != nil {
		return nil, r.refuseApply(refusal, managers, there, was.entries())
	}
	if err := r.become(merged, was); err != nil {
		return nil, err
	}
	if r.refuseOther(was); r.refused() {
		return nil, nil
	}
	if subresource == status {
		return r.updateStatus(was)
	}
	nulls := nullTexts(merged)
	var admitted Object
	if was == nil {
		r.meta.ResourceVersion = "" // which the server does not look at
		admitted, err = r.create()
	} else {
		admitted, err = r.update(was)
	}
	for _, at := range nulls {
		if _, found := at.In(admitted); found {
			at.Set(admitted, nil)
		}
	}
	return admitted, err
}

// nullTexts are the labels and annotations that are null in what was merged, which was never read: they are stored so, and are "" when they
// are read the next time.
func nullTexts(merged Object) (all []Path) {
	for _, in := range []string{"labels", "annotations"} {
		held, _ := Keys("metadata", in).In(merged)
		texts, _ := held.(map[string]any)
		for name, text := range texts {
			if text == nil {
				all = append(all, Keys("metadata", in, name))
			}
		}
	}
	return all
}

// live is an object that is there, if there is one.
func (v *Version) live(o Object) (*reading, error) {
	if o == nil {
		return nil, nil
	}
	return v.served(o)
}

// ready has the field managers, and the object that is there for them. The error says that a webhook would have to convert it to find
// out what somebody manages at another version, so that nothing is known of the outcome.
func (r *reading) ready(was *reading) (managers *apply.Managers, there Object, err error) {
	if managers, err = r.version.server.managers(); err != nil {
		return nil, nil, err
	}
	for _, entry := range slices.Concat(r.meta.ManagedFields, was.entries()) {
		gv, _ := schema.ParseGroupVersion(entry.APIVersion) // which has nothing in it where there is an error
		if s := r.version.server; s.webhook && s.convert == nil && gv.Version != r.version.Name && managers.Has(gv) {
			return nil, nil, fmt.Errorf("a webhook converts between version %s and version %s, which %s wrote", r.version.Name, gv.Version, entry.Manager)
		}
	}
	if was == nil {
		return managers, nil, nil
	}
	meta := was.meta.DeepCopy()
	meta.ManagedFields = was.managed
	if meta.UID == "" {
		meta.UID = madeUID // without one, there is no object for upstream
	}
	there = maps.Clone(was.object)
	return managers, there, objectmeta.SetObjectMeta(there, meta)
}

// become takes what upstream has merged for the object that is written. That was never read, so that its metadata may have in it
// what cannot be; servers drop it when they read the object the next time.
func (r *reading) become(merged Object, was *reading) error {
	meta, found, err := objectmeta.GetObjectMeta(merged, true)
	if err != nil || !found {
		r.object = merged
		return err
	}
	r.object, r.meta, r.managed = merged, meta, r.untimed(meta.ManagedFields, was.entries())
	unstructured.RemoveNestedField(merged, "metadata", "managedFields")
	if was == nil {
		return nil
	}
	if was.meta.UID == "" {
		meta.UID = "" // whatever it is
	}
	if _, known := resourceVersion.In(was.object); !known {
		meta.ResourceVersion = was.meta.ResourceVersion
	}
	return nil
}

// entries are those of the object's managedFields; none where there is no object.
func (r *reading) entries() []metav1.ManagedFieldsEntry {
	if r == nil {
		return nil
	}
	return r.managed
}

// untimed are entries of managedFields without the times that they had not before: they are those of the request, which only a
// server knows, unless this one is.
func (r *reading) untimed(entries, before []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	if r.timed {
		return entries
	}
	for i := range entries {
		if !slices.ContainsFunc(before, func(e metav1.ManagedFieldsEntry) bool { return e.Time.Equal(entries[i].Time) }) {
			entries[i].Time = nil
		}
	}
	return entries
}

var uid, resourceVersion = Keys("metadata", "uid"), Keys("metadata", "resourceVersion")

// track has the field manager note what a write changes that is read, but not yet prepared.
func (r *reading) track(subresource string, was *reading) error {
	if r.manager == "" {
		return nil
	}
	managers, there, err := r.ready(was)
	if err != nil {
		return err
	}
	written, its := maps.Clone(r.object), r.meta.DeepCopy()
	if was == nil { // what rest.WipeObjectMetaSystemFields wipes is nobody's
		its.DeletionTimestamp, its.DeletionGracePeriodSeconds = nil, nil
	}
	if err := objectmeta.SetObjectMeta(written, its); err != nil { // without owners that it has twice
		return err
	}
	meta, _, err := objectmeta.GetObjectMeta(managers.Update(r.version.Name, subresource, there, written, r.manager), true)
	if err == nil && meta != nil {
		r.managed = r.untimed(meta.ManagedFields, was.entries())
	}
	return err
}
