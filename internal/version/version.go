// Package version knows which program this is: its version, its commit, and the code of Kubernetes that is built into it.
package version

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// judge is the module whose code determines the API server's answer.
const judge = "k8s.io/apiextensions-apiserver"

// Text is what --version prints.
func Text() string {
	return fmt.Sprintf("crdlift %s\ncommit %s\n%s %s/%s\n%s %s\n", Program(), commit(buildInfo()),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, judge, moduleVersion(buildInfo(), judge))
}

// NewestMinor is the minor release of Kubernetes whose code decides: 37 for v0.37.2. It is 0 where the build does not tell.
func NewestMinor() int {
	parts := strings.Split(moduleVersion(buildInfo(), judge), ".")
	if len(parts) < 2 {
		return 0
	}
	minor, _ := strconv.Atoi(parts[1])
	return minor
}

const unknownVersion = "(unknown)"

// buildInfo is what the build recorded; empty where it recorded nothing.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// Program is the version that `go install` built, or "(devel)" in a checkout.
func Program() string { return cmp.Or(buildInfo().Main.Version, unknownVersion) }

// commit is the revision that was built, if the build recorded one.
func commit(info *debug.BuildInfo) string {
	revision, modified := unknownVersion, ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = " with changes"
		}
	}
	return revision + modified
}

// moduleVersion is the version of a module this program is built from.
func moduleVersion(info *debug.BuildInfo, path string) string {
	for _, module := range info.Deps {
		switch {
		case module.Path != path:
		case module.Replace != nil:
			return module.Replace.Path + " " + module.Replace.Version
		default:
			return module.Version
		}
	}
	return unknownVersion
}

// BuildID tells this program from every other one, also from one that somebody builds of changed files. The build information
// does where it names all sources; where it does not, the program is read.
var BuildID = sync.OnceValues(func() (string, error) {
	info := buildInfo()
	if isRelease(info) {
		return info.String(), nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer program.Close()
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})

// isRelease reports whether build information names all sources: each module has a checksum, and the main one is a version, or
// a commit without changes.
func isRelease(info *debug.BuildInfo) bool {
	if !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+dirty") {
		return false
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" {
			return false
		}
	}
	return true
}
