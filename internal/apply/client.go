package apply

import (
	"encoding/json"
	"errors"
	"maps"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
)

// LastApplied is the annotation in which kubectl and Argo CD keep what they applied last.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// errNoPatch replaces upstream's errors, which have values in them.
var errNoPatch = errors.New("no patch can be made, as the annotation " + LastApplied + " is no object in JSON")

// Saved is a manifest as client-side apply creates it: with itself in an annotation, and otherwise without nulls. See pruneNullsFromMap
// of k8s.io/kubectl/pkg/cmd/apply.
func Saved(manifest map[string]any) (map[string]any, error) {
	saved, err := annotated(manifest)
	dropNulls(saved)
	return saved, err
}

// dropNulls takes the members out of objects that are null, and leaves items of lists.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, member any) bool { return member == nil })
		for _, member := range value {
			dropNulls(member)
		}
	case []any:
		for _, item := range value {
			dropNulls(item)
		}
	}
}

// annotated is a manifest with itself in an annotation. See GetModifiedConfiguration of k8s.io/kubectl.
func annotated(manifest map[string]any) (map[string]any, error) {
	saved := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(manifest)}
	annotations := map[string]string{}
	maps.Copy(annotations, saved.GetAnnotations())
	delete(annotations, LastApplied)
	saved.SetAnnotations(annotations) // which upstream writes even where there are none
	text, err := json.Marshal(saved.Object)
	if err != nil {
		return nil, err
	}
	annotations[LastApplied] = string(text) + "\n" // which an encoder ends a document with
	saved.SetAnnotations(annotations)
	return saved.Object, nil
}

// ClientSide is what client-side apply does with the object that is there, as it is served at the manifest's version, and the patch that
// it sends, which is empty where it sends none. What the object's annotation does not say was applied last is not removed. A manifest of
// a namespaced kind has a namespace. See Patcher.buildMergePatch of k8s.io/kubectl; of kinds whose types a server declares, CRDs
// among them, kubectl sends a strategic merge patch, which comes to the same where a list is replaced whole, as all of CRDs are.
func ClientSide(live, manifest map[string]any) (merged, patch map[string]any, err error) {
	saved, err := annotated(manifest)
	if err != nil {
		return nil, nil, err
	}
	last := (&unstructured.Unstructured{Object: live}).GetAnnotations()[LastApplied]
	return merge(live, saved, func(current, is []byte) ([]byte, error) {
		return jsonmergepatch.CreateThreeWayJSONMergePatch([]byte(last), is, current)
	})
}

// Release is the object after Helm replaces one manifest of a release by another, and the patch that it sends, which is empty where
// it sends none: Helm 3, and Helm 4 where it does not apply on the server. It does not look at the object;
// but where the release did not have it before, Helm takes it for the older manifest. See createPatch of helm.sh/helm/v3/pkg/kube.
func Release(live, older, manifest map[string]any) (merged, patch map[string]any, err error) {
	return merge(live, manifest, func(_, is []byte) ([]byte, error) {
		was, err := json.Marshal(older)
		if err != nil {
			return nil, err
		}
		return jsonpatch.CreateMergePatch(was, is)
	})
}

// Replace is the manifest as it is sent in the place of the object that is there. See Helper.Replace of k8s.io/cli-runtime.
func Replace(live, manifest map[string]any) map[string]any {
	sent := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(manifest)}
	if sent.GetResourceVersion() == "" {
		sent.SetResourceVersion((&unstructured.Unstructured{Object: live}).GetResourceVersion())
	}
	return sent.Object
}

// merge makes a patch of two documents in JSON, and merges it as jsonPatcher of k8s.io/apiserver does.
func merge(live, manifest map[string]any, patchOf func(live, manifest []byte) ([]byte, error)) (merged, patch map[string]any, err error) {
	current, err := json.Marshal(live)
	if err != nil {
		return nil, nil, err
	}
	is, err := json.Marshal(manifest)
	if err != nil {
		return nil, nil, err
	}
	raw, err := patchOf(current, is)
	if err != nil {
		return nil, nil, errNoPatch
	}
	result, err := jsonpatch.MergePatch(current, raw)
	if err != nil {
		return nil, nil, err
	}
	err = errors.Join(utiljson.Unmarshal(result, &merged), utiljson.Unmarshal(raw, &patch))
	return merged, patch, err
}
