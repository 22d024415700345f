package suite_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

// TestOpenShiftVolume runs the suites of openshift/api at 2a3d739, which CRDLIFT_OPENSHIFT names, each by one CRD. All of them pass
// there.
func TestOpenShiftVolume(t *testing.T) {
	root := os.Getenv("CRDLIFT_OPENSHIFT")
	if root == "" {
		t.Skip("CRDLIFT_OPENSHIFT does not name openshift/api")
	}
	variants, crds := &suite.Variants{One: true}, memory.Memory[string, *objects.Definition]{Limit: 10}
	r := &suite.Runner{Find: func(s *suite.Suite, _, _ string) (*objects.Definition, string) {
		path := filepath.Join(filepath.Dir(s.Document.File.Path), s.CRD)
		return crds.Of(path, func() *objects.Definition {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			return objects.Definitions(path, path, src, true)[0]
		}), ""
	}}
	var suites, cases, texts, stored, warned, beside int
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".yaml" || filepath.Base(filepath.Dir(filepath.Dir(path))) != "tests" || strings.HasPrefix(path, filepath.Join(root, "vendor")) {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := suite.ReadOpenShift(manifest.Parse(path, src).Documents[0])
		if s == nil {
			t.Errorf("%s is no suite", path)
			return nil
		}
		suites++
		for _, p := range s.Wrong {
			switch {
			case p.Warning:
				warned++
			case strings.Contains(p.Message, "its 6 cases never run"):
				beside++
			default:
				t.Errorf("%s: %s", path, p.Message)
			}
		}
		all, why := variants.Of(s)
		if len(all) != 1 {
			t.Errorf("%s: %d CRDs: %s", path, len(all), why)
			return nil
		}
		for _, result := range r.Run(all[0], nil) {
			cases++
			for _, f := range result.Failures {
				t.Errorf("%s: %s: %s %s %s", path, result.Case.Name, f.Kind, f.Path, f.Text)
			}
			if result.Case.Want.WholeText != "" {
				texts++
			} else {
				stored += len(result.Looks)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d suites, %d cases, %d texts, %d objects stored; %d featureGate, %d suites with cases beside tests", suites, cases, texts, stored, warned, beside)
	if suites != 241 || cases != 2341 || texts != 1287 || stored != 1054 || warned != 6 || beside != 1 {
		t.Errorf("this is not what is there")
	}
}
