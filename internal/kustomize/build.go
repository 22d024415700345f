// Package kustomize answers what `kustomize build` makes of a folder's CustomResourceDefinitions, and where in the folder's
// files each part of them was written. It builds in process, from files of this machine alone: it runs no plugins and
// fetches nothing.
package kustomize

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A File is the CRDs that were built from one file.
type File struct {
	Path string // of the base, or of the kustomization where there is none; relative as the folder was
	Text []byte // of the CRDs as they were built, a document each; in the first File that changed, then of what conversion webhooks name

	sources *sources
	crds    []*crd.CRD            // as they were built, perhaps with placeholders
	built   func() *manifest.File // of Text; most builds only have to be judged
	lost    map[int][]loss        // by document
}

// Build builds the kustomization of a folder. Files above a size in bytes are rejected. It also returns the paths of all
// files that were read, absolute and without links. Without schemas, which is faster, it is built with these only if it fails.
func Build(dir string, limit int64, schemas bool) (files []*File, read []string, err error) {
	defer survive(dir, &err)
	disk, err := newDisk(dir, limit, schemas)
	if err != nil {
		return nil, nil, err
	}
	built, err := disk.build(nil)
	if err != nil && disk.refused == nil && !schemas { // which a patch may want after all
		return Build(dir, limit, true)
	}
	if err != nil {
		return nil, nil, err
	}
	files, err = collect(built, newSources(disk))
	if errors.Is(err, errCut) {
		return Build(dir, limit, true)
	}
	return files, disk.read, err
}

// survive makes an error of a panic.
func survive(dir string, err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("%s: kustomize failed: %v", dir, fault)
	}
}

// newDisk is the file system for one build of a folder.
func newDisk(dir string, limit int64, schemas bool) (*disk, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: not a folder; name the one that has the kustomization", dir)
	}
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		dir = real // `..` leads elsewhere than from the link
	}
	d := &disk{FileSystem: filesys.MakeFsOnDisk(), dir: dir, root: real, limit: limit, cut: map[string][]byte{}}
	if !schemas {
		d.cutter = &cutter{kept: map[string]bool{}}
	}
	return d, nil
}

// build is what kustomize builds of the folder. It merges by the keys of a file of definitions, too, where the kustomization has none for a
// kind; nil for no such file.
func (d *disk) build(keys []byte) (built resmap.ResMap, err error) {
	url := offline(func() {
		if openapi.GetSchemaVersion() != openapi.DefaultOpenAPI { // the schemas of a build are those of the process
			openapi.ResetOpenAPI()
		}
		if keys != nil {
			defer openapi.ResetOpenAPI()
			if err = openapi.AddSchema(keys); err != nil {
				return
			}
		}
		options := krusty.MakeDefaultOptions()
		if d.top != "" {
			options.LoadRestrictions = types.LoadRestrictionsNone
		}
		built, err = krusty.MakeKustomizer(options).Run(d, d.dir)
	})
	switch {
	case err == nil && d.refused == nil && url == "":
		return built, nil
	case d.refused != nil: // kustomize wraps it in what else it tried
		return nil, d.refused
	case url != "":
		d.refused = isRemote(d.dir, url)
		return nil, d.refused
	case strings.Contains(err.Error(), exec.ErrNotFound.Error()): // kustomize quotes some errors
		return nil, isRemote(d.dir, "a repository that it names")
	}
	return nil, fmt.Errorf("%s: kustomize cannot build it (%w); correct the kustomization", d.dir, err)
}

// errCut says that a build needs the schemas after all.
var errCut = errors.New("a schema is missing in what is built")

// collect puts the CRDs of a build together by the files they come from, in the order of the build.
func collect(built resmap.ResMap, from *sources) (files []*File, err error) {
	var named []byte
	for _, r := range built.Resources() {
		if found := find(r.YNode()); len(found) == 0 {
			if kind := r.GetKind(); kind == "Service" || kind == "Certificate" {
				text, err := withoutOrigin(&r.RNode)
				if err != nil {
					return nil, err
				}
				named = append(named, "---\n"+text...)
			}
			continue
		}
		origin, err := r.GetOrigin()
		if err != nil {
			return nil, err
		}
		path := from.kustomization
		if origin != nil && origin.Path != "" {
			path = filepath.Join(from.dir, filepath.FromSlash(origin.Path))
		}
		text, err := withoutOrigin(&r.RNode)
		if err != nil {
			return nil, err
		}
		cut := find(manifest.Parse("", []byte(text)).Documents[0].Root.YNode())
		if from.cutter != nil {
			var whole bool
			if text, whole = from.cutter.restore(text); !whole {
				return nil, errCut
			}
		}
		i := slices.IndexFunc(files, func(f *File) bool { return f.Path == path })
		if i < 0 {
			i = len(files)
			files = append(files, &File{Path: path, sources: from, lost: map[int][]loss{}})
		}
		files[i].Text = append(files[i].Text, "---\n"+text...)
		files[i].crds = append(files[i].crds, cut[0])
	}
	for _, f := range files {
		f.built = sync.OnceValue(func() *manifest.File { return manifest.Parse("", f.Text) })
	}
	if len(files) > 0 && len(named) > 0 {
		i := max(0, slices.IndexFunc(files, (*File).IsChanged))
		files[i].Text = append(files[i].Text, named...)
	}
	return files, nil
}

// origin is the annotation by which kustomize records the origin of a resource.
const origin = "config.kubernetes.io/origin"

// withoutOrigin returns a resource's text without the annotations that were requested of the build only for the
// positions.
func withoutOrigin(r *yaml.RNode) (string, error) {
	r = r.Copy()
	if err := r.PipeE(yaml.ClearAnnotation(origin)); err != nil {
		return "", err
	}
	if err := yaml.ClearEmptyAnnotations(r); err != nil {
		return "", err
	}
	return r.String()
}
