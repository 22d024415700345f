// Package outofsync compares a manifest with an object in a cluster as Argo CD does by default (ThreeWayDiff of gitops-engine, for
// kinds that k8s.io/client-go does not know).
package outofsync

import (
	"encoding/json"
	"maps"
	"reflect"

	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
)

// Differs reports whether Argo CD shows a difference between a manifest that was applied as it is and what an API server returns
// for it. Both are JSON. Nothing is applied besides the manifest, and its status is not compared.
func Differs(manifest, live []byte) (bool, error) {
	written, err := read(manifest)
	if err != nil {
		return false, err
	}
	returned, err := read(live)
	if err != nil {
		return false, err
	}
	wanted, err := json.Marshal(written)
	if err != nil {
		return false, err
	}
	known, err := json.Marshal(common(written, returned))
	if err != nil {
		return false, err
	}
	raw, err := jsonmergepatch.CreateThreeWayJSONMergePatch(wanted, wanted, known)
	if err != nil {
		return false, err
	}
	var patch any
	if err := json.Unmarshal(raw, &patch); err != nil {
		return false, err
	}
	return !reflect.DeepEqual(patched(returned, patch), any(returned)), nil
}

// read decodes an object without what is not compared.
func read(raw []byte) (object map[string]any, err error) {
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
		if annotations, _ := metadata["annotations"].(map[string]any); len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	return object, nil
}

// common is what is returned without the fields that are not written, in lists by their index.
func common(written, returned any) any {
	switch written := written.(type) {
	case map[string]any:
		if returned, ok := returned.(map[string]any); ok {
			both := map[string]any{}
			for name, value := range written {
				if is, there := returned[name]; there {
					both[name] = common(value, is)
				}
			}
			return both
		}
	case []any:
		if returned, ok := returned.([]any); ok {
			both := append([]any{}, returned...)
			for i := range min(len(written), len(returned)) {
				both[i] = common(written[i], returned[i])
			}
			return both
		}
	}
	return returned
}

// patched is a value after a JSON merge patch (RFC 7386).
func patched(value, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	after := map[string]any{}
	if before, ok := value.(map[string]any); ok {
		after = maps.Clone(before)
	}
	for name, change := range changes {
		if change == nil {
			delete(after, name)
		} else {
			after[name] = patched(after[name], change)
		}
	}
	return after
}
