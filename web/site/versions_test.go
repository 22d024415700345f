package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestVersions lists the newest release of each minor version, whatever else is a tag, from the root and from a release.
func TestVersions(t *testing.T) {
	t.Parallel()
	if v := versionsOf("vscode-1\nv1.0.0-rc.1\n", ""); v != nil {
		t.Errorf("there are versions before the first release: %v", v)
	}
	tags := "v0.1.0\nv0.1.2\nv0.10.0\nv0.2.0\nv0.2.0-beta.1\nv1.0.0-rc.1\nvnext\n"
	for here, want := range map[string]*versions{
		"":     {"latest", []publishedVersion{{"latest", "", "./"}, {"v0.10", "v0.10.0", "v0.10/"}, {"v0.2", "v0.2.0", "v0.2/"}, {"v0.1", "v0.1.2", "v0.1/"}}},
		"v0.2": {"v0.2", []publishedVersion{{"latest", "", "../"}, {"v0.10", "v0.10.0", "../v0.10/"}, {"v0.2", "v0.2.0", "../v0.2/"}, {"v0.1", "v0.1.2", "../v0.1/"}}},
	} {
		if got := versionsOf(tags, here); !reflect.DeepEqual(got, want) {
			t.Errorf("of %q: %+v, want %+v", here, got, want)
		}
	}
}

// TestVersionSwitch builds the site of a release: each page leads to the other versions, and stays in its part of the site.
// Without a release there is nothing to switch.
func TestVersionSwitch(t *testing.T) {
	t.Parallel()
	if s := builtSite(t); strings.Contains(string(s.files["index.html"]), "versions") || s.files["versions.json"] != nil {
		t.Error("there is a switch of versions without a release")
	}
	s, err := build(os.DirFS(filepath.Join("..", "..")), versionsOf("v0.1.0 v0.2.1", "v0.2"))
	if err != nil {
		t.Fatal(err)
	}
	for page, link := range map[string]string{
		"index.html":                     `href="../v0.1/"`,
		"docs/validate/index.html":       `href="../../../v0.1/docs/"`,
		"rules/scope-invalid/index.html": `href="../../../rules/"`,
		"playground/index.html":          `href="../../v0.1/playground/"`,
	} {
		text := string(s.files[page])
		if !strings.Contains(text, link) || !strings.Contains(text, "</span>v0.2</summary>") {
			t.Errorf("%s does not lead to %s from v0.2", page, link)
		}
	}
	var published versions
	if err := json.Unmarshal(s.files["versions.json"], &published); err != nil || published.Here != "v0.2" || len(published.Versions) != 3 {
		t.Errorf("versions.json has %+v, %v", published, err)
	}
}
