package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// judge is the module whose code determines the API server's answer.
const judge = "k8s.io/apiextensions-apiserver"

// versionText is what --version prints.
func versionText() string {
	return fmt.Sprintf("crdlift %s\ncommit %s\n%s %s/%s\n%s %s\n", programVersion(), commit(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, judge, moduleVersion(judge))
}

// newestMinor is the minor release of Kubernetes whose code judges: 37 for v0.37.2. It is 0 where the build does not tell.
func newestMinor() int {
	parts := strings.Split(moduleVersion(judge), ".")
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

// programVersion is the version that `go install` built, or "(devel)" in a checkout.
func programVersion() string { return cmp.Or(buildInfo().Main.Version, unknownVersion) }

// commit is the revision that was built, if the build recorded one.
func commit() string {
	revision, modified := unknownVersion, ""
	for _, setting := range buildInfo().Settings {
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
func moduleVersion(path string) string {
	for _, module := range buildInfo().Deps {
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
