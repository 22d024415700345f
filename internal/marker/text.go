package marker

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Items returns the row of the marker that says the same of the elements of a list; ok is false for a row without one. Only
// markers for validation have such a form, and of those for extensions only the name with an X.
func (r Row) Items() (row Row, ok bool) {
	if r.Keyword == Optional || r.Keyword == Required {
		return Row{}, false
	}
	plain := ""
	for _, name := range append([]string{r.Name}, r.Others...) {
		if rest, found := strings.CutPrefix(name, validation); found && (plain == "" || rest[0] == 'X') {
			plain = rest
		}
	}
	r.Name, r.Others = validationOfItems+plain, nil
	return r, plain != ""
}

// Texts returns the markers that give a keyword a value, as encoding/json knows it, from the plus sign on. It is empty
// for a value that the lack of a marker says, such as false for a flag. It is nil where no marker can say it.
func (r Row) Texts(value any) []string {
	switch r.style {
	case flag, inverted:
		if value == (r.style == flag) {
			return []string{"+" + r.Name}
		}
		return []string{}
	case each, arguments:
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		all := []string{}
		for _, v := range list {
			one, ok := r.one(v)
			if !ok {
				return nil
			}
			all = append(all, one)
		}
		return all
	}
	raw, ok := r.raw(value)
	if !ok {
		return nil
	}
	return []string{r.with(raw)}
}

// with is the marker with a value in its own syntax.
func (r Row) with(value string) string {
	if r.Argument != "" {
		return "+" + r.Name + ":" + r.Argument + "=" + value
	}
	return "+" + r.Name + "=" + value
}

// Placeholder is what stands in the place of a value that a person has to choose, with a word for it.
func Placeholder(word string) string { return "<" + word + ">" }

// Open returns the marker without the value that a person has to choose.
func (r Row) Open() string {
	value := Placeholder("value")
	switch {
	case r.Argument == "annotations", r.Argument == "labels":
		value = Placeholder("key") + "=" + value
	case r.Argument != "":
		value = Placeholder(r.Argument)
	case r.style == flag, r.style == inverted:
		return "+" + r.Name
	case r.style == arguments:
		return "+" + r.Name + ":..."
	case r.style == number:
		value = Placeholder("number")
	}
	if r.style == quoted {
		value = quote(value)
	}
	return r.with(value)
}

// one is the marker for one value of a list.
func (r Row) one(value any) (string, bool) {
	if r.style == each {
		raw, ok := plain(value)
		return "+" + r.Name + "=" + raw, ok
	}
	members, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	if len(members) == 0 {
		return "+" + r.Name, true
	}
	if path, old := members["JSONPath"]; old { // as v1beta1 has it
		members = maps.Clone(members)
		delete(members, "JSONPath")
		members["jsonPath"] = path
	}
	var all []string
	for _, key := range order(r.Name, members) {
		raw, ok := argument(key, members[key])
		if !ok {
			return "", false
		}
		all = append(all, r.argument(key)+"="+raw)
	}
	return "+" + r.Name + ":" + strings.Join(all, ","), true
}

// order are the members of a mapping in the order in which people write the arguments of its marker.
func order(name string, members map[string]any) []string {
	usual := []string{"name", "type", "jsonPath", "rule", "message", "specReplicasPath", "statusReplicasPath"}
	at := func(key string) int {
		if i := slices.Index(usual, key); i >= 0 {
			return i
		}
		return len(usual)
	}
	keys := slices.Sorted(maps.Keys(members))
	slices.SortStableFunc(keys, func(a, b string) int { return at(a) - at(b) })
	return keys
}

// raw is a value in the syntax of the marker.
func (r Row) raw(value any) (string, bool) {
	switch r.style {
	case boolean:
		b, ok := value.(bool)
		return strconv.FormatBool(b), ok
	case number:
		return numeral(value)
	case word:
		return plain(value)
	case quoted:
		s, ok := value.(string)
		return quote(s), ok && writable(s)
	case anything:
		return Value(value)
	case words:
		list, ok := value.([]any)
		var all []string
		for _, v := range list {
			one, fine := plain(v)
			all, ok = append(all, one), ok && fine
		}
		return strings.Join(all, ";"), ok && len(all) > 0
	}
	return "", false
}

func numeral(value any) (string, bool) {
	switch n := value.(type) {
	case int, int64, json.Number:
		return fmt.Sprint(n), true
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64), true
	}
	return "", false
}

// plain is a value without quotes, if it needs none.
func plain(value any) (string, bool) {
	s, ok := value.(string)
	if !ok {
		return numeral(value)
	}
	if isWord(s) {
		return s, true
	}
	return quote(s), writable(s)
}

// isWord reports whether controller-gen reads a string without quotes as that string.
func isWord(s string) bool {
	if s == "" || s == "true" || s == "false" || strings.Trim(s[:1], "0123456789-") == "" {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// writable reports whether a string can be a part of a comment of one line.
func writable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == '\ufffd' })
}

// argument is a value of an argument as people write it: words and plain paths without quotes, other paths in back quotes.
func argument(member string, value any) (string, bool) {
	switch v := value.(type) {
	case string:
		switch {
		case (member == "type" || member == "format") && isWord(v), strings.HasSuffix(member, "Path") && member != "jsonPath" && isPlainPath(v):
			return v, true
		case member == "jsonPath" && !strings.Contains(v, "`"):
			return "`" + v + "`", writable(v)
		}
		return quote(v), writable(v)
	case bool:
		return strconv.FormatBool(v), true
	}
	return numeral(value)
}

// isPlainPath reports whether a path has only names and dots.
func isPlainPath(s string) bool {
	first, rest, _ := strings.Cut(s, ".")
	for _, name := range strings.Split(rest, ".") {
		if !isWord(name) {
			return false
		}
	}
	return first == "" && s != ""
}

// quote puts a string into quotes: back quotes if it has what would need escapes, as people do with patterns.
func quote(s string) string {
	if strings.ContainsAny(s, "\"\\") && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// Value is any value of JSON in controller-gen's syntax for values that have no type: lists are in braces.
func Value(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v), writable(v)
	case bool:
		return strconv.FormatBool(v), true
	case []any:
		var all []string
		for _, item := range v {
			raw, ok := Value(item)
			if !ok {
				return "", false
			}
			all = append(all, raw)
		}
		return "{" + strings.Join(all, ",") + "}", len(all) > 0 // empty braces are an empty mapping
	case map[string]any:
		var all []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			raw, ok := Value(v[key])
			if !ok || !writable(key) {
				return "", false
			}
			all = append(all, strconv.Quote(key)+": "+raw)
		}
		return "{" + strings.Join(all, ", ") + "}", true
	}
	return numeral(value)
}
