package xrds

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/xrd"
)

// clones are the folders of clones below CRDLIFT_XRDS; without it, the test is skipped.
func clones(t *testing.T) []string {
	t.Helper()
	in := os.Getenv("CRDLIFT_XRDS")
	if in == "" {
		t.Skip("CRDLIFT_XRDS names no folder of clones of repositories with XRDs")
	}
	all, err := filepath.Glob(filepath.Join(in, "*", ".git"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no clones in %s: %v", in, err)
	}
	for i, dir := range all {
		all[i] = filepath.Dir(dir)
	}
	return all
}

// xrdsOf are the XRDs of a manifest, as manifests of their own.
func xrdsOf(t testing.TB, src []byte) (all [][]byte) {
	t.Helper()
	for _, d := range manifest.Parse("", src).Documents {
		if d.Root == nil || !xrd.MayHold(src) {
			continue
		}
		root := d.Root.YNode()
		if crd.StringAt(root, "kind") != xrd.Kind || !strings.HasPrefix(crd.StringAt(root, "apiVersion"), xrd.Group+"/v") {
			continue
		}
		text, err := d.Root.String()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, []byte(text))
	}
	return all
}

// TestReal has the CRDs of real XRDs be those that Crossplane makes, and what is lost of them told.
func TestReal(t *testing.T) {
	t.Parallel()
	known, all := map[string]bool{}, 0
	for _, dir := range clones(t) {
		head, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
		if err != nil {
			t.Fatal(err)
		}
		n, refused := 0, 0
		for _, file := range corpus.Below(t, dir) {
			if !strings.HasSuffix(file, ".yaml") && !strings.HasSuffix(file, ".yml") {
				continue
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range xrdsOf(t, src) {
				if objectOf(t, one)["spec"] == nil {
					continue // a part of one, with which a test compares
				}
				if known[string(one)] {
					continue
				}
				known[string(one)] = true
				n++
				if why := byCrossplane(t, objectOf(t, one)).err; why != nil {
					refused++
					t.Logf("%s: Crossplane rejects it: %v", file, why)
				}
				if differ := compare(t, one) + compareLost(t, one); differ != "" {
					t.Errorf("%s: %s", file, differ)
				}
			}
		}
		all += n
		t.Logf("%s: %s %d XRDs, of which Crossplane rejects %d", filepath.Base(dir), strings.TrimSpace(string(head)), n, refused)
	}
	t.Logf("%d XRDs", all)
}
