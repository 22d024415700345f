package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A command is a workflow command as the runner reads it.
type command struct {
	name       string
	properties map[string]string
	message    string
}

// parseCommand reads a line as actions/runner's ActionCommand.TryParseV2 does.
func parseCommand(line string) (command, error) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::")
	if !ok {
		return command{}, fmt.Errorf("no command: %q", line)
	}
	head, message, ok := strings.Cut(rest, "::")
	if !ok {
		return command{}, fmt.Errorf("no end of the command: %q", line)
	}
	name, properties, _ := strings.Cut(head, " ")
	c := command{name: name, properties: map[string]string{}, message: unescape(message, "%0D", "\r", "%0A", "\n", "%25", "%")}
	for property := range strings.SplitSeq(strings.TrimSpace(properties), ",") {
		key, value, ok := strings.Cut(property, "=")
		if !ok {
			return command{}, fmt.Errorf("property %q of %q", property, line)
		}
		c.properties[key] = unescape(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	}
	return c, nil
}

// unescape replaces one after the other, as the runner does, %25 last.
func unescape(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return s
}

func parseCommands(t testing.TB, r *lint.Report) []command {
	t.Helper()
	var all []command
	for line := range strings.Lines(write(t, GitHub, r, Options{})) {
		c, err := parseCommand(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// TestGitHubFoldsOnePlace has an annotation of each place and severity for findings that people are told of together.
func TestGitHubFoldsOnePlace(t *testing.T) {
	t.Parallel()
	at := func(line int, s lint.Severity, item string) *lint.Finding {
		about := func(_, items []string) (message, brief string) {
			said := text.Sprintf("values %s are gone", text.Names(items))
			return said.String(), said.Brief()
		}
		return &lint.Finding{
			Rule: typeRule, Severity: s, Item: item, About: about, Message: "value " + item + " is gone", Old: item,
			Source:  lint.Source{Pos: lint.Position{File: "f", Line: line, Column: 1, EndLine: line, EndColumn: 5}},
			Related: []lint.Related{{Pos: lint.Position{File: "f", Line: 9}, Message: "was here"}},
		}
	}
	all := []*lint.Finding{at(3, lint.Error, "a"), at(3, lint.Error, "b"), at(3, lint.Warning, "c"), at(4, lint.Error, "d"), at(3, lint.Error, "e")}
	for _, f := range all {
		f.First = all[0]
	}
	alone := at(3, lint.Error, "f")
	var got []string
	for _, c := range parseCommands(t, &lint.Report{Files: []string{"f"}, Findings: append(all, alone)}) {
		got = append(got, c.name+" "+c.properties["line"]+" "+c.message)
	}
	want := []string{
		"error 3 f:3:1: values a, b, e are gone\nf:9:0: was here",
		"warning 3 f:3:1: value c is gone\nf:9:0: was here\nbefore: \"c\"",
		"error 4 f:4:1: value d is gone\nf:9:0: was here\nbefore: \"d\"",
		"error 3 f:3:1: value f is gone\nf:9:0: was here\nbefore: \"f\"",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGitHubCommands(t *testing.T) {
	t.Parallel()
	r := nasty()
	commands := parseCommands(t, r)
	if want := "GitHub shows 10 annotations of each level: of 17 errors, 1 warning, 1 info, 7 are only in the log of this step"; commands[0].message != want {
		t.Errorf("got %q", commands[0].message)
	}
	for i, f := range active(r) {
		got := commands[i+1]
		if message := strings.Join(toldAt(r, group{f}, f.Pos), "\n"); got.message != message {
			t.Errorf("got %q, want %q", got.message, message)
		}
		if got.properties["file"] != text.Harmless(f.Pos.File) || got.properties["line"] != fmt.Sprint(f.Pos.Line) || got.properties["title"] != f.Rule.ID {
			t.Errorf("got %v", got.properties)
		}
	}
}

func TestGitHubPlaces(t *testing.T) {
	t.Parallel()
	at := func(line, column, endLine, endColumn int) string {
		return githubProperties(oddRule.ID, lint.Position{File: "f", Line: line, Column: column, EndLine: endLine, EndColumn: endColumn})
	}
	for got, want := range map[string]string{
		at(3, 5, 3, 9): "file=f,line=3,endLine=3,col=5,endColumn=8,title=uncatalogued",
		at(3, 5, 3, 5): "file=f,line=3,endLine=3,col=5,endColumn=5,title=uncatalogued",
		at(3, 5, 4, 1): "file=f,line=3,endLine=3,col=5,title=uncatalogued",
		at(3, 5, 4, 2): "file=f,line=3,endLine=4,title=uncatalogued",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestGitHubNote counts the note among the notices, of which it is one.
func TestGitHubNote(t *testing.T) {
	t.Parallel()
	of := func(errors, infos int) (all []*lint.Finding) {
		for range errors {
			all = append(all, &lint.Finding{Severity: lint.Error})
		}
		for range infos {
			all = append(all, &lint.Finding{Severity: lint.Info})
		}
		return all
	}
	got := []string{dropped(of(10, 10)), dropped(of(11, 9)), dropped(of(11, 10)), dropped(of(0, 12))}
	text := "GitHub shows 10 annotations of each level: of %s are only in the log of this step"
	want := []string{"", fmt.Sprintf(text, "11 errors, 9 infos, 1"), fmt.Sprintf(text, "11 errors, 10 infos, 2"), fmt.Sprintf(text, "12 infos, 3")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestGitHubOldSide tests places on the old side: an annotation cannot link to a file of a revision.
func TestGitHubOldSide(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Files: []string{"a.yaml", "b.yaml"}, Findings: []*lint.Finding{{
		Rule: typeRule, Severity: lint.Error, Message: "the pattern changed", Old: "^a$", Source: lint.Source{Pos: lint.Position{File: "a.yaml", Line: 1, Column: 1, EndLine: 1, EndColumn: 2}},
		Related: []lint.Related{
			{Pos: lint.Position{File: "9a7ac84aeb39:a.yaml", Line: 4, Column: 2}, Message: "was here"},
			{Pos: lint.Position{File: "b.yaml", Line: 7, Column: 1}, Message: "the other one"},
		},
	}}}
	if got, want := parseCommands(t, r)[0].message, "a.yaml:1:1: the pattern changed\nb.yaml:7:1: the other one\nbefore: \"^a$\""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Findings[0].Message = `the pattern was "^a$"`
	if got, want := parseCommands(t, r)[0].message, "a.yaml:1:1: the pattern was \"^a$\"\nb.yaml:7:1: the other one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
