package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/storage/names"

	"github.com/crdlift/crdlift/internal/request"
)

// nameTries is how often a server makes another name for generateName when the first is taken. See maxNameGenerationCreateAttempts.
const nameTries = 8

func (x *exchange) create() error {
	if _, err := x.format(); err != nil && !x.kind.builtIn {
		return err
	}
	options := &metav1.CreateOptions{}
	if err := x.options(options, func() field.ErrorList { return metavalidation.ValidateCreateOptions(options) }); err != nil {
		return err
	}
	w := x.writes(options.DryRun, options.FieldManager, options.FieldValidation)
	o, err := x.sent(w)
	if err == nil {
		err = x.checkPlace(o, false)
	}
	if err != nil {
		return err
	}
	given := &unstructured.Unstructured{Object: o}
	generates := given.GetName() == "" && given.GetGenerateName() != ""
	sent := given.GetResourceVersion()
	if w.dry {
		given.SetResourceVersion("") // at which a server looks when it writes
	}
	for try := 1; ; try++ {
		if generates {
			given.SetName(names.SimpleNameGenerator.GenerateName(given.GetGenerateName()))
		}
		x.info.Name = given.GetName()
		made, err := x.keep(w, func(was request.Object) (request.Object, error) {
			admitted, err := x.admitted(x.version.Create(o, w.by()...))
			if err == nil && was != nil {
				err = x.exists(given, was)
			}
			return admitted, err
		})
		switch {
		case err == nil:
			if w.dry {
				made.SetResourceVersion(sent)
			}
			return x.answer(http.StatusCreated, made)
		case !generates || try == nameTries || !apierrors.IsAlreadyExists(err):
			return err
		}
	}
}

// exists is the answer to a create of an object that is there. See Store.Create and CheckGeneratedNameError of k8s.io/apiserver.
func (x *exchange) exists(sent *unstructured.Unstructured, was request.Object) error {
	err := apierrors.NewAlreadyExists(x.kind.GroupResource, x.info.Name)
	if sent.GetGenerateName() != "" {
		err = apierrors.NewGenerateNameConflict(x.kind.GroupResource, x.info.Name, 1)
	}
	if (&unstructured.Unstructured{Object: was}).GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

func (x *exchange) update() error {
	options := &metav1.UpdateOptions{}
	if err := x.options(options, func() field.ErrorList { return metavalidation.ValidateUpdateOptions(options) }); err != nil {
		return err
	}
	w := x.writes(options.DryRun, options.FieldManager, options.FieldValidation)
	read, isScale := x.sent, x.info.Subresource == "scale"
	if isScale {
		read = x.sentScale
	}
	o, err := read(w)
	if err == nil {
		err = x.checkPlace(o, true)
	}
	switch {
	case err != nil:
		return err
	case isScale:
		return x.scale(w, func(request.Object) (request.Object, error) { return o, nil })
	}
	is, err := x.keep(w, func(was request.Object) (request.Object, error) {
		if err := x.isSame(o, was); err != nil {
			return nil, err
		}
		return x.replaced(o, was, w)
	})
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, is)
}

// replaced is what a write of an object in the place of another comes to.
func (x *exchange) replaced(o, was request.Object, w write) (request.Object, error) {
	if was == nil {
		return nil, x.notFound()
	}
	if err := x.isNewest(o, was); err != nil {
		return nil, err
	}
	judge := x.version.Update
	if x.info.Subresource == "status" {
		judge = x.version.UpdateStatus
	}
	return x.admitted(judge(o, was, w.by()...))
}

// isSame rejects an object with the uid of another one than that which is there. See Preconditions.Check of k8s.io/apiserver's storage.
func (x *exchange) isSame(o, was request.Object) error {
	sent, is := (&unstructured.Unstructured{Object: o}).GetUID(), (&unstructured.Unstructured{Object: was}).GetUID()
	if sent == "" || sent == is || was == nil {
		return nil
	}
	return apierrors.NewConflict(x.kind.GroupResource, x.info.Name, fmt.Errorf(
		"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %v, UID in object meta: %v",
		x.place().path(), sent, is))
}

// isNewest rejects an object that was read before the newest write, or not at all: those of built-in kinds, but for a few, may also replace
// whatever is there. See Store.Update of k8s.io/apiserver's registry.
func (x *exchange) isNewest(o, was request.Object) error {
	sent, is := (&unstructured.Unstructured{Object: o}).GetResourceVersion(), (&unstructured.Unstructured{Object: was}).GetResourceVersion()
	none := sent == "" || sent == "0"
	_, err := strconv.ParseUint(sent, 10, 64)
	switch {
	case none && x.kind.builtIn:
		request.Keys("metadata", "resourceVersion").Set(o, is)
	case sent != "" && err != nil:
		return request.Broken(err.Error())
	case none:
		return apierrors.NewInvalid(schema.GroupKind{Group: x.kind.Group, Kind: x.kind.Resource}, x.info.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata").Child("resourceVersion"), int64(0), "must be specified for an update"),
		})
	case sent != is:
		return apierrors.NewConflict(x.kind.GroupResource, x.info.Name, request.ErrOutdated)
	}
	return nil
}

// admitted is the object that the judge admits, with its warnings told.
func (x *exchange) admitted(out *request.Outcome) (request.Object, error) {
	var status *apierrors.StatusError
	switch {
	case errors.As(out.Err, &status):
		return nil, status
	case out.Err != nil:
		return nil, request.Broken(out.Err.Error())
	}
	x.warn(warnings(out)...)
	if !out.Accepted() {
		return nil, out.Refusal(x.kind.GroupResource, x.info.Name)
	}
	return out.Object, nil
}

// warnings are a server's words.
func warnings(out *request.Outcome) (all []string) {
	var twice []string
	for _, w := range out.Warnings {
		switch w.Kind {
		case request.Deprecated, request.Ratcheted:
			all = append(all, w.Detail)
		case request.Finalizer:
			all = append(all, "metadata.finalizers: "+w.Detail)
		case request.OwnerAgain:
			twice = append(twice, w.Detail)
		}
	}
	if len(twice) > 0 { // see dedupOwnerReferencesAndAddWarning
		all = append(all, ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "+strings.Join(twice, ", "))
	}
	return all
}

// keep puts the object that become admits, given the one that is there or nil, in its place, and returns it as it is then. Nothing changes
// where the request is a dry run.
func (x *exchange) keep(w write, become func(was request.Object) (request.Object, error)) (*unstructured.Unstructured, error) {
	if x.kind.GroupResource == definitions {
		x.defining.Lock()
		defer x.defining.Unlock()
	}
	var tried item    // what a dry run would put there
	var defined *kind // by a CRD
	var left *unstructured.Unstructured
	is, err := x.store.write(x.place(), func(there item) (raw []byte, err error) {
		var was request.Object
		if there.is() {
			if was, err = x.served(there); err != nil {
				return nil, err
			}
		}
		admitted, err := become(was)
		if err != nil {
			return nil, err
		}
		if was == nil {
			(&unstructured.Unstructured{Object: admitted}).SetNamespace(x.info.Namespace)
			begin(admitted)
			if x.kind.GroupResource == namespaces {
				beginNamespace(admitted)
			}
		}
		keepTimes(admitted, was)
		if x.kind.GroupResource == definitions {
			if defined, err = x.define(admitted, was); err != nil {
				return nil, err
			}
		}
		if left = nil; isFinished(admitted, was) {
			left = &unstructured.Unstructured{Object: admitted}
			return x.unless(w.dry, there, nil), nil
		}
		stored, err := x.version.Store(admitted)
		if err == nil {
			raw, err = json.Marshal(stored)
		}
		tried = item{raw, there.revision}
		return x.unless(w.dry, there, raw), err
	})
	x.sweep(x.kind.GroupResource)
	switch {
	case err != nil:
		return nil, err
	case left != nil:
		return left, nil
	case w.dry:
		is = tried
	case defined != nil:
		x.setKind(defined)
	}
	if x.kindOf(x.kind.GroupResource) == nil { // the CRD was deleted meanwhile, and the object with it
		return nil, errNoPath
	}
	if at := x.place(); at.namespace != "" && !w.dry {
		if err := x.addNamespace(at.namespace); err != nil { // which is there by being used
			return nil, err
		}
	}
	o, err := x.served(is)
	return &unstructured.Unstructured{Object: o}, err
}

// unless is what is put in the place of an item: the same, for a dry run.
func (x *exchange) unless(dry bool, there item, raw []byte) []byte {
	if dry {
		return there.raw
	}
	return raw
}

// begin gives a new object what only a server does. See FillObjectMetaSystemFields of k8s.io/apiserver.
func begin(o request.Object) {
	request.Keys("metadata", "uid").Set(o, string(uuid.NewUUID()))
	request.Keys("metadata", "creationTimestamp").Set(o, now())
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

// isFinished reports whether an object has lost the last finalizer that its deletion waited for. See ShouldDeleteDuringUpdate.
func isFinished(o, was request.Object) bool {
	before := &unstructured.Unstructured{Object: was}
	return was != nil && before.GetDeletionTimestamp() != nil && len((&unstructured.Unstructured{Object: o}).GetFinalizers()) == 0
}

// keepTimes leaves managedFields as they were where nothing but their times would change. See IgnoreManagedFieldsTimestampsTransformer of
// k8s.io/apiserver.
func keepTimes(o, was request.Object) {
	metadata, _ := o["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	before, _ := request.Keys("metadata", "managedFields").In(was)
	old, _ := before.([]any)
	same := was != nil && len(entries) == len(old)
	for i := 0; same && i < len(entries); i++ {
		same = reflect.DeepEqual(without(entries[i].(map[string]any), "time"), without(old[i].(map[string]any), "time"))
	}
	if same && reflect.DeepEqual(without(metadata, "managedFields"), without(was["metadata"].(map[string]any), "managedFields")) &&
		reflect.DeepEqual(without(o, "metadata"), without(was, "metadata")) && old != nil {
		metadata["managedFields"] = old
	}
}

func without(o map[string]any, key string) map[string]any {
	less := maps.Clone(o)
	delete(less, key)
	return less
}

// managerOf is prefixFromUserAgent of k8s.io/apiserver.
func managerOf(userAgent string) string {
	name, _, _ := strings.Cut(userAgent, "/")
	var kept bytes.Buffer
	for _, r := range name {
		if !unicode.IsPrint(r) {
			continue
		}
		if kept.Len()+utf8.RuneLen(r) > metavalidation.FieldManagerMaxLength {
			break
		}
		kept.WriteRune(r)
	}
	return kept.String()
}
