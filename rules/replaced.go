package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/jsonschema"
	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/objects"
)

// A ReplacedList is a list of a custom resource of which a patch of a kustomization loses items, for the lack of a merge key.
type ReplacedList struct{ of kustomize.Replaced }

// Path is that of the file with the patch, from where the folder of the kustomization was named.
func (r *ReplacedList) Path() string { return r.of.File.Path }

// ReplacedLists builds the kustomization of a folder, and finds the lists of objects of the CRDs that its patches would not replace with
// merge keys. Files above a size in bytes are refused.
func (o *Objects) ReplacedLists(folder string, limit int64) (all []ReplacedList, err error) {
	crds := o.catalogue.Kinds()
	if o.keys == nil {
		if o.keys, err = jsonschema.ForKustomize(crds); err != nil {
			return nil, err
		}
	}
	found, err := kustomize.Replaces(folder, limit, o.keys)
	for _, one := range found {
		if slices.ContainsFunc(crds, func(d *objects.Definition) bool {
			return d.Hub.Spec.Group == one.Group && d.Hub.Spec.Names.Kind == one.Kind
		}) {
			all = append(all, ReplacedList{one})
		}
	}
	return all, err
}

// Replaced reports a list at the patch, whose file messages name by a path. The file is the report of what is there, nil for one that
// is not looked at, of which Replaced then returns a report.
func (l *Linter) Replaced(list ReplacedList, path string, file *FileReport) *FileReport {
	if file == nil {
		file = NoReport(path)
	}
	at := list.of
	l.engine().Replaced(file.run, at.In, at.File.Range(at.Start, at.End), at.Path, at.Lost)
	return file
}
