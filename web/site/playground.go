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

	"github.com/crdlift/crdlift/internal/testing/wants"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A manifest is a file that the playground shows.
type manifest struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// inPlayground is the address of the playground with manifests in it: in the fragment, which no browser sends, as JSON that
// is compressed with deflate and written in base64url.
func inPlayground(files ...manifest) (string, error) {
	text, err := json.Marshal(map[string]any{"files": files})
	if err != nil {
		return "", err
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return playgroundPath + "#" + base64.RawURLEncoding.EncodeToString(small.Bytes()), nil
}

// crdsOf is the file of the CRDs beside fixtures of rules about custom resources.
const crdsOf = "crd.yaml"

// playground is where the example of a rule is tried. It is "" for rules that do not find it there: those beyond the
// recommended ones, and those that need more than the manifests.
func (s *site) playground(folder string, r *lint.Rule, example *shown) (string, error) {
	dir := path.Join("rules/testdata", folder, r.ID)
	source, err := s.fixture(dir, example)
	if err != nil || source == "" {
		return "", err
	}
	var files []manifest
	crd, err := s.read(path.Join(dir, crdsOf))
	switch {
	case err == nil:
		files = []manifest{{crdsOf, crd}, {"objects.yaml", source}}
	case errors.Is(err, fs.ErrNotExist):
		files = []manifest{{crdsOf, source}}
	default:
		return "", err
	}
	if !finds(files, r) {
		return "", nil
	}
	return inPlayground(files...)
}

// finds reports whether a rule finds something in manifests by themselves, as the playground judges them.
func finds(files []manifest, r *lint.Rule) bool {
	linter := &rules.Linter{}
	if r.Object {
		linter.Objects = &rules.Objects{}
	}
	var reports []*rules.FileReport
	for _, f := range files {
		read := func() ([]byte, error) { return []byte(f.Text), nil }
		if crds, err := rules.ReadCRDs(lint.File{Path: f.Name, Label: f.Name, Read: read}, true); err == nil && r.Object {
			linter.Objects.Add(crds)
		}
	}
	for _, f := range files {
		reports = append(reports, linter.File(f.Name, []byte(f.Text)))
	}
	return slices.ContainsFunc(linter.Report(reports...).Findings, func(f *lint.Finding) bool { return f.Rule.ID == r.ID })
}

// settings are comments of fixtures that say how they are judged.
var settings = regexp.MustCompile(`(?m)^# (kubernetes-version|operation|found):`)

// fixture is the manifest that an example was made from, as it is on the page. It is "" where the example depends on more.
func (s *site) fixture(dir string, example *shown) (string, error) {
	text, err := s.read(path.Join(dir, "want.yaml"))
	if errors.Is(err, fs.ErrNotExist) || settings.MatchString(text) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	source := string(wants.Without([]byte(text)))
	if strings.Count(source, "\n") < example.Line {
		return "", fmt.Errorf("%s has no line %d", dir, example.Line)
	}
	return source, nil
}
