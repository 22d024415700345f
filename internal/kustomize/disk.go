package kustomize

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/xrd"
)

// A disk is the file system as a build sees it. It records the files read, makes the kustomization at the root request
// the origins of resources, and rejects paths that kustomize would have to fetch.
type disk struct {
	filesys.FileSystem
	dir     string // as the user named it
	root    string // the same, absolute and without links
	limit   int64  // bytes of a file
	top     string // of the repository whose files may all be read, as with kustomize's --load-restrictor; "" for those that kustomize lets be
	read    []string
	refused error             // the first rejection
	cutter  *cutter           // nil for a build with schemas
	cut     map[string][]byte // what it made of the files
}

func (d *disk) ReadFile(path string) ([]byte, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil && d.top != "" {
		if below, err := filepath.Rel(d.top, real); err != nil || !filepath.IsLocal(below) {
			return nil, d.refuse(fmt.Errorf("%s: not in the repository", d.shown(path)))
		}
	}
	src, err := d.FileSystem.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if int64(len(src)) > d.limit {
		return nil, d.refuse(fmt.Errorf("%s: larger than --max-file-size; raise the limit", d.shown(path)))
	}
	d.read = append(d.read, path)
	if !worktree.IsKustomization(path) {
		if d.cutter != nil && xrd.MayHold(src) {
			d.cut[path] = d.cutter.cut(src)
			return d.cut[path], nil
		}
		return src, nil
	}
	var k types.Kustomization // by kustomize's own code, which takes keys in any case, aliases and merge keys
	if err := k.Unmarshal(src); err != nil {
		return src, nil // kustomize reports the error
	}
	if err := d.local(path, &k); err != nil {
		return nil, d.refuse(err)
	}
	if d.cutter != nil {
		d.cutter.follow(filepath.Dir(path), &k, d.limit)
	}
	if filepath.Dir(path) != d.root {
		return src, nil
	}
	k.BuildMetadata = append(k.BuildMetadata, types.OriginAnnotations)
	return json.Marshal(k)
}

// refuse keeps the first error: kustomize goes on to try something else.
func (d *disk) refuse(err error) error {
	if d.refused == nil {
		d.refused = err
	}
	return err
}

// local reports an error for a kustomization with an entry that is not on this machine: kustomize takes every path that
// it does not find for that of a repository. It is for the message; offline keeps kustomize from what this passes over.
func (d *disk) local(path string, k *types.Kustomization) error {
	//lint:ignore SA1019 kustomize still reads bases
	for _, entry := range slices.Concat(k.Resources, k.Bases, k.Components, k.Generators, k.Transformers, k.Validators) {
		switch {
		case entry == "" || strings.Contains(entry, "\n"): // written inline
		case repository().MatchString(entry):
			return isRemote(d.shown(path), entry)
		case !d.Exists(filepath.Join(filepath.Dir(path), entry)):
			return fmt.Errorf("%s: there is no %s; correct the entry", d.shown(path), entry)
		}
	}
	return nil
}

// shown is a file that is read as messages name it.
func (d *disk) shown(path string) string {
	if below, err := filepath.Rel(d.root, path); err == nil {
		return filepath.Join(d.dir, below)
	}
	return path
}

// isRemote is the error about something that kustomize would fetch.
func isRemote(path, what string) error {
	return fmt.Errorf("%s: %s is remote, and crdlift fetches nothing; build it with kustomize and lint the output", path, what)
}

// repository matches what kustomize takes for a repository before it looks for a file of that name, as
// NewRepoSpecFromURL of sigs.k8s.io/kustomize/api/internal/git does: a scheme, the host that needs none, and a user at some host.
var repository = text.Pattern(`(?i)://|\?ref=|^(git::|github\.com[/:]|[a-z][a-z0-9-]*@.*[/:])`)

// building is held during a build, which takes from the process what it could fetch with.
var building sync.Mutex

// offline calls build without the transport and the programs of the process, and returns the first URL that was asked for.
// The addresses that kustomize fetches may come from any file in any encoding, or from what patches and generators make of
// them, but it fetches in two places alone: httpClientGetContent of sigs.k8s.io/kustomize/api/internal/loader takes the
// default transport, and newCmdRunner of sigs.k8s.io/kustomize/api/internal/git looks for git in PATH. Nothing else in crdlift
// takes that transport. Nor does the build say anything: what kustomize advises about the fields of a kustomization is for those
// who run it.
func offline(build func()) (url string) {
	building.Lock()
	defer building.Unlock()
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		defer nowhere.Close()
		defer func(usual *os.File) { os.Stderr = usual }(os.Stderr)
		defer log.SetOutput(log.Writer())
		os.Stderr = nowhere
		log.SetOutput(nowhere)
	}
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
