package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// readExtending reads the configuration among some files, which are given by name and text.
func readExtending(t *testing.T, files ...string) (*lint.Config, error) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Read(filepath.Join(dir, Name), []byte(files[1]), toyRules)
}

// TestExtendedPlaces: what comes from a file that is extended, however far, is at the entry of the configuration.
func TestExtendedPlaces(t *testing.T) {
	t.Parallel()
	c, err := readExtending(t, Name, "ignore: [{crd: own, reason: r}]\nroles: {test: [own]}\nextends:\n- one.yaml\n- two\n",
		"one.yaml", "ignore: [{crd: one, reason: r}]\nroles: {test: [one]}\n",
		"two/"+Name, "extends: ../three.yaml\nignore: [{crd: two, reason: r}]\nroles: {docs: [two]}\n",
		"three.yaml", "\n\nignore: [{crd: three, reason: r}]\nroles: {docs: [three]}\ntest: {cover: {ignore: [{path: a, reason: r}]}}\n")
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		what   string
		line   int
		shared bool
	}
	var got []place
	for _, i := range append(c.Ignores, c.Test.Cover.Ignore...) {
		got = append(got, place{i.CRD + i.Path, i.At.Pos.Line, i.Shared})
	}
	for _, s := range c.Roles.Set {
		got = append(got, place{s.Glob, s.At.Pos.Line, s.Shared})
		if s.At.Pos.File != filepath.ToSlash(c.Path) {
			t.Errorf("%s counts from %s", s.Glob, s.At.Pos.File)
		}
	}
	want := []place{{"one", 4, true}, {"three", 5, true}, {"two", 5, true}, {"own", 1, false}, {"a", 5, true}, {"own", 2, false}, {"two", 5, true}, {"three", 5, true}, {"one", 4, true}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{})); diff != "" {
		t.Error(diff)
	}
}

// TestExtendedRoles: off switches off those of all files, and settings switch on what is off.
func TestExtendedRoles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		own, extended string
		want          lint.RoleSettings
	}{
		{"roles: off", "roles: {test: [a]}", lint.RoleSettings{Off: true}},
		{"roles: {test: [a]}", "roles: off", lint.RoleSettings{Set: []lint.RoleSetting{{Role: lint.RoleTest, Glob: "a"}}}},
		{"preset: all", "roles: off", lint.RoleSettings{Off: true}},
	} {
		c, err := readExtending(t, Name, "extends: b.yaml\n"+test.own, "b.yaml", test.extended)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, c.Roles, sameConfig); diff != "" {
			t.Errorf("%s over %s: %s", test.own, test.extended, diff)
		}
	}
}

// TestTooManyExtended: what is named is not looked for any more from some number on.
func TestTooManyExtended(t *testing.T) {
	t.Parallel()
	_, err := readExtending(t, Name, "extends:\n"+strings.Repeat("- a.yaml\n", maxExtended), "a.yaml", "preset: all\n")
	if err != nil {
		t.Errorf("%d files: %v", maxExtended, err)
	}
	_, err = readExtending(t, Name, "extends:\n"+strings.Repeat("- a.yaml\n", maxExtended)+strings.Repeat("- none.yaml\n", 9), "a.yaml", "preset: all\n")
	if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.HasSuffix(err.Error(), ":52:3: extends: the configuration names more than 50 files; combine some of them") {
		t.Errorf("more: %v", err)
	}
}
