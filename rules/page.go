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
// when to ignore it, the source. It is "" for a rule without a page.
func Doc(id string) string {
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
	why      string // it matters
	do       string // what to do
	reported string // when the rule reports a finding, if that depends on more than the manifest; "" for most rules
	ignore   string // when to ignore it; "" where the API server rejects the manifest
	source   string // of the behaviour or the convention
}

// neverIgnored is when to ignore a finding that makes the API server reject the manifest.
const neverIgnored = "never; the manifest cannot be applied."

// A pagePart stands after its heading.
type pagePart struct {
	heading  string
	optional bool
	of       func(*page) *string
}

// pageParts are what follows after the opening of a page, in order.
var pageParts = []pagePart{
	{"What to do", false, func(p *page) *string { return &p.do }},
	{"When it is reported", true, func(p *page) *string { return &p.reported }},
	{"When to ignore it", true, func(p *page) *string { return &p.ignore }},
	{"Source", false, func(p *page) *string { return &p.source }},
}

// parsePage reads a page. It has every part that is not optional, and no other.
func parsePage(text string) (page, error) {
	var p page
	body, left := &p.why, pageParts
	for i, block := range strings.Split(text, "\n\n**") {
		if i > 0 {
			heading, below, _ := strings.Cut(block, "**: ")
			n := slices.IndexFunc(left, func(one pagePart) bool { return one.heading == heading })
			if n < 0 {
				return p, fmt.Errorf("%q is not the heading of a part, or out of order", heading)
			}
			body, left, block = left[n].of(&p), left[n+1:], below
		}
		if *body = strings.TrimSpace(block); *body == "" {
			return p, errors.New("a part is empty")
		}
	}
	for _, one := range pageParts {
		if !one.optional && *one.of(&p) == "" {
			return p, fmt.Errorf("there is no %q", one.heading)
		}
	}
	return p, nil
}

// markdown is the page of a rule for its readers.
func (p page) markdown() string {
	p.ignore = cmp.Or(p.ignore, neverIgnored)
	return p.joined()
}

// joined is the page with a heading for each part that it has.
func (p page) joined() string {
	var out strings.Builder
	out.WriteString(p.why)
	for _, one := range pageParts {
		if text := *one.of(&p); text != "" {
			fmt.Fprintf(&out, "\n\n**%s**: %s", one.heading, text)
		}
	}
	return out.String()
}
