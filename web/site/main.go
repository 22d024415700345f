// Command site makes the site of crdlift: a page for each rule, the documentation, and what leads to the playground.
//
//	go run ./site ROOT OUT [VERSION]
//
// ROOT is the repository, OUT the folder to write to, VERSION the release that the site is of, such as v1.2: it is published in
// a folder of that name below the site of main. What is in OUT from an earlier run goes, except for what other
// programs build there: the script and the program of the playground, and the bundle that searches.
//
// Read main.go first: it lists what the site has. links.go knows where a file of the repository is on the site, markdown.go
// makes pages of Markdown, page.go puts them into templates; the other files are about one kind of page each.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/web"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: site ROOT OUT VERSION [TAG...], where VERSION is empty for main, and the newest tag comes first")
		os.Exit(2)
	}
	s, err := build(os.DirFS(os.Args[1]), versionsOf(os.Args[4:], os.Args[3]))
	if err == nil {
		err = s.write(os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// builtElsewhere are how the paths of files begin that other programs build.
var builtElsewhere = []string{playgroundScript, playgroundPath + "crdlift-", searchScript}

// write writes the files of the site below a folder, and removes what is not the site's there.
func (s *site) write(out string) error {
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if s.files[name] != nil || slices.ContainsFunc(builtElsewhere, func(own string) bool { return strings.HasPrefix(name, own) }) {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for name, content := range s.files {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A site is what is published, by paths: "rules/scope-invalid/index.html".
type site struct {
	root  fs.FS // the repository
	files map[string][]byte

	versions  *versions // nil before the first release
	shelves   []*shelf
	templates templates
	entries   []entry  // what can be searched for
	listed    []string // addresses for search engines, below the site's
}

// build makes the site of a repository. Equal repositories give equal bytes.
func build(root fs.FS, versions *versions) (*site, error) {
	s := &site{root: root, versions: versions, files: map[string][]byte{}}
	for _, step := range []func() error{
		s.readTemplates, s.addAssets, s.addVersions, s.addRules, s.addDocs, s.addFront, s.addPlayground, s.addSearch, s.addNotFound, s.addMap,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addAssets adds style sheets, scripts that need no bundler, images of the documentation and the JSON Schemas.
func (s *site) addAssets() error {
	assets, err := fs.ReadDir(web.Files, "assets")
	if err != nil {
		return err
	}
	for _, a := range assets {
		if a.Name() == searchSource {
			continue // npm bundles it
		}
		if s.files["assets/"+a.Name()], err = web.Files.ReadFile("assets/" + a.Name()); err != nil {
			return err
		}
	}
	return fs.WalkDir(s.root, "docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isPublished(name) {
			return err
		}
		s.files[publishedAs(name)], err = fs.ReadFile(s.root, name)
		return err
	})
}

// addNotFound adds what visitors see of addresses that there are not.
func (s *site) addNotFound() error {
	return s.addPage(&page{Path: notFound, Title: "Page not found", Kind: "404", Description: "There is no such page."})
}

// addMap adds what search engines read.
func (s *site) addMap() error {
	slices.Sort(s.listed)
	var out strings.Builder
	out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, p := range s.listed {
		fmt.Fprintf(&out, "<url><loc>%s</loc></url>\n", absolute(p))
	}
	out.WriteString("</urlset>\n")
	s.files["sitemap.xml"] = []byte(out.String())
	s.files["robots.txt"] = []byte("User-agent: *\nAllow: /\nSitemap: " + absolute("sitemap.xml") + "\n")
	return nil
}

// read reads a file of the repository; line ends are those of Unix.
func (s *site) read(name string) (string, error) {
	text, err := fs.ReadFile(s.root, name)
	return strings.ReplaceAll(string(text), "\r\n", "\n"), err
}

// names are the paths of all files, sorted.
func (s *site) names() []string { return slices.Sorted(maps.Keys(s.files)) }

// fileOf is the file that a server sends for an address below the site's: that of a folder is the index in it.
func fileOf(address string) string {
	if address == "" || strings.HasSuffix(address, "/") || path.Ext(address) == "" {
		return path.Join(address, "index.html")
	}
	return address
}

const (
	searchSource = "search.js"        // in assets, from which npm bundles
	searchScript = "assets/search.js" // of the site
	searchIndex  = "assets/search.json"
)

// An entry is what a search can find: a rule, or a section of the documentation.
type entry struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Address string `json:"address"` // below the site's
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Was     string `json:"was,omitempty"`  // earlier ids of a rule
	Also    string `json:"also,omitempty"` // what people type for words of it, and is not shown
}

// properNames are words that belong together, which people also write as one: Argo CD, VS Code.
var properNames = regexp.MustCompile(`\b([A-Z]\w+) ([A-Z]\w+)\b`)

// addSearch adds the page that searches and what it searches.
func (s *site) addSearch() error {
	for i := range s.entries {
		e := &s.entries[i]
		e.ID = i
		e.Text = strings.Join(strings.Fields(e.Text), " ")
		joined := map[string]bool{}
		for _, m := range properNames.FindAllStringSubmatch(e.Title+" "+e.Text, -1) {
			joined[strings.ToLower(m[1]+m[2])] = true
		}
		e.Also = strings.TrimSpace(e.Also + " " + strings.Join(slices.Sorted(maps.Keys(joined)), " "))
	}
	index, err := json.Marshal(s.entries)
	if err != nil {
		return err
	}
	s.files[searchIndex] = index
	return s.addPage(&page{Path: "search/", Kind: "search", Title: "Search", Description: "Search the rules and the documentation of crdlift.", Script: searchScript})
}
