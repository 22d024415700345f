package conversion

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// TestSpecification converts the cases of testdata/convert as trees: each comes to the tree that is expected, or stays as it
// was, with the notes that are expected where they are, but for those in a server's words. What has come out is converted.
func TestSpecification(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("../../testdata/convert/*/input.*")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	for _, path := range inputs {
		dir, ext := filepath.Dir(path), filepath.Ext(path)
		src := first(t, path)
		if strings.Contains(src, "{{") {
			continue // a template is not one tree
		}
		for _, with := range []policy.Policy{policy.Exact, policy.Idiomatic} {
			var opt policy.Options
			if text := first(t, filepath.Join(dir, "options.json")); text != "" {
				if err := json.Unmarshal([]byte(text), &opt); err != nil {
					t.Fatal(err)
				}
			}
			opt.Policy = with
			own, exact := filepath.Join(dir, string(with)), filepath.Join(dir, string(policy.Exact))
			want := crd.Parse([]byte(cmp.Or(first(t, own+ext, own+".same"+ext, exact+ext, exact+".same"+ext), src)))
			var notes []string
			for line := range strings.Lines(first(t, own+".notes", exact+".notes")) {
				expected, _, _ := strings.Cut(line, " | ")
				notes = append(notes, expected)
			}
			if slices.ContainsFunc(notes, func(line string) bool {
				return strings.HasSuffix(line, NotWritten) || strings.HasSuffix(line, "reencoded")
			}) {
				continue // which is a matter of the text
			}
			t.Run(filepath.Base(dir)+"/"+string(with), func(t *testing.T) {
				specified(t, crd.Parse([]byte(src)), want, notes, opt)
			})
		}
	}
}

func specified(t *testing.T, given, want []*crd.CRD, notes []string, opt policy.Options) {
	if len(given) != len(want) {
		t.Fatalf("%d CRDs, want %d", len(given), len(want))
	}
	var all []string
	foreign := false
	for i, c := range given {
		out := Convert(c, opt)
		if diff := gocmp.Diff(meaning(t, want[i]), meaning(t, c)); diff != "" {
			t.Errorf("%s is %s, with other fields than are expected: %s", c.Name(), out.State, diff)
		}
		for _, n := range out.Notes {
			foreign = foreign || n.Foreign
			line := fmt.Sprintf("%s %d:%d %s", n.Class, n.At.Node.Line, n.At.Node.Column, n.ID)
			if all = append(all, line); n.Class != policy.Safe && !n.Foreign && !slices.Contains(notes, line) && !slices.Contains(notes, "?"+line) {
				t.Errorf("nothing expects %s: %s", line, n.Message)
			}
		}
		if out.State == policy.NeedsPerson {
			continue
		}
		if again := Convert(want[i], opt); again.State != policy.AlreadyThere {
			t.Errorf("%s is %s again: %s", c.Name(), again.State, told(again.Notes, false))
		}
	}
	for _, line := range notes {
		if !foreign && !strings.HasPrefix(line, "?") && !slices.Contains(all, line) {
			t.Errorf("%s is not among %q", line, all)
		}
	}
}

// meaning is a CRD as JSON.
func meaning(t *testing.T, c *crd.CRD) (all any) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// first is the text of the first of the files that is there; "" for none.
func first(t *testing.T, paths ...string) string {
	t.Helper()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil {
			return string(text)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return ""
}
