package origin

import (
	"iter"
	"slices"

	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A File is one of a run, and the names of the CRDs in it.
type File struct {
	vicinity.Vicinity
	CRDs []string
}

// NameOriginals names the files that copies are made from, if those do not have the name that the generator gives them: the
// first of the run that has the CRD and is no copy.
func NameOriginals(findings []*lint.Finding, files iter.Seq[File]) {
	unknown := slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
		return f.Origin == nil || f.Origin.Confidence != lint.CopyOrigin || f.Origin.CopyOf != ""
	})
	if len(unknown) == 0 {
		return
	}
	originals := map[string]string{} // files by what is in them
	for f := range files {
		at := f.PlaceOf(f.Path)
		for _, name := range f.CRDs {
			if originals[name] == "" && !at.IsOlder() && !at.IsChart() {
				originals[name] = f.Path
			}
		}
	}
	for _, finding := range unknown {
		finding.Origin.CopyOf = originals[finding.Resource]
	}
}
