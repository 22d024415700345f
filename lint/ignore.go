package lint

import "github.com/crdlift/crdlift/internal/manifest"

// A comment is an ignore that stands in a manifest.
type comment struct{}

// comments finds the ignores in a document's comments.
func comments(d *manifest.Document) []*comment { return nil }

// markIgnored marks the findings of a file that comments, the configuration or the baseline ignore. It may be called
// again for the same file.
func (l *Linter) markIgnored(f *FileReport) {}

// reportIgnores adds findings for ignores that are wrong or match nothing.
func (l *Linter) reportIgnores(files []*FileReport) {}
