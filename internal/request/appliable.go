package request

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Unappliable is why every server-side apply of the live object at the version fails before anything is merged, whatever is
// applied by any field manager: the causes of the stage Owners, of the least that a manager could apply. Unknown says that entries of managedFields are
// of versions that a webhook converts to, which are not checked; those of versions that are gone are.
func (v *Version) Unappliable(live Object) (causes []Cause, unknown bool, err error) {
	metadata, _ := live["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	entries, others := slices.Clone(entries), false
	for i, e := range entries {
		entry, _ := e.(map[string]any)
		apiVersion, _ := entry["apiVersion"].(string)
		if apiVersion == v.apiVersion() {
			continue
		}
		others = true
		gv, _ := schema.ParseGroupVersion(apiVersion) // which has nothing in it where there is an error
		if v.server.webhook && v.server.versions[gv.Version] != nil && gv.Group == v.server.kind.Group {
			unknown = true
			entry = maps.Clone(entry)
			entry["apiVersion"] = v.apiVersion()
			entries[i] = entry
		}
	}
	if !others { // what does not fit this version has other causes
		return nil, false, nil
	}
	metadata = maps.Clone(metadata)
	metadata["managedFields"] = entries
	live = maps.Clone(live)
	live["metadata"] = metadata
	least := Object{"apiVersion": v.apiVersion(), "kind": v.server.kind.Kind, "metadata": map[string]any{"name": metadata["name"]}}
	if namespace, there := metadata["namespace"]; there {
		least["metadata"].(map[string]any)["namespace"] = namespace
	}
	out := v.Apply(least, live, Applier{Manager: "crdlift", Force: true})
	return slices.DeleteFunc(out.Causes, func(c Cause) bool { return c.Stage != Owners }), unknown, out.Err
}
