package cache

import (
	"reflect"

	"github.com/fxamacker/cbor/v2"
)

// Paths need not be UTF-8. Numbers in values of schemas are those of encoding/json, or int64, and schemas may be deep.
var (
	writer = must(cbor.EncOptions{Sort: cbor.SortBytewiseLexical}.EncMode())
	reader = must(cbor.DecOptions{
		UTF8: cbor.UTF8DecodeInvalid, IntDec: cbor.IntDecConvertSignedOrFail, DefaultMapType: reflect.TypeFor[map[string]any](),
		MaxNestedLevels: 1000,
	}.DecMode())
)

func must[T any](mode T, err error) T {
	if err != nil {
		panic(err) // the options are constants
	}
	return mode
}

// Write returns a value as bytes. Equal values are written alike. The error is that of a type that has functions, say.
func Write(v any) ([]byte, error) { return writer.Marshal(v) }

// Read reads into what a pointer leads to what Write wrote of a value of the same type. Other bytes make an error, or some value.
func Read(text []byte, to any) error { return reader.Unmarshal(text, to) }
