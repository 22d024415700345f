// Package page writes what an overview says as a page of HTML: a file of its own, which loads nothing and works from a disk.
// It escapes all that comes from manifests and reports, and bounds how much of it is shown; it says what was left out.
//
// Read page.go first, and page.html beside it: the page from top to bottom. view.go has what the page shows of one repository,
// crds.go, findings.go, changes.go and plans.go the parts about CRDs, findings, changes and releases, several.go what it shows of many repositories.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/text"
)

// The parts of the page that are the same for all.
var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Write writes the page of an overview. The same overview makes the same bytes. Its errors are those of the writer.
func Write(w io.Writer, o *overview.Overview) error {
	// Templates are read here and not when the package is: they keep much of what a program is linked from.
	t, err := template.New("page").Parse(layout)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, newView(o)); err != nil {
		return err
	}
	_, err = io.WriteString(w, text.HarmlessLines(page.String()))
	return err
}

// A frame is what a page has whatever it shows.
type frame struct {
	Style  template.CSS
	Script template.JS
	Policy string // of what may run and load
}

func newFrame() frame {
	return frame{
		Style:  template.CSS(style),
		Script: template.JS(script),
		Policy: "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'",
	}
}

// hash is that of a text as a policy has it.
func hash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
