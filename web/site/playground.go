package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/web/answer"
)

// playgroundScript is what npm bundles for the page, which loads the program.
const playgroundScript = playgroundPath + "main.js"

// addPlayground adds the page that crdlift runs in. It may run WebAssembly, a worker with code that the page has, and the
// underlines that the editor draws, but not reach another host.
func (s *site) addPlayground() error {
	p := &page{
		Path: playgroundPath, Kind: "playground", Title: "Playground", Style: "assets/playground.css", Script: playgroundScript,
		Description: "Lint, fix and convert CustomResourceDefinitions and validate custom resources in the browser. Nothing is sent anywhere.",
		Policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'",
	}
	s.entries = append(s.entries, entry{Kind: "page", Title: p.Title, Address: p.Path, Text: p.Description})
	return s.addPage(p)
}

// inPlayground is the address of the playground with manifests in it: in the fragment, which no browser sends, as JSON that
// is compressed with deflate and written in base64url.
func inPlayground(files ...answer.File) (string, error) {
	text, err := json.Marshal(map[string]any{"files": files})
	if err != nil {
		return "", err
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		return "", err
	}
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return playgroundPath + "#" + base64.RawURLEncoding.EncodeToString(small.Bytes()), nil
}

// crdsOf is the file of the CRDs beside fixtures of rules about custom resources.
const crdsOf = "crd.yaml"

// playground is where the example of a rule is tried. It is "" for rules that do not find it there: those beyond the
// recommended ones, and those that need more than the manifests.
func (s *site) playground(folder string, r *lint.Rule, example *exampleView) (string, error) {
	dir := path.Join("rules/testdata", folder, r.ID)
	source, err := s.fixture(dir, example)
	if err != nil || source == "" {
		return "", err
	}
	var files []answer.File
	crd, err := s.read(path.Join(dir, crdsOf))
	switch {
	case err == nil:
		files = []answer.File{{Name: crdsOf, Text: crd}, {Name: "objects.yaml", Text: source}}
	case errors.Is(err, fs.ErrNotExist):
		files = []answer.File{{Name: crdsOf, Text: source}}
	default:
		return "", err
	}
	if !slices.ContainsFunc(answer.Findings(files), func(f *lint.Finding) bool { return f.Rule.ID == r.ID }) {
		return "", nil
	}
	return inPlayground(files...)
}

// expectation is a comment of a fixture that says what its test expects, with the line where it stands alone.
var expectation = regexp.MustCompile(`(?m)^ *# want.*\n| *# want.*$`)

// settings are comments of fixtures that say how they are judged.
var settings = regexp.MustCompile(`(?m)^# (kubernetes-version|operation|found):`)

// fixture is the manifest that an example was made from, as it is on the page. It is "" where the example depends on more.
func (s *site) fixture(dir string, example *exampleView) (string, error) {
	text, err := s.read(path.Join(dir, "want.yaml"))
	if errors.Is(err, fs.ErrNotExist) || settings.MatchString(text) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	source := expectation.ReplaceAllString(text, "")
	if strings.Count(source, "\n") < example.Line {
		return "", fmt.Errorf("%s has no line %d", dir, example.Line)
	}
	return source, nil
}
