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

// ReplacedLists builds the kustomizations of folders, and finds the lists of objects of the CRDs that patches would not replace with merge
// keys. Files above a size in bytes are refused. What cannot be built is handed to a function.
func (o *Objects) ReplacedLists(folders []string, limit int64, failed func(folder string, err error)) (all []ReplacedList) {
	crds := o.catalogue.Kinds()
	keys, err := jsonschema.ForKustomize(crds)
	for _, folder := range folders {
		var found []kustomize.Replaced
		if err == nil {
			found, err = kustomize.Replaces(folder, limit, keys)
		}
		if err != nil {
			failed(folder, err)
			err = nil
		}
		for _, one := range found {
			is := func(d *objects.Definition) bool {
				return d.Hub.Spec.Group == one.Group && d.Hub.Spec.Names.Kind == one.Kind
			}
			if slices.ContainsFunc(crds, is) && !slices.ContainsFunc(all, func(other ReplacedList) bool { return other.isAt(one) }) {
				all = append(all, ReplacedList{one})
			}
		}
	}
	return all
}

// isAt reports whether it is the same list of a patch, which several kustomizations build with.
func (r *ReplacedList) isAt(other kustomize.Replaced) bool {
	return r.Path() == other.File.Path && r.of.Start == other.Start && r.of.Path == other.Path
}

// Replaced reports a list at the patch, whose file messages name by a path. The file is the report of what is there, nil for one that
// is not looked at, of which Replaced then returns a report.
func (l *Linter) Replaced(list ReplacedList, path string, file *FileReport) *FileReport {
	if file == nil {
		file = NoReport(path)
	}
	at := list.of
	l.engine().Replaced(file.run, at.File.Documents[at.Document], at.File.Range(at.Start, at.End), at.Path, at.Lost)
	return file
}
