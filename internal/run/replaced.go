package run

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/rules"
)

// Replaced finds the lists that patches of custom resources replace: those of the kustomizations among the inputs or, of a run over what
// one builds, of that. Objects are those of the run; nil for a run over CRDs.
func (r *Run) Replaced(ctx context.Context, by *rules.Objects) (all []rules.ReplacedList, err error) {
	at := r
	if r.Inputs.Built != nil {
		if at, by, err = r.aroundBuilt(ctx); err != nil {
			return nil, err
		}
	}
	var folders []string
	for _, in := range at.Inputs.All {
		if folder := filepath.Dir(in.Path); kustomize.IsKustomization(in.Path) && (r.Inputs.Built != nil || at.patches(in, by)) && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 || by.CRDs() == 0 {
		return nil, nil
	}
	return by.ReplacedLists(folders, int64(r.MaxFileSize), func(folder string, err error) {
		r.Note("%s is not built, and its patches are not judged: %v", Shown(folder), Unread(err))
	}), nil
}

// aroundBuilt is a run over the files in the folder of --kustomize, and what its objects are judged by: the CRDs that are built, and
// those of the repository.
func (r *Run) aroundBuilt(ctx context.Context) (*Run, *rules.Objects, error) {
	flags, by := *r.Flags, &rules.Objects{}
	flags.Kustomize = ""
	found, err := r.inputs(&flags, r.Config, r.Inputs.paths)
	if err != nil {
		return nil, nil, err
	}
	for _, in := range r.Inputs.All {
		by.Add(rules.CRDsIn(Shown(in.Path), in.Text))
	}
	at := &Run{Session: r.Session, Flags: &flags, Config: r.Config, Inputs: found, Around: r.Around}
	err = at.ReadCRDsAround(ctx, by)
	folder := r.Inputs.paths[0]
	found.All = slices.DeleteFunc(found.All, func(in Input) bool { return filepath.Dir(in.Path) != filepath.Clean(folder) })
	return at, by, err
}

// patches reports whether a kustomization may patch an object of one of the CRDs.
func (r *Run) patches(in Input, by *rules.Objects) bool {
	src, err := in.Read(nil, int64(r.MaxFileSize))
	if err != nil {
		return false // which is reported when its objects are looked for
	}
	files := objects.Patches(src)
	return by.MayDefine(src) || slices.ContainsFunc(files, func(file string) bool {
		src, err := Input{Path: filepath.Join(filepath.Dir(in.Path), filepath.FromSlash(file))}.Read(nil, int64(r.MaxFileSize))
		return err == nil && by.MayDefine(src)
	})
}
