package rules

import (
	"github.com/crdlift/crdlift/internal/before"
	"github.com/crdlift/crdlift/lint"
)

// olderSide has an unexported name here, so that its methods are all that Old shows of it.
type olderSide = before.Side

// An Old is the older side of a comparison: the manifests of an earlier revision, of a folder, or of a dump from a
// cluster. A CRD is found in it by its name, wherever it was.
type Old struct {
	*olderSide
	// Unknown reports whether nobody can tell what the CRD of a name in a file was before, so that one that is not found is
	// not called new. Nil for never.
	Unknown func(name, path string) bool
}

// ReadOld looks through the files of an older side. They are read again when one of their CRDs is asked for.
func ReadOld(files []lint.File) (*Old, error) {
	s, err := before.New(files)
	if err != nil {
		return nil, err
	}
	return &Old{olderSide: s}, nil
}
