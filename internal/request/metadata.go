package request

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	unstructuredvalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// metadataCauses are those of upstream's errors about one ObjectMeta. Upstream says of labels, annotations and
// finalizers only that one is wrong; each is validated alone to find out which.
func metadataCauses(stage Stage, errs field.ErrorList, name string, path Path, metadata any) []Cause {
	members, _ := metadata.(map[string]any)
	var causes []Cause
	seen := map[string]bool{}
	for _, err := range errs {
		rest := strings.TrimPrefix(strings.TrimPrefix(err.Field, name), ".")
		parts, alone := members[rest], elements[rest]
		if alone == nil || err.Type != field.ErrorTypeInvalid || err.Detail == bothFinalizers(parts) {
			causes = append(causes, metadataCause(stage, err, path.To(plainSteps(rest)...)))
			continue
		}
		if !seen[rest] {
			seen[rest] = true
			causes = append(causes, elementCauses(stage, err.Field, path.To(Key(rest)), parts, alone)...)
		}
	}
	return causes
}

// elements validate one label, annotation or finalizer.
var elements = map[string]func(key, value string) field.ErrorList{
	"labels": func(key, value string) field.ErrorList {
		return unstructuredvalidation.ValidateLabels(map[string]string{key: value}, nil)
	},
	"annotations": func(key, _ string) field.ErrorList {
		return metavalidation.ValidateAnnotations(map[string]string{key: ""}, nil)
	},
	"finalizers": func(_, value string) field.ErrorList { return metavalidation.ValidateFinalizerName(value, nil) },
}

// bothFinalizers is what upstream says of two finalizers that exclude each other.
func bothFinalizers(parts any) string {
	if _, ok := parts.([]any); !ok {
		return ""
	}
	return "finalizer " + metav1.FinalizerOrphanDependents + " and " + metav1.FinalizerDeleteDependents + " cannot be both set"
}

func elementCauses(stage Stage, name string, at Path, parts any, validate func(key, value string) field.ErrorList) (causes []Cause) {
	add := func(step Step, key string, value any) {
		text, _ := value.(string)
		for _, err := range validate(key, text) {
			err.Field = name
			causes = append(causes, metadataCause(stage, err, at.To(step)))
		}
	}
	switch parts := parts.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(parts)) {
			add(Key(key), key, parts[key])
		}
	case []any:
		for i, item := range parts {
			add(Index(i), "", item)
		}
	}
	return causes
}

func metadataCause(stage Stage, err *field.Error, path Path) Cause {
	cause := Cause{Stage: stage, Type: err.Type, Field: err.Field, Path: path, Missing: err.Type == field.ErrorTypeRequired, Rule: -1, Actual: -1, upstream: err}
	ofName := !strings.Contains(err.Field, "ownerReferences") && !strings.Contains(err.Field, "managedFields")
	if err.Type == field.ErrorTypeInvalid && ofName {
		cause.Detail = err.Detail // what validators of names say: how one has to be, not how it is
	}
	return cause
}

// plainSteps are the steps of upstream's path in ObjectMeta, where no user chooses a key: "ownerReferences[0].uid".
func plainSteps(text string) (steps []Step) {
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(".[]", c) }) {
		if i, err := strconv.Atoi(part); err == nil {
			steps = append(steps, Index(i))
		} else {
			steps = append(steps, Key(part))
		}
	}
	return steps
}

// refuseMetadata finds what cannot be decoded in an ObjectMeta, if anything.
func (r *reading) refuseMetadata(at Path, metadata any, schemaPath []string) {
	err := unreadable(metadata)
	if err == nil {
		return
	}
	members, ok := metadata.(map[string]any)
	if !ok {
		r.refuseDecoding(at, metadata, schemaPath, err)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		err := unreadable(Object{key: members[key]})
		if err == nil {
			continue
		}
		found := false
		if labels, ok := members[key].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(labels)) {
				if err := unreadable(Object{key: Object{name: labels[name]}}); err != nil {
					r.refuseDecoding(at.To(Key(key), Key(name)), labels[name], schemaPath, err)
					found = true
				}
			}
		}
		if !found {
			r.refuseDecoding(at.To(Key(key)), members[key], schemaPath, err)
		}
	}
}

// unreadable is why an ObjectMeta cannot be decoded; nil for one that can be.
func unreadable(metadata any) error {
	_, _, err := objectmeta.GetObjectMeta(Object{"metadata": metadata}, false)
	return err
}

func (r *reading) refuseDecoding(at Path, found any, schemaPath []string, err error) {
	cause := Cause{Stage: Decoding, Path: at, Found: jsonType(found), Rule: -1, Actual: -1, upstream: r.undecoded(err)}
	if schemaPath != nil {
		cause.SchemaPath, cause.Keyword = schemaPath, embeddedKeyword
	}
	r.refuse(cause)
}

// metadataChanges are the members of an ObjectMeta as it was that are not in it any more: those that it has no field
// for, and those that say nothing.
func (r *reading) metadataChanges(at Path, was, is any) {
	members, _ := was.(map[string]any)
	kept, _ := is.(map[string]any)
	for key, value := range members {
		if _, known := metaFields[key]; !known {
			r.change(Pruned, at.To(Key(key)))
		} else if _, found := kept[key]; !found {
			r.change(MetadataEmptied, at.To(Key(key)))
		} else {
			r.unknownFields(at.To(Key(key)), value, metaFields[key])
		}
	}
}

// unknownFields finds members of a part of ObjectMeta that it has no field for.
func (r *reading) unknownFields(at Path, value any, t reflect.Type) {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return
	}
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			r.unknownFields(at.To(Index(i)), item, t.Elem())
		}
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return
		}
		fields := FieldsOf(t)
		for key, member := range value {
			if below, known := fields[key]; known {
				r.unknownFields(at.To(Key(key)), member, below)
			} else {
				r.change(Pruned, at.To(Key(key)))
			}
		}
	}
}

// metaFields are the fields of ObjectMeta by their names in JSON.
var metaFields = FieldsOf(reflect.TypeFor[metav1.ObjectMeta]())

// MetadataFields are the names of the fields that an object's metadata may have, sorted.
func MetadataFields() []string { return slices.Sorted(maps.Keys(metaFields)) }

// fields are those of the structs that were asked for, as FieldsOf returns them: every object has metadata.
var fields sync.Map

// FieldsOf are the types of a struct's fields by their names in JSON; not to be changed. The structs are metadata and those in it,
// which embed nothing.
func FieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := fields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	types := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		types[name] = f.Type
	}
	fields.Store(t, types)
	return types
}

// Labelled is an object with one more label: a write as small as that of a finalizer's removal. The object stays as it is.
func Labelled(o Object) Object {
	o = maps.Clone(o)
	metadata := copied(o["metadata"])
	labels := copied(metadata["labels"])
	labels["crdlift"], metadata["labels"], o["metadata"] = "crdlift", labels, metadata
	return o
}

// copied are the members of a value, of which there are none if it is no object.
func copied(value any) map[string]any {
	members, _ := value.(map[string]any)
	return maps.Collect(maps.All(members))
}
