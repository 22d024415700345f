package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/docs/schema"
)

// A schemaNode is a part of the JSON Schema of the configuration: what of it people who write one are told.
type schemaNode struct {
	ID          string `json:"$id"`
	Ref         string `json:"$ref"`
	AllOf       []*schemaNode
	AnyOf       []*schemaNode
	Definitions map[string]*schemaNode

	Description string
	Type        any // a word, or several
	Enum        []any
	Default     any
	Properties  map[string]*schemaNode
	Others      others `json:"additionalProperties"`
	Items       *schemaNode
}

// others are what the keys hold that Properties does not name.
type others struct {
	*schemaNode // nil where there are none
}

// UnmarshalJSON reads a schema, or false.
func (o *others) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("false")) {
		return nil
	}
	return json.Unmarshal(data, &o.schemaNode)
}

// fileSchema is the schema of the file.
var fileSchema = sync.OnceValue(func() *schemaNode {
	file := &schemaNode{}
	if err := json.Unmarshal(schema.Config, file); err != nil {
		panic(err) // it is a part of the program
	}
	return file
})

// SchemaID is the address of the schema of the file, for editors.
func SchemaID() string { return fileSchema().ID }

// schemas are all that is said of one value: by a schema, by what it refers to, and by the alternatives in it.
type schemas []*schemaNode

// all are a schema and those that it is made of.
func (n *schemaNode) all() schemas {
	if n == nil {
		return nil
	}
	all := schemas{n}
	if name, is := strings.CutPrefix(n.Ref, "#/definitions/"); is {
		all = append(all, fileSchema().Definitions[name].all()...)
	}
	for _, part := range slices.Concat(n.AllOf, n.AnyOf) {
		all = append(all, part.all()...)
	}
	return all
}

// below is said of the value of a key.
func (s schemas) below(key string) (all schemas) {
	for _, one := range s {
		if named := one.Properties[key]; named != nil {
			all = append(all, named.all()...)
		} else {
			all = append(all, one.Others.all()...)
		}
	}
	return all
}

// items is said of the items of a list.
func (s schemas) items() (all schemas) {
	for _, one := range s {
		all = append(all, one.Items.all()...)
	}
	return all
}

// keys are those of a mapping, in the order of their names.
func (s schemas) keys() []string {
	all := map[string]bool{}
	for _, one := range s {
		for key := range one.Properties {
			all[key] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// words are the values that there are. What YAML 1.1 makes of one of them is not among them.
func (s schemas) words() (all []string) {
	for _, one := range s {
		for _, value := range one.Enum {
			if word, is := value.(string); is {
				all = append(all, word)
			}
		}
		if one.Type == "boolean" {
			all = append(all, "true", "false")
		}
	}
	return all
}

// is reports whether a value is of a type.
func (s schemas) is(kind string) bool {
	return slices.ContainsFunc(s, func(one *schemaNode) bool { return one.Type == kind })
}

// doc is what the schema says for people, in Markdown.
func (s schemas) doc() (text string) {
	for _, one := range s {
		if text == "" {
			text = one.Description
		}
	}
	if words := s.words(); len(words) > 0 {
		text += "\n\nOne of `" + strings.Join(words, "`, `") + "`."
	}
	for _, one := range s {
		if one.Default != nil {
			return strings.TrimSpace(text + fmt.Sprintf(" The default is `%v`.", one.Default))
		}
	}
	return strings.TrimSpace(text)
}
