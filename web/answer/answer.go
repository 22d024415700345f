// Package answer answers the playground's questions: JSON in, JSON out.
//
// It is what the WebAssembly program does, without a browser, so that it is tested as any other package. Read this file
// first: Ask has a row for each question. findings.go has what is about findings and their fixes, convert.go and objects.go the rest.
package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A Question is what the page asks. Which fields matter depends on Ask.
type Question struct {
	Ask   string `json:"ask"`   // a word of Questions
	Files []File `json:"files"` // the manifests: all of them, for what is said of one depends on the others

	Unsafe  bool           `json:"unsafe"`  // fix: make the unsafe fixes, too
	Finding *Finding       `json:"finding"` // edit: what to fix
	Options policy.Options `json:"options"` // convert
	Served  bool           `json:"served"`  // objects: as a client reads them, rather than as they are stored
	Rule    string         `json:"rule"`    // page
	Place   *Place         `json:"place"`   // complete and explain: where
}

// A File is a manifest.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// diffTo is what `--diff` prints where a file gets another text; "" where it stays.
func (f File) diffTo(before, after []byte) string {
	return string(diff.Unified("a/"+f.Name, "b/"+f.Name, before, after))
}

// editsTo are the edits that give a file another text. They are of whole lines, the last of which may end beyond the text.
func (f File) editsTo(after []byte) []lint.TextEdit {
	before, edits := []byte(f.Text), []lint.TextEdit{}
	at, line := 0, 1
	lineOf := func(offset int) int {
		line += bytes.Count(before[at:offset], []byte("\n"))
		at = offset
		return line
	}
	for _, e := range diff.Edits(before, after) {
		t := lint.TextEdit{Line: lineOf(e.Start), Column: 1, EndLine: lineOf(e.End), EndColumn: 1, Text: e.New}
		if e.End == len(before) {
			t.EndLine++
		}
		edits = append(edits, t)
	}
	return edits
}

// A failure is the answer to a question that has none.
type failure struct {
	Error string `json:"error"` // one line: what happened
}

var questions = map[string]func(*Question) (any, error){
	"complete": completed,
	"explain":  explained,
	"findings": findings,
	"fix":      fix,
	"edit":     edit,
	"convert":  converted,
	"objects":  objects,
	"page":     page,
	"version":  version,
}

// Questions are the words that Question.Ask takes.
func Questions() []string { return slices.Sorted(maps.Keys(questions)) }

// Ask answers a question, both as JSON. If it cannot, the result has only the member "error", which says
// why: the question is unknown or no JSON, or made crdlift panic, which is a bug.
func Ask(question []byte) (answer []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = failed(fmt.Errorf("crdlift failed on this text, please report it: %v [%s]", fault, text.PanicAt(debug.Stack())))
		}
	}()
	var q Question
	if err := json.Unmarshal(question, &q); err != nil {
		return failed(fmt.Errorf("the question is not understood: %w", err))
	}
	reply, known := questions[q.Ask]
	if !known {
		return failed(fmt.Errorf("the question %q is unknown; known are %s", q.Ask, strings.Join(Questions(), ", ")))
	}
	value, err := reply(&q)
	if err != nil {
		return failed(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return failed(err)
	}
	return out
}

func failed(err error) []byte {
	out, _ := json.Marshal(failure{err.Error()}) // a string is always JSON
	return out
}

// A rulePage is the documentation of a rule or kind of note.
type rulePage struct {
	Markdown string `json:"markdown"`
	URL      string `json:"url"` // of the same page on the site
}

func page(q *Question) (any, error) {
	markdown := rules.Page(q.Rule)
	if markdown == "" {
		return nil, fmt.Errorf("there is no rule %q", q.Rule)
	}
	return rulePage{markdown, report.RulePage(q.Rule)}, nil
}

// Build is the version that the page shows. The build sets it; a program that is not built by `make site` has none.
var Build = "(devel)"

// judge is the module whose code determines the API server's answer.
const judge = "k8s.io/apiextensions-apiserver"

// A versions is what the page was built from.
type versions struct {
	Version string `json:"version"`
	Judge   string `json:"judge"` // the version of the API server's code
}

func version(*Question) (any, error) {
	out := versions{Version: Build}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == judge {
				out.Judge = m.Version
			}
		}
	}
	return out, nil
}
