package kustomize

import (
	"fmt"
	"net/http"
	"os"
	"sync"
)

// building is held during a build, which takes from the process what it could fetch with.
var building sync.Mutex

// offline calls build without the transport and the programs of the process, and returns the first URL that was asked for.
// The addresses that kustomize fetches may come from any file in any encoding, or from what patches and generators make of
// them, but it fetches in two places alone: httpClientGetContent of sigs.k8s.io/kustomize/api/internal/loader takes the
// default transport, and newCmdRunner of sigs.k8s.io/kustomize/api/internal/git looks for git in PATH. Nothing else in crdlift
// takes that transport.
func offline(build func()) (url string) {
	building.Lock()
	defer building.Unlock()
	defer func(usual http.RoundTripper) { http.DefaultTransport = usual }(http.DefaultTransport)
	http.DefaultTransport = transport(func(r *http.Request) (*http.Response, error) {
		if url == "" {
			url = r.URL.String()
		}
		return nil, fmt.Errorf("%s is not fetched", r.URL)
	})
	if path := os.Getenv("PATH"); path != "" {
		os.Setenv("PATH", "")         //nolint:errcheck // only names and values with a NUL or = fail
		defer os.Setenv("PATH", path) //nolint:errcheck
	}
	build()
	return url
}

// A transport answers requests by a function.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }
