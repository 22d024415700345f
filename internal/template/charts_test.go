package template_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
)

// Charts is the variable that names a folder with charts to test with.
const charts = "CRDLIFT_CHARTS"

var crdLine = regexp.MustCompile(`(?m)^ *kind: *"?CustomResourceDefinition`)

// TestRealCharts masks the templates of real charts: all that Go's parser accepts parse as YAML in each world, and come back.
func TestRealCharts(t *testing.T) {
	root := os.Getenv(charts)
	if root == "" {
		t.Skip(charts + " names no folder with charts")
	}
	seen := map[string]bool{}
	files, masked, parsed, noTemplate := 0, 0, 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || seen[string(src)] || !crdLine.Match(src) || template.Recognise(path, src) != template.Helm {
			return err
		}
		seen[string(src)] = true
		files++
		tmpl, err := template.Parse(src)
		if err != nil {
			noTemplate++
			return nil
		}
		ok := true
		worlds, _, _ := tmpl.Worlds()
		for _, w := range worlds {
			m, err := tmpl.Mask(w)
			if err != nil {
				t.Logf("%s: %v", path, err)
				ok = false
				break
			}
			if back, err := m.Restore(m.Text); err != nil || string(back) != string(src) {
				t.Errorf("%s: restored as something else: %v", path, err)
			}
			for _, d := range manifest.Parse(path, m.Text).Documents {
				if d.Err != nil {
					t.Logf("%v in world %v", d.Err, w)
					ok = false
				}
			}
		}
		masked++
		if ok {
			parsed++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d templates, %d of them no Go templates, %d of %d parse when masked", files, noTemplate, parsed, masked)
	if parsed*1000 < masked*998 {
		t.Error("less than 99.8% parse")
	}
}
