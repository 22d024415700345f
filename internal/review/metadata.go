package review

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

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
