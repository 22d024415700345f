package rules

import (
	"io"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// FindConfig looks for the configuration file, .crdlift.yaml, in a folder and those above it, up to the root of the
// repository or of the file system. The path is relative when the folder is, and "" when there is no such file.
func FindConfig(dir string) (path string, err error) { return config.Find(dir) }

// ReadConfig reads a configuration file. Unknown keys, unknown rules and wrong values are errors: all of them are
// reported together, each a *lint.FileError in what errors.Join makes.
func ReadConfig(path string, src []byte) (*lint.Config, error) {
	return config.Read(path, src, published)
}

// ReadBaseline reads a baseline file, as strictly as ReadConfig does. Rules that do not exist any more are no error.
func ReadBaseline(path string, src []byte) (*lint.Baseline, error) {
	return suppress.ReadBaseline(path, src, published)
}

// WriteBaseline returns a baseline file of what a run found and neither comments nor the configuration ignore. The path
// is where it is going to be: the files in it are relative to its folder.
func WriteBaseline(path string, r *lint.Report) []byte { return suppress.WriteBaseline(path, r) }

// Write writes a report in a format: "text", "json", "sarif", "github", "gitlab", "junit" or "markdown".
func Write(w io.Writer, format string, r *lint.Report) error {
	return report.Write(w, format, r, report.Options{Full: true, Rules: published, Doc: Doc})
}
