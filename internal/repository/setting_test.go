package repository

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

func setting(role lint.Role, glob, file string) Setting {
	return Setting{RoleSetting: lint.RoleSetting{Role: role, Glob: glob, At: lint.Source{Pos: lint.Point(file, 3, 1)}}}
}

// TestSettings: the first setting that matches a file or the name of a CRD decides, also which of two CRDs is the source, and one
// that says what the evidence says changes nothing.
func TestSettings(t *testing.T) {
	t.Parallel()
	tree := files{
		"crd/toys.yaml": whole("Toy.example.com", false), "dist/toys.yaml": whole("Toy.example.com", false), "third/toys.yaml": whole("Toy.example.org", false),
		"qa/toy.yaml": "apiVersion: example.com/v1\nkind: Toy\n", "test/toy.yaml": "apiVersion: example.com/v1\nkind: Toy\n",
	}
	const evidence = "crd/toys.yaml source, dist/toys.yaml built, third/toys.yaml source, qa/toy.yaml product, test/toy.yaml test"
	for _, test := range []struct {
		story, settings, want, unused string
	}{
		{"none", "", evidence, ""},
		{"a folder", "test=qa", strings.Replace(evidence, "qa/toy.yaml product", "qa/toy.yaml test", 1), ""},
		{"a glob", "test=q*/**", strings.Replace(evidence, "qa/toy.yaml product", "qa/toy.yaml test", 1), ""},
		{"the source of another", "source=dist", "crd/toys.yaml built, dist/toys.yaml source, third/toys.yaml source, qa/toy.yaml product, test/toy.yaml test", ""},
		{"the name of a CRD", "foreign=*.example.org", strings.Replace(evidence, "third/toys.yaml source", "third/toys.yaml foreign", 1), ""},
		{"the first of two", "old=third,foreign=*.example.org", strings.Replace(evidence, "third/toys.yaml source", "third/toys.yaml old", 1), "foreign=*.example.org"},
		{"as the evidence says", "source=crd,test=test/**,built=dist", evidence, "source=crd,test=test/**,built=dist"},
		{"matches nothing", "test=e2e,foreign=*.example.net", evidence, "test=e2e,foreign=*.example.net"},
		{"a path is no name", "foreign=x/toys.example.org", evidence, "foreign=x/toys.example.org"},
	} {
		var settings []Setting
		for one := range strings.SplitSeq(test.settings, ",") {
			if role, glob, ok := strings.Cut(one, "="); ok {
				settings = append(settings, setting(lint.Role(role), glob, "x"))
			}
		}
		r := Look(tree, settings...)
		var got, unused []string
		for _, d := range r.CRDs() {
			got = append(got, d.File+" "+string(d.Role))
		}
		for _, file := range []string{"qa/toy.yaml", "test/toy.yaml"} {
			got = append(got, file+" "+string(r.File(file).Role))
		}
		for _, s := range r.Unused() {
			unused = append(unused, fmt.Sprintf("%s=%s", s.Role, s.Glob))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", test.story, diff)
		}
		if diff := cmp.Diff(test.unused, strings.Join(unused, ",")); diff != "" {
			t.Errorf("%s, unused: %s", test.story, diff)
		}
	}
	// A glob counts from the folder of the configuration, whose line is the reason.
	for glob, want := range map[string]string{"toy.yaml": "test qa/x:3 says so", "./toy.yaml": "test qa/x:3 says so", "qa": "product nothing here says otherwise"} {
		d := Look(tree, setting(lint.RoleTest, glob, "qa/x")).File("qa/toy.yaml")
		if got := string(d.Role) + " " + d.Because.String(); got != want {
			t.Errorf("%s in a folder: %s", glob, got)
		}
	}
}

// TestBelow: a test's CRD is for all of the test, by whatever is known of it, and not for what is beside that.
func TestBelow(t *testing.T) {
	t.Parallel()
	tree := files{"x/go.mod": "module x\n", "x/e2e/a/crds/toys.yaml": whole("Toy.example.com", false), "qa/b/crds/toys.yaml": whole("Toy.example.com", false), "crds/toys.yaml": whole("Toy.example.com", false)}
	qa := setting(lint.RoleTest, "qa/**", "x")
	r := Look(tree, qa)
	for file, want := range map[string]string{"x/e2e/a/crds/toys.yaml": "x/e2e", "qa/b/crds/toys.yaml": "qa", "crds/toys.yaml": "crds"} {
		if got := r.Below(file, lint.RoleTest); got != want {
			t.Errorf("%s: below %s, want %s", file, got, want)
		}
	}
}
