package yaml11

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Kind is the type of a scalar in YAML 1.1.
type Kind int

const (
	Invalid Kind = iota // not a scalar, or one whose tag does not fit its text (`!!int x`)
	Null
	Bool
	Int
	Float
	String // also timestamps and scalars with a tag of their own
)

func (k Kind) String() string {
	return [...]string{"invalid", "null", "bool", "int", "float", "string"}[k]
}

// Resolve returns the value of the scalar n, or of the scalar it is an alias of, by YAML 1.1: a nil, bool, int64,
// uint64 (only above the range of int64), float64 (also infinite or not a number, which JSON does not have) or string.
func Resolve(n *yaml.Node) (Kind, any) {
	s, ok := resolved(n)
	if !ok {
		return Invalid, nil
	}
	switch s.kind {
	case Bool:
		return Bool, s.bool
	case Int:
		if s.big {
			return Int, uint64(s.int)
		}
		return Int, s.int
	case Float:
		return Float, s.float
	case String:
		return String, s.text
	}
	return Null, nil
}

// Text returns the string that the scalar n, or the scalar it is an alias of, is; false for any other kind.
func Text(n *yaml.Node) (string, bool) {
	if n != nil && isPlainString(n) {
		return n.Value, true
	}
	s, ok := resolved(n)
	return s.text, ok && s.kind == String
}

// IsNull reports whether the scalar n, or the scalar it is an alias of, is null.
func IsNull(n *yaml.Node) bool {
	if n != nil && isPlainString(n) {
		return false
	}
	s, ok := resolved(n)
	return ok && s.kind == Null
}

// Key returns the member name that the key n has in JSON: "true" for `on`. It is false for keys that JSON cannot
// have: null, integers above what int64 holds, mappings, sequences and what does not fit its tag. A merge key names
// no member; see IsMerge.
func Key(n *yaml.Node) (string, bool) {
	if n != nil && isPlainString(n) {
		return n.Value, true
	}
	s, ok := resolved(n)
	if !ok {
		return "", false
	}
	return s.key()
}

// resolved resolves the scalar n, or the scalar it is an alias of; false for what is not one or does not fit its tag.
func resolved(n *yaml.Node) (scalar, bool) {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return scalar{}, false
	}
	s, err := resolve(n)
	return s, err == nil
}

// isPlainString is a fast path for nearly all strings: it recognizes quoted text, and plain text that begins with a letter and
// is no word for a boolean or null.
func isPlainString(n *yaml.Node) bool {
	if n.Tag != yaml.NodeTagString || n.Kind != yaml.ScalarNode || n.Style&yaml.TaggedStyle != 0 {
		return false
	}
	if isQuoted(n) {
		return true
	}
	if n.Value == "" {
		return false
	}
	if c := n.Value[0] | 0x20; c < 'a' || 'z' < c { // in lower case
		return false
	}
	_, ok := keyword(n.Value)
	return !ok
}

// IsName reports whether a member name is that of a string only: no boolean and no number is called so as a key.
func IsName(name string) bool {
	return name != "" && 'a' <= name[0] && name[0] <= 'z' && name != "true" && name != "false"
}

// IsMerge reports whether the key n merges its value into the mapping.
func IsMerge(n *yaml.Node) bool { return n.Value == "<<" && isMerge(n) }

const mergeTag = "!!merge"

func isMerge(n *yaml.Node) bool {
	tag := explicitTag(n)
	return n.Kind == yaml.ScalarNode && (tag == mergeTag || tag == "" && !isQuoted(n))
}

// scalar is a resolved scalar; which field counts is up to the kind.
type scalar struct {
	kind  Kind
	big   bool // int is the bits of a uint64
	bool  bool
	int   int64
	float float64
	text  string
}

// key is sigs.k8s.io/yaml's conversion of keys, its float32 precision included.
func (s *scalar) key() (string, bool) {
	switch s.kind {
	case String:
		return s.text, true
	case Bool:
		return strconv.FormatBool(s.bool), true
	case Int:
		return strconv.FormatInt(s.int, 10), !s.big
	case Float:
		switch text := strconv.FormatFloat(s.float, 'g', -1, 32); text {
		case "+Inf":
			return ".inf", true
		case "-Inf":
			return "-.inf", true
		case "NaN":
			return ".nan", true
		default:
			return text, true
		}
	}
	return "", false
}

func isQuoted(n *yaml.Node) bool {
	return n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// explicitTag returns the short form of the tag that the text has, or would have when written. The parser stores the
// tag it inferred in the same field, so the style has to tell.
func explicitTag(n *yaml.Node) string {
	tag := n.Tag
	if n.Style&yaml.TaggedStyle != 0 {
		return shortTag(tag)
	}
	switch tag {
	case "", "!!str", "!!int", "!!bool", "!!null", "!!float", "!!timestamp", "!!merge":
		return ""
	}
	return shortTag(tag)
}

func shortTag(tag string) string {
	if rest, ok := strings.CutPrefix(tag, "tag:yaml.org,2002:"); ok {
		return "!!" + rest
	}
	return tag
}

func resolve(n *yaml.Node) (scalar, error) {
	switch tag := explicitTag(n); tag {
	case "":
		if isQuoted(n) {
			return scalar{kind: String, text: n.Value}, nil
		}
		return resolvePlain(n.Value), nil
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		return resolveTagged(n, tag)
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(n.Value)
		if err != nil {
			return scalar{}, &Error{Node: n, Msg: "!!binary value contains invalid base64 data"}
		}
		return scalar{kind: String, text: string(data)}, nil
	}
	return scalar{kind: String, text: n.Value}, nil
}

// resolveTagged resolves a scalar whatever its quotes, and insists on what its tag says.
func resolveTagged(n *yaml.Node, tag string) (scalar, error) {
	if tag == "!!timestamp" {
		if !isTimestamp(n.Value) {
			return scalar{}, misfit(n, tag)
		}
		return scalar{kind: String, text: n.Value}, nil
	}
	s := resolvePlain(n.Value)
	switch {
	case tag == "!!null" && s.kind == Null, tag == "!!bool" && s.kind == Bool,
		tag == "!!int" && s.kind == Int, tag == "!!float" && s.kind == Float:
		return s, nil
	case tag == "!!float" && s.kind == Int && !s.big:
		return scalar{kind: Float, float: float64(s.int)}, nil
	}
	return scalar{}, misfit(n, tag)
}

func misfit(n *yaml.Node, tag string) error {
	return &Error{Node: n, Msg: fmt.Sprintf("cannot decode %q as %s", n.Value, tag)}
}

// Alike reports whether YAML 1.1 reads two trees alike, so that conclusions about one hold for the other. It returns
// false for aliases, where nodes cannot be compared pairwise.
func Alike(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Kind == yaml.AliasNode || len(a.Content) != len(b.Content) || a.ShortTag() != b.ShortTag() {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return scalarsAlike(a, b)
	}
	for i, c := range a.Content {
		if !Alike(c, b.Content[i]) {
			return false
		}
	}
	return true
}

func scalarsAlike(a, b *yaml.Node) bool {
	if a.Value != b.Value || IsMerge(a) != IsMerge(b) {
		return false
	}
	if a.Tag == b.Tag && a.Style == b.Style {
		return true
	}
	kindA, valueA := Resolve(a)
	kindB, valueB := Resolve(b)
	return kindA == kindB && valueA == valueB
}
