package version

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// TestText: the build of a test records neither a commit nor modules, which is said rather than guessed.
func TestText(t *testing.T) {
	t.Parallel()
	got := strings.Split(Text(), "\n")
	if len(got) != 5 || got[0] != "crdlift (devel)" || got[1] != "commit (unknown)" || got[3] != "k8s.io/apiextensions-apiserver (unknown)" {
		t.Errorf("got %q", got)
	}
	if got := NewestMinor(); got != 0 {
		t.Errorf("the newest minor release is %d", got)
	}
}

// TestCommit: users who report a fault say what they run, also where somebody changed it.
func TestCommit(t *testing.T) {
	t.Parallel()
	for story, test := range map[string]struct {
		settings []debug.BuildSetting
		want     string
	}{
		"a commit":              {[]debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}, "abc"},
		"a commit with changes": {[]debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}, "abc with changes"},
		"no commit":             {[]debug.BuildSetting{{Key: "-trimpath", Value: "true"}}, "(unknown)"},
	} {
		if got := commit(&debug.BuildInfo{Settings: test.settings}); got != test.want {
			t.Errorf("%s: %s", story, got)
		}
	}
}

// TestModuleVersion: what takes the place of a module judges, and is what to name.
func TestModuleVersion(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v0.1.0"},
		{Path: "example.com/b", Version: "v0.2.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v0.2.1"}},
	}}
	for path, want := range map[string]string{"example.com/a": "v0.1.0", "example.com/b": "example.com/fork v0.2.1", "example.com/c": "(unknown)"} {
		if got := moduleVersion(info, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestBuildID: a test is no release, so that it is told from others by what is in its file.
func TestBuildID(t *testing.T) {
	t.Parallel()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := BuildID(); err != nil || got != fmt.Sprintf("%x", sha256.Sum256(program)) {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestIsRelease: build information tells two programs apart only where every line of their source is known by it.
func TestIsRelease(t *testing.T) {
	t.Parallel()
	module := func(version, sum string, replace *debug.Module) *debug.Module {
		return &debug.Module{Version: version, Sum: sum, Replace: replace}
	}
	for story, test := range map[string]struct {
		main string
		deps []*debug.Module
		want bool
	}{
		"a release":                      {"v1.2.0", []*debug.Module{module("v0.1.0", "h1:a", nil), module("v0.2.0", "h1:b", nil)}, true},
		"a release without modules":      {"v1.2.0", nil, true},
		"a commit without changes":       {"v1.2.1-0.20261121120000-0123456789ab", nil, true},
		"a commit with changes":          {"v1.2.1-0.20261121120000-0123456789ab+dirty", nil, false},
		"a checkout":                     {"(devel)", nil, false},
		"a build that records nothing":   {"", nil, false},
		"one module from a folder":       {"v1.2.0", []*debug.Module{module("v0.1.0", "h1:a", nil), module("v0.2.0", "", nil)}, false},
		"a module replaced by a release": {"v1.2.0", []*debug.Module{module("v0.1.0", "", module("v0.1.1", "h1:c", nil))}, true},
		"a module replaced by a folder":  {"v1.2.0", []*debug.Module{module("v0.1.0", "h1:a", module("", "", nil))}, false},
	} {
		if got := isRelease(&debug.BuildInfo{Main: debug.Module{Version: test.main}, Deps: test.deps}); got != test.want {
			t.Errorf("%s: %v", story, got)
		}
	}
}
