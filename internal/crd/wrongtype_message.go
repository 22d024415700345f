package crd

import (
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Message says why the API server cannot decode a value.
func (w WrongType) Message() text.Text {
	if w.Want == Unsayable {
		return text.Sprintf("the API server cannot read this as JSON: %s", text.Foreign(w.Got))
	}
	field := text.Value(fieldWithIndex(w.Place.Path))
	switch {
	case w.Belongs != "" && w.Keyword == NoKeyword:
		return text.Sprintf("%s is listed under properties, whose keys are fields of the resource; move it to %s",
			field, text.Value(strings.TrimSuffix(w.Belongs, "."+LastField(w.Belongs))))
	case w.Keyword != NoKeyword:
		return text.Sprintf("%s is listed under properties, whose keys are field names; %s", field, whereTo(w))
	}
	return text.Sprintf("%s must be %s, but this is %s%s", field, w.Want, w.Got, remedy(w))
}

// whereTo advises where to move a keyword from among the properties.
func whereTo(w WrongType) text.Text {
	switch {
	case w.Belongs != "":
		return text.Sprintf("move it one level up, beside properties")
	case w.Keyword == OfField:
		return text.Sprintf("indent it under the field that it describes")
	}
	return text.Sprintf("merge it with the one that is already beside properties")
}

// remedy advises what to write instead of a value of the wrong type, where that is clear.
func remedy(w WrongType) text.Text {
	switch steps := Steps(w.Place.Path); {
	case w.IsRequiredFlag() && w.Got == "the boolean true" && steps[max(len(steps)-3, 0)] == "properties":
		return text.Sprintf("; list %s in required of the schema around it, beside properties", text.Value(steps[len(steps)-2]))
	case w.IsRequiredFlag():
		return text.Sprintf("; it lists the fields that an object needs: remove it")
	case w.Place.Path == "spec.versions" && w.Got == "a mapping":
		return text.Sprintf("; write each version as an entry that begins with - name:")
	}
	return quoting(w)
}

// quoting returns what quotes, or a tag that makes text of a word, have to do with a value of the wrong type.
func quoting(w WrongType) text.Text {
	n := Deref(w.Place.Node)
	if n == nil || n.Kind != yaml.ScalarNode {
		return text.Text{}
	}
	quotes := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	tag := n.Style&yaml.TaggedStyle != 0 && n.Tag == yaml.NodeTagString
	kind, _ := yaml11.Resolve(&yaml.Node{Kind: yaml.ScalarNode, Value: n.Value})
	fits := w.Want == "true or false" && kind == yaml11.Bool ||
		strings.Contains(w.Want, "number") && (kind == yaml11.Int || kind == yaml11.Float)
	switch {
	case w.Want == "a string":
		return text.Sprintf("; quote it: %s", text.Quoted(n.Value))
	case quotes && fits:
		return text.Sprintf("; remove the quotes")
	case tag && fits:
		return text.Sprintf("; remove the tag, which makes a string of it")
	}
	return text.Text{}
}

// fieldWithIndex is the last field of a path with the indexes after it: "shortNames[0]".
func fieldWithIndex(path string) string {
	if path == "" {
		return "the CustomResourceDefinition"
	}
	field := LastField(path)
	if at := strings.LastIndex(path, field); at >= 0 && !strings.HasSuffix(path, field+"]") {
		return path[at:]
	}
	return field
}
