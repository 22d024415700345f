package gotypes

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRealRepositories is TestTitles over the repositories in the folder that CRDLIFT_GO_REPOSITORIES names, which
// controller-gen downloads dependencies for.
func TestRealRepositories(t *testing.T) {
	dir := os.Getenv("CRDLIFT_GO_REPOSITORIES")
	if dir == "" {
		t.Skip("CRDLIFT_GO_REPOSITORIES names no folder")
	}
	repositories, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, repository := range repositories {
		t.Run(filepath.Base(repository), func(t *testing.T) {
			titled := copied(t, repository)
			mark(t, titled)
			var all tally
			x := index(repository)
			seen := map[string]bool{}
			var spent time.Duration
			byModule := packages(t, titled)
			for _, module := range slices.Sorted(maps.Keys(byModule)) {
				versions, complaints := generate(t, filepath.Join(titled, module), byModule[module]...)
				if complaints != "" {
					t.Logf("%s: %d versions; controller-gen: %.300s", module, len(versions), complaints)
				}
				for _, v := range versions {
					if seen[v.id.String()] || v.id.Group == "" {
						continue
					}
					seen[v.id.String()] = true
					begun := time.Now()
					all.count(t, x, repository, v)
					spent += time.Since(begun)
				}
			}
			if all.kinds == 0 {
				t.Error("controller-gen writes no CRDs")
			}
			t.Logf("%+v in %v", all, spent)
		})
	}
}

// packages returns the folders of a repository that controller-gen has to look at, by module.
func packages(t *testing.T, root string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"vendor", "testdata", "node_modules"}, d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("+groupName=")) {
			return err
		}
		module := filepath.Dir(path)
		for ; module != root; module = filepath.Dir(module) {
			if _, err := os.Stat(filepath.Join(module, "go.mod")); err == nil {
				break
			}
		}
		folder, err := filepath.Rel(module, filepath.Dir(path))
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, module)
		if err != nil {
			return err
		}
		if folder = fmt.Sprintf("./%s", filepath.ToSlash(folder)); !slices.Contains(all[name], folder) {
			all[name] = append(all[name], folder)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
