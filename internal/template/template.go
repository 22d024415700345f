// Package template reads Helm templates as the manifests that they become, without rendering them: it writes text of the same
// length over what only Helm understands, so that the rest parses as YAML and has the place that it has in the file; and it
// puts the actions back into a text that was changed.
//
// Parse finds the actions of a template (scan.go) and what their conditions decide (nest.go). Worlds are the choices of branches
// under which a template is looked at, and Mask (mask.go, form.go) writes one of them. Restore (restore.go) undoes it, or
// says why the actions would not mean the same. Prove, with Choices and Cut (choice.go), proves a change. show.go has the
// words for messages, and recognise.go says which files are templates.
package template

import (
	"errors"
	"regexp"
	"strings"
	"text/template/parse"
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

// ErrNoGoTemplate is the error for a text that Go's parser of templates refuses.
var ErrNoGoTemplate = errors.New("it is no Go template")

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

var variable = regexp.MustCompile(`\$\w+`)

// isGo reports whether Go's parser takes the text, whichever variables are known: where branches are chosen, the action that
// sets one may be gone.
func (t *Template) isGo() bool {
	var known strings.Builder
	seen := map[string]bool{}
	for _, a := range t.Actions {
		for _, name := range variable.FindAllString(a.Body, -1) {
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
