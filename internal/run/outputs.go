package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/atomicfile"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/page"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// An output is one format to write, to a file or, with an empty path, to standard output.
type output struct {
	Format, Path string
}

type Outputs []output

// FormatHTML is a page to look at. It is written from what internal/overview reads in a report, and not by internal/report: programs
// that only write other formats need not have the templates linked in.
const FormatHTML = "html"

// Formats are all formats of --output.
func Formats() []string { return append(report.Formats(), FormatHTML) }

// FormatArgoCDIgnore is what Argo CD is to ignore of custom resources. It has no findings.
const FormatArgoCDIgnore = "argocd-ignore"

// FormatsOf are those of a command, by what it is about.
func FormatsOf(about string) []string {
	if about == AboutObjects {
		return append(Formats(), FormatArgoCDIgnore)
	}
	return Formats()
}

// writeReport writes a report in a format.
func writeReport(w io.Writer, format string, r *lint.Report, opts report.Options) error {
	switch format {
	case FormatHTML:
	case FormatArgoCDIgnore:
		return report.WriteArgoCDIgnore(w, r.Objects)
	default:
		return report.Write(w, format, r, opts)
	}
	run, err := overview.Of(r, opts)
	if err != nil {
		return err
	}
	var all overview.Builder
	all.Add(run)
	return page.Write(w, all.Overview())
}

// ParseOutputs reads FORMAT[=PATH].
func ParseOutputs(given []string) (Outputs, error) { return ParseOutputsOf(Formats(), given) }

// ParseOutputsOf is that for some of the formats.
func ParseOutputsOf(formats, given []string) (Outputs, error) {
	if len(given) == 0 {
		return Outputs{{Format: report.Text}}, nil
	}
	var all Outputs
	onStdout := ""
	for _, wanted := range given {
		name, path, toFile := strings.Cut(wanted, "=")
		if !slices.Contains(formats, name) {
			return nil, UsageError(text.NotOneOf("--output", name, formats), "")
		}
		if toFile && path == "" {
			return nil, UsageError(fmt.Sprintf("--output %s= has no file name", name), fmt.Sprintf("write the name after it, such as --output %s=report.%[1]s", name))
		}
		if path == Stdin {
			return nil, UsageError(fmt.Sprintf("--output %s=-: - is not a file name", name), fmt.Sprintf("write --output %s, which goes to standard output", name))
		}
		if !toFile && onStdout != "" {
			return nil, UsageError(fmt.Sprintf("%s and %s cannot both go to standard output", onStdout, name),
				fmt.Sprintf("write one to a file: --output %s=PATH", name))
		}
		if !toFile {
			onStdout = name
		}
		if i := slices.IndexFunc(all, func(o output) bool { return toFile && o.Path != "" && SameFile(o.Path, path) }); i >= 0 {
			return nil, UsageError(fmt.Sprintf("--output %s=%s writes the same file as --output %s=%s", name, Shown(path), all[i].Format, Shown(all[i].Path)), "give each --output its own file")
		}
		all = append(all, output{name, path})
	}
	return all, nil
}

// SameFile reports whether two paths lead to one file, which need not be there yet. Devices such as /dev/stderr take
// several outputs one after the other.
func SameFile(a, b string) bool {
	if infoA, err := os.Stat(a); err == nil {
		infoB, err := os.Stat(b)
		return err == nil && infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// carryEdits reports whether one of the formats carries the edits of fixes.
func (all Outputs) carryEdits() bool {
	return all.Has(report.JSON) || all.Has(report.SARIF)
}

// tellAdditions reports whether one of the formats says what a change adds.
func (all Outputs) tellAdditions() bool {
	return all.Has(report.Markdown) || all.Has(report.JSON) || all.Has(FormatHTML)
}

// Has reports whether one of them is of a format.
func (all Outputs) Has(format string) bool {
	return slices.ContainsFunc(all, func(o output) bool { return o.Format == format })
}

// paths are the files that are written.
func (all Outputs) paths() []string {
	var paths []string
	for _, o := range all {
		if o.Path != "" {
			paths = append(paths, o.Path)
		}
	}
	return paths
}

// OnStdout reports whether one of them goes to standard output.
func (all Outputs) OnStdout() bool {
	return slices.ContainsFunc(all, func(o output) bool { return o.Path == "" })
}

// ForPrograms reports whether standard output is to have a format that programs read.
func (all Outputs) ForPrograms() bool {
	return slices.ContainsFunc(all, func(o output) bool {
		return o.Path == "" && !slices.Contains([]string{report.Text, report.Short, report.Statistics}, o.Format)
	})
}

// Each has every output written. A file is written when all of it is known.
func (all Outputs) Each(stdout io.Writer, write func(w io.Writer, format string) error) error {
	for _, o := range all {
		if o.Path == "" {
			if err := write(stdout, o.Format); err != nil {
				return err
			}
			continue
		}
		var text bytes.Buffer
		if err := write(&text, o.Format); err != nil {
			return err
		}
		if err := replaceOutput(o.Path, text.Bytes()); err != nil {
			return fmt.Errorf("--output %s=%s cannot be written (%w); correct that, or name another file", o.Format, Shown(o.Path), Cause(err))
		}
	}
	return nil
}

// replaceOutput writes a file as a whole: a full disk leaves the one that was there, or none. What is no file, such as
// /dev/stderr wherever it leads, takes one output after the other.
func replaceOutput(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() && !strings.HasPrefix(filepath.Clean(path), "/dev/") {
		return atomicfile.Write(path, data)
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return errors.Join(err, to.Close())
}
