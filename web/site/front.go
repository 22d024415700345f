package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
	"github.com/crdlift/crdlift/web/answer"
)

// A front is the content of the front page.
type front struct {
	Rules      int
	File       string // the example
	Findings   []finding
	Playground string // with the example in it
	Shelves    []*shelf
	Install    string // the page about it
	FirstSteps string // the page to begin with
}

// A finding is one of the example's, as the program shows it.
type finding struct {
	Place, Severity, Message, Rule, Address string
	Line                                    int
	Code, Caret                             string
}

// exampleFile is the manifest whose findings the front page shows.
const exampleFile = "examples/lint/backups.yaml"

// addFront adds the front page. What it shows of the program is what the program says today.
func (s *site) addFront() error {
	source, err := s.read(exampleFile)
	if err != nil {
		return err
	}
	content := front{
		Rules: len(rules.All()), File: exampleFile, Shelves: s.shelves[:2], // who builds crdlift looks for internals elsewhere
		Install: s.firstOf("install", "integrations"), FirstSteps: s.firstOf("first-steps", "readme"),
	}
	linter := &rules.Linter{}
	report := linter.Report(linter.File(exampleFile, []byte(source)))
	lines := strings.Split(source, "\n")
	for _, f := range report.Findings {
		content.Findings = append(content.Findings, shownFinding(f, lines))
	}
	if len(content.Findings) == 0 {
		return fmt.Errorf("%s has no findings to show", exampleFile)
	}
	if content.Playground, err = inPlayground(answer.File{Name: "backups.yaml", Text: source}); err != nil {
		return err
	}
	return s.addPage(&page{
		Kind: "front", Title: "crdlift", Content: content,
		Description: "crdlift finds mistakes in CustomResourceDefinitions of Kubernetes with the API server's own code and without a cluster, and converts v1beta1 to v1.",
	})
}

func shownFinding(f *lint.Finding, lines []string) finding {
	code := lines[f.Pos.Line-1]
	width := utf8.RuneCountInString(code) - f.Pos.Column + 1
	if f.Pos.EndLine == f.Pos.Line {
		width = f.Pos.EndColumn - f.Pos.Column
	}
	return finding{
		Place:    fmt.Sprintf("%s:%d:%d", f.Pos.File, f.Pos.Line, f.Pos.Column),
		Severity: f.Severity.String(), Message: f.Message, Rule: f.Rule.ID, Address: rulesPath + f.Rule.ID + "/",
		Line: f.Pos.Line, Code: code, Caret: strings.Repeat(" ", f.Pos.Column-1) + "^" + strings.Repeat("~", max(width-1, 0)),
	}
}

// firstOf is the address of the first page of the documentation that there is.
func (s *site) firstOf(names ...string) string {
	for _, name := range names {
		if address := "docs/" + name + "/"; s.files[fileOf(address)] != nil {
			return address
		}
	}
	return "docs/"
}
