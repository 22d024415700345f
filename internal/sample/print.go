package sample

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"k8s.io/apimachinery/pkg/runtime"
)

// Smallest is the smallest valid object; false when none was found. It has no status that the server would drop.
func (g *Generator) Smallest() (request.Object, bool) {
	object, ok := g.At(nil)
	if ok {
		g.forPeople(object, "-sample")
	}
	return object, ok
}

// maxTried is how many fields are tried to be put back into an object.
const maxTried = 300

// Fullest is a valid object that has as many of the fields as it can, with their defaults and one item in each list; false when none
// was found.
func (g *Generator) Fullest() (request.Object, bool) {
	m := maker{full: true, number: new(int), hints: g.hints, defaults: true}
	whole := g.object(m)
	g.Name(whole)
	object := runtime.DeepCopyJSON(whole)
	if !g.mend(m, object, nil, mendingWhole) {
		least, ok := g.At(nil)
		if !ok {
			return nil, false
		}
		object = least
	}
	tries := maxTried
	g.putBack(object, object, whole, &tries)
	g.forPeople(object, "-sample-full")
	return object, true
}

// putBack gives a part of an object the fields that mending has taken away, as far as the object stays valid with them.
func (g *Generator) putBack(object request.Object, part, whole map[string]any, tries *int) {
	for _, name := range sorted(whole) {
		value, found := part[name]
		if below, is := whole[name].(map[string]any); found && is {
			if value, is := value.(map[string]any); is {
				g.putBack(object, value, below, tries)
			}
		}
		if found || *tries == 0 {
			continue
		}
		*tries--
		part[name] = runtime.DeepCopyJSONValue(whole[name])
		if !Valid(g.version, object) {
			delete(part, name)
		}
	}
}

// forPeople takes what only servers write, and what they drop, out of an object, and names it after its kind, as far as it stays valid.
func (g *Generator) forPeople(object request.Object, suffix string) {
	tries := []func(request.Object){
		func(o request.Object) { delete(o, "status") },
		func(o request.Object) { o["metadata"] = map[string]any{"name": strings.ToLower(g.kind.Kind) + suffix} },
		func(o request.Object) {
			for _, at := range g.version.Undeclared(o) {
				at.Remove(o)
			}
		},
	}
	if !g.version.HasStatus() {
		tries = tries[1:]
	}
	for _, try := range tries {
		changed := runtime.DeepCopyJSON(object)
		if try(changed); Valid(g.version, changed) {
			replace(object, changed)
		}
	}
}

// Print is an object as YAML: its fields in the order of the schema, each below what its description says first. The schema may be nil.
func Print(object request.Object, s *crd.Schema) []byte {
	var out bytes.Buffer
	encoder := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	_ = encoder.Encode(described(object, s)) // a buffer takes all, and what is made is YAML
	return out.Bytes()
}

// described is a value as a node, with comments.
func described(value any, s *crd.Schema) *yaml.Node {
	switch value := value.(type) {
	case []any:
		list := layout.List()
		for _, item := range value {
			list.Content = append(list.Content, described(item, schemaBelow(s, "", true)))
		}
		return list
	case map[string]any:
		m := layout.Mapping()
		known := head // what needs no comment
		if s != nil && s.Parent != nil && !s.Flag("x-kubernetes-embedded-resource") {
			known = nil
		}
		for _, name := range inOrder(value, s, known) {
			key, field := layout.String(name), schemaBelow(s, name, false)
			if !slices.Contains(known, name) {
				key.HeadComment = comment(field)
			}
			m.Content = append(m.Content, key, described(value[name], field))
		}
		return m
	}
	return layout.Node(value)
}

// schemaBelow is the schema of the items of a list, or of a member of an object; nil where there is none.
func schemaBelow(s *crd.Schema, name string, item bool) *crd.Schema {
	switch {
	case s == nil:
		return nil
	case item:
		return s.Items()
	case s.Property(name) != nil:
		return s.Property(name)
	}
	return s.AdditionalProperties()
}

// head are the fields that every resource begins with.
var head = []string{"apiVersion", "kind", "metadata"}

// inOrder are the names of the members of an object: those that it begins with, and then the fields in the order of the schema.
func inOrder(members map[string]any, s *crd.Schema, first []string) (names []string) {
	order := slices.Clone(first)
	if s != nil {
		for _, e := range crd.Entries(s.Get("properties")) {
			order = append(order, e.Name)
		}
	}
	for _, name := range append(order, sorted(members)...) {
		if _, found := members[name]; found && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// width is how long the lines of comments are at most, where words allow it.
const width = 80

// ended is where a sentence ends, and another one begins.
var ended = text.Pattern(`\. [A-Z]`)

// comment is the first sentence of the description of a field, and the values that it may have, as lines of a comment.
func comment(s *crd.Schema) string {
	if s == nil {
		return ""
	}
	first, _, _ := strings.Cut(s.Text("description"), "\n\n")
	first = text.OneLine(first)
	if end := ended().FindStringIndex(first); end != nil {
		first = first[:end[0]+1]
	}
	var enum []string
	for _, n := range crd.Items(s.Get("enum")) {
		value, err := yaml11.ToJSON(n)
		if err != nil {
			continue
		}
		if word := crd.StringAt(n); yaml11.PlainSafe(word) && len(value) > len(word) { // it has quotes that a manifest needs none of
			value = []byte(word)
		}
		enum = append(enum, string(value))
	}
	if len(enum) > 1 {
		if first != "" && !strings.HasSuffix(first, ".") {
			first += "."
		}
		first += " One of " + strings.Join(enum, ", ") + "."
	}
	var lines []string
	for word := range strings.FieldsSeq(text.Harmless(first)) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, "# "+word)
		}
	}
	return strings.Join(lines, "\n")
}
