package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

// An output is one format to write, to a file or, with an empty path, to standard output.
type output struct {
	format report.Format
	path   string
}

type outputs []output

// parseOutputs reads FORMAT[=PATH].
func parseOutputs(given []string) (outputs, error) {
	if len(given) == 0 {
		return outputs{{format: report.Text}}, nil
	}
	var all outputs
	onStdout := ""
	for _, text := range given {
		name, path, toFile := strings.Cut(text, "=")
		if !slices.Contains(report.Names(), name) {
			return nil, usageError{wording.NotOneOf("--output", name, report.Names()), ""}
		}
		if toFile && path == "" {
			return nil, usageError{fmt.Sprintf("--output %s= names no file", name), ""}
		}
		if path == stdinPath {
			return nil, usageError{fmt.Sprintf("--output %s=- names no file", name), fmt.Sprintf("--output %s is for standard output.", name)}
		}
		if !toFile && onStdout != "" {
			return nil, usageError{fmt.Sprintf("%s and %s do not fit on standard output together", onStdout, name),
				fmt.Sprintf("Write one to a file: --output %s=PATH.", name)}
		}
		if !toFile {
			onStdout = name
		}
		all = append(all, output{report.Format(name), path})
	}
	return all, nil
}

// carryEdits says whether one of the formats carries the edits of fixes.
func (all outputs) carryEdits() bool {
	return slices.ContainsFunc(all, func(o output) bool { return o.format == report.JSON || o.format == report.SARIF })
}

// guard refuses outputs that would replace something that is no report.
func (all outputs) guard(inputs []input) error {
	for _, o := range all {
		if o.path == "" {
			continue
		}
		if err := guard("--output "+string(o.format)+"=", o.path, inputs); err != nil {
			return err
		}
	}
	return nil
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

// onStdout says whether one of them goes to standard output.
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

// guard refuses to write a report over anything that somebody else has made. A path that is forgotten, as in
// `--write-baseline crds/*.yaml`, makes the first manifest the report's file.
func guard(flag, path string, inputs []input) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // a new file, or a device such as /dev/stderr
		return nil
	}
	for _, in := range inputs {
		if from, err := os.Stat(in.path); in.named && err == nil && os.SameFile(from, info) {
			return usageError{fmt.Sprintf("%s%s would replace the input", flag, shown(path)), "Name another file."}
		}
	}
	src, err := readSettings(path, true)
	if err != nil {
		return unread(err)
	}
	if holdsObject(path, src) {
		return usageError{fmt.Sprintf("%s%s would replace a manifest", flag, shown(path)), "Name another file."}
	}
	return nil
}

// holdsObject reports whether a file holds a Kubernetes object, or is a manifest that may hold a CRD for all one can read
// of it. A report in text does not parse, either, but is not called as manifests are.
func holdsObject(path string, src []byte) bool {
	for _, d := range manifest.Parse(path, src).Documents {
		switch {
		case d.Err != nil && isManifestName(path) && crd.MayHold(src):
			return true
		case d.Root != nil && crd.Get(d.Root.YNode(), "apiVersion") != nil && crd.Get(d.Root.YNode(), "kind") != nil:
			return true
		}
	}
	return false
}
