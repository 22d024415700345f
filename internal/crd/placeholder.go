package crd

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/text"
)

var braced = text.Pattern(`\$\{[A-Za-z_]\w*([-:=?+][^}]*)?\}`)

// whole are placeholders only where they are all of a value: $NAME of envsubst and shells, $(NAME) of kustomize's vars and make.
// Keys like $ref and $set are fields of other formats.
var whole = text.Pattern(`^\$([A-Za-z_]\w*|\([A-Za-z_]\w*\))$`)

// PlaceholderIn is the first placeholder such as ${NAME} in a text, which envsubst, Flux or a script replaces before a
// server sees it, or "".
func PlaceholderIn(text string) string {
	return cmp.Or(braced().FindString(text), whole().FindString(text))
}

// inObjects are placeholders that are only text in a CRD, such as in a description: actions of Go templates and Jinja, and
// expressions with bindings of chainsaw, ($name).
var inObjects = text.Pattern("\\{\\{-?\\s*[\\w.$\"`'(][^{}]*\\}\\}|^\\(.*\\$\\w.*\\)$")

// angled are what documentation has a reader replace, in names of several words as often as not. The one that is common in CRDs,
// <CA_BUNDLE>, is a mistake there, which has a rule of its own.
var angled = text.Pattern(`^<([A-Za-z]\w*(?:[ -]\w+)*)>$`)

// printed are what programs write between angle brackets for nothing. Such a value is a mistake of whatever made the manifest.
var printed = []string{"nil", "none", "null", "no value", "empty", "error", "invalid", "undefined", "unknown", "unset"}

// PlaceholderInObject is the first placeholder in a value of a custom resource, of which PlaceholderIn knows only some; ""
// without one.
func PlaceholderInObject(text string) string {
	if m := angled().FindStringSubmatch(text); m != nil && !slices.Contains(printed, strings.ToLower(m[1])) {
		return text
	}
	return cmp.Or(PlaceholderIn(text), inObjects().FindString(text))
}

// PlaceholderInKey is PlaceholderInObject for the key of a value: what is a placeholder only as a whole value does not count.
func PlaceholderInKey(text string) string {
	return cmp.Or(braced().FindString(text), inObjects().FindString(text))
}

// inPatches are placeholders that a script, or a replacement of kustomize, puts a value for into what is built. In a file that is
// written, the first would be an action of a template, and the second may be meant.
var inPatches = text.Pattern(`\{\{[^{}]+\}\}|\$\([A-Za-z_]\w*\)`)

// PlaceholderInPatch is the first of them in a value of a CRD that was built, or "".
func PlaceholderInPatch(text string) string { return inPatches().FindString(text) }

// PlaceholderAt is the placeholder in the value, or in the key, at a place, or ""; also "" inside of schemas, where
// such a text may be meant.
func PlaceholderAt(at Place) string {
	if at.Node == nil || InSchema(at.Path) {
		return ""
	}
	if _, key := Above(at.Path); key == at.Node.Value {
		return braced().FindString(key)
	}
	return PlaceholderIn(at.Node.Value)
}

// NamePlaceholder is the placeholder in what metadata.name is made of, or "".
func (c *CRD) NamePlaceholder() (string, Place) {
	for _, steps := range [][]string{{"spec", "group"}, {"spec", "names", "plural"}} {
		if at, _ := c.Resolve(steps); PlaceholderAt(at) != "" {
			return PlaceholderAt(at), at
		}
	}
	return "", Place{}
}

// InSchema reports whether a path leads into a schema.
func InSchema(path string) bool { return strings.Contains(path, "openAPIV3Schema") }

// A YttValue is a value that ytt puts in: to YAML it is null, with a comment.
type YttValue struct {
	Comment string // "#@ data.values.scope"
	At      Place
}

// YttValues lists the values of the CRD that ytt puts in.
func (c *CRD) YttValues() (all []YttValue) {
	for v := range Walk(c.Node) {
		if v.Key != nil && strings.HasPrefix(v.Key.LineComment, "#@") && v.Node.Kind == yaml.ScalarNode && v.Node.Value == "" {
			all = append(all, YttValue{v.Key.LineComment, Place{Node: v.Node, Path: v.Path()}})
		}
	}
	return all
}

// Explains reports whether a finding at a path is caused by the value: it is about the value itself or, where a server
// rejects something, about a part that contains the value.
func (v YttValue) Explains(path string, refused bool) bool {
	rest, below := strings.CutPrefix(v.At.Path, path)
	below = below && rest != "" && (rest[0] == '.' || rest[0] == '[')
	named := path == "metadata.name" && (v.At.Path == "spec.group" || v.At.Path == "spec.names.plural")
	return rest == "" || (below || named) && refused
}
