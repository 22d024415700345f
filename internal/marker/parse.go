package marker

import (
	"slices"
	"strconv"
	"strings"
)

// A Marker is the text of a marker taken apart.
type Marker struct {
	Row   Row    // of several rows with arguments, the first
	Name  string // as it is written, which may be one of Row.Others
	Items bool   // it is about the elements of a list
	Value string // behind the equals sign, as it is written; "" for none, and for one with arguments
	// Arguments are names and values as they are written.
	Arguments [][2]string
}

// Parse reads a marker, with or without its plus sign, as controller-gen does, and the name of an argument without a value,
// which messages have; ok is false for one that is not in the table. Whether controller-gen accepts a marker, Reject knows.
func Parse(text string) (p Marker, ok bool) {
	long, short, raw := split(text)
	if p.find(long) {
		p.Value = raw
		return p, true
	}
	if short == long {
		short = long[:max(strings.LastIndexByte(long, ':'), 0)]
	}
	if !p.find(short) {
		return p, false
	}
	if registered(short).takes != takesArguments {
		p.Value = raw
		return p, strings.Contains(text, "=")
	}
	for _, one := range splitAt(strings.TrimPrefix(strings.TrimSpace(text), "+")[len(short)+1:], ',') {
		key, value, _ := strings.Cut(one, "=")
		p.Arguments = append(p.Arguments, [2]string{strings.TrimSpace(key), strings.TrimSpace(value)})
	}
	return p, true
}

// find looks for the row of a name.
func (p *Marker) find(name string) bool {
	plain := strings.Replace(name, validationOfItems, validation, 1)
	for _, r := range rows {
		if r.Name == plain || slices.Contains(r.Others, plain) {
			p.Row, p.Name, p.Items = r, name, plain != name
			return true
		}
	}
	return false
}

// Compare orders markers as the table does; those that are not in it are last.
func Compare(a, b string) int { return rank(a) - rank(b) }

func rank(text string) int {
	p, ok := Parse(text)
	if !ok {
		return len(rows)
	}
	return slices.IndexFunc(rows, func(r Row) bool { return r.Name == p.Row.Name })
}

// splitAt divides a text where a divider is not in quotes or braces.
func splitAt(text string, divider byte) (all []string) {
	depth, start := 0, 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == divider && depth == 0:
			all, start = append(all, text[start:i]), i+1
		}
	}
	return append(all, text[start:])
}

// Argument returns the value of an argument without its quotes.
func (p Marker) Argument(name string) string {
	raw, _ := p.Raw(name)
	return unquote(raw)
}

// Has reports whether a marker has an argument, which may be empty.
func (p Marker) Has(name string) bool {
	_, has := p.Raw(name)
	return has
}

// Words returns the value of an argument that is a list of words, or one of them; none where it cannot be read for sure.
func (p Marker) Words(name string) (all []string) {
	raw, _ := p.Raw(name)
	list, _ := listOf(raw)
	for _, word := range list {
		all = append(all, word.(string)) // as listOf has them
	}
	return all
}

// Raw returns the value of an argument as it is written.
func (p Marker) Raw(name string) (value string, has bool) {
	for _, a := range p.Arguments {
		if a[0] == name {
			return a[1], true
		}
	}
	return "", false
}

// unquote returns a string without its quotes.
func unquote(raw string) string {
	if s, err := strconv.Unquote(raw); err == nil {
		return s
	}
	return raw
}

// With returns the text of the marker with other values of some arguments, which are in the syntax of markers; the
// value "" takes an argument away.
func (p Marker) With(arguments ...[2]string) string {
	all := slices.Clone(p.Arguments)
	for _, a := range arguments {
		i := slices.IndexFunc(all, func(have [2]string) bool { return have[0] == a[0] })
		switch {
		case i >= 0 && a[1] == "":
			all = slices.Delete(all, i, i+1)
		case i >= 0:
			all[i][1] = quotedAs(all[i][1], a[1])
		case a[1] != "":
			all = append(all, a)
		}
	}
	var b strings.Builder
	b.WriteString("+" + p.Name)
	for i, a := range all {
		b.WriteString([]string{":", ","}[min(i, 1)] + a[0] + "=" + a[1])
	}
	return b.String()
}

// Like returns the text of the marker with its value in the quotes of another's.
func (p Marker) Like(other Marker) string {
	if p.Value == "" {
		return p.With()
	}
	return "+" + p.Name + "=" + quotedAs(other.Value, p.Value)
}

// quotedAs is a value in the quotes that another has, where it can be.
func quotedAs(other, value string) string {
	s, err := strconv.Unquote(value)
	switch {
	case err != nil || other == "":
	case other[0] == '`' && !strings.Contains(s, "`"):
		return "`" + s + "`"
	case other[0] == '"':
		return strconv.Quote(s)
	}
	return value
}
