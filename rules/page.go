package rules

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// pages are what there is about rules and kinds of notes, by topic and id: page.md is by their authors, example.md made from
// the fixtures of the rule by `go test ./rules -run Catalogue -update`.
//
//go:embed testdata/*/*/page.md testdata/*/*/example.md
var pages embed.FS

// Page returns the page of a rule or kind of note, in Markdown: what it reports, its severity, its documentation, an
// example. It is "" for an id that there is not; an earlier id of a rule has no page.
func Page(id string) string {
	topic := topicOf(id)
	if topic == "" {
		return ""
	}
	if i := slices.IndexFunc(conversion.Kinds, func(k conversion.Kind) bool { return k.ID == id }); i >= 0 {
		k := conversion.Kinds[i]
		return fmt.Sprintf("# %s\n\nReports %s.\n\nClass: %s.\n\n%s\n", id, k.Summary, k.Class, Doc(id))
	}
	r, e := ByID(id), exampleOf(topic, id)
	against := ""
	if r.NeedsOld {
		against = " Runs with `--against`."
	}
	return fmt.Sprintf("# %s\n\nReports %s.\n\nSeverity: %s. Preset: %s. Fix: %s.%s\n\n%s%s\n",
		id, r.Summary, r.Severity, r.Preset, e.fix, against, Doc(id), e.shown.markdown())
}

// Doc returns the documentation of a rule or kind of note without its example, in Markdown: why it matters, what to do,
// when to ignore it, the source, the markers in Go types. It is "" for a rule without a page.
func Doc(id string) string {
	topic := topicOf(id)
	if topic == "" {
		return ""
	}
	return written(topic, id) + exampleOf(topic, id).inGo
}

// topicOf is the topic that a rule or kind of note has its page in; "" for an id that there is not.
func topicOf(id string) string {
	for _, t := range topics {
		if slices.ContainsFunc(t.rules, func(r *engine.Rule) bool { return r.ID == id }) {
			return t.name
		}
	}
	if noteKinds.ByID(id) != nil {
		return notesTopic
	}
	return ""
}

// written is what the author of a rule or kind of note wrote about it; "" for a rule without a page.
func written(topic, id string) string {
	text, err := pages.ReadFile(path.Join("testdata", topic, id, "page.md"))
	if err != nil {
		return ""
	}
	p, err := parsePage(string(text))
	switch {
	case err != nil:
		panic(err) // TestPages parses every page
	case topic == notesTopic:
		return p.joined()
	}
	return p.markdown()
}

// A page is what the author of a rule wrote about it, in a file beside its fixtures. Its parts are Markdown.
type page struct {
	why   string            // it matters
	parts map[string]string // by their headings
}

// pageParts are the headings of what follows after the opening of a page, in order.
var pageParts = []string{"What to do", whenReported, whenToIgnore, "Source"}

// These parts are optional.
const (
	whenReported = "When it is reported" // where that depends on more than the manifest
	whenToIgnore = "When to ignore it"   // where the API server does not reject the manifest
)

// neverIgnored is when to ignore a finding that makes the API server reject the manifest.
const neverIgnored = "never; the manifest cannot be applied."

// parsePage reads a page. It has every part that is not optional, and no other.
func parsePage(text string) (page, error) {
	blocks := strings.Split(text, "\n\n**")
	p := page{strings.TrimSpace(blocks[0]), map[string]string{}}
	if p.why == "" {
		return p, errors.New("a part is empty")
	}
	left := pageParts
	for _, block := range blocks[1:] {
		heading, body, _ := strings.Cut(block, "**: ")
		n := slices.Index(left, heading)
		if n < 0 {
			return p, fmt.Errorf("%q is not the heading of a part, or out of order", heading)
		}
		left = left[n+1:]
		if p.parts[heading] = strings.TrimSpace(body); p.parts[heading] == "" {
			return p, errors.New("a part is empty")
		}
	}
	for _, heading := range pageParts {
		if p.parts[heading] == "" && heading != whenReported && heading != whenToIgnore {
			return p, fmt.Errorf("there is no %q", heading)
		}
	}
	return p, nil
}

func (p page) markdown() string {
	p.parts[whenToIgnore] = cmp.Or(p.parts[whenToIgnore], neverIgnored)
	return p.joined()
}

// joined is the page with a heading for each part that it has.
func (p page) joined() string {
	out := p.why
	for _, heading := range pageParts {
		if text := p.parts[heading]; text != "" {
			out += "\n\n**" + heading + "**: " + text
		}
	}
	return out
}

// notesTopic is the folder of the pages about notes of conversions.
const notesTopic = "conversion-notes"

// noteSeverities tell how much a note of a class matters to those who read findings.
var noteSeverities = map[policy.Class]lint.Severity{policy.Safe: lint.Info, policy.Changes: lint.Warning, policy.Report: lint.Error}

// noteKinds are the kinds of notes of conversions, for outputs that only know rules. They never run.
var noteKinds lint.Rules = crds.Mapped(conversion.Kinds, func(k conversion.Kind) *lint.Rule {
	return &lint.Rule{ID: k.ID, Summary: k.Summary, Severity: noteSeverities[k.Class]}
})

// Notes returns the kinds of notes that conversions make, which are not rules: nothing turns them off.
func Notes() []*lint.Rule { return slices.Clone(noteKinds) }

// NoteSeverity returns how much a note of a class matters to those who read findings.
func NoteSeverity(class policy.Class) lint.Severity { return noteSeverities[class] }

// An example is what the fixtures of a rule say of it.
type example struct {
	fix   string   // "safe", "unsafe", "in Go types" or "no"
	inGo  string   // the markers that fix its findings, in Markdown, with the blank line before it; "" where none does
	shown *Example // nil for rules that a manifest alone does not show
}

// An Example shows a finding of a rule.
type Example struct {
	Before  string // lines of the earlier manifest, with their numbers; "" for rules that do not compare
	Code    string // lines of a manifest, with their numbers; that of the finding is marked
	Line    int    // of the finding
	Message string
	Fixed   string // what the fix changes, as hunks of a unified diff; "" where none is shown
}

// ExampleOf is the example of a rule; nil for a rule without.
func ExampleOf(id string) *Example { return exampleOf(topicOf(id), id).shown }

// markdown is the part of a page that has the example, with the blank line before it.
func (e *Example) markdown() string {
	if e == nil {
		return ""
	}
	text := ""
	if e.Before != "" {
		text = beforeHeading + e.Before + "```"
	}
	text += fmt.Sprintf("\n\n**Example**\n\n```yaml\n%s```\n\n> line %d: %s", e.Code, e.Line, e.Message)
	if e.Fixed != "" {
		text += fmt.Sprintf("\n\nFixed:\n\n```diff\n%s```", e.Fixed)
	}
	return text
}

// beforeHeading begins the part that has the earlier manifest.
const beforeHeading = "\n\n**Before**\n\n```yaml\n"

// exampleParts are the parts of what markdown writes.
var exampleParts = text.Pattern("(?s)^\n\n\\*\\*Example\\*\\*\n\n```yaml\n(.*?)```\n\n> line ([0-9]+): ([^\n]*)(?:\n\nFixed:\n\n```diff\n(.*)```)?$")

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
	rest, before := rest[len(e.inGo):], ""
	if part, ok := strings.CutPrefix(rest, beforeHeading); ok {
		before, rest, _ = strings.Cut(part, "```")
	}
	if m := exampleParts().FindStringSubmatch(rest); m != nil {
		line, _ := strconv.Atoi(m[2]) // which are digits
		e.shown = &Example{before, m[1], line, m[3], m[4]}
	}
	return e
}
