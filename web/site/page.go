package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"github.com/crdlift/crdlift/web"
)

// A page is what templates/layout.html shows. Each kind has a template for its content.
type page struct {
	Path        string // its address below the site's: "rules/scope-invalid/"; "" for the front page
	Kind        string // the template
	Title       string
	Description string // a sentence for those who decide whether to come, plain
	Content     any    // for the template
	Script      string // its address, besides that of all pages
	Style       string // its address, besides those of all pages
	Policy      string // what the browser may load and run; "" for that of most pages

	files    map[string][]byte // of the site, as far as it is made
	versions *versions
}

// usual is the policy of pages with text and a search.
const usual = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"

// To is a link to an address below the site's.
func (p *page) To(address string) string { return relative(p.Path, address) }

// Loaded is the address of something that the page loads. It has a hash of the content, so that no cache gives an older one to a
// newer page. Bundles of npm are made later: build.sh adds their hashes.
func (p *page) Loaded(address string) string {
	content, made := p.files[address]
	if !made {
		return p.To(address)
	}
	return fmt.Sprintf("%s?%.6x", p.To(address), sha256.Sum256(content))
}

// Canonical is the whole address; "" for the page that stands for addresses that there are not.
func (p *page) Canonical() string {
	if p.Path == notFound {
		return ""
	}
	return absolute(p.Path)
}

// In reports whether the page is in a part of the site.
func (p *page) In(part string) bool { return strings.HasPrefix(p.Path, part) }

// templates are the layout with each kind of content.
type templates map[string]*template.Template

func (s *site) readTemplates() error {
	s.templates = templates{}
	names, err := fs.Glob(web.Files, "templates/*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		kind := strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".html")
		if kind == "layout" {
			continue
		}
		t, err := template.ParseFS(web.Files, "templates/layout.html", name)
		if err != nil {
			return err
		}
		s.templates[kind] = t
	}
	return nil
}

// addPage adds a page to the site.
func (s *site) addPage(p *page) error {
	t := s.templates[p.Kind]
	if t == nil {
		return fmt.Errorf("%s: there is no template %q", p.Path, p.Kind)
	}
	p.Policy = cmp.Or(p.Policy, usual)
	p.files, p.versions = s.files, s.versions
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", p); err != nil {
		return fmt.Errorf("%s: %w", p.Path, err)
	}
	if p.Path != notFound {
		s.listed = append(s.listed, p.Path)
	}
	return s.put(p.Path, out.Bytes())
}

// put adds what is at an address, which nothing else may be at.
func (s *site) put(address string, content []byte) error {
	name := fileOf(address)
	if s.files[name] != nil {
		return fmt.Errorf("two pages have the address %s", address)
	}
	s.files[name] = content
	return nil
}

// addRedirect has an address lead to another one, also without scripts.
func (s *site) addRedirect(from, to, title string) error {
	var out bytes.Buffer
	way := struct{ Title, To, Target string }{title, relative(from, to), absolute(to)}
	if err := s.templates["redirect"].ExecuteTemplate(&out, "redirect", way); err != nil {
		return err
	}
	return s.put(from, out.Bytes())
}
