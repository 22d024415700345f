package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// dropPatched drops the findings that a patch of the run settles. It is in another file as a rule, before or after that of
// the CRD, and belongs to every CRD of its name, as in kustomize.
func dropPatched(files []*FileReport) {
	patches := map[string][]crd.Patch{}
	for _, f := range files {
		for _, p := range f.patches {
			patches[p.Name] = append(patches[p.Name], p)
		}
	}
	for _, f := range files {
		settled := map[*lint.Finding]bool{}
		for _, one := range f.patchable {
			settled[one.Finding] = slices.ContainsFunc(patches[one.Resource], one.PatchedBy)
		}
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return settled[f] })
	}
}
