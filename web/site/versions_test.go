package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestVersions lists the newest release of each minor version, whatever else is a tag, from the root and from a release.
func TestVersions(t *testing.T) {
	t.Parallel()
	if v := versionsOf(strings.Fields("vscode-1\nv1.0.0-rc.1\n"), ""); v != nil {
		t.Errorf("there are versions before the first release: %v", v)
	}
	tags := "vnext\nv1.0.0-rc.1\nv0.10.0\nv0.2.0-beta.1\nv0.2.0\nv0.1.2\nv0.1.0\n"
	for here, want := range map[string]*versions{
		"":     {"latest", []publishedVersion{{"latest", "", ""}, {"v0.10", "v0.10.0", "v0.10/"}, {"v0.2", "v0.2.0", "v0.2/"}, {"v0.1", "v0.1.2", "v0.1/"}}},
		"v0.2": {"v0.2", []publishedVersion{{"latest", "", "../"}, {"v0.10", "v0.10.0", "../v0.10/"}, {"v0.2", "v0.2.0", "../v0.2/"}, {"v0.1", "v0.1.2", "../v0.1/"}}},
	} {
		if got := versionsOf(strings.Fields(tags), here); !reflect.DeepEqual(got, want) {
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
	s, err := build(os.DirFS(filepath.Join("..", "..")), versionsOf(strings.Fields("v0.2.1 v0.1.0"), "v0.2"))
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
	if text := string(s.files["rules/scope-invalid/index.html"]); !strings.Contains(text, repository+"/tree/v0.2.1/rules/testdata/") {
		t.Error("pages of a release lead to files of main")
	}
	var published versions
	if err := json.Unmarshal(s.files["versions.json"], &published); err != nil || published.Here != "v0.2" || len(published.Versions) != 3 {
		t.Errorf("versions.json has %+v, %v", published, err)
	}
}

// TestReleases has web/releases.sh build a release from its tag, in a repository whose `make site` only says of which version it is.
func TestReleases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join("..", "releases.sh"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(command ...string) {
		t.Helper()
		c := exec.Command(command[0], command[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	write("web/releases.sh", string(script))
	write(".gitignore", "/build/\n")
	makefile := "site:\n\tmkdir -p build/site\n\techo $(SITE_VERSION) %s > build/site/index.html\n"
	write("Makefile", fmt.Sprintf(makefile, "as released"))
	run("git", "init", "--quiet")
	run("git", "add", "--all")
	run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a")
	run("git", "tag", "v0.1.0")
	write("Makefile", fmt.Sprintf(makefile, "later"))
	run("web/releases.sh") // without a list
	list, err := json.Marshal(versionsOf(strings.Fields("v0.1.0"), ""))
	if err != nil {
		t.Fatal(err)
	}
	write("build/site/versions.json", string(list))
	run("web/releases.sh")
	run("web/releases.sh") // again
	if page, err := os.ReadFile(filepath.Join(dir, "build/site/v0.1/index.html")); err != nil || string(page) != "v0.1 as released\n" {
		t.Errorf("the site of the release has %q, %v", page, err)
	}
}
