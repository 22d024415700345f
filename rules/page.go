package rules

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// catalogue documents all rules, each with an example made from its fixtures. `go test ./rules -run Catalogue -update`
// makes it from the rules, their pages and their fixtures.
//
//go:embed README.md
var catalogue string

// pages are the pages of rules, by topic and rule.
//
//go:embed testdata/*/*/page.md
var pages embed.FS

// Page returns the part of the catalogue about one rule or kind of note, in Markdown; "" when there is no such rule.
func Page(id string) string {
	_, page, found := strings.Cut(catalogue, "\n### "+id+"\n")
	if !found {
		return ""
	}
	page, _, _ = strings.Cut(page, "\n### ")
	page, _, _ = strings.Cut(page, "\n## ")
	return "# " + id + "\n" + strings.TrimRight(page, "\n") + "\n"
}

// Doc returns the documentation of a rule or kind of note without its example, in Markdown: why it matters, what to do,
// when to ignore it, the source, the markers in Go types. It is "" for a rule without a page.
func Doc(id string) string { return written(id) + inGoTypes(id) }

// goHeading begins the part of a page in the catalogue that names markers. It is made from the fixtures of the rule.
const goHeading = "\n**In Go types**"

// inGoTypes is that part, with the line before it; "" for a rule without markers.
func inGoTypes(id string) string {
	_, part, found := strings.Cut(Page(id), "\n"+goHeading)
	if !found {
		return ""
	}
	part, _, _ = strings.Cut(part, "\n\n")
	return "\n" + goHeading + strings.TrimRight(part, "\n")
}

// written is what the author of a rule or kind of note wrote about it; "" for a rule without a page.
func written(id string) string {
	topics, err := pages.ReadDir("testdata")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, topic := range topics {
		text, err := pages.ReadFile(path.Join("testdata", topic.Name(), id, "page.md"))
		if err != nil {
			continue
		}
		p, err := parsePage(string(text))
		switch {
		case err != nil:
			panic(err) // TestPages parses every page
		case topic.Name() == notesTopic:
			return p.joined()
		}
		return p.markdown()
	}
	return ""
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

// markdown is the page of a rule for its readers.
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
