package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// other is the CRD with new defaults and with less fields, at some places of its storage version. Nothing is rejected for them.
func (e *estate) other() (by replacement, err error) {
	var c v1.CustomResourceDefinition
	if err := json.Unmarshal(e.m.json, &c); err != nil {
		return by, err
	}
	var done []string
	for i := range c.Spec.Versions {
		if v := &c.Spec.Versions[i]; v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			for _, part := range []string{"spec", "status"} {
				if schema, found := v.Schema.OpenAPIV3Schema.Properties[part]; found {
					done = append(done, e.varied(&schema, part)...)
					v.Schema.OpenAPIV3Schema.Properties[part] = schema
				}
			}
		}
	}
	if len(done) == 0 {
		return by, nil
	}
	by.about = strings.Join(done, "; ")
	by.is, err = manifestFrom(&c)
	return by, err
}

// varied changes a few members of a schema and of those in it.
func (e *estate) varied(schema *v1.JSONSchemaProps, at string) (done []string) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		below := schema.Properties[name]
		switch path := at + "." + name; {
		case len(below.Properties) > 0:
			done = append(done, e.varied(&below, path)...)
			schema.Properties[name] = below
		case e.random.IntN(4) > 0 || len(schema.XValidations) > 0:
		case below.Default == nil && plainDefaults[below.Type] != "" && len(below.Enum) == 0 && below.Pattern == "" && below.Format == "":
			below.Default = &v1.JSON{Raw: []byte(plainDefaults[below.Type])}
			schema.Properties[name] = below
			done = append(done, path+" has a default")
		case !slices.Contains(schema.Required, name):
			delete(schema.Properties, name)
			done = append(done, path+" is gone")
		}
	}
	return done
}

// plainDefaults are those for types; a server rejects the CRD if one is not allowed.
var plainDefaults = map[string]string{"string": `"default"`, "integer": "3", "boolean": "true"}

// withoutStorage is the CRD without the version that objects are stored in, if there is another one.
func (e *estate) withoutStorage() (by replacement, err error) {
	var c v1.CustomResourceDefinition
	if err := json.Unmarshal(e.m.json, &c); err != nil {
		return by, err
	}
	c.Spec.Versions = slices.DeleteFunc(c.Spec.Versions, func(v v1.CustomResourceDefinitionVersion) bool { return v.Name == e.storage })
	c.Spec.Conversion = nil
	if len(c.Spec.Versions) == 0 {
		return by, nil
	}
	c.Spec.Versions[0].Storage, c.Spec.Versions[0].Served = true, true
	by.about = "without " + e.storage
	by.is, err = manifestFrom(&c)
	return by, err
}

// manifestFrom is a manifest without the status, which none has.
func manifestFrom(c *v1.CustomResourceDefinition) ([]byte, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	delete(object, "status")
	return json.Marshal(object)
}
