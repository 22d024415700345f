package crdtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// An Edit is a change of one place, for what the types of an API cannot express.
type Edit struct {
	path  string
	value any
	unset bool
}

// Set puts a value at a path, such as spec.rules[0].name or metadata.labels[example.com/team]. Nil is null.
func Set(path string, value any) Edit { return Edit{path: path, value: value} }

// Unset takes away what is at a path.
func Unset(path string) Edit { return Edit{path: path, unset: true} }

// Changes are several, each of any kind that a change may have. Edits follow all functions.
type Changes []any

// A Cause is why an object is rejected. What is empty may be anything.
type Cause struct {
	At   string `json:"at,omitempty"`   // a path; "." is the object itself
	By   string `json:"by,omitempty"`   // the keyword of the schema, such as maxLength or required; rule for a CEL rule
	Text string `json:"text,omitempty"` // part of the message
	Rule string `json:"rule,omitempty"` // part of the CEL expression
}

// At is a cause at a path, by a keyword of the schema.
func At(path, by string) Cause { return Cause{At: path, By: by} }

// Text is a cause that has a text in its message.
func Text(part string) Cause { return Cause{Text: part} }

// Rule is the rule that has a text in its CEL expression.
func Rule(part string) Cause { return Cause{Rule: part} }

type also struct{}

// Also is, among the causes of a case, for others that there may be.
var Also also

type absent struct{}

// Absent is, among the values of [Suite.Stored], for what is not stored.
var Absent absent

// An object is one of the API's types, and the edits that follow.
type object struct {
	Object any            `json:"object"`
	Set    map[string]any `json:"set,omitempty"`
	Unset  []string       `json:"unset,omitempty"`
}

// change makes another object of one.
func (o object) change(change any) (object, error) {
	switch change := change.(type) {
	case nil:
		return o, nil
	case Edit:
		o.Unset = slices.DeleteFunc(slices.Clone(o.Unset), func(path string) bool { return path == change.path })
		if change.unset {
			o.Unset = append(o.Unset, change.path)
			return o, nil
		}
		if o.Set = maps.Clone(o.Set); o.Set == nil {
			o.Set = map[string]any{}
		}
		o.Set[change.path] = change.value
		return o, nil
	case Changes:
		for _, one := range change {
			var err error
			if o, err = o.change(one); err != nil {
				return o, err
			}
		}
		return o, nil
	}
	is, want := reflect.ValueOf(change), reflect.TypeOf(o.Object)
	switch {
	case is.Type() == want:
		return object{Object: change}, nil
	case is.Type() != reflect.FuncOf([]reflect.Type{want}, nil, false):
		return o, fmt.Errorf("a change is a func(%v), a %v, Set, Unset or Changes of these, and this one is a %T", want, want, change)
	case is.IsNil():
		return o, nil
	}
	text, err := json.Marshal(o.Object)
	if err != nil {
		return o, err
	}
	copied := reflect.New(want)
	if err := json.Unmarshal(text, copied.Interface()); err != nil {
		return o, err
	}
	is.Call([]reflect.Value{copied.Elem()})
	o.Object = copied.Elem().Interface()
	return o, nil
}
