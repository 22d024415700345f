package kustomize

import (
	"encoding/json"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// Definitions are those of built-in kinds that kustomize merges by, as JSON by their names.
func Definitions() (all map[string]any, err error) {
	building.Lock()
	defer building.Unlock()
	openapi.ResetOpenAPI() // the schemas of a build are those of the process
	raw, err := json.Marshal(openapi.Schema().Definitions)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(raw, &all)
}
