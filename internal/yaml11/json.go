// Package yaml11 reads kyaml's nodes the way kubectl and the Kubernetes API server read the same text.
//
// kyaml parses with YAML 1.2's rules, the servers' side with sigs.k8s.io/yaml, whose resolution is YAML 1.1's as
// yaml.v2 has it: `on` and `y` are booleans, 010 is eight, the last of duplicate keys counts. This package resolves a
// node as the server does, and writes a string so that both read the same. It works on nodes only: it does not cover
// text that one of the two parsers rejects, and the non-specific tag `!`, which kyaml drops while parsing.
package yaml11

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/limit"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// maxDepth is what both YAML parsers and encoding/json allow; aliases can nest deeper than the text does.
const maxDepth = limit.Depth

// An Error is a node that has no JSON, or none that sigs.k8s.io/yaml would make.
type Error struct {
	Node *yaml.Node // where; never nil
	Msg  string     // one line, without the position
	Huge bool       // aliases expand to more bytes than are read
}

func (e *Error) Error() string {
	if e.Node.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d: %s", e.Node.Line, e.Msg)
}

// ToJSON returns the JSON that sigs.k8s.io/yaml.YAMLToJSON makes from the text n was parsed from, with the members of
// objects in the order of the document. Of duplicate keys the last is kept. A merge key puts the merged members in
// its own place, so that it overrides keys above it, as in yaml.v2 and against YAML's own description. A nil or empty
// document is null. Errors are of type *Error.
//
// Where sigs.k8s.io/yaml leaves the result to chance, because keys such as 1 and "1" become the same string, the last
// is kept.
func ToJSON(n *yaml.Node) ([]byte, error) { return appendJSON(nil, n) }

// JSONSize returns how many bytes ToJSON returns, and the same errors.
func JSONSize(n *yaml.Node) (int, error) {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	raw, err := appendJSON((*room)[:0], n)
	*room = raw
	return len(raw), err
}

// rooms are for JSON that nobody keeps.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

func appendJSON(buf []byte, n *yaml.Node) ([]byte, error) {
	e := encoder{buf: buf}
	if n == nil {
		return append(buf, "null"...), nil
	}
	if err := e.value(n, 0); err != nil {
		return nil, err
	}
	if e.late != nil {
		return nil, e.late
	}
	return e.buf, nil
}

// An encoder appends JSON to buf in one pass.
type encoder struct {
	buf     []byte
	members []member // of all objects being written, the innermost last

	// late is the first error that counts only if the value it belongs to is not replaced by a later duplicate:
	// sigs.k8s.io/yaml notices it after it has thrown the earlier duplicates away.
	late *Error

	// The bookkeeping of yaml.v2's limit, counted in the same way.
	nodes, aliasNodes, aliasDepth int
	aliasBytes                    int
	expanding                     map[*yaml.Node]bool
}

// A member is one written member of an object: `"key":value`, without a comma.
type member struct {
	key        string
	start, end int // in buf
	dead       bool
	noKey      bool   // the key has no JSON; a late error tells
	late       *Error // the first in it
}

func (e *encoder) later(n *yaml.Node, msg string) { e.late = cmp.Or(e.late, &Error{Node: n, Msg: msg}) }

func (e *encoder) value(n *yaml.Node, depth int) error {
	if err := e.count(n, depth); err != nil {
		return err
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			e.buf = append(e.buf, "null"...)
			return nil
		}
		return e.value(n.Content[0], depth)
	case yaml.AliasNode:
		return e.through(n, func() error { return e.value(n.Alias, depth+1) })
	case yaml.MappingNode:
		return e.object(n, depth)
	case yaml.SequenceNode:
		return e.array(n, depth)
	case yaml.ScalarNode:
		return e.scalar(n)
	case 0:
		if n.IsZero() {
			e.buf = append(e.buf, "null"...)
			return nil
		}
	}
	return &Error{Node: n, Msg: "not a YAML node"}
}

// count keeps yaml.v2's measure of alias expansion and the limits of this package.
func (e *encoder) count(n *yaml.Node, depth int) error {
	if depth > maxDepth {
		return &Error{Node: n, Msg: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
	}
	e.nodes++
	if e.aliasDepth > 0 {
		e.aliasNodes++
	}
	if e.aliasNodes > 100 && e.nodes > 1000 && float64(e.aliasNodes)/float64(e.nodes) > allowedAliasRatio(e.nodes) {
		return &Error{Node: n, Msg: "document contains excessive aliasing"}
	}
	return nil
}

// allowedAliasRatio is yaml.v2's: 99% of the nodes may come from aliases in documents of up to 400,000 nodes, 10% from
// 4,000,000 on, and a share in proportion between the two.
func allowedAliasRatio(nodes int) float64 {
	const low, high = 400_000, 4_000_000
	switch {
	case nodes <= low:
		return 0.99
	case nodes >= high:
		return 0.10
	}
	return 0.99 - 0.89*(float64(nodes-low)/float64(high-low))
}

// Excessive reports whether the aliases in n expand to more than the limit, even where ToJSON fails earlier for another
// reason. Following such aliases repeatedly would take too long.
func Excessive(n *yaml.Node) bool {
	var e encoder
	return e.exceeds(n, 0)
}

func (e *encoder) exceeds(n *yaml.Node, depth int) bool {
	if e.count(n, depth) != nil {
		return true
	}
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		e.aliasDepth++
		defer func() { e.aliasDepth-- }()
		return e.exceeds(n.Alias, depth+1)
	}
	return slices.ContainsFunc(n.Content, func(below *yaml.Node) bool { return e.exceeds(below, depth+1) })
}

// through writes what an alias refers to.
func (e *encoder) through(alias *yaml.Node, write func() error) error {
	if alias.Alias == nil {
		return &Error{Node: alias, Msg: fmt.Sprintf("unknown anchor %q", alias.Value)}
	}
	if e.expanding[alias] {
		return &Error{Node: alias, Msg: fmt.Sprintf("anchor %q contains itself", alias.Value)}
	}
	if e.expanding == nil {
		e.expanding = make(map[*yaml.Node]bool)
	}
	e.expanding[alias] = true
	e.aliasDepth++
	err := write()
	e.aliasDepth--
	delete(e.expanding, alias)
	return err
}

func (e *encoder) array(n *yaml.Node, depth int) error {
	e.buf = append(e.buf, '[')
	for i, item := range n.Content {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.value(item, depth+1); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

func (e *encoder) scalar(n *yaml.Node) error {
	s, err := resolve(n)
	if err != nil {
		return err
	}
	start := len(e.buf)
	switch s.kind {
	case String:
		if isTooLarge(n) {
			return &Error{Node: n, Msg: fmt.Sprintf("%s is larger than any number that API servers read", n.Value)}
		}
		e.str(s.text)
	case Bool:
		e.buf = strconv.AppendBool(e.buf, s.bool)
	case Int:
		if s.big {
			e.buf = strconv.AppendUint(e.buf, uint64(s.int), 10)
		} else {
			e.buf = strconv.AppendInt(e.buf, s.int, 10)
		}
	case Float:
		number, err := json.Marshal(s.float)
		if err != nil {
			e.later(n, fmt.Sprintf("%s is not a JSON number", n.Value))
		}
		e.buf = append(e.buf, number...)
	case Null:
		e.buf = append(e.buf, "null"...)
	}
	return e.spend(n, len(e.buf)-start)
}

// isTooLarge reports whether a scalar that is read as a string is a number of a JSON text, beyond the range of a float64:
// kubectl decodes JSON without making YAML of it, and fails. In YAML the same text is a string, and the parser tags it so.
func isTooLarge(n *yaml.Node) bool {
	return n.Style == 0 && (n.Tag == yaml.NodeTagInt || n.Tag == yaml.NodeTagFloat) && strings.Trim(n.Value, "0123456789+-.eE") == ""
}

// spend counts the bytes of JSON that come from aliases. yaml.v2 bounds the number of expanded nodes only, so a long string with
// many aliases would still exhaust the memory.
func (e *encoder) spend(n *yaml.Node, bytes int) error {
	if e.aliasDepth == 0 {
		return nil
	}
	if e.aliasBytes += bytes; e.aliasBytes > limit.AliasBytes {
		return &Error{Node: n, Huge: true, Msg: fmt.Sprintf("aliases expand to more than %d MiB", limit.AliasBytes>>20)}
	}
	return nil
}

func (e *encoder) str(s string) { e.buf = appendQuoted(e.buf, s) }
