package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/page"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
)

// reportFormats are those of an overview.
var reportFormats = []string{report.Text, report.JSON, report.Markdown, run.FormatHTML}

func reportCommand(s *session) *cobra.Command {
	var outputNames []string
	cmd := &cobra.Command{
		Use:   "report [flags] FILE.json...",
		Short: "Combine the reports of many runs or repositories",
		RunE:  func(cmd *cobra.Command, paths []string) error { return s.report(cmd.Context(), outputNames, paths) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&outputNames, "output", "o", nil, "`FORMAT[=PATH]` report in this format, and to this file; may be repeated: "+strings.Join(reportFormats, ", ")+" (default text)")
	complete(cmd, "output", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return reportFormats, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func (s *session) report(ctx context.Context, outputNames, paths []string) error {
	if len(paths) == 0 {
		return run.UsageError("no report is named", "name files that --output json=FILE wrote, folders with them, or - for standard input")
	}
	to, err := run.ParseOutputsOf(reportFormats, outputNames)
	if err != nil {
		return err
	}
	ctx, stop := run.UntilInterrupt(ctx, false)
	defer stop()
	var all overview.Builder
	read := 0
	files := s.reportFiles(paths)
	for i, file := range files {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after %d of %s", i, text.Count(len(files), "report"))
		}
		err := s.readReport(file.path, &all)
		if errors.Is(err, overview.ErrOverview) && file.found {
			continue // such as the summary that an earlier run wrote there
		}
		if err != nil {
			s.Fail(fmt.Errorf("%s: %w", run.Slashed(file.path), err))
		} else {
			read++
		}
		for _, o := range to {
			if o.Path != "" && run.SameFile(o.Path, file.path) {
				return run.UsageError(fmt.Sprintf("--output %s=%s would replace a report that crdlift reads", o.Format, run.Shown(o.Path)), "name another file")
			}
		}
	}
	if read == 0 {
		if s.Code == 0 {
			s.Fail(errors.New("these are only summaries that crdlift report wrote; name reports of other commands"))
		}
		return nil // the messages say why
	}
	return to.Each(s.Stdout, func(w io.Writer, format string) error { return writeOverview(w, format, all.Overview()) })
}

// A reportFile is a file to read.
type reportFile struct {
	path  string
	found bool // in a folder, and not named
}

// reportFiles are the files of paths, those of folders by their names.
func (s *session) reportFiles(paths []string) (files []reportFile) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == run.Stdin || err != nil || !info.IsDir() {
			files = append(files, reportFile{path, false}) // reading one that is not there says so
			continue
		}
		found := len(files)
		err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.EqualFold(filepath.Ext(at), ".json") {
				files = append(files, reportFile{at, true})
			}
			return err
		})
		if err == nil && len(files) == found {
			err = fmt.Errorf("%s has no *.json files; write one with --output json=FILE of another command", run.Slashed(path))
		}
		if err != nil {
			s.Fail(err)
		}
	}
	return files
}

// readReport reads the reports of a file, and adds all of them or none.
func (s *session) readReport(path string, to *overview.Builder) error {
	in, name := s.Stdin, run.StdinName
	if path != run.Stdin {
		file, err := os.Open(path)
		if err != nil {
			return run.Cause(err)
		}
		defer file.Close()
		in, name = file, strings.TrimSuffix(run.Slashed(path), filepath.Ext(path))
	}
	var runs []*overview.Run
	if err := overview.Read(bufio.NewReader(in), name, func(r *overview.Run) { runs = append(runs, r) }); err != nil {
		var syntax *json.SyntaxError
		if errors.Is(err, overview.ErrNoReport) || errors.As(err, &syntax) {
			return fmt.Errorf("%w; write one with --output json of another command", err)
		}
		return err
	}
	for _, r := range runs {
		for i := range r.Coverage {
			r.Coverage[i].File = run.Shown(r.Coverage[i].File) // a test of Go knows its own folder only, and writes whole paths
		}
		to.Add(r)
	}
	return nil
}

// writeOverview writes an overview in a format.
func writeOverview(w io.Writer, format string, o *overview.Overview) (err error) {
	switch format {
	case run.FormatHTML:
		return page.Write(w, o)
	case report.JSON:
		var raw []byte
		if raw, err = o.JSON(); err == nil {
			_, err = w.Write(raw)
		}
	case report.Markdown:
		_, err = io.WriteString(w, o.Markdown())
	default:
		_, err = io.WriteString(w, o.Text())
	}
	return err
}
