package marker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Differs reports whether a marker gives its keyword, or the elements of a list theirs, another value than one that
// encoding/json knows. It is false where the marker cannot be read for sure.
func (p Marker) Differs(keyword Row, value any) bool {
	switch keyword.style {
	case each:
		list, _ := value.([]any)
		return !slices.ContainsFunc(list, func(one any) bool { return same(unquote(p.Value), one) })
	case arguments:
		return p.differs(value)
	}
	read, ok := p.Read(keyword)
	return ok && !same(read, value)
}

// Read returns the value that a marker gives to a keyword: as encoding/json knows it, except that most numbers are strings,
// since only markers that take any value tell them apart. It is nil for an argument that the marker lacks. It is not ok where
// the value is not sure, and for markers whose arguments are all of a mapping.
func (p Marker) Read(keyword Row) (value any, ok bool) {
	if keyword.Argument != "" {
		if p.Value = p.Argument(keyword.Argument); p.Value == "" {
			if keyword.style == quoted && p.Has(keyword.Argument) {
				return "", true
			}
			return nil, true
		}
	}
	switch keyword.style {
	case flag, inverted, boolean:
		return (p.Value != "false") != (keyword.style == inverted), slices.Contains([]string{"", "true", "false"}, p.Value)
	case words:
		return listOf(p.Value)
	case anything:
		return read(p.Value)
	case arguments:
		return nil, false
	}
	return plainOf(strings.TrimSpace(p.Value))
}

// Member returns the argument of a marker for a member of the mapping that it makes, without its quotes: "" where it lacks
// one. It is not ok where the value is not sure.
func (p Marker) Member(name string) (value string, ok bool) {
	raw, has := p.Raw(p.Row.argument(name))
	if !has {
		return "", true
	}
	return plainOf(raw)
}

// differs is Differs for a marker with arguments, of which those that the table does not know say nothing.
func (p Marker) differs(value any) bool {
	members, ok := value.(map[string]any)
	if !ok {
		return false
	}
	left := map[string]any{} // of the members, by their arguments
	for member, is := range members {
		left[p.Row.argument(member)] = is
	}
	for _, a := range p.Arguments {
		is, has := left[a[0]]
		delete(left, a[0])
		if plain, ok := plainOf(a[1]); ok && (has && !same(plain, is) || !has && !isZero(plain)) {
			return true
		}
	}
	for _, is := range left {
		if !isZero(is) {
			return true
		}
	}
	return false
}

// isZero reports whether a value is one that manifests leave out.
func isZero(value any) bool { return slices.Contains([]string{"", "0", "false"}, fmt.Sprint(value)) }

// plainOf returns a string without its quotes; ok is false for one that is not sure, and for none.
func plainOf(raw string) (plain string, ok bool) {
	plain = unquote(raw)
	return plain, raw != "" && (plain != raw || !strings.ContainsAny(raw, "\"'`{};,"))
}

// listOf reads a list of words.
func listOf(raw string) (all []any, ok bool) {
	raw = strings.TrimSpace(raw)
	divider := byte(';')
	if strings.HasPrefix(raw, "{") && strings.HasSuffix(raw, "}") {
		raw, divider = raw[1:len(raw)-1], ','
	}
	for _, one := range splitAt(raw, divider) {
		plain, ok := plainOf(strings.TrimSpace(one))
		if !ok {
			return nil, false
		}
		all = append(all, plain)
	}
	return all, true
}

// read reads a value without a type, as controller-gen does; ok is false for one that is not sure.
func read(raw string) (value any, ok bool) {
	raw = strings.TrimSpace(raw)
	if plain, err := strconv.Unquote(raw); err == nil {
		return plain, true
	}
	if strings.HasPrefix(raw, "{") && strings.HasSuffix(raw, "}") {
		return readBraces(strings.TrimSpace(raw[1 : len(raw)-1]))
	}
	var number float64
	if raw != "null" && json.Unmarshal([]byte(raw), &number) == nil {
		return number, true
	}
	return raw, raw != "" && !strings.ContainsAny(raw, "\"'`{};,")
}

// readBraces reads what is in braces: a mapping, or a list.
func readBraces(inner string) (value any, ok bool) {
	if inner == "" {
		return map[string]any{}, true
	}
	var list []any
	members := map[string]any{}
	for _, part := range splitAt(inner, ',') {
		if pair := splitAt(part, ':'); len(pair) > 1 {
			key, ok := read(pair[0])
			name, isText := key.(string)
			if !ok || !isText {
				return nil, false
			}
			if members[name], ok = read(strings.Join(pair[1:], ":")); !ok {
				return nil, false
			}
			continue
		}
		one, ok := read(part)
		if !ok {
			return nil, false
		}
		list = append(list, one)
	}
	switch {
	case len(members) == 0:
		return list, true
	case len(list) == 0:
		return members, true
	}
	return nil, false
}

// same reports whether two values are the same. Markers do not say which words are strings, and numbers may be written in
// several ways; empty braces are an empty list as well.
func same(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		if list, isList := b.([]any); isList {
			return len(x)+len(list) == 0
		}
		if !ok || len(x) != len(y) {
			return false
		}
		for key := range x {
			if other, has := y[key]; !has || !same(x[key], other) {
				return false
			}
		}
		return true
	}
	if x, isNumber := a.(float64); isNumber {
		return x == b
	}
	if y, isNumber := b.(float64); isNumber {
		n, err := strconv.ParseFloat(fmt.Sprint(a), 64)
		return err == nil && n == y
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}
