package report

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/crdlift/crdlift/lint"
)

// FuzzWrite puts any text wherever text from outside gets into a report, and reads every format back with an
// independent reader: the text is unchanged, and each finding is there once.
func FuzzWrite(f *testing.F) {
	f.Add("message", "file.yaml", "excerpt")
	for _, finding := range nasty().Findings {
		f.Add(finding.Message, finding.Pos.File, finding.Excerpt)
	}
	f.Add("a\n::set-output name=x::y\r::error::", "a,line=1::b\r\n::", "##[error]x")
	f.Add("###[set-output name=x;]y", "::add-mask::a", "\u00ad##[[")
	f.Add("]]>]]&gt;<![CDATA[<!--", "a]]>b&amp;", "\x00\x1b\u2028")
	f.Add("</summary></details><script>", "</code>", "&#124;")
	f.Add("a | b \\| c\n\n# d", "[x]: http://e", "\t\t世\u0301")
	f.Add("0", ":", "")
	f.Add("%0A%3A%25%", "%2C%0D", "\xff\xfe\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, message, file, excerpt string) {
		finding := &lint.Finding{
			Rule: oddRule, Severity: lint.Error, Message: message, Resource: message,
			Source:  lint.Source{Excerpt: excerpt, Pos: lint.Position{File: file, Line: 2, Column: 3, EndLine: 2, EndColumn: 7}},
			Related: []lint.Related{{Pos: lint.Position{File: file, Line: 1, Column: 1, EndLine: 1, EndColumn: 1}, Message: message}},
			Fix:     &lint.Fix{Title: message, Edits: []lint.TextEdit{{Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Text: excerpt}}},
		}
		r := &lint.Report{Files: []string{file}, Findings: []*lint.Finding{finding}}
		for _, format := range Formats() {
			checkHarmless(t, format, write(t, format, r, Options{}))
		}
		readBack(t, r, finding)
	})
}

func readBack(t *testing.T, r *lint.Report, f *lint.Finding) {
	if text := write(t, Short, r, Options{}); strings.Count(text, "\n") != 1 {
		t.Errorf("text: %q", text)
	}
	commands := parseCommands(t, r)
	if len(commands) != 1 || commands[0].message != strings.Join(toldAt(r, group{f}, f.Pos), "\n") || commands[0].properties["file"] != text.Harmless(f.Pos.File) || len(commands[0].properties) != 6 {
		t.Errorf("github: %+v", commands)
	}
	suites := readJUnit(t, r, Options{})
	if test := suites.Suites[0].Cases; len(test) != 1 || test[0].Failure.Message != text.Harmless(f.Message) ||
		test[0].Failure.Text != lines(append([]string{short(f)}, advice(f)...)) {
		t.Errorf("junit: %+v", suites)
	}
	result := readSARIF(t, r, Options{}).Runs[0].Results[0]
	if path, err := url.PathUnescape(result.Locations[0].Physical.Artifact.URI); err != nil || strings.TrimPrefix(path, "file://") != f.Pos.File {
		t.Errorf("sarif: %q, %v", path, err)
	}
	if strings.Contains(result.Message.Text, "](") {
		t.Errorf("sarif: %q", result.Message.Text)
	}
	rows := tableRows(t, write(t, Markdown, r, Options{}))
	if len(rows) != 1 || html.UnescapeString(rows[0][2]) != strings.Join(append([]string{text.Harmless(brief(f))}, advice(f)...), "<br>") {
		t.Errorf("markdown: %q", rows)
	}
	var all jsonReport
	if err := json.Unmarshal([]byte(write(t, JSON, r, Options{})), &all); err != nil {
		t.Errorf("json: %v", err)
	} else if got := all.Findings[0]; got.Message != valid(f.Message) || got.File != valid(f.Pos.File) || got.Fix.Edits[0].Text != valid(f.Fix.Edits[0].Text) {
		t.Errorf("json: %+v", got)
	}
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(write(t, GitLab, r, Options{})), &issues); err != nil || issues[0].Description != strings.ToValidUTF8(f.Message, "\ufffd") && !strings.Contains(issues[0].Description, "\ufffd") {
		t.Errorf("gitlab: %+v, %v", issues, err)
	}
}

// valid is a text as JSON can hold it.
func valid(s string) string { return string([]rune(s)) }
