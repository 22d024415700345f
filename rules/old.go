package rules

import (
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

// An Old is the earlier version of a comparison: the manifests of an earlier revision, of a folder, or of a dump from a cluster. A CRD
// is found in it by its name, and a custom resource by its group, kind, namespace and name, wherever they were; of several, the
// one in the file counts whose path is nearest.
type Old older.Side

// ReadOld looks through the files of an earlier version. They are read again when one of their CRDs is asked for.
func ReadOld(files []lint.File) (*Old, error) {
	s, err := older.New(files, nil)
	return (*Old)(s), err
}

// Lost lists the CRDs in some files of the earlier version that no file of a run has, each name once. It is to be called after the run.
func (o *Old) Lost(in func(lint.File) bool) []lint.LostCRD { return (*older.Side)(o).Lost(in) }

// Err returns the error that has kept a file of the earlier version from being read since ReadOld; results since then are not reliable.
func (o *Old) Err() error { return (*older.Side)(o).Err() }
