// Package page writes what an overview says as a page of HTML: a file of its own, which loads nothing and works from a disk.
// It escapes all that comes from manifests and reports, and bounds how much of it is shown; it says what was left out.
//
// Read page.go first, and page.html beside it: the page from top to bottom, which asks an overview for most of what it shows. frame.html
// is around each page.
// view.go has what it shows otherwise, crds.go, changes.go and plans.go what there is to know of CRDs, changes and releases.
// coverage.go is another page, in the same dress: what tests do not test of CRDs.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The parts of the page that are the same for all.
var (
	//go:embed frame.html
	frame string
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// functions are what the template asks that is no matter of one value.
func functions(style string) template.FuncMap {
	return template.FuncMap{
		"page": pageOf, "at": placeOf, "isWeb": isWeb, "states": statesOf, "differs": differs, "title": coverage.Title, "alive": coverage.Alive,
		"style":  func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"policy": func() string { // of what may run and load
			return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
		},
		"error":   func() lint.Severity { return lint.Error },
		"warning": func() lint.Severity { return lint.Warning },
	}
}

// Write writes the page of an overview. The same overview makes the same bytes. Its errors are those of the writer.
func Write(w io.Writer, o *overview.Overview) error { return write(w, layout, style, newView(o)) }

func write(w io.Writer, layout, style string, shown any) error {
	// Templates are read here and not when the package is: they keep much of what a program is linked from.
	t, err := template.New("page").Funcs(functions(style)).Parse(frame + layout)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, shown); err != nil {
		return err
	}
	_, err = io.WriteString(w, text.HarmlessLines(page.String()))
	return err
}

// hash is that of a text as a policy has it.
func hash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageOf is the address of a rule's page; "" for a rule that this crdlift does not know.
func pageOf(id string) string {
	if rules.ByID(id) == nil && lint.Rules(rules.Notes()).ByID(id) == nil {
		return ""
	}
	return report.RulePage(id)
}
