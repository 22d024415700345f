package template

import (
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/text"
)

// A form is what an action is replaced by.
type form string

const (
	comment form = "#"  // `#zq01zzz`, each of several lines by itself
	word    form = ""   // `zq01zzz`, a part of a scalar
	short   form = "x"  // `zq01 #zz`, a scalar that no limit of length rejects
	glued   form = " #" // a comment behind a key without a space
	mapping form = "{}"
	quoted  form = `""`
	truth   form = "true"
	scope   form = "Cluster"
	number  form = "1"
)

var (
	// valueBegins matches what is before a value on its line: dashes, and a key.
	valueBegins = text.Pattern(`^[ \t]*(?:- +)*(?:-|("[^"]*"|'[^']*'|[^\s#'"{}\[\],&*!|>%@-][^#'"]*?):) +$`)
	gluedKey    = text.Pattern(`^[ \t]*(?:- +)*([A-Za-z][\w.-]*):$`)
	// expands finds actions that print several lines.
	expands = text.Pattern(`\b(n?indent|toYaml|toYamlPretty)\b`)
	// literal finds actions that print what is written in them, on one line.
	literal = text.Pattern("^(\"[^\"\\\\]*\"|`[^`\n]*`)$")
	indents = text.Pattern(`\bn?indent +(\d+)`)
)

var truths = map[string]bool{
	"served": true, "storage": true, "deprecated": true, "preserveUnknownFields": true, "nullable": true, "uniqueItems": true,
	"exclusiveMinimum": true, "exclusiveMaximum": true, "x-kubernetes-preserve-unknown-fields": true,
	"x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": true,
}

var numbers = map[string]bool{
	"port": true, "minimum": true, "maximum": true, "minLength": true, "maxLength": true, "minItems": true, "maxItems": true,
	"minProperties": true, "maxProperties": true, "multipleOf": true, "priority": true,
}

// formOf chooses the form of a span of actions from the text around it on its line; before is masked already. A span is whole
// if it has the end of each block that it begins; lines below it may be deeper. It returns false where no text of the same
// length leaves YAML.
func formOf(span, before, after string, whole, deeper bool) (form, bool) {
	blank := strings.TrimSpace(after) == ""
	alone := strings.TrimLeft(before, " \t\ufeff") == "" && blank
	commented := strings.HasPrefix(strings.TrimLeft(after, " \t"), "#") && strings.TrimLeft(after, " \t") != after
	lines := strings.Contains(span, "\n")
	switch key := valueBegins().FindStringSubmatch(before); {
	case alone:
		return comment, true
	case !whole: // a control action without its end
		return comment, blank && before != "" && strings.TrimRight(before, " \t") != before
	case key != nil && blank && (expands().MatchString(span) || lines):
		if !deeper && (key[1] == "labels" || key[1] == "annotations") {
			return mapping, true
		}
		return comment, true
	case key != nil && (blank || commented):
		return formFor(key[1]), true
	case gluedKey().MatchString(before) && blank:
		return glued, true
	}
	return word, !lines
}

func formFor(key string) form {
	switch {
	case truths[key]:
		return truth
	case numbers[key]:
		return number
	case key == "scope":
		return scope
	case key == "caBundle":
		return quoted
	}
	return short
}

// codeLength is the length of what tells an action from the others: a letter, a digit and two more, in ASCII.
const codeLength = 4

// write returns the mask of a span of a form: as many bytes, with line ends and characters beyond ASCII where they were. The
// code is left out of a span that is too short for it.
func (f form) write(span, code string) string {
	lines := strings.SplitAfter(span, "\n")
	told := false
	for i, line := range lines {
		body := strings.TrimRight(line, " \t\r\n")
		indent := len(body) - len(strings.TrimLeft(body, " \t"))
		if i == 0 {
			indent = 0
		}
		if body[indent:] == "" {
			continue
		}
		begin := "#"
		if i == 0 {
			begin = f.begin(len(body))
		}
		if room := len(body) - indent - len(begin); !told && room >= codeLength {
			told = true
			begin += code
			if i == 0 && f == short && room >= codeLength+2 {
				begin += " #"
			}
		}
		lines[i] = line[:indent] + fill(body[indent:], begin) + line[len(body):]
	}
	return strings.Join(lines, "")
}

// begin is what the mask begins with, before the code.
func (f form) begin(length int) string {
	switch f {
	case short, word:
		return ""
	case comment, glued:
		return string(f)
	}
	if begin := string(f) + " #"; len(begin) <= length {
		return begin
	}
	return string(f)
}

// fill puts a beginning over a text and z over the rest.
func fill(over, begin string) string {
	var out strings.Builder
	out.WriteString(begin)
	for at := len(begin); at < len(over); {
		r, size := utf8.DecodeRuneInString(over[at:])
		switch {
		case r == utf8.RuneError || size == 1 || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\ufeff':
			out.WriteString(strings.Repeat("z", size))
		default:
			out.WriteString(over[at : at+size])
		}
		at += size
	}
	return out.String()
}
