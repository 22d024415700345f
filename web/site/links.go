package main

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/crdlift/crdlift/internal/report"
)

const (
	repository     = "https://github.com/crdlift/crdlift"
	playgroundPath = "playground/"
	notFound       = "404.html"
)

// absolute is the whole address of a path below the site's.
func absolute(address string) string { return report.Homepage + "/" + address }

// relative leads from one address below the site's to another, so that the site works wherever it is served from. Only the
// page for addresses that there are not stands for any of them, and has to say where the site is.
func relative(from, to string) string {
	if from == notFound {
		site, err := url.Parse(report.Homepage)
		if err != nil {
			panic(err) // it is a constant
		}
		return site.Path + "/" + to
	}
	if up := strings.Repeat("../", strings.Count(from, "/")); up+to != "" {
		return up + to
	}
	return "./"
}

// pagesOf are addresses of pages that are made from files outside of docs.
var pagesOf = map[string]string{
	"README.md":             "docs/readme/",
	"CHANGELOG.md":          "docs/changelog/",
	"CONTRIBUTING.md":       "docs/contributing/",
	"SECURITY.md":           "docs/security/",
	"examples/README.md":    "docs/examples/",
	"webhooktest/README.md": "docs/webhooktest/",
	"crdtest/README.md":     "docs/crdtest/",
	"crdfake/README.md":     "docs/crdfake/",
	"rules/README.md":       "rules/",
}

// addressOf is the address of the page that is made from a Markdown file of the repository; "" where none is. Which shelf a page of
// the documentation stands on is not part of it.
func addressOf(file string) string {
	if ok, _ := path.Match("docs/*/*.md", file); ok {
		return "docs/" + strings.TrimSuffix(path.Base(file), ".md") + "/"
	}
	return pagesOf[file]
}

// isPublished reports whether a file below docs is published as it is.
func isPublished(file string) bool {
	switch path.Ext(file) {
	case ".svg", ".png", ".json":
		return true
	}
	return false
}

// publishedAs is the address of such a file. Schemas have one that is made to last.
func publishedAs(file string) string {
	if strings.HasPrefix(file, "docs/schema/") {
		return strings.TrimPrefix(file, "docs/")
	}
	return file
}

// isElsewhere reports whether a link leads to another host.
func isElsewhere(link string) bool {
	return strings.Contains(link, "://") && !strings.HasPrefix(link, report.Homepage)
}

// resolve is where a link of a Markdown file leads on the site, seen from an address of it: to another page, to a file
// that is published, or to the file on GitHub.
func (s *site) resolve(file, from, link string) string {
	target, fragment, hasFragment := strings.Cut(link, "#")
	if hasFragment {
		fragment = "#" + fragment
	}
	if own, ok := strings.CutPrefix(target+"/", report.Homepage+"/"); ok {
		own = strings.TrimRight(own, "/")
		if own != "" && path.Ext(own) == "" {
			own += "/"
		}
		return relative(from, own) + fragment
	}
	if target == "" || strings.Contains(target, ":") {
		return link
	}
	repo := path.Join(path.Dir(file), target)
	if address := addressOf(repo); address != "" {
		return relative(from, address) + fragment
	}
	if strings.HasPrefix(repo, "docs/") && isPublished(repo) {
		return relative(from, publishedAs(repo)) + fragment
	}
	view := "blob"
	if info, err := fs.Stat(s.root, repo); err == nil && info.IsDir() {
		view = "tree"
	}
	return s.onGitHub(view, repo) + fragment
}
