package request

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apply"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// refuseApplier is ValidatePatchOptions.
func (r *reading) refuseApplier(by Applier) {
	options := &metav1.PatchOptions{FieldManager: by.Manager, Force: &by.Force}
	for _, err := range metavalidation.ValidatePatchOptions(options, types.ApplyYAMLPatchType) {
		r.refuse(Cause{Stage: Options, Type: err.Type, Field: err.Field, Rule: -1, Actual: -1})
	}
}

// refuseOther rejects an object that says it is another one than that which is there, that has no name, or a version of it that is gone.
// The first is patcher.applyPatch of k8s.io/apiserver if there is none, checkName the second, and Store.Update the others.
func (r *reading) refuseOther(was *reading) {
	cause := Cause{Stage: Outdated, Path: resourceVersion, Rule: -1, Actual: -1}
	switch {
	case was == nil && r.meta.UID != "":
		cause.Path, cause.upstream = uid, fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", r.meta.UID)
	case r.meta.Name == "": // also of what loses all of its metadata, which is nobody else's
		cause.Stage, cause.Path, cause.Missing = Decoding, Keys("metadata", "name"), true
		if was != nil {
			cause.upstream = fmt.Errorf("the name of the object (%s based on URL) was undeterminable: name must be provided", was.meta.Name)
		}
	case was == nil || r.meta.ResourceVersion == was.meta.ResourceVersion:
		return
	}
	r.refuse(cause)
}

// refuseApply finds the causes of an error of the field manager. What is there is nil where nothing is.
func (r *reading) refuseApply(err error, managers *apply.Managers, there Object, entries []metav1.ManagedFieldsEntry) error {
	var status *apierrors.StatusError
	if refusal := err; r.texts {
		defer func() { r.out.refusal = refusal }()
	}
	switch {
	case !errors.As(err, &status):
		err = r.refuseTypes(managers, there, entries)
	case status.ErrStatus.Reason == metav1.StatusReasonConflict:
		err = r.refuseConflicts(managers, status.ErrStatus.Details.Causes)
	default:
		r.refuseKind()
		err = nil
	}
	return err
}

// refuseKind rejects an object that is none of the version, and else one with managedFields, which upstream looks at next.
func (r *reading) refuseKind() {
	if r.refuseTypeMeta(); r.refused() {
		return
	}
	cause := Cause{Stage: TypeMeta, Path: Keys("kind"), Rule: -1, Actual: -1}
	if r.object["kind"] == r.version.server.kind.Kind {
		cause.Stage, cause.Path = Decoding, Keys("metadata", "managedFields")
	}
	r.refuse(cause)
}

// refuseConflicts says where in the object the fields are that somebody else manages. Upstream names them by the values of keys and of
// items in sets, and in the version of who manages them: where that names them in another way, it is the nearest value around.
func (r *reading) refuseConflicts(managers *apply.Managers, causes []metav1.StatusCause) error {
	types, ref, err := managers.Of(r.version.Name)
	if err != nil {
		return err
	}
	places := map[string]Path{}
	t := typing{types, false, func(at Path, name string) { places[name] = at }, func(Cause) {}}
	t.walk(ref, r.object, nil, "")
	for _, c := range causes {
		name := c.Field
		for places[name] == nil && name != "" {
			name = name[:max(0, strings.LastIndexAny(name, ".["))]
		}
		r.refuse(Cause{Stage: Conflict, Field: c.Field, Path: places[name], Detail: c.Message, Rule: -1, Actual: -1})
	}
	return nil
}

// refuseTypes finds all values that are not of their type: of the object and of that which is there, in the version of the
// request, and if there are none, in the versions that others manage fields at.
func (r *reading) refuseTypes(managers *apply.Managers, there Object, entries []metav1.ManagedFieldsEntry) error {
	err := r.mistyped(managers, r.version.Name, r.object, Cause{Stage: Typing}, false)
	if err == nil {
		err = r.mistyped(managers, r.version.Name, there, Cause{Stage: Typing, Live: true}, true)
	}
	if err != nil || r.refused() {
		return err
	}
	return r.refuseOwners(managers, there, entries)
}

// refuseOwners finds the versions that others manage fields at and that are gone, or that the object which is there does not fit, and else
// the object that is applied.
func (r *reading) refuseOwners(managers *apply.Managers, there Object, entries []metav1.ManagedFieldsEntry) error {
	for i, entry := range entries {
		gv, _ := schema.ParseGroupVersion(entry.APIVersion)
		if !managers.Has(gv) { // which has nothing in it where there is an error
			at := Keys("metadata", "managedFields").To(Index(i), Key("apiVersion"))
			r.refuse(Cause{Stage: Owners, Live: true, Path: at, Detail: entry.APIVersion, Rule: -1, Actual: -1})
			continue
		}
		if gv.Version == r.version.Name {
			continue
		}
		told := len(r.out.Causes)
		err := r.mistyped(managers, gv.Version, there, Cause{Stage: Owners, Live: true, Detail: entry.APIVersion}, false)
		if err == nil && len(r.out.Causes) == told {
			err = r.mistyped(managers, gv.Version, r.object, Cause{Stage: Owners, Detail: entry.APIVersion}, false)
		}
		if err != nil {
			return err
		}
	}
	if !r.refused() { // on the way back from another version, upstream allows no duplicates either
		if err := r.mistyped(managers, r.version.Name, there, Cause{Stage: Owners, Live: true, Detail: r.version.apiVersion()}, false); err != nil {
			return err
		}
	}
	if !r.refused() {
		r.refuse(Cause{Stage: Owners, Live: true, Path: Keys("metadata", "managedFields"), Rule: -1, Actual: -1})
	}
	return nil
}
