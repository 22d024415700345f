package manifest

import (
	"bytes"
	"regexp"
	"strings"
)

// IsHelmTemplate reports whether a file is a Go template that makes manifests, such as those of a Helm chart, rather
// than a manifest.
//
// The rule: somewhere an action `{{ ... }}` stands where YAML would begin a node, which is at the start of a line
// (`{{- if .Values.crds }}`), as a value (`name: {{ .Values.name }}`) or as an item (`- {{ .Values.item }}`). YAML would
// read two nested flow mappings there, which no CustomResourceDefinition has. Everywhere else the braces are text:
// inside comments, quoted scalars, block scalars and plain scalars, their later lines included. Many descriptions
// show a template that way; and a file whose templates are all in such places is a manifest, and can be converted as
// it is. Input that starts as JSON is never a template.
//
// The rule holds for files that do not parse as YAML too, which is what nearly all templates are.
func IsHelmTemplate(src []byte) bool {
	if !bytes.Contains(src, []byte("{{")) {
		return false
	}
	src = bytes.TrimPrefix(src, utf8BOM)
	if start := bytes.TrimLeft(src, " \t\r\n"); start[0] == '{' && !bytes.HasPrefix(start, []byte("{{")) {
		return false
	}
	var s templateScanner
	for _, line := range lines(src) {
		if s.actionIn(strings.TrimRight(line, " \t\r\n")) {
			return true
		}
	}
	return false
}

// A templateScanner goes through the lines of a file and knows which of them belong to a scalar that began earlier.
type templateScanner struct {
	scalar scalarKind
	parent int  // column of the node that holds the scalar, from 0; its later lines are further right
	quote  byte // that ends the scalar
}

type scalarKind int

const (
	noScalar scalarKind = iota
	plainScalar
	quotedScalar
	blockScalar
)

var (
	templateAction    = regexp.MustCompile("^\\{\\{-?(\\s|$|[\\w.$\"`(/])")
	blockScalarHeader = regexp.MustCompile(`^[|>][-+1-9]*(\s+#.*)?$`)
	nodeProperties    = regexp.MustCompile(`^[!&]\S*\s+`)
)

// actionIn takes the next line, without its end, and reports whether an action stands where a node would begin.
func (s *templateScanner) actionIn(line string) bool {
	text := strings.TrimLeft(line, " ")
	column := len(line) - len(text)
	switch {
	case text == "":
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
	if templateAction.MatchString(text) {
		return true
	}
	if value, ok := valueOfKey(text); ok {
		s.parent, text = column, value
	}
	return s.beginsNode(text)
}

// valueOfKey gives what stands behind the key that a line begins with, if it begins with one.
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
func (s *templateScanner) beginsNode(text string) bool {
	text = strings.TrimLeft(text, " \t[")
	for nodeProperties.MatchString(text) {
		text = nodeProperties.ReplaceAllString(text, "")
	}
	switch {
	case text == "" || text[0] == '#' || text[0] == '{' && !templateAction.MatchString(text):
		return false
	case templateAction.MatchString(text):
		return true
	case blockScalarHeader.MatchString(text):
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
func (s *templateScanner) skipQuoted(text string) {
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
