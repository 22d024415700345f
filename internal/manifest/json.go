package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
)

// maxJSONDepth is encoding/json's: so many arrays and objects may be open at once.
const maxJSONDepth = limit.Depth

// errDepth has the message of encoding/json, which does not count what its Token opens.
var errDepth = errors.New("exceeded max depth")

// readJSON reads the one JSON value that src starts with, by encoding/json: surrogate escapes are characters, which
// YAML does not know. It returns the offset after the value, so that a caller can read on. Nodes are as kyaml would make
// them of the same text: lines count from 1 and end at "\n", columns count code points from 1. Duplicate keys stay.
func readJSON(src []byte) (root *yaml.Node, end int, err error) {
	r := jsonReader{Decoder: json.NewDecoder(bytes.NewReader(src)), src: src, line: 1, column: 1}
	r.UseNumber()
	root, err = r.value(0)
	return root, int(r.InputOffset()), err
}

type jsonReader struct {
	*json.Decoder
	src []byte

	// The position of the last node, from which that of the next is counted.
	counted, line, column int
}

// value reads the next key or value, inside depth arrays and objects. It is nil where a bracket closes.
func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	before := int(r.InputOffset())
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	n := r.node(bytes.TrimLeft(r.src[before:r.InputOffset()], " \t\r\n,:"))
	switch t := token.(type) {
	case string:
		n.Tag, n.Style, n.Value = yaml.NodeTagString, yaml.DoubleQuotedStyle, t
	case json.Number:
		if n.Tag, n.Value = yaml.NodeTagInt, t.String(); strings.ContainsAny(n.Value, ".eE") {
			n.Tag = yaml.NodeTagFloat
		}
	case bool:
		n.Tag, n.Value = yaml.NodeTagBool, strconv.FormatBool(t)
	case nil:
		n.Tag, n.Value = yaml.NodeTagNull, "null"
	case json.Delim:
		if t == '}' || t == ']' {
			return nil, nil
		}
		if depth == maxJSONDepth {
			return nil, errDepth
		}
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, yaml.NodeTagSeq, yaml.FlowStyle
		if t == '{' {
			n.Kind, n.Tag = yaml.MappingNode, yaml.NodeTagMap
		}
		for {
			c, err := r.value(depth + 1)
			if err != nil || c == nil {
				return n, err
			}
			n.Content = append(n.Content, c)
		}
	}
	return n, nil
}

// node makes a scalar for the token that was read last.
func (r *jsonReader) node(token []byte) *yaml.Node {
	start := int(r.InputOffset()) - len(token)
	passed := r.src[r.counted:start]
	if nl := bytes.LastIndexByte(passed, '\n'); nl >= 0 {
		r.line, r.column = r.line+bytes.Count(passed, []byte("\n")), 1
		passed = passed[nl+1:]
	}
	r.column += utf8.RuneCount(passed)
	r.counted = start
	return &yaml.Node{Kind: yaml.ScalarNode, Line: r.line, Column: r.column}
}

// expectedJSON are the states of encoding/json's scanner, by its messages, with what has to follow in them.
var expectedJSON = map[string]string{
	"looking for beginning of value":             "a JSON value",
	"looking for beginning of object key string": "a key in double quotes",
	"after object key":                           "the colon after a key",
	"after object key:value pair":                "a comma or a closing brace",
	"after array element":                        "a comma or a closing bracket",
	"in string literal":                          "the closing quote",
	"in string escape code":                      "the rest of an escape",
	`in \u hexadecimal character escape`:         "a hexadecimal digit",
	"in numeric literal":                         "a digit",
	"after decimal point in numeric literal":     "a digit",
	"in exponent of numeric literal":             "a digit",
}

var (
	invalidCharacter = text.Pattern(`^invalid character '.+?' `)
	insideLiteral    = text.Pattern(`^in literal (\w+) \(expecting ('\w')\)$`)
)

// jsonSyntaxError says why the value that a text starts with is not JSON, and where: the offset is that of the first byte
// that cannot be there, the text's length when it ends too early. The message is "" when the value is JSON.
func jsonSyntaxError(src []byte) (message string, offset int) {
	// Where the text ends, encoding/json does not say what it expects, but it does before a byte that is never right.
	in := io.MultiReader(bytes.NewReader(src), strings.NewReader("\x00"))
	var wrong *json.SyntaxError
	if !errors.As(json.NewDecoder(in).Decode(new(json.RawMessage)), &wrong) {
		return "", 0
	}
	offset = int(wrong.Offset) - 1
	state := invalidCharacter().ReplaceAllString(wrong.Error(), "")
	want, known := expectedJSON[state]
	if m := insideLiteral().FindStringSubmatch(state); m != nil {
		want, known = m[2]+" of "+m[1], true
	}
	switch char, _ := utf8.DecodeRune(src[min(offset, len(src)):]); {
	case state == errDepth.Error():
		return fmt.Sprintf("nested deeper than %d levels", maxJSONDepth), offset
	case !known:
		return wrong.Error(), offset
	case offset == len(src):
		return fmt.Sprintf("the JSON text ends where %s should follow", want), offset
	case state == "in string literal":
		return fmt.Sprintf("the control character %q in a string; write it as an escape", char), offset
	default:
		return fmt.Sprintf("%q where %s should be", char, want), offset
	}
}
