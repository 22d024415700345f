package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var documentRules = []*engine.Rule{
	&engine.Rule{
		ID:       "yaml-duplicate-key",
		Reading:  true,
		Summary:  "keys that a mapping has twice",
		Severity: lint.Error,
		Run:      duplicateKeys,
	},
	&engine.Rule{
		ID:       "wrong-type",
		Reading:  true,
		Summary:  "values that the API server cannot decode",
		Severity: lint.Error,
		Excess:   true,
		Run:      wrongTypes,
	},
	unknownField,
	v1beta1FieldInV1,
	v1FieldInV1beta1,
	schemaWrapperMissing,
	deprecatedAPIVersion,
	&engine.Rule{
		ID:       "api-version-unknown",
		Summary:  "API versions of CustomResourceDefinitions that never existed",
		Severity: lint.Error,
		Excess:   true,
		Run: func(p *engine.Pass) {
			if v := p.WrittenVersion(); v != crd.V1 && v != crd.V1beta1 {
				p.Reportf(p.CRD.APIVersion(), "there is no %s; write %s/v1", quoted(crd.Group+"/"+string(v)), crd.Group)
			}
		},
	},
	manifestTooLarge,
}

// duplicateKeys reports every key but the first of those with the same name.
func duplicateKeys(p *engine.Pass) {
	joined := len(crd.Joined(p.CRD.Node)) > 0
	eachMapping(p.CRD.Node, func(m *yaml.Node, path func() string) {
		if m == p.CRD.Node && joined {
			return // several manifests, which another rule says
		}
		first := firstKeys{}
		for i := 0; i+1 < len(m.Content); i += 2 {
			key := m.Content[i]
			name, ok := yaml11.Key(key)
			if !ok || yaml11.IsMerge(key) {
				continue
			}
			if before := first.add(name, key); before != nil {
				repeated(p, crd.Place{Node: key, Path: crd.Member(path(), name)}, name, before)
			}
		}
	})
}

// firstKeys are the keys of a mapping by their names. Most mappings have few, for which a search is faster than a map.
type firstKeys struct {
	few [12]struct {
		name string
		key  *yaml.Node
	}
	n    int
	many map[string]*yaml.Node
}

// add gives the first key of that name; nil when this is it.
func (f *firstKeys) add(name string, key *yaml.Node) *yaml.Node {
	for i := range f.few[:f.n] {
		if f.few[i].name == name {
			return f.few[i].key
		}
	}
	if f.n < len(f.few) {
		f.few[f.n].name, f.few[f.n].key = name, key
		f.n++
		return nil
	}
	if before := f.many[name]; before != nil {
		return before
	}
	if f.many == nil {
		f.many = map[string]*yaml.Node{}
	}
	f.many[name] = key
	return nil
}

func repeated(p *engine.Pass, at crd.Place, name string, before *yaml.Node) {
	first := keyAt(p, before, "the first key of that name")
	f := p.Reportf(at, "the key %s is already at line %d; servers take the last and drop the others", quoted(name), first.Pos.Line)
	f.Related = []lint.Related{first}
}

// keyAt is another key of the document that a finding speaks about.
func keyAt(p *engine.Pass, key *yaml.Node, message string) lint.Related {
	line, column := p.Document().Begin(key)
	end := column + utf8.RuneCountInString(key.Value)
	return lint.Related{Pos: lint.Position{File: p.File().Path, Line: line, Column: column, EndLine: line, EndColumn: end}, Message: message}
}

// wrongTypes reports what keeps the API server from decoding the manifest. Text that is not base64 is left to the rule
// of the only field that holds any.
func wrongTypes(p *engine.Pass) {
	if p.DecodeError() == nil || p.CRD.Version != crd.V1 && p.CRD.Version != crd.V1beta1 {
		return
	}
	wrong := p.WrongTypes()
	if len(wrong) == 0 {
		p.Refusef(crd.Place{Node: p.CRD.Node}, "the API server cannot read this: %s", text.Foreign(p.DecodeError().Error()))
	}
	for _, w := range wrong {
		if w.Want == crd.Base64 {
			continue
		}
		f := p.Refusef(w.Place, "%s", WrongType(w))
		if w.Belongs != "" {
			f.Fix = moving("move "+crd.LastField(w.Belongs)+" out of properties", []string{w.Place.Path}, []string{w.Belongs})
		}
	}
}

// WrongType says why the API server cannot decode a value.
func WrongType(w crd.WrongType) text.Text {
	if w.Want == crd.Unsayable {
		return text.Sprintf("the API server cannot read this as JSON: %s", text.Foreign(w.Got))
	}
	field := text.Value(fieldWithIndex(w.Place.Path))
	switch {
	case w.Belongs != "" && w.Keyword == crd.NoKeyword:
		return text.Sprintf("%s stands among the properties, where each name is a field's of the resource; move it to %s",
			field, text.Value(strings.TrimSuffix(w.Belongs, "."+crd.LastField(w.Belongs))))
	case w.Keyword != crd.NoKeyword:
		return text.Sprintf("%s stands among the properties, where each name is a field's; %s", field, outOfProperties(w))
	}
	return text.Sprintf("%s must be %s, but this is %s%s", field, w.Want, w.Got, remedy(w))
}

// outOfProperties says where to move a keyword that stands among the properties.
func outOfProperties(w crd.WrongType) text.Text {
	switch {
	case w.Belongs != "":
		return text.Sprintf("move it one level up, beside properties")
	case w.Keyword == crd.OfField:
		return text.Sprintf("indent it to stand below the field that it is about")
	}
	return text.Sprintf("join it with the one that stands beside properties already")
}

// remedy says what to write instead of a value of the wrong type, where that is plain.
func remedy(w crd.WrongType) text.Text {
	switch steps := crd.Steps(w.Place.Path); {
	case w.IsRequiredFlag() && w.Got == "the boolean true" && steps[max(len(steps)-3, 0)] == "properties":
		return text.Sprintf("; list %s in required of the schema around it, beside properties", text.Value(steps[len(steps)-2]))
	case w.IsRequiredFlag():
		return text.Sprintf("; it lists the fields that an object needs: remove it")
	case w.Place.Path == "spec.versions" && w.Got == "a mapping":
		return text.Sprintf("; write each version as an entry that begins with - name:")
	}
	return quoting(w)
}

// quoting says what quotes, or a tag that makes text of a word, have to do with a value of the wrong type.
func quoting(w crd.WrongType) text.Text {
	n := crd.Deref(w.Place.Node)
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
		return text.Sprintf("; quote it: %s", quoted(n.Value))
	case quotes && fits:
		return text.Sprintf("; remove the quotes")
	case tag && fits:
		return text.Sprintf("; remove the tag, which makes a string of it")
	}
	return text.Text{}
}

// fieldWithIndex is the last field of a path with the indexes behind it: "shortNames[0]".
func fieldWithIndex(path string) string {
	if path == "" {
		return "the CustomResourceDefinition"
	}
	field := crd.LastField(path)
	if at := strings.LastIndex(path, field); at >= 0 && !strings.HasSuffix(path, field+"]") {
		return path[at:]
	}
	return field
}
