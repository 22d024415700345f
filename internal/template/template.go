// Package template reads Helm templates as the manifests that they become, without rendering them: it writes text of the same
// length over what only Helm understands, so that the rest parses as YAML and has the place that it has in the file; and it
// puts the actions back into a text that was changed.
//
// Parse finds the actions of a template and what their conditions decide (nest.go). Worlds are the choices of branches
// under which a template is looked at, and Mask (mask.go, form.go) writes one of them. Restore (restore.go) undoes it, or
// says why the actions would not mean the same. Prove, with Choices and Cut (choice.go), proves a change. show.go has the
// words for messages, and recognise.go says which files are templates.
package template

import (
	"errors"
	"fmt"
	"strings"
	"text/template/parse"

	"github.com/crdlift/crdlift/internal/text"
)

// A Template is a Go template that becomes a manifest.
type Template struct {
	Source  string
	Actions []Action
	Blocks  []*Block // in the order of their beginnings

	runs  []run
	runOf []int // by action
}

// A run is a sequence of actions with nothing but blanks between them, on one line as a rule.
type run struct {
	first, last int  // actions
	own         bool // there is no other text on its lines
}

// ErrNoGoTemplate is the error for a text that Go's parser of templates rejects.
var ErrNoGoTemplate = errors.New("it is not a Go template")

// Parse finds the actions of a template. The error says why Helm could not read it either.
func Parse(src []byte) (*Template, error) {
	t := &Template{Source: string(src)}
	var err error
	if t.Actions, err = Scan(t.Source); err != nil || !t.isGo() || !t.nest() {
		return nil, ErrNoGoTemplate
	}
	t.findRuns()
	t.classify()
	return t, nil
}

var variable = text.Pattern(`\$\w+`)

// isGo reports whether Go's parser takes the text, whichever variables are known: where branches are chosen, the action that
// sets one may be gone.
func (t *Template) isGo() bool {
	var known strings.Builder
	seen := map[string]bool{}
	for _, a := range t.Actions {
		for _, name := range variable().FindAllString(a.Body, -1) {
			if !seen[name] {
				seen[name] = true
				known.WriteString("{{" + name + " := 0}}")
			}
		}
	}
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck | parse.ParseComments
	_, err := tree.Parse(known.String()+t.Source, "", "", map[string]*parse.Tree{})
	return err == nil
}

func (t *Template) findRuns() {
	for i, a := range t.Actions {
		if n := len(t.runs); n > 0 && strings.Trim(t.Source[t.Actions[i-1].End:a.Start], " \t") == "" {
			t.runs[n-1].last = i
		} else {
			t.runs = append(t.runs, run{first: i, last: i})
		}
		t.runOf = append(t.runOf, len(t.runs)-1)
	}
	for i, r := range t.runs {
		before := strings.TrimRight(t.Source[:t.Actions[r.first].Start], " \t\ufeff")
		after := strings.TrimLeft(t.Source[t.Actions[r.last].End:], " \t\r")
		t.runs[i].own = (before == "" || before[len(before)-1] == '\n') && (after == "" || after[0] == '\n')
	}
}

// maxLine bounds what is looked at of a line around an action, in bytes.
const maxLine = 1 << 10

// around is the text before and after a span on its first and its last line, without line ends, as far as it is looked at; the
// beginning of a longer line is a letter.
func (t *Template) around(text string, start, end int) (before, after string) {
	before = text[max(start-maxLine, 0):start]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	} else if len(before) == maxLine {
		before = "x" + before
	}
	after, _, _ = strings.Cut(t.Source[end:min(end+maxLine, len(t.Source))], "\n")
	return before, after
}

func (t *Template) lineStart(at int) int { return strings.LastIndexByte(t.Source[:at], '\n') + 1 }

func (t *Template) onOwnLine(action int) bool { return t.runs[t.runOf[action]].own }

// An Action is one `{{ ... }}` of a Go template. Its span covers the delimiters, and not the white space that trim markers
// remove.
type Action struct {
	Start, End int    // bytes of the source
	Body       string // between the delimiters and the trim markers, without white space around it
	IsComment  bool   // `{{/* ... */}}`
}

// Keyword is the first word of a control action, such as "if"; "" for output, an assignment and a comment.
func (a Action) Keyword() string {
	if a.IsComment {
		return ""
	}
	end := strings.IndexFunc(a.Body, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(a.Body)
	}
	switch word := a.Body[:end]; word {
	case "if", "else", "end", "range", "with", "define", "block", "break", "continue":
		return word
	}
	return ""
}

// begins reports whether an action begins a block.
func (a Action) begins() bool {
	switch a.Keyword() {
	case "if", "range", "with", "define", "block":
		return true
	}
	return false
}

// assigns reports whether an action sets a variable and prints nothing.
func (a Action) assigns() bool {
	name, _, ok := strings.Cut(a.Body, "=")
	name = strings.TrimRight(strings.TrimSuffix(name, ":"), " \t\r\n")
	return ok && !a.IsComment && strings.HasPrefix(name, "$") && !strings.ContainsAny(name, " \t\r\n|(\"`")
}

// prints reports whether an action puts text into the output.
func (a Action) prints() bool { return !a.IsComment && a.Keyword() == "" && !a.assigns() }

// trimmed is the span of an action with the white space that its trim markers remove (lexText, lexRightDelim).
func (t *Template) trimmed(a Action) [2]int {
	start, end := a.Start, a.End
	if body := t.Source[start+len(left):]; strings.HasPrefix(body, trim) && strings.IndexByte(space, body[len(trim)]) >= 0 {
		start = len(strings.TrimRight(t.Source[:start], space))
	}
	if body := t.Source[:end-len(right)]; strings.HasSuffix(body, trim) && strings.IndexByte(space, body[len(body)-len(trim)-1]) >= 0 {
		end = len(t.Source) - len(strings.TrimLeft(t.Source[end:], space))
	}
	return [2]int{start, end}
}

const (
	left, right                 = "{{", "}}"
	trim                        = "-"
	commentBegins, commentEnds  = "/*", "*/"
	space                       = " \t\r\n"
	unterminated, misplacedText = "is not closed", "has no } where it has to end"
)

// Scan finds the actions of a text by the rules of text/template/parse (lexText, lexComment, lexInsideAction). The error says
// at which offset the text is no Go template.
func Scan(src string) ([]Action, error) {
	var all []Action
	for at := 0; ; {
		next := strings.Index(src[at:], left)
		if next < 0 {
			return all, nil
		}
		a := Action{Start: at + next}
		s := scanner{src: src, at: a.Start + len(left)}
		if strings.HasPrefix(s.rest(), trim) && s.isSpace(s.at+1) {
			s.at += 2
		}
		begin := s.at
		fault := ""
		if a.IsComment = strings.HasPrefix(s.rest(), commentBegins); a.IsComment {
			fault = s.comment()
		} else {
			fault = s.action()
		}
		if fault != "" {
			return nil, fmt.Errorf("the action at byte %d %s", a.Start, fault)
		}
		a.Body = strings.Trim(src[begin:s.at], space)
		s.delimiter()
		a.End, at = s.at, s.at
		all = append(all, a)
	}
}

// A scanner is within an action.
type scanner struct {
	src   string
	at    int
	depth int // of parentheses
}

func (s *scanner) rest() string { return s.src[s.at:] }

func (s *scanner) isSpace(at int) bool {
	return at < len(s.src) && strings.IndexByte(space, s.src[at]) >= 0
}

// ends reports whether the right delimiter is here, perhaps with its trim marker.
func (s *scanner) ends() bool {
	return strings.HasPrefix(s.rest(), right) || s.isSpace(s.at) && strings.HasPrefix(s.src[s.at+1:], trim+right)
}

// delimiter steps over the right delimiter.
func (s *scanner) delimiter() {
	if s.isSpace(s.at) {
		s.at += len(" -")
	}
	s.at += len(right)
}

// comment goes to the delimiter after a comment.
func (s *scanner) comment() (fault string) {
	end := strings.Index(s.rest(), commentEnds)
	if end < 0 {
		return unterminated
	}
	if s.at += end + len(commentEnds); !s.ends() {
		return misplacedText
	}
	return ""
}

// action goes to the delimiter that ends an action.
func (s *scanner) action() (fault string) {
	for s.at < len(s.src) {
		if s.ends() {
			if s.depth > 0 {
				return "has an open parenthesis"
			}
			return ""
		}
		c := s.src[s.at]
		s.at++
		switch c {
		case '(':
			s.depth++
		case ')':
			s.depth--
		case '`':
			end := strings.IndexByte(s.rest(), c)
			if end < 0 {
				return unterminated
			}
			s.at += end + 1
		case '"', '\'':
			if !s.quoted(c) {
				return unterminated
			}
		}
	}
	return unterminated
}

// quoted steps over a string or character constant, which is on one line.
func (s *scanner) quoted(quote byte) bool {
	for s.at < len(s.src) {
		c := s.src[s.at]
		s.at++
		switch c {
		case quote:
			return true
		case '\n':
			return false
		case '\\':
			s.at++
		}
	}
	return false
}
