package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// aliases are names of keywords that a person would write.
var aliases = map[string]string{
	"list-type": "x-kubernetes-list-type", "list-map-keys": "x-kubernetes-list-map-keys", "preserve-unknown-fields": "x-kubernetes-preserve-unknown-fields",
	"int-or-string": "x-kubernetes-int-or-string", "rule": "x-kubernetes-validations",
}

// removeFrom changes the keyword of a schema, and reports whether the schema has it.
func (c *Constraint) removeFrom(s *apiextensions.JSONSchemaProps) (found bool, err error) {
	if c.Rule != "" {
		before := len(s.XValidations)
		s.XValidations = slices.DeleteFunc(slices.Clone(s.XValidations), func(rule apiextensions.ValidationRule) bool {
			return strings.Contains(rule.Message, c.Rule) || strings.Contains(rule.Rule, c.Rule)
		})
		return len(s.XValidations) < before, nil
	}
	keyword := c.Keyword
	if other, ok := aliases[keyword]; ok {
		keyword = other
	}
	var external v1.JSONSchemaProps
	if err := v1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(s, &external, nil); err != nil {
		return false, err
	}
	raw, err := json.Marshal(external)
	if err != nil {
		return false, err
	}
	members := map[string]any{}
	if err := json.Unmarshal(raw, &members); err != nil {
		return false, err
	}
	if _, found = members[keyword]; !found && !c.Had {
		return false, nil
	}
	delete(members, keyword)
	if c.Had {
		members[keyword] = c.Value
	}
	if raw, err = json.Marshal(members); err != nil {
		return false, err
	}
	external = v1.JSONSchemaProps{}
	if err := json.Unmarshal(raw, &external); err != nil {
		return false, fmt.Errorf("%s cannot be %v", c, c.Value)
	}
	*s = apiextensions.JSONSchemaProps{}
	return true, v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, s, nil)
}
