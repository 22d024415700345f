package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// An output is one format to write, to a file or, with an empty path, to standard output.
type output struct {
	format, path string
}

type outputs []output

// parseOutputs reads FORMAT[=PATH].
func parseOutputs(given []string) (outputs, error) {
	if len(given) == 0 {
		return outputs{{format: report.Text}}, nil
	}
	var all outputs
	onStdout := ""
	for _, wanted := range given {
		name, path, toFile := strings.Cut(wanted, "=")
		if !slices.Contains(report.Formats(), name) {
			return nil, usageError{text.NotOneOf("--output", name, report.Formats()), ""}
		}
		if toFile && path == "" {
			return nil, usageError{fmt.Sprintf("--output %s= has no file name", name), ""}
		}
		if path == stdinPath {
			return nil, usageError{fmt.Sprintf("--output %s=-: - is not a file name", name), fmt.Sprintf("--output %s goes to standard output.", name)}
		}
		if !toFile && onStdout != "" {
			return nil, usageError{fmt.Sprintf("%s and %s cannot both go to standard output", onStdout, name),
				fmt.Sprintf("Write one to a file: --output %s=PATH.", name)}
		}
		if !toFile {
			onStdout = name
		}
		if i := slices.IndexFunc(all, func(o output) bool { return toFile && o.path != "" && sameFile(o.path, path) }); i >= 0 {
			return nil, usageError{fmt.Sprintf("--output %s=%s would replace %s=%s", name, shown(path), all[i].format, shown(all[i].path)), "Name another file."}
		}
		all = append(all, output{name, path})
	}
	return all, nil
}

// sameFile reports whether two paths lead to one file, which need not be there yet. Devices such as /dev/stderr take
// several outputs one after the other.
func sameFile(a, b string) bool {
	if infoA, err := os.Stat(a); err == nil {
		infoB, err := os.Stat(b)
		return err == nil && infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// carryEdits reports whether one of the formats carries the edits of fixes.
func (all outputs) carryEdits() bool {
	return slices.ContainsFunc(all, func(o output) bool { return o.format == report.JSON || o.format == report.SARIF })
}

// paths are the files that are written.
func (all outputs) paths() []string {
	var paths []string
	for _, o := range all {
		if o.path != "" {
			paths = append(paths, o.path)
		}
	}
	return paths
}

// onStdout reports whether one of them goes to standard output.
func (all outputs) onStdout() bool {
	return slices.ContainsFunc(all, func(o output) bool { return o.path == "" })
}

// write writes a report in every format.
func (all outputs) write(stdout io.Writer, r *lint.Report, opts report.Options) error {
	for _, o := range all {
		if o.path == "" {
			opts.Color = wantsColor(stdout)
			if err := report.Write(stdout, o.format, r, opts); err != nil {
				return err
			}
			continue
		}
		var text bytes.Buffer
		opts.Color = false
		if err := report.Write(&text, o.format, r, opts); err != nil {
			return err
		}
		if err := os.WriteFile(o.path, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
