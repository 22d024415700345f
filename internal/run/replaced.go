package run

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/jsonschema"
	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/rules"
)

// A Replaced is a list in the file of a patch.
type Replaced struct {
	Path string
	rules.ReplacedList
}

// Replaced finds the lists of custom resources that patches replace: those of the kustomizations among the inputs or, in a run over what
// one builds, those that this is built with. Objects are those of the run; nil for a run over CRDs.
func (r *Run) Replaced(ctx context.Context, by *rules.Objects) (all []Replaced, err error) {
	var folders, failed []string
	if r.Inputs.Built != nil {
		if by, err = r.aroundBuilt(ctx); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(r.Inputs.own, func(read reserved) bool { return r.patches(read.path, by) }) {
			folders = r.Inputs.paths
		}
	} else {
		for _, in := range r.Inputs.All {
			if r.patches(in.Path, by) {
				folders = append(folders, filepath.Dir(in.Path))
			}
		}
	}
	if len(folders) == 0 {
		return nil, nil
	}
	crds := objects.Held(by.Definitions()).Catalogue().Kinds()
	keys, err := jsonschema.ForKustomize(crds)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		found, err := kustomize.Replaces(folder, int64(r.MaxFileSize), keys)
		if err != nil {
			failed = append(failed, Unread(err).Error())
		}
		for _, one := range found {
			i := slices.IndexFunc(crds, func(d *objects.Definition) bool {
				return d.Hub.Spec.Group == one.Group && d.Hub.Spec.Names.Kind == one.Kind
			})
			if i >= 0 {
				list := engine.Replaces(one.In, one.File.Range(one.Start, one.End), one.Path, one.Lost, crds[i].Document.File.Path)
				all = append(all, Replaced{one.File.Path, rules.ReplacedList(list)})
			}
		}
	}
	if n := len(failed); n > 0 {
		r.Note("patches of custom resources are not checked in %s that cannot be built: %s", text.Count(n, "folder"), failed[0])
	}
	return all, nil
}

// aroundBuilt is what custom resources are judged by beside what a kustomization builds: its CRDs, and those of the repository.
func (r *Run) aroundBuilt(ctx context.Context) (*rules.Objects, error) {
	flags, by := *r.Flags, &rules.Objects{}
	flags.Kustomize = ""
	found, err := r.inputs(&flags, r.Config, r.Inputs.paths)
	if err != nil {
		return nil, err
	}
	for _, in := range r.Inputs.All {
		by.Add(rules.CRDsIn(Shown(in.Path), in.Text))
	}
	at := &Run{Session: r.Session, Flags: &flags, Config: r.Config, Inputs: found, Around: r.Around}
	return by, at.ReadCRDsAround(ctx, by)
}

// patches reports whether a file is a kustomization that may patch an object of one of the CRDs.
func (r *Run) patches(path string, by *rules.Objects) bool {
	if !worktree.IsKustomization(path) {
		return false
	}
	read := func(path string) []byte {
		src, _ := Input{Path: path}.Read(nil, int64(r.MaxFileSize)) // an error is told where the file is looked at
		return src
	}
	src := read(path)
	return by.MayDefine(src) || slices.ContainsFunc(objects.Patches(src), func(file string) bool {
		return by.MayDefine(read(filepath.Join(filepath.Dir(path), filepath.FromSlash(file))))
	})
}
