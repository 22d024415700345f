package rules

import "github.com/crdlift/crdlift/internal/engine"

// A ReplacedList is a list of a custom resource of which a patch of a kustomization loses items, for the lack of a merge key.
type ReplacedList engine.ReplacedList

// Replaced reports a list at the patch, whose file messages name by a path. The file is the report of what is there, nil for one that
// is not read, of which Replaced then returns a report.
func (l *Linter) Replaced(list ReplacedList, path string, file *FileReport) *FileReport {
	if file == nil {
		file = NoReport(path)
	}
	l.engine().Replaced(file.run, engine.ReplacedList(list))
	return file
}
