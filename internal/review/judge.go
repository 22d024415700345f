package review

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A failure is what a webhook says instead of converting.
type failure string

func (f failure) Error() string { return string(f) }

// judge is the rest of webhookConverter.Convert: what the server makes of a response with a ConversionReview.
func (q *question) judge(response runtime.Object, sent int, answer *Answer) {
	extensions, err := convertedObjects(answer.UID, response)
	if err != nil {
		kind := Contract
		if errors.As(err, new(failure)) {
			kind = Failure
		}
		answer.refuse(kind, fmt.Errorf("conversion webhook for %v failed: %w", q.kind, err))
		return
	}
	objects, errs := decode(extensions)
	for _, o := range objects {
		answer.Raw = append(answer.Raw, runtime.DeepCopyJSON(o))
	}
	if len(extensions) != sent {
		answer.refuse(Contract, fmt.Errorf("conversion webhook for %v returned %d objects, expected %d", q.kind, len(extensions), sent))
		return
	}
	next := 0
	for _, original := range q.objects {
		if q.isAtVersion(original) {
			continue
		}
		if err := q.take(original, objects[next], errs[next], next); err != nil {
			answer.refuse(Contract, err)
			return
		}
		next++
	}
	answer.Objects = q.result(objects)
}

// convertedObjects is getConvertedObjectsFromResponse.
func convertedObjects(uid string, response runtime.Object) ([]runtime.RawExtension, error) {
	var answered *v1.ConversionResponse
	isV1 := false
	switch r := response.(type) {
	case *v1.ConversionReview:
		if want, got := v1.SchemeGroupVersion.WithKind("ConversionReview"), r.GroupVersionKind(); got != want {
			return nil, fmt.Errorf("expected webhook response of %v, got %v", want.String(), got.String())
		}
		answered, isV1 = r.Response, true
	case *v1beta1.ConversionReview: // neither kind nor UID are looked at
		answered = (*v1.ConversionResponse)(r.Response)
	default:
		return nil, fmt.Errorf("unrecognized response type: %T", response)
	}
	switch {
	case answered == nil:
		return nil, errors.New("no response provided")
	case isV1 && string(answered.UID) != uid:
		return nil, fmt.Errorf("expected response.uid=%q, got %q", uid, answered.UID)
	case answered.Result.Status == metav1.StatusSuccess:
		return answered.ConvertedObjects, nil
	case answered.Result.Message != "":
		return nil, failure(answered.Result.Message)
	}
	return nil, failure(fmt.Sprintf("response.result.status was '%s', not 'Success'", answered.Result.Status))
}

// decode is getRawExtensionObject for each: nil and an error where there is no object.
func decode(extensions []runtime.RawExtension) (objects []Object, errs []error) {
	for _, x := range extensions {
		u := &unstructured.Unstructured{}
		err := u.UnmarshalJSON(x.Raw)
		if err != nil {
			u.Object = nil
		}
		objects, errs = append(objects, u.Object), append(errs, err)
	}
	return objects, errs
}

// take checks an object of the answer, and restores the metadata that webhooks cannot change. The texts for an object
// differ from those for an item.
func (q *question) take(original *unstructured.Unstructured, object Object, err error, index int) error {
	item := func(text string) string { return text }
	if q.isList {
		item = func(string) string { return fmt.Sprintf("invalid converted object at index %d", index) }
	}
	refuse := func(what string, err error) error {
		return fmt.Errorf("conversion webhook for %v returned %s: %w", q.kind, what, err)
	}
	if err != nil {
		if !q.isList {
			return err
		}
		return refuse(item(""), err)
	}
	converted := &unstructured.Unstructured{Object: object}
	if want, got := q.to, converted.GroupVersionKind().GroupVersion(); want != got {
		return refuse(item("invalid object at index 0"), fmt.Errorf("invalid groupVersion (expected %v, received %v)", want, got))
	}
	if want, got := original.GroupVersionKind().Kind, converted.GroupVersionKind().Kind; want != got {
		return refuse(item("invalid object at index 0"), fmt.Errorf("invalid kind (expected %v, received %v)", want, got))
	}
	if err := sameObject(original, converted); err != nil {
		return refuse(item("invalid object"), err)
	}
	if err := restoreMetadata(original.Object, object); err != nil {
		if q.isList {
			return refuse(fmt.Sprintf("invalid metadata in object at index %d", index), err)
		}
		return refuse("invalid metadata", err)
	}
	return nil
}

// sameObject is validateConvertedObject.
func sameObject(in, out *unstructured.Unstructured) error {
	for _, member := range []struct{ name, want, got string }{
		{"kind", in.GetKind(), out.GetKind()},
		{"name", in.GetName(), out.GetName()},
		{"namespace", in.GetNamespace(), out.GetNamespace()},
		{"UID", string(in.GetUID()), string(out.GetUID())},
	} {
		if member.want != member.got {
			return fmt.Errorf("must have the same %s: %v != %v", member.name, member.want, member.got)
		}
	}
	return nil
}

// restoreMetadata is restoreObjectMeta: the converted object keeps its labels and annotations only.
func restoreMetadata(original, converted Object) error {
	value, found := converted["metadata"]
	if !found {
		return errors.New("missing metadata in converted object")
	}
	answered, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("invalid metadata of type %T in converted object", value)
	}
	metadata := map[string]any{}
	if value, found := original["metadata"]; found {
		if metadata, ok = value.(map[string]any); !ok {
			return fmt.Errorf("invalid metadata of type %T in input object", value)
		}
		metadata = runtime.DeepCopyJSON(metadata)
	}
	converted["metadata"] = metadata
	for _, name := range []string{"labels", "annotations"} {
		if err := restoreTexts(metadata, answered, name); err != nil {
			return err
		}
	}
	return nil
}

// restoreTexts puts the labels or annotations of an answer into the metadata of the original.
func restoreTexts(metadata, answered map[string]any, name string) error {
	value := answered[name]
	if value == nil {
		delete(metadata, name)
		return nil
	}
	texts, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("invalid metadata.%s of type %T in converted object", name, value)
	}
	originals, ok := metadata[name].(map[string]any)
	if !ok && metadata[name] != nil {
		return fmt.Errorf("invalid metadata.%s of type %T in original object", name, metadata[name])
	}
	changed := len(originals) != len(texts)
	names := slices.Sorted(maps.Keys(texts))
	for _, key := range names {
		if _, ok := texts[key].(string); !ok {
			return fmt.Errorf("metadata.%s[%s] must be a string, but is %T in converted object", name, key, texts[key])
		}
		changed = changed || originals[key] != texts[key]
	}
	if changed {
		if errs := validateTexts(name, names, texts); len(errs) > 0 {
			return errs.ToAggregate()
		}
	}
	metadata[name] = texts
	return nil
}

// validateTexts is upstream's validation of all labels or annotations, whose errors come in no order, name by name.
func validateTexts(name string, names []string, texts map[string]any) (errs field.ErrorList) {
	all := make(map[string]string, len(texts))
	for _, key := range names {
		all[key] = texts[key].(string)
		if name == "labels" {
			errs = append(errs, metav1validation.ValidateLabels(map[string]string{key: all[key]}, field.NewPath("metadata", "labels"))...)
		} else {
			errs = append(errs, apivalidation.ValidateAnnotations(map[string]string{key: ""}, field.NewPath("metadata", "annotation"))...)
		}
	}
	if name == "annotations" && apivalidation.ValidateAnnotationsSize(all) != nil {
		errs = append(errs, field.TooLong(field.NewPath("metadata", "annotation"), "", apivalidation.TotalAnnotationSizeLimitB))
	}
	return errs
}
