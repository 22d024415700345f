package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Append adds a value to bytes. Equal values are written alike. Not everything can be written: structs with fields that are
// not exported, functions, and of the values of an interface all but those that decoding JSON gives, int, int64 and []string.
func (c *Coder) Append(to []byte, v any) ([]byte, error) {
	w := &writer{c, to}
	err := w.value(reflect.ValueOf(v), 0)
	return w.out, err
}

type writer struct {
	*Coder
	out []byte
}

func (w *writer) value(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	switch v.Kind() {
	case reflect.Bool:
		w.out = append(w.out, bit(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = binary.AppendVarint(w.out, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.out = binary.AppendUvarint(w.out, v.Uint())
	case reflect.Float64:
		w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(v.Float()))
	case reflect.String:
		w.text(v.String())
	case reflect.Pointer:
		return w.pointer(v, depth)
	case reflect.Slice:
		return w.slice(v, depth)
	case reflect.Map:
		return w.mapping(v, depth)
	case reflect.Struct:
		return w.fields(v, depth)
	case reflect.Interface:
		return w.dynamic(v, depth)
	default:
		return fmt.Errorf("wire: cannot write a %v", v.Kind())
	}
	return nil
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (w *writer) text(s string) {
	w.out = binary.AppendUvarint(w.out, uint64(len(s)))
	w.out = append(w.out, s...)
}

func (w *writer) pointer(v reflect.Value, depth int) error {
	w.out = append(w.out, bit(!v.IsNil()))
	if v.IsNil() {
		return nil
	}
	if ref, ok := w.references[v.Type()]; ok {
		w.text(ref.name(v))
		return nil
	}
	return w.value(v.Elem(), depth+1)
}

// length writes the number of elements and one; 0 is for nil.
func (w *writer) length(v reflect.Value) (n int) {
	if v.IsNil() {
		w.out = append(w.out, 0)
		return 0
	}
	w.out = binary.AppendUvarint(w.out, uint64(v.Len())+1)
	return v.Len()
}

func (w *writer) slice(v reflect.Value, depth int) error {
	for i := range w.length(v) {
		if err := w.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// mapping writes the entries in the order of the bytes of their keys.
func (w *writer) mapping(v reflect.Value, depth int) error {
	w.length(v)
	var entries []string
	for key, value := range v.Seq2() {
		one := &writer{Coder: w.Coder}
		if err := errors.Join(one.value(key, depth+1), one.value(value, depth+1)); err != nil {
			return err
		}
		entries = append(entries, string(one.out))
	}
	slices.Sort(entries)
	for _, entry := range entries {
		w.out = append(w.out, entry...)
	}
	return nil
}

// maxFields is how many fields a struct may have: a number has a bit for each.
const maxFields = 64

// fields writes which fields are not zero, and those.
func (w *writer) fields(v reflect.Value, depth int) error {
	if v.NumField() > maxFields {
		return fmt.Errorf("wire: %v has more than %d fields", v.Type(), maxFields)
	}
	set := uint64(0)
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			return fmt.Errorf("wire: %v has fields that are not exported", v.Type())
		}
		if !v.Field(i).IsZero() {
			set |= 1 << i
		}
	}
	w.out = binary.AppendUvarint(w.out, set)
	for i := range v.NumField() {
		if set&(1<<i) == 0 {
			continue
		}
		if err := w.value(v.Field(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// dynamic writes the value of an interface with its type; 0 is for nil.
func (w *writer) dynamic(v reflect.Value, depth int) error {
	if v.NumMethod() > 0 {
		return fmt.Errorf("wire: cannot write a %v", v.Type())
	}
	if v.IsNil() {
		w.out = append(w.out, 0)
		return nil
	}
	i := slices.Index(dynamics, v.Elem().Type())
	if i < 0 {
		return fmt.Errorf("wire: cannot write a %v in an interface", v.Elem().Type())
	}
	w.out = append(w.out, byte(i+1))
	return w.value(v.Elem(), depth+1)
}
