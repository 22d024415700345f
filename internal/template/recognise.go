package template

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/text"
)

// A Language is the template language of a file that becomes a manifest when it is rendered.
type Language string

const (
	None  Language = ""
	Helm  Language = "Helm"  // a Go template
	Jinja Language = "Jinja" // such as Ansible's
)

// Recognise returns which template language a file is written in, if any. The path is only used where the text is
// ambiguous.
//
// The rule: somewhere there is an action where YAML would begin a node: at the start of a line
// (`{{- if .Values.crds }}`), as a value (`name: {{ .Values.name }}`) or as an item (`- {{ .Values.item }}`). YAML would
// read two nested flow mappings there, which no CustomResourceDefinition has. Everywhere else the braces are text:
// inside comments, quoted scalars, block scalars and plain scalars, their later lines included. Many descriptions
// show a template that way; and a file whose templates are all in such places is a manifest, and can be converted as
// it is. Input that starts as JSON is never a template.
//
// In a chart, where the path says so, all is known: Helm renders what is below templates, and nothing that is below
// crds. Elsewhere there are two exceptions. The names and labels of metadata have no braces: `app: '{{ .Release.Name }}'` is an action
// though it parses. And in a folder called templates, Helm renders all of a file, so that what only Helm knows, such as
// `.Values`, is an action wherever it stands.
//
// The rule holds for files that do not parse as YAML too, which is what nearly all templates are.
func Recognise(path string, src []byte) Language {
	jinja, braces := bytes.Contains(src, []byte("{%")), bytes.Contains(src, []byte("{{"))
	if !jinja && !braces {
		return None
	}
	switch _, folder := InChart(path); {
	case folder == "templates" && braces:
		return Helm
	case folder == "crds":
		return None
	}
	src = bytes.TrimPrefix(src, []byte(lines.BOM))
	start := bytes.TrimLeft(src, " \t\r\n")
	if start[0] == '{' && !action().Match(start) && !bytes.HasPrefix(start, []byte("{#")) {
		return None
	}
	switch {
	case hasAction(src):
		if jinja && jinjaTag().Match(src) {
			return Jinja
		}
		return Helm
	case slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(path)), "/"), "templates") && helmsOwn().Match(src):
		return Helm
	}
	return None
}

// ChartFolder is all that Recognise depends on besides the path and the text: the folder of a chart that the file is below, such
// as "templates"; "" outside of charts, and for a text without actions.
func ChartFolder(path string, src []byte) string {
	if !bytes.Contains(src, []byte("{{")) && !bytes.Contains(src, []byte("{%")) {
		return ""
	}
	_, folder := InChart(path)
	return folder
}

// InChart returns the chart that a file is in, and the folder of that which it is below, such as "templates"; "" outside of charts.
func InChart(path string) (chart, folder string) {
	at := filepath.Clean(path)
	for dir := filepath.Dir(at); dir != at; at, dir = dir, filepath.Dir(dir) {
		if name := filepath.Base(at); name == "templates" || name == "crds" {
			if _, err := os.Stat(filepath.Join(dir, "Chart.yaml")); err == nil {
				return dir, name
			}
		}
	}
	return "", ""
}

func hasAction(src []byte) bool {
	var s lineScanner
	for line := range bytes.Lines(src) {
		if s.actionIn(string(bytes.TrimRight(line, " \t\r\n"))) {
			return true
		}
	}
	return false
}

// A lineScanner goes through the lines of a file and knows which of them belong to a scalar that began earlier.
type lineScanner struct {
	scalar   scalarKind
	parent   int  // column of the node that holds the scalar, from 0; its later lines are further right
	quote    byte // that ends the scalar
	metadata bool // below the document's key of that name
}

type scalarKind int

const (
	noScalar scalarKind = iota
	plainScalar
	quotedScalar
	blockScalar
)

var (
	action   = text.Pattern("^(\\{\\{-?(\\s|$|[\\w.$\"`(/])|\\{%)")
	jinjaTag = text.Pattern(`(?m)(^|[-:,[{]|[!&]\S*[ \t])[ \t]*\{%`) // where a node begins, perhaps with a tag
	// actionInName finds an action in an otherwise single word, perhaps in quotes.
	actionInName = text.Pattern(`^["']?[^\s"'{]*\{\{-?\s*[\w.$(][^{}]*\}\}[^\s{]*$`)
	// helmsOwn finds actions with words that nothing but Helm's charts have.
	helmsOwn          = text.Pattern("\\{\\{[^}]*(\\.(Values|Release|Chart|Capabilities|Files|Template)\\b|\\binclude\\s+\"|`\\{\\{|\"\\{\\{\")")
	blockScalarHeader = text.Pattern(`^[|>][-+1-9]*(\s+#.*)?$`)
	nodeProperties    = text.Pattern(`^[!&]\S*\s+`)
)

// actionIn takes the next line, without its end, and reports whether an action stands where a node would begin.
func (s *lineScanner) actionIn(line string) bool {
	text := strings.TrimLeft(line, " ")
	column := len(line) - len(text)
	switch {
	case text == "":
		return false
	case lines.IsMarker([]byte(line), "---") || lines.IsMarker([]byte(line), "..."):
		*s = lineScanner{}
		return false
	case s.scalar == quotedScalar:
		s.skipQuoted(text)
		return false
	case s.scalar != noScalar && column > s.parent && (s.scalar == blockScalar || text[0] != '#'):
		return false
	}
	s.scalar = noScalar
	if text[0] == '#' {
		return false
	}
	s.parent = column - 1
	for text == "-" || strings.HasPrefix(text, "- ") {
		rest := strings.TrimLeft(text[1:], " ")
		s.parent = column
		column += len(text) - len(rest)
		text = rest
	}
	if action().MatchString(text) {
		return true
	}
	if value, ok := valueOfKey(text); ok {
		if column == 0 {
			s.metadata = strings.HasPrefix(text, "metadata:")
		}
		s.parent, text = column, value
	}
	return s.beginsNode(text) || s.metadata && actionInName().MatchString(strings.TrimLeft(text, " "))
}

// valueOfKey returns the text after the key that a line begins with, if it begins with one.
func valueOfKey(text string) (string, bool) {
	if text == "" || text[0] == '[' || text[0] == '{' {
		return "", false
	}
	if text[0] == '"' || text[0] == '\'' {
		end := closingQuote(text[1:], text[0])
		if end < 0 {
			return "", false
		}
		return strings.CutPrefix(strings.TrimLeft(text[end+2:], " "), ":")
	}
	if key, ok := strings.CutSuffix(text, ":"); ok && !strings.Contains(key, ": ") {
		return "", true
	}
	_, value, ok := strings.Cut(text, ": ")
	return value, ok
}

// beginsNode looks at the start of a node: whether it is an action, or else which scalar begins there.
func (s *lineScanner) beginsNode(text string) bool {
	text = strings.TrimLeft(text, " \t[")
	for nodeProperties().MatchString(text) {
		text = nodeProperties().ReplaceAllString(text, "")
	}
	switch {
	case text == "" || text[0] == '#' || text[0] == '{' && !action().MatchString(text):
		return false
	case action().MatchString(text):
		return true
	case blockScalarHeader().MatchString(text):
		s.scalar = blockScalar
	case text[0] == '"' || text[0] == '\'':
		s.quote = text[0]
		s.skipQuoted(text[1:])
	default:
		s.scalar = plainScalar
	}
	return false
}

// skipQuoted looks for the end of a quoted scalar.
func (s *lineScanner) skipQuoted(text string) {
	s.scalar = noScalar
	if closingQuote(text, s.quote) < 0 {
		s.scalar = quotedScalar
	}
}

// closingQuote finds the quote that ends a scalar, -1 if it is on a later line.
func closingQuote(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case quote == '\'' && strings.HasPrefix(text[i:], "''"):
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}
