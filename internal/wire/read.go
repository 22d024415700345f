package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// Read reads what Append wrote of a value of the type that to points to, and that is all of the text. Strings are parts of the
// text. Any text makes an error or a value; after an error, to has a part of one.
func (c *Coder) Read(text string, to any) error {
	r := &reader{c, text}
	if err := r.value(reflect.ValueOf(to).Elem(), 0); err != nil {
		return err
	}
	if r.text != "" {
		return errors.New("wire: the text goes on after the value")
	}
	return nil
}

type reader struct {
	*Coder
	text string
}

func (r *reader) value(v reflect.Value, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	switch v.Kind() {
	case reflect.Bool:
		b, err := r.byte()
		v.SetBool(b != 0)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		u, err := r.number()
		n := int64(u>>1) ^ -int64(u&1)
		if v.OverflowInt(n) {
			return errors.New("wire: a number is too large")
		}
		v.SetInt(n)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u, err := r.number()
		if v.OverflowUint(u) {
			return errors.New("wire: a number is too large")
		}
		v.SetUint(u)
		return err
	case reflect.Float64:
		if len(r.text) < 8 {
			return errEnd
		}
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64([]byte(r.text[:8]))))
		r.text = r.text[8:]
	case reflect.String:
		s, err := r.string()
		v.SetString(s)
		return err
	case reflect.Pointer:
		return r.pointer(v, depth)
	case reflect.Slice:
		return r.slice(v, depth)
	case reflect.Map:
		return r.mapping(v, depth)
	case reflect.Struct:
		return r.fields(v, depth)
	case reflect.Interface:
		return r.dynamic(v, depth)
	default:
		return fmt.Errorf("wire: cannot read a %v", v.Kind())
	}
	return nil
}

func (r *reader) byte() (byte, error) {
	if r.text == "" {
		return 0, errEnd
	}
	b := r.text[0]
	r.text = r.text[1:]
	return b, nil
}

// number reads an unsigned varint; see encoding/binary, which has no function for strings.
func (r *reader) number() (n uint64, err error) {
	for i := 0; i < len(r.text) && i < binary.MaxVarintLen64; i++ {
		b := r.text[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.text = r.text[i+1:]
			return n, nil
		}
	}
	return 0, errEnd
}

func (r *reader) string() (string, error) {
	n, err := r.number()
	if err != nil || n > uint64(len(r.text)) {
		return "", errEnd
	}
	s := r.text[:n]
	r.text = r.text[n:]
	return s, nil
}

func (r *reader) pointer(v reflect.Value, depth int) error {
	set, err := r.byte()
	if err != nil || set == 0 {
		return err
	}
	if ref, ok := r.references[v.Type()]; ok {
		name, err := r.string()
		if err != nil {
			return err
		}
		p, known := ref.named(name)
		if !known {
			return fmt.Errorf("wire: there is no %v %q", v.Type().Elem(), name)
		}
		v.Set(p)
		return nil
	}
	v.Set(reflect.New(v.Type().Elem()))
	return r.value(v.Elem(), depth+1)
}

// length reads what length wrote. An element takes a byte at least.
func (r *reader) length() (n int, isNil bool, err error) {
	u, err := r.number()
	if err != nil || u > uint64(len(r.text))+1 {
		return 0, false, errEnd
	}
	return int(max(u, 1)) - 1, u == 0, nil
}

func (r *reader) slice(v reflect.Value, depth int) error {
	n, isNil, err := r.length()
	if err != nil || isNil {
		return err
	}
	all := reflect.MakeSlice(v.Type(), min(n, maxAhead), min(n, maxAhead))
	for i := range n {
		if i == all.Len() {
			all = reflect.Append(all, reflect.Zero(v.Type().Elem()))
		}
		if err := r.value(all.Index(i), depth+1); err != nil {
			return err
		}
	}
	v.Set(all)
	return nil
}

func (r *reader) mapping(v reflect.Value, depth int) error {
	n, isNil, err := r.length()
	if err != nil || isNil {
		return err
	}
	all := reflect.MakeMapWithSize(v.Type(), min(n, maxAhead))
	for range n {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err := r.value(key, depth+1); err != nil {
			return err
		}
		if err := r.value(value, depth+1); err != nil {
			return err
		}
		all.SetMapIndex(key, value)
	}
	v.Set(all)
	return nil
}

func (r *reader) fields(v reflect.Value, depth int) error {
	set, err := r.number()
	if err != nil {
		return err
	}
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 == 0 {
			continue
		}
		if i >= v.NumField() || !v.Field(i).CanSet() {
			return fmt.Errorf("wire: %v has no field %d", v.Type(), i)
		}
		if err := r.value(v.Field(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) dynamic(v reflect.Value, depth int) error {
	i, err := r.byte()
	if err != nil || i == 0 {
		return err
	}
	if int(i) > len(dynamics) || v.NumMethod() > 0 {
		return errors.New("wire: unknown type in an interface")
	}
	value := reflect.New(dynamics[i-1]).Elem()
	if err := r.value(value, depth+1); err != nil {
		return err
	}
	v.Set(value)
	return nil
}
