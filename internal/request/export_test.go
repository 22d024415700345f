package request

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Typed is upstream's error of a value that is not of its type.
func (v *Version) Typed(o Object, duplicates bool) error {
	managers, err := v.server.managers()
	if err != nil {
		return err
	}
	var options []typed.ValidationOptions
	if duplicates {
		options = append(options, typed.AllowDuplicates)
	}
	_, err = managers.ObjectToTyped(&unstructured.Unstructured{Object: runtime.DeepCopyJSON(o)}, options...)
	return err
}

// MistypedThere are the values that are not of their types in an object that is there, whose lists may have duplicates.
func (v *Version) MistypedThere(o Object) ([]Cause, error) { return v.mistyped(o, true) }
