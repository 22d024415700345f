// Package helm holds what crdlift makes of Helm templates against Helm's own engine: the findings of a template are those of
// what it renders to, and to change a template and render it gives what rendering and then changing it gives.
package helm

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"

	"github.com/crdlift/crdlift/internal/lines"
)

// A template is a file of a chart that has CRDs in it.
type template struct {
	path  string // of the file
	text  string // with what Helm 3 has of Helm 2
	name  string // in its chart: "templates/crds/widgets.yaml"
	chart *chart.Chart
	trees map[string]*parse.Tree // its own, by path, and those that it defines
}

// kindLine finds the CRDs of a text, also those that are items of a list.
var kindLine = regexp.MustCompile(`(?m)^[ -]*kind: *["']?CustomResourceDefinition\b`)

// A reader reads templates. It keeps the chart that it read last, since templates come chart by chart.
type reader struct {
	dir   string
	chart *chart.Chart
	err   error
}

// errNoTemplate is what is wrong with files that have braces for something else.
var errNoTemplate = errors.New("not a Go template")

// template reads a template. A text that is not nil is read in place of the file's.
func (r *reader) template(file string, text []byte) (*template, error) {
	if text == nil {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	t := &template{path: file, text: helm3(string(text))}
	var err error
	if t.trees, err = parsed(file, t.text); err != nil {
		return nil, errors.Join(errNoTemplate, err)
	}
	dir := chartOf(file)
	if dir == "" {
		return nil, errors.New("no Chart.yaml above it")
	}
	if dir != r.dir {
		r.dir = dir
		r.chart, r.err = loader.LoadDir(dir)
	}
	if r.err != nil {
		return nil, r.err
	}
	t.chart = r.chart
	name, err := filepath.Rel(dir, file)
	t.name = filepath.ToSlash(name)
	return t, err
}

// chartOf returns the folder of the chart that a template belongs to, "" for none.
func chartOf(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "Chart.yaml")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// helm3 replaces what Helm 3 has not kept of Helm 2.
func helm3(text string) string {
	return strings.NewReplacer(
		".Capabilities.TillerVersion.SemVer", ".Capabilities.HelmVersion.Version",
		".Capabilities.TillerVersion", ".Capabilities.HelmVersion",
	).Replace(text)
}

// parsed is what text/template makes of a template, whatever functions it calls.
func parsed(name, text string) (map[string]*parse.Tree, error) {
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	_, err := tree.Parse(text, "", "", trees)
	return trees, err
}

// defined returns the names of the templates that the file defines CRDs in.
func (t *template) defined() (names []string) {
	for name, tree := range t.trees {
		if name != t.path && tree.Root != nil && kindLine.MatchString(tree.Root.String()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// includesThem includes the templates that a file defines CRDs in, as another file of the chart would.
const includesThem = "templates/includes-the-crds.yaml"

// around is the chart with nothing else to render than the file, which has another text.
func (t *template) around(text, stubs string) *chart.Chart {
	c := helpers(t.chart, func(f *chart.File) bool { return f.Name == t.name })
	for _, f := range t.chart.Templates {
		if f.Name != t.name && strings.Contains(t.text, "/"+path.Base(f.Name)) {
			c.Templates = append(c.Templates, f) // it may be included by its path
		}
	}
	var includes strings.Builder
	end := "\n"
	if strings.Contains(t.text, "\r\n") {
		end = "\r\n"
	}
	for _, name := range t.defined() {
		includes.WriteString("---" + end + "{{ include \"" + name + "\" . }}" + end)
	}
	add := func(name, text string) {
		c.Templates = append(c.Templates, &chart.File{Name: name, Data: []byte(strings.TrimPrefix(text, lines.BOM))})
	}
	add(t.name, text) // without its BOM, which Helm's loader drops
	add(includesThem, includes.String())
	add("templates/_stubs.tpl", helm3(stubs))
	return c
}

// helpers is a copy of a chart that has only those templates which define some for others, but for one, and renders
// nothing.
func helpers(from *chart.Chart, leaveOut func(*chart.File) bool) *chart.Chart {
	metadata := *from.Metadata
	metadata.Type = "application"
	c := &chart.Chart{Metadata: &metadata, Values: from.Values, Files: from.Files}
	for _, f := range from.Templates {
		text := helm3(string(f.Data))
		if leaveOut(f) || !strings.Contains(text, "define") {
			continue
		}
		if _, err := parsed(f.Name, text); err != nil {
			continue
		}
		name := path.Dir(f.Name) + "/_" + path.Base(f.Name)
		c.Templates = append(c.Templates, &chart.File{Name: name, Data: []byte(text)})
	}
	for _, d := range from.Dependencies() {
		c.AddDependency(helpers(d, func(*chart.File) bool { return false }))
	}
	return c
}
