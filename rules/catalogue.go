package rules

import (
	"embed"
	"path"
	"strings"
)

// catalogue is the page that documents all rules, with an example of each from testdata. It is made from the rules by
// `go test ./rules -run Catalogue -update`.
//
//go:embed README.md
var catalogue string

// pages are the documentation of rules, by topic and rule.
//
//go:embed testdata/*/*/page.md
var pages embed.FS

// Page is the part of the catalogue about one rule, in Markdown; "" when there is no such rule.
func Page(id string) string {
	_, page, found := strings.Cut(catalogue, "\n### "+id+"\n")
	if !found {
		return ""
	}
	if end := strings.Index(page, "\n### "); end >= 0 {
		page = page[:end]
	}
	if end := strings.Index(page, "\n## "); end >= 0 {
		page = page[:end]
	}
	return "# " + id + "\n" + strings.TrimRight(page, "\n") + "\n"
}

// Doc is the documentation of a rule, in Markdown: why it matters, what to do, when to ignore it, the source. It is "" when
// there is none.
func Doc(id string) string {
	topics, err := pages.ReadDir("testdata")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, topic := range topics {
		if text, err := pages.ReadFile(path.Join("testdata", topic.Name(), id, "page.md")); err == nil {
			return strings.TrimRight(string(text), "\n")
		}
	}
	return ""
}
