package apiserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A fixture is a CRD of testdata with the verdict that its comments expect: "# accepted", "# unreadable: part of the
// message", "# panics: part of the message" or any number of "# rejected: rule at path", in the user's terms.
type fixture struct {
	name string
	crd  *crd.CRD
	want []string
}

func fixtures(t *testing.T, folder string) []fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	var all []fixture
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range manifest.Parse(path, src).Documents {
			f := fixture{name: fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(path), ".yaml"), i)}
			found, _ := crd.Find(d.Root.YNode())
			if len(found) != 1 {
				t.Fatalf("%s is no CRD", f.name)
			}
			f.crd = found[0]
			for line := range strings.Lines(string(d.Text())) {
				verdict, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
				if word, _, _ := strings.Cut(verdict, ":"); ok && slices.Contains([]string{"accepted", "rejected", "unreadable", "panics"}, word) {
					f.want = append(f.want, verdict)
				}
			}
			slices.Sort(f.want)
			all = append(all, f)
		}
	}
	return all
}

// verdict returns the package's verdict in the notation of a fixture.
func verdict(c *crd.CRD) []string {
	d, err := c.Decode()
	if err != nil {
		return []string{"unreadable: " + err.Error()}
	}
	v := apiserver.OnCreate(d.Hub, c.Version)
	if v.Panic != "" {
		return []string{"panics: " + v.Panic}
	}
	if v.Accepted() {
		return []string{"accepted"}
	}
	var lines []string
	for _, err := range v.Errors {
		lines = append(lines, "rejected: "+apiserver.RuleOf(err)+" at "+c.Locate(err.Field).Path)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func TestFixtures(t *testing.T) {
	for _, folder := range []string{"v1", "v1beta1"} {
		for _, f := range fixtures(t, folder) {
			t.Run(folder+"/"+f.name, func(t *testing.T) {
				got := verdict(f.crd)
				if len(got) == 1 && len(f.want) == 1 && strings.HasPrefix(got[0], f.want[0]) {
					return // a message may be cut short
				}
				if !slices.Equal(got, f.want) {
					t.Errorf("got\n# %s\nwant\n# %s", strings.Join(got, "\n# "), strings.Join(f.want, "\n# "))
				}
			})
		}
	}
}

// TestDeterministic judges one object often: upstream walks through maps.
func TestDeterministic(t *testing.T) {
	for _, f := range fixtures(t, "v1beta1") {
		d, err := f.crd.Decode()
		if err != nil || strings.HasPrefix(f.name, "defaults/") {
			continue // in the value of a default upstream stops at the first error, which is a matter of chance
		}
		first := apiserver.OnCreate(d.Hub, f.crd.Version)
		for range 5 {
			if again := apiserver.OnCreate(d.Hub, f.crd.Version); again.Errors.ToAggregate() != nil && fmt.Sprint(again.Errors) != fmt.Sprint(first.Errors) {
				t.Errorf("%s: %v, then %v", f.name, first.Errors, again.Errors)
			}
		}
	}
}
