package cli

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/lint"
)

// builtInputs are the CRDs that a kustomization makes, by the files they come from.
func (f *lintFlags) builtInputs(paths []string, config *lint.Config) (*finder, error) {
	if len(paths) > 0 {
		return nil, usageError{"--kustomize stands in the place of a PATH", "The kustomization names the files."}
	}
	built, err := kustomize.Build(f.kustomize, int64(f.maxFileSize))
	if err != nil {
		return nil, unread(err)
	}
	found := &finder{built: map[string]*kustomize.File{}, paths: []string{f.kustomize}, filled: map[int]bool{0: len(built) > 0}}
	for _, file := range built {
		if path := shown(file.Path); !config.Excluded(path) {
			found.inputs = append(found.inputs, input{path: file.Path, text: file.Text})
			found.built[path] = file
		}
	}
	return found, nil
}

// toSources moves what was found in CRDs that were built to where it is written. There is no fix: its edits would be those
// of a file that nobody has.
func (r *lintRun) toSources(all *lint.Report) {
	if r.found.built == nil {
		return
	}
	for _, f := range all.Findings {
		file := r.found.built[f.Pos.File]
		if file == nil {
			continue
		}
		at := file.Locate(f.Document, f.At.Path, f.Pos.Line, f.Pos.Column)
		if path := shown(at.File.Path); path != f.Pos.File && all.CRDs > 1 {
			all.Crowded[path] = true // what is written there may be for any of them
		}
		f.Pos.File, f.Document, f.Fix, f.Related = shown(at.File.Path), at.Document, nil, nil
		f.Pos.Line, f.Pos.Column = at.File.Position(at.Start)
		f.Pos.EndLine, f.Pos.EndColumn = at.File.Position(at.End)
		f.Excerpt, f.From = at.File.Excerpt(f.Pos.Line, f.Pos.Column, lint.MaxExcerpt)
		if !slices.Contains(all.Files, f.Pos.File) {
			all.Files = append(all.Files, f.Pos.File)
		}
	}
	slices.SortStableFunc(all.Findings, func(a, b *lint.Finding) int {
		return cmp.Or(slices.Index(all.Files, a.Pos.File)-slices.Index(all.Files, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
}
