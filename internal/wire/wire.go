// Package wire writes values of Go as bytes and reads them back, for files that the program that wrote them reads again. The
// bytes say nothing about types: both sides have the same ones. It is faster than the encoders of the standard library for
// many small values that are mostly empty, and refuses what would not come back as it was.
package wire

import (
	"errors"
	"fmt"
	"reflect"
)

// A Coder writes and reads values. The zero Coder does, without references. It may be used by several goroutines.
type Coder struct{ references map[reflect.Type]reference }

// A reference is how pointers of a type are written: by the name of what they point to.
type reference struct {
	name  func(reflect.Value) string
	named func(string) (v reflect.Value, known bool)
}

// Refer has pointers of a type written as names, and not what they point to. named returns nil for a name that is not known,
// which makes Read fail.
func Refer[T any](c *Coder, name func(*T) string, named func(string) *T) {
	if c.references == nil {
		c.references = map[reflect.Type]reference{}
	}
	c.references[reflect.TypeFor[*T]()] = reference{
		func(v reflect.Value) string { return name(v.Interface().(*T)) },
		func(name string) (reflect.Value, bool) {
			p := named(name)
			return reflect.ValueOf(p), p != nil
		},
	}
}

// maxDepth bounds how deep values are nested.
const maxDepth = 100

// maxAhead bounds the elements that memory is allocated for before they are read.
const maxAhead = 1 << 10

var (
	errEnd   = errors.New("wire: the text ends early")
	errDepth = fmt.Errorf("wire: a value is nested more than %d deep", maxDepth)
)

// dynamics are the types that an interface may hold. Their indexes are in what was written.
var dynamics = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]string](),
}
