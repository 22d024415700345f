package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// unreadable returns the reason why bytes are not text that a YAML parser can read, and the offset of the first such
// byte; "" when they are.
func unreadable(src []byte) (why string, at int) {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")):
		return "the file is UTF-16; save it as UTF-8", 0
	case bytes.IndexByte(src, 0) >= 0:
		return "the file is binary (it holds a NUL byte)", bytes.IndexByte(src, 0)
	case !utf8.Valid(src):
		for at < len(src) {
			r, size := utf8.DecodeRune(src[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return "the file is not valid UTF-8", at
	}
	return "", 0
}

// syntaxErrorAt is an error at an offset of the file.
func (f *File) syntaxErrorAt(offset int, message string) *SyntaxError {
	line, column := f.Position(offset)
	return &SyntaxError{Path: f.Path, Line: line, Column: column, Message: message}
}

// readYAML reads one document of YAML. go-yaml reports by panicking inside; a panic that it does not recognise as its
// own must not reach the user.
func readYAML(text []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: line 1: cannot be parsed: %v", p)
		}
	}()
	return yaml11.Parse(text)
}

var (
	yamlErrorLine = text.Pattern(`^yaml: (?:line (\d+): )?`)
	unknownAnchor = text.Pattern(`^unknown anchor '(.*)' referenced$`)
)

// parserError takes the parser's message apart; the line is 0 when it names none.
func parserError(err error) (message string, line int) {
	message = err.Error()
	var typeErr *yaml.TypeError
	if errors.As(err, &typeErr) {
		message = strings.Join(typeErr.Errors, "; ")
	}
	if m := yamlErrorLine().FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		line, _ = strconv.Atoi(m[1])
	}
	return strings.ReplaceAll(message, "\n", " "), line
}

// explained are the messages of go-yaml's reader, scanner and parser that users meet, with an explanation for the
// author of the text.
var explained = map[string]string{
	"mapping values are not allowed in this context": "a key is not allowed here; look at the indentation of this line and " +
		`the one above, and quote text with ": " in it`,
	"did not find expected key":                             "this fits nothing above it: its indentation is wrong, or a quote on the line ends too early",
	"did not find expected '-' indicator":                   "this is neither an item of the list above, with a dash in its column, nor indented like the text after the list",
	"could not find expected ':'":                           "a key without a colon and a space after it",
	"found character that cannot start any token":           "a value cannot begin with this character; quote the value",
	"found unexpected end of stream":                        "the quote that begins on this line is never closed",
	"did not find expected ',' or ']'":                      "a [ is open here that lacks its ], or a comma is missing",
	"did not find expected ',' or '}'":                      "a { is open here that lacks its }, or a comma is missing",
	"did not find expected alphabetic or numeric character": "a name has to follow & and *; quote the value if it only begins with that character",
	"did not find expected whitespace or line break":        "this tag cannot be read; quote the value if it only begins with an exclamation mark",
	"did not find expected comment or line break":           "text after | and > belongs on the next line",
	"did not find expected <document start>":                "the document has ended above; indent this, or write --- before it",
	"another document begins": "a document begins here after a lone carriage return or another line end that kubectl does " +
		"not know, and would never be sent",
	"did not find expected node content":                     "a value is missing, or a bracket is never closed",
	"found unknown escape character":                         "there is no such escape; write the backslash twice, or use single quotes",
	"block sequence entries are not allowed in this context": "a list item is not allowed here; begin the list on a line of its own",
	"control characters are not allowed":                     "there is a control character on this line; remove it",
	fmt.Sprintf("exceeded max depth of %d", maxJSONDepth):    fmt.Sprintf("nested deeper than %d levels", maxJSONDepth),
}

// syntaxError returns the parser's error about the document in the user's terms, with its position.
func (d *Document) syntaxError(err error) *SyntaxError {
	f := d.File
	if at := conflict(d.Text()); at >= 0 {
		return f.syntaxErrorAt(d.Start+at, "a merge conflict is not resolved here")
	}
	message, line := parserError(err)
	all := lines.YAML(f.Source, d.Start, d.End)
	n := d.failingLine(message, line, all)
	at := all[n-1]
	end := d.End
	if n < len(all) {
		end = all[n]
	}
	failing := f.Source[at:end]
	indent := len(failing) - len(bytes.TrimLeft(failing, " "))
	if tab := tabOf(message, failing); tab >= 0 {
		return f.syntaxErrorAt(at+tab, "indented with a tab; YAML wants spaces")
	}
	if indent < len(failing) {
		at += indent
	}
	if words, ok := explained[message]; ok {
		message = words
	} else if m := unknownAnchor().FindStringSubmatch(message); m != nil {
		message = fmt.Sprintf("there is no anchor %s above; quote the value if it only begins with an asterisk", text.Quoted(m[1]).Brief())
	}
	return f.syntaxErrorAt(at, message)
}

// tabOf is the offset of the tab in a line that keeps it from being read, -1 where it is something else.
func tabOf(message string, line []byte) int {
	if strings.HasPrefix(message, "found a tab character") {
		return bytes.IndexByte(line, '\t')
	}
	// Elsewhere a parser calls it the start of a value, or takes the line for the text of the one above.
	indentation := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	if message == "found character that cannot start any token" || message == "mapping values are not allowed in this context" {
		return bytes.IndexByte(indentation, '\t')
	}
	return -1
}

// conflict is the offset of the first line that git writes where it cannot merge, -1 without one.
func conflict(text []byte) int {
	const mark = "<<<<<<< "
	if bytes.HasPrefix(text, []byte(mark)) {
		return 0
	}
	if at := bytes.Index(text, []byte("\n"+mark)); at >= 0 {
		return at + 1
	}
	return -1
}

// maxSearched bounds the text in which failingLine looks, in bytes: it parses it again and again.
const maxSearched = 1 << 20

// failingLine is the parser's line of the document, from 1, at which the text goes wrong.
//
// go-yaml names the line where what it was reading began, which for a wrong indentation may be hundreds of lines
// before, or none. A text is read from its start, though: the shortest prefix that fails in the same way ends with the
// wrong line. An unclosed quote fails with every prefix, so that the line where it was opened is the better one.
func (d *Document) failingLine(message string, line int, all []int) int {
	open := 0
	switch message {
	case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
		open = 1 // the parser counts from 0 here, the scanner from 1 (parser.fail)
	case "found unexpected end of stream", "did not find expected node content":
	default:
		if d.End-d.Start > maxSearched {
			break
		}
		return 1 + sort.Search(len(all)-1, func(i int) bool {
			_, err := readYAML(d.File.Source[d.Start:all[i+1]])
			if err == nil {
				return false
			}
			same, _ := parserError(err)
			return same == message
		})
	}
	n := min(max(line+open, 1), len(all))
	for n > 1 && len(bytes.TrimSpace(d.File.Source[all[n-1]:d.End])) == 0 {
		n-- // an error at the end of the text is one of the last line
	}
	return n
}

// jsonError says why a file that is meant to be JSON is not; nil for another file, and when it is.
func (f *File) jsonError(start int) *SyntaxError {
	at := start + leadingSpace(f.Source[start:])
	if filepath.Ext(f.Path) != ".json" || at == len(f.Source) || f.Source[at] != '{' {
		return nil
	}
	for at < len(f.Source) {
		_, end, err := readJSON(f.Source[at:])
		if err != nil {
			message, offset := jsonSyntaxError(f.Source[at:])
			return f.syntaxErrorAt(at+offset, message)
		}
		at += end
		at += leadingSpace(f.Source[at:])
	}
	return nil
}
