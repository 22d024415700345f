package webhooks

import (
	"encoding/json"
	"strings"
)

// The annotations in which an object carries what its version has no field for.
const (
	legacyAnnotation = "gadgets.example.com/legacy"
	noteAnnotation   = "gadgets.example.com/note"
)

// convert makes the object one of the version, as a correct webhook does: it loses nothing.
func convert(object map[string]any, to string) {
	from := version(object)
	object["apiVersion"] = "example.com/" + to
	member(object, "metadata") // which server-side apply leaves out, and the answer has to have
	spec, _ := object["spec"].(map[string]any)
	switch {
	case from != "v2" && to == "v2":
		rename(spec, "size", "capacity")
		stash(object, spec, "legacy", legacyAnnotation)
		unstash(object, "note", noteAnnotation)
	case from == "v2" && to != "v2":
		rename(spec, "capacity", "size")
		stash(object, spec, "note", noteAnnotation)
		unstash(object, "legacy", legacyAnnotation)
	}
}

func version(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	_, version, _ := strings.Cut(apiVersion, "/")
	return version
}

func rename(spec map[string]any, from, to string) {
	if value, found := spec[from]; found {
		delete(spec, from)
		spec[to] = value
	}
}

// stash moves a field of the spec into an annotation.
func stash(object, spec map[string]any, field, annotation string) {
	value, found := spec[field]
	if !found {
		return
	}
	delete(spec, field)
	text, _ := json.Marshal(value) // it comes from JSON
	member(member(object, "metadata"), "annotations")[annotation] = string(text)
}

// unstash moves it back. What users wrote into the annotation, and is none of the field's values, stays where it is.
func unstash(object map[string]any, field, annotation string) {
	annotations := of(of(object, "metadata"), "annotations")
	text, _ := annotations[annotation].(string)
	var value string
	if text == "" || json.Unmarshal([]byte(text), &value) != nil {
		return
	}
	delete(annotations, annotation)
	member(object, "spec")[field] = value
}

// member is the object at a name, which is made where there is none.
func member(object map[string]any, name string) map[string]any {
	value, ok := object[name].(map[string]any)
	if !ok {
		value = map[string]any{}
		object[name] = value
	}
	return value
}
