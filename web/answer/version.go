package answer

import "runtime/debug"

// Build is the version that the page shows. The build sets it; a program that is not built by `make site` has none.
var Build = "(devel)"

// judge is the module whose code determines the API server's answer.
const judge = "k8s.io/apiextensions-apiserver"

// A versions is what the page was built from.
type versions struct {
	Version string `json:"version"`
	Judge   string `json:"judge"` // the version of the API server's code
}

func version(*Question) (any, error) {
	out := versions{Version: Build}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == judge {
				out.Judge = m.Version
			}
		}
	}
	return out, nil
}
