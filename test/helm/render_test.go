package helm

import (
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"

	"github.com/crdlift/crdlift/internal/manifest"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // Helm tells there of required values that are missing
	os.Exit(m.Run())
}

// missing finds the name of a template that none of the chart's files defines: a library may have it.
var missing = regexp.MustCompile(`no template "([^"]+)"|template "([^"]+)" not defined`)

// render renders the file with a text in place of its own, and returns what becomes of it and of the templates that it
// defines CRDs in, by the name of the file. Templates that the chart does not have are made up.
func (t *template) render(text string, s setting) (map[string]string, error) {
	var stubs strings.Builder
	stubbed := map[string]bool{}
	for {
		c := t.around(text, stubs.String())
		values, err := chartutil.ToRenderValuesWithSchemaValidation(c, s.values(t.chart.Values),
			chartutil.ReleaseOptions{Name: "release", Namespace: "default", Revision: 1, IsInstall: true}, s.capabilities(), true)
		if err != nil {
			return nil, err
		}
		all, err := engine.Engine{LintMode: true}.Render(c, values)
		if err == nil {
			own, defined := path.Join(c.Name(), t.name), path.Join(c.Name(), includesThem)
			return map[string]string{t.name: all[own], includesThem: all[defined]}, nil
		}
		found := missing.FindStringSubmatch(err.Error())
		if found == nil || len(stubbed) == 20 {
			return nil, err
		}
		name := found[1] + found[2]
		if stubbed[name] {
			return nil, err
		}
		stubbed[name] = true
		fmt.Fprintf(&stubs, "{{- define %q -}}%s{{- end -}}\n", name, stub(text, name))
	}
}

// stub is what a made-up template renders to: a label where its lines are indented, a word where it is part of a line, and
// otherwise nothing.
func stub(text, name string) string {
	quoted := regexp.QuoteMeta(name)
	used := regexp.MustCompile(`(?m)^(.*)\{\{-?\s*(?:include|template)\s+"` + quoted + `"([^}]*)\}\}`).FindStringSubmatch(text)
	switch {
	case used == nil || strings.Contains(used[2], "indent"):
		return `stub: "` + name + `"`
	case strings.TrimSpace(used[1]) != "":
		return "stub"
	}
	return ""
}

// A rendering is a file, rendered with a setting.
type rendering struct {
	setting setting
	texts   map[string]string
}

func (r rendering) hasCRDs() bool {
	for _, text := range r.texts {
		if kindLine.MatchString(text) {
			return true
		}
	}
	return false
}

// renderings renders the file with every setting and keeps those that differ. The errors are of Helm's; a text that is no
// YAML is one.
func (t *template) renderings(text string) (all []rendering, failed []error) {
	seen := map[string]bool{}
	for _, s := range t.settings() {
		texts, err := t.render(text, s)
		if err == nil {
			err = readable(texts)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		if key := fmt.Sprint(texts); !seen[key] {
			seen[key] = true
			all = append(all, rendering{s, texts})
		}
	}
	return all, failed
}

// readable returns the error of the first document that is no YAML.
func readable(texts map[string]string) error {
	for _, text := range texts {
		for _, d := range manifest.Parse("crd.yaml", []byte(text)).Documents {
			if d.Err != nil {
				return fmt.Errorf("no YAML: %w", d.Err)
			}
		}
	}
	return nil
}
