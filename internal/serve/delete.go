package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversionscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
)

func (x *exchange) delete() error {
	options, err := x.deleteOptions()
	if err != nil {
		return err
	}
	left, err := x.remove(x.place(), options)
	if err != nil {
		return err
	}
	if o, is := left.(*unstructured.Unstructured); is {
		return x.answer(http.StatusOK, o)
	}
	x.write(http.StatusOK, left)
	return nil
}

// deleteCollection deletes what is selected, and answers with the list of that.
func (x *exchange) deleteCollection() error {
	s, err := x.selection()
	if err != nil {
		return err
	}
	options, err := x.deleteOptions()
	if err != nil {
		return err
	}
	list, err := x.whole(s)
	if err != nil {
		return err
	}
	for _, o := range list.Items {
		at := place{x.kind.GroupResource, o.GetNamespace(), o.GetName()}
		if _, err := x.remove(at, options); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return x.answer(http.StatusOK, list)
}

// deleteOptions reads the options of a deletion, from its body or its query.
func (x *exchange) deleteOptions() (*metav1.DeleteOptions, error) {
	options := &metav1.DeleteOptions{}
	raw, err := x.body()
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		if err := x.options(options, func() field.ErrorList { return nil }); err != nil {
			return nil, err
		}
	} else {
		info, err := negotiation.NegotiateInputSerializer(x.req, false, metainternalversionscheme.Codecs)
		if err != nil {
			return nil, err
		}
		kind := metav1.SchemeGroupVersion.WithKind("DeleteOptions")
		if _, _, err := metainternalversionscheme.Codecs.DecoderToVersion(info.Serializer, metav1.SchemeGroupVersion).Decode(raw, &kind, options); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	if err := invalid(options, metavalidation.ValidateDeleteOptions(options)); err != nil {
		return nil, err
	}
	if policy := options.PropagationPolicy; policy != nil && *policy != metav1.DeletePropagationBackground {
		x.warn(fmt.Sprintf("crdlift serve has no garbage collector: propagationPolicy %s is ignored, and objects with owners stay", *policy))
	}
	return options, nil
}

// remove deletes an object, or marks it for those whose finalizers it has. It returns the object in the second case, and else what a
// server says of the deletion. See Store.Delete of k8s.io/apiserver.
func (x *exchange) remove(at place, options *metav1.DeleteOptions) (left runtime.Object, err error) {
	if at.resource == definitions {
		x.defining.Lock()
		defer x.defining.Unlock()
	}
	marked, dry := false, len(options.DryRun) > 0
	var tried item // what a dry run would leave
	is, err := x.store.write(at, func(there item) ([]byte, error) {
		if !there.is() {
			return nil, apierrors.NewNotFound(at.resource, at.name)
		}
		stored, err := decodeStored(there.raw)
		if err != nil {
			return nil, err
		}
		setRevision(stored, there.revision)
		o := &unstructured.Unstructured{Object: stored}
		if err := x.precondition(o, options.Preconditions); err != nil {
			return nil, err
		}
		left = &metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess,
			Details: &metav1.StatusDetails{Name: at.name, Group: at.resource.Group, Kind: at.resource.Resource, UID: o.GetUID()},
		}
		switch marked = len(o.GetFinalizers()) > 0; {
		case !marked && dry:
			return there.raw, nil
		case !marked:
			return nil, nil
		}
		raw, err := x.mark(there)
		tried = item{raw, there.revision}
		return x.unless(dry, there, raw), err
	})
	switch {
	case err != nil:
		return nil, err
	case !marked:
		if at.resource == definitions && !dry {
			x.undefine(at.name)
		}
		return left, nil
	case dry:
		is = tried
	}
	o, err := x.served(is)
	return &unstructured.Unstructured{Object: o}, err
}

// mark is an object that waits for its finalizers, as it is stored. It is written at the version of the request, which drops what that does
// not declare, even if it waits already. See Store.updateForGracefulDeletionAndFinalizers of k8s.io/apiserver.
func (x *exchange) mark(there item) ([]byte, error) {
	o, err := x.served(there)
	if err != nil {
		return nil, err
	}
	metadata := o["metadata"].(map[string]any)
	delete(metadata, "resourceVersion")
	if is := (&unstructured.Unstructured{Object: o}); is.GetDeletionTimestamp() == nil {
		metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"] = now(), int64(0)
		is.SetGeneration(is.GetGeneration() + 1)
	}
	stored, err := x.version.Store(o)
	if err != nil {
		return nil, err
	}
	return json.Marshal(stored)
}

// precondition refuses to delete another object than the one that is meant. See BeforeDelete of k8s.io/apiserver.
func (x *exchange) precondition(o *unstructured.Unstructured, of *metav1.Preconditions) error {
	said := ""
	switch {
	case of == nil:
	case of.UID != nil && *of.UID != o.GetUID():
		said = fmt.Sprintf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *of.UID, o.GetUID())
	case of.ResourceVersion != nil && *of.ResourceVersion != o.GetResourceVersion():
		said = fmt.Sprintf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", *of.ResourceVersion, o.GetResourceVersion())
	}
	if said == "" {
		return nil
	}
	return apierrors.NewConflict(schema.GroupResource{Group: x.kind.Group, Resource: x.kind.crd.Spec.Names.Kind}, o.GetName(), fmt.Errorf("%s", said))
}
