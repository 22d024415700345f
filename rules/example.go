package rules

import (
	"path"
	"strings"
)

// An example is what the fixtures of a rule show of it, in Markdown: parts of its page, each with the blank line before it.
type example struct {
	fix  string // "safe", "unsafe", "in Go types" or "no"
	inGo string // the markers that fix its findings; "" where none does
	text string // a manifest, a finding and its fix; "" for rules that a manifest alone does not show
}

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
func (e example) markdown() string { return "Fix: " + e.fix + "." + e.inGo + e.text + "\n" }

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
	e.text = rest[len(e.inGo):]
	return e
}
