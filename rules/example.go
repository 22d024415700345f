package rules

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// An example is what the fixtures of a rule say of it.
type example struct {
	fix   string   // "safe", "unsafe", "in Go types" or "no"
	inGo  string   // the markers that fix its findings, in Markdown, with the blank line before it; "" where none does
	shown *Example // nil for rules that a manifest alone does not show
}

// An Example shows a finding of a rule.
type Example struct {
	Code    string // lines of a manifest, with their numbers; that of the finding is marked
	Line    int    // of the finding
	Message string
	Fixed   string // what the fix changes, as hunks of a unified diff; "" where none is shown
}

// ExampleOf is the example of a rule; nil where there is none.
func ExampleOf(id string) *Example { return exampleOf(topicOf(id), id).shown }

// markdown is the part of a page that has the example, with the blank line before it.
func (e *Example) markdown() string {
	if e == nil {
		return ""
	}
	text := fmt.Sprintf("\n\n**Example**\n\n```yaml\n%s```\n\n> line %d: %s", e.Code, e.Line, e.Message)
	if e.Fixed != "" {
		text += fmt.Sprintf("\n\nFixed:\n\n```diff\n%s```", e.Fixed)
	}
	return text
}

// exampleParts are the parts of what markdown writes.
var exampleParts = regexp.MustCompile("(?s)^\n\n\\*\\*Example\\*\\*\n\n```yaml\n(.*?)```\n\n> line ([0-9]+): ([^\n]*)(?:\n\nFixed:\n\n```diff\n(.*)```)?$")

// goHeading begins the part about markers.
const goHeading = "\n\n**In Go types**"

// Fix tells how findings of a rule are fixed: "safe" where `--fix` does it, "unsafe" where that takes `--fix --unsafe-fixes`,
// "in Go types" where only `--fix-go` does, "no" where people have to. It is "" for what is no rule.
func Fix(id string) string { return exampleOf(topicOf(id), id).fix }

// exampleOf is the example of a rule of a topic, which stands in the folder of its fixtures; empty for what is no rule.
func exampleOf(topic, id string) example {
	text, err := pages.ReadFile(path.Join("testdata", topic, id, "example.md"))
	if err != nil {
		return example{}
	}
	return parseExample(string(text))
}

// markdown is the file that parseExample reads.
func (e example) markdown() string { return "Fix: " + e.fix + "." + e.inGo + e.shown.markdown() + "\n" }

func parseExample(text string) example {
	head, rest, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n\n")
	e := example{fix: strings.TrimSuffix(strings.TrimPrefix(head, "Fix: "), ".")}
	if rest != "" {
		rest = "\n\n" + rest
	}
	if strings.HasPrefix(rest, goHeading) {
		markers, _, _ := strings.Cut(rest[len(goHeading):], "\n\n")
		e.inGo = goHeading + markers
	}
	if m := exampleParts.FindStringSubmatch(rest[len(e.inGo):]); m != nil {
		line, _ := strconv.Atoi(m[2]) // which are digits
		e.shown = &Example{m[1], line, m[3], m[4]}
	}
	return e
}
