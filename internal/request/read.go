package request

import (
	"encoding/json"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A reading is an object of a request on its way.
type reading struct {
	version *Version
	out     *Outcome
	object  Object                      // as far as it is by now
	meta    *metav1.ObjectMeta          // its metadata; never nil
	given   Object                      // as it was sent
	owners  []int                       // where those of meta's owner references are in the object as it was sent; nil when they are all there
	texts   bool                        // causes keep upstream's errors
	minor   int                         // of the release that the server is of; 0 for the newest
	manager string                      // who writes it, if managedFields are to tell
	timed   bool                        // and when
	managed []metav1.ManagedFieldsEntry // its metadata has none; of the object that is there or, once upstream knows, that is to be
	common  int                         // the number of causes that are not the strategy's, which do not keep it from evaluating rules
}

// refuse adds causes, each with the schema that it has the path of.
func (r *reading) refuse(causes ...Cause) {
	for _, cause := range causes {
		cause.Schema = r.schemaOf(cause)
		if r.texts {
			r.out.answered = r.answered()
		} else {
			cause.upstream = nil // which keeps values
		}
		r.out.Causes = append(r.out.Causes, cause)
	}
}

func (r *reading) schemaOf(cause Cause) *apiextensions.JSONSchemaProps {
	if cause.SchemaPath == nil {
		return nil
	}
	return Subschema(r.version.Schema, cause.SchemaPath)
}

func (r *reading) change(kind ChangeKind, at Path) {
	r.out.Changes = append(r.out.Changes, Change{kind, slices.Clone(at)})
}

// read is schemaCoercingDecoder.Decode and unstructuredDefaulter.Default, in the order of
// unstructuredNegotiatedSerializer.DecoderToVersion. An object that cannot be read has causes.
func (v *Version) read(o Object, out *Outcome, options []Option) (*reading, error) {
	r := &reading{version: v, out: out, object: runtime.DeepCopyJSON(o), given: o, meta: &metav1.ObjectMeta{}}
	r.take(options)
	if r.refuseTypeMeta(); r.refused() {
		return r, nil
	}
	meta, found, err := objectmeta.GetObjectMeta(r.object, false)
	if err != nil {
		r.refuseMetadata(Keys("metadata"), o["metadata"], nil)
		return r, nil
	}
	ours := o["kind"] == v.server.kind.Kind // the server reads an object of another kind by no schema, and rejects it when it validates
	if ours && v.server.prunes {
		v.prune(r.object)
	}
	if ours {
		if err := objectmeta.Coerce(nil, r.object, v.trimmed.embedded, false, false); err != nil {
			r.refuseMistyped()
			return r, nil
		}
	}
	r.object["kind"], r.object["apiVersion"] = o["kind"], o["apiVersion"]
	if found {
		r.meta = meta
		if err := objectmeta.SetObjectMeta(r.object, meta); err != nil {
			return nil, err
		}
	}
	r.dropOwnersAgain()
	if ours {
		defaulting.Default(r.object, v.trimmed.defaults)
	}
	r.compare(make(Path, 0, 16), o, r.object)
	return r, nil
}

// dropOwnersAgain is dedupOwnerReferencesAndAddWarning of k8s.io/apiserver.
func (r *reading) dropOwnersAgain() {
	once, seen := []metav1.OwnerReference(nil), map[string]bool{}
	var owners []int
	for i, owner := range r.meta.OwnerReferences {
		text, err := json.Marshal(owner) // which tells apart what apiequality.Semantic.DeepEqual does
		if err == nil && seen[string(text)] {
			again := Warning{Kind: OwnerAgain, Path: Path{Key("metadata"), Key("ownerReferences"), Index(i)}}
			if r.texts {
				again.Detail = string(owner.UID)
			}
			r.out.Warnings = append(r.out.Warnings, again)
			continue
		}
		seen[string(text)] = true
		once, owners = append(once, owner), append(owners, i)
	}
	if len(once) < len(r.meta.OwnerReferences) {
		r.meta.OwnerReferences, r.owners = once, owners
	}
}

func (r *reading) refused() bool { return len(r.out.Causes) > 0 }

// refuseTypeMeta checks what decides by which schema an object is read. The kind is not compared until validation.
func (r *reading) refuseTypeMeta() {
	for _, key := range []string{"apiVersion", "kind"} {
		value, found := r.object[key]
		if text, ok := value.(string); !ok || text == "" {
			r.refuse(Cause{Stage: Decoding, Path: Keys(key), Missing: !found, Found: jsonType(value), Rule: -1, Actual: -1})
		} else if key == "apiVersion" && text != r.version.apiVersion() {
			r.refuse(Cause{Stage: TypeMeta, Path: Keys(key), Rule: -1, Actual: -1, upstream: r.otherVersion(text)})
		}
	}
}

// compare finds what reading has made of a value: members that nothing declares are not there any more, nor are nulls
// that are not allowed, and defaults are.
func (r *reading) compare(at Path, was, is any) {
	if was == nil && is != nil {
		r.change(Defaulted, at)
		return
	}
	switch was := was.(type) {
	case map[string]any:
		if is, ok := is.(map[string]any); ok {
			r.compareMembers(at, was, is)
		}
	case []any:
		is, _ := is.([]any)
		for i := range is {
			r.compare(append(at, Index(i)), was[i], is[i])
		}
	}
}

func (r *reading) compareMembers(at Path, was, is Object) {
	kept := 0
	for key, member := range was {
		at := append(at, Key(key))
		now, found := is[key]
		if found {
			kept++
		}
		switch {
		case key == "metadata" && r.isResource(at[:len(at)-1]):
			r.metadataChanges(at, member, now)
		case found:
			r.compare(at, member, now)
		case r.version.Declared(at) != nil:
			r.change(NullDropped, at)
		default:
			r.change(Pruned, at)
		}
	}
	if kept == len(is) {
		return
	}
	for key := range is {
		if _, found := was[key]; !found {
			r.change(Defaulted, append(at, Key(key)))
		}
	}
}

// isResource reports whether the value at a path is the object, or a resource embedded in it.
func (r *reading) isResource(at Path) bool {
	s := r.version.Declared(at)
	return len(at) == 0 || s != nil && s.XEmbeddedResource
}
