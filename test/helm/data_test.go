package helm

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// handwritten are the templates of testdata/charts, each also with Windows' line ends and with a byte order mark.
func handwritten(t testing.TB) (all []*template) {
	t.Helper()
	var r reader
	for _, file := range corpus.Below(t, filepath.Join("testdata", "charts")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !isTemplate(file) || !kindLine.Match(text) {
			continue
		}
		for _, variant := range [][]byte{text, windows(text), append([]byte(lines.BOM), text...)} {
			src, err := r.template(file, variant)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if bytes.Contains(variant, []byte("\r\n")) {
				src.chart = windowsChart(src.chart)
			}
			all = append(all, src)
		}
	}
	if len(all) == 0 {
		t.Fatal("there are no templates")
	}
	return all
}

// windows gives a text Windows' line ends.
func windows(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }

// windowsChart is a chart whose templates all have Windows' line ends.
func windowsChart(from *chart.Chart) *chart.Chart {
	c := *from
	c.Templates = nil
	for _, f := range from.Templates {
		c.Templates = append(c.Templates, &chart.File{Name: f.Name, Data: windows(f.Data)})
	}
	return &c
}

// public calls a function for the templates with CRDs in the folder that CRDLIFT_CHARTS names, a sample of those that
// differ.
func public(t testing.TB, do func(*template)) {
	t.Helper()
	dir := os.Getenv("CRDLIFT_CHARTS")
	if dir == "" {
		t.Skip("CRDLIFT_CHARTS names no folder of charts")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	var files []string
	seen := map[[sha256.Size]byte]bool{}
	for _, file := range corpus.Below(t, dir) {
		if !isTemplate(file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text); !seen[sum] && kindLine.Match(text) && strings.Contains(string(text), "{{") {
			seen[sum] = true
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no templates with CRDs in %s: are there charts in it?", dir)
	}
	var r reader
	for _, file := range corpus.Sample(t, files, 20) {
		src, err := r.template(file, nil)
		if err != nil {
			if !errors.Is(err, errNoTemplate) {
				t.Logf("%s: %v", file, err)
			}
			continue
		}
		do(src)
	}
}

// isTemplate reports whether Helm may render a file.
func isTemplate(file string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(file)), "/"), "templates") &&
		slices.Contains([]string{".yaml", ".yml", ".tpl"}, filepath.Ext(file))
}
