package coverage

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

// removals is how many constraints TestOpenShiftRemovals removes.
const removals = 300

// TestOpenShiftRemovals removes constraints of openshift/api at 2a3d739, which CRDLIFT_OPENSHIFT names, and runs its suites: what is
// said to be tested has to make a case fail. They are drawn from those that reject something, and 1 in 30 of the others.
func TestOpenShiftRemovals(t *testing.T) {
	root := os.Getenv("CRDLIFT_OPENSHIFT")
	if root == "" {
		t.Skip("CRDLIFT_OPENSHIFT does not name openshift/api")
	}
	crds := map[string]*objects.Definition{}
	of := map[*objects.Definition][]*suite.Suite{}
	var all []*suite.Result
	variants := &suite.Variants{One: true}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".yaml" || filepath.Base(filepath.Dir(filepath.Dir(path))) != "tests" || strings.HasPrefix(path, filepath.Join(root, "vendor")) {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		some, _ := variants.Of(suite.ReadOpenShift(manifest.Parse(path, src).Documents[0]))
		for _, s := range some {
			at := filepath.Join(filepath.Dir(path), s.CRD)
			if crds[at] == nil {
				src, err := os.ReadFile(at)
				if err != nil {
					return err
				}
				crds[at] = objects.Definitions(at, at, src, true)[0]
			}
			d := crds[at]
			of[d] = append(of[d], s)
			all = append(all, results(s, d)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	type one struct {
		*objects.Definition
		*Constraint
	}
	var drawn []one
	random := rand.New(rand.NewPCG(41, 1))
	figure, states := Figure{}, map[State]int{}
	for _, r := range Of(all, Options{}) {
		told := r.Coverage()
		figure.Tested, figure.All = figure.Tested+told.Tested, figure.All+told.Counted
		for _, c := range r.Constraints {
			states[c.State]++
			if c.State == Met || c.State == Tested || random.IntN(30) == 0 {
				drawn = append(drawn, one{r.Definition, c})
			}
		}
	}
	t.Logf("%s constraints are tested; of all, %v", figure, states)
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	tested, equal, less := 0, 0, 0
	for _, c := range drawn[:min(removals, len(drawn))] {
		other := lacking(t, c.Definition, c.Constraint)
		fails := slices.ContainsFunc(of[c.Definition], func(s *suite.Suite) bool { return failing(results(s, other)) != nil })
		switch is := c.State == Tested; {
		case is == fails:
			equal++
		case fails:
			less++
			t.Logf("%s: %s of %s (%s) is not said to be tested, and a case fails without it", c.Definition.Path, c.Keyword, c.Field, c.State)
		default:
			t.Errorf("%s: %s %s of %s is said to be tested by %s, and no case fails without it", c.Definition.Path, c.Keyword, c.Value, c.Field, c.By)
		}
		if c.State == Tested {
			tested++
		}
	}
	t.Logf("%d removed, of which %d are said to be tested: %d as said, %d tested beyond what is said", min(removals, len(drawn)), tested, equal, less)
}
