package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/goplace"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// whereFlags are the flags of `crdlift where`.
type whereFlags struct {
	run.Flags
	format string
}

func whereCommand(s *session) *cobra.Command {
	f := whereFlags{format: report.Text}
	cmd := &cobra.Command{
		Use:    "where [flags] MANIFEST [PATH]",
		Hidden: true, // findings and editors name the place; this is to look into how it is found
		Short:  "Print where Go types declare a field of a CRD",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return run.UsageError("'crdlift where' needs a MANIFEST, and takes an optional PATH", "run 'crdlift where --help' for usage")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return s.where(f, args[0], strings.Join(args[1:], ""))
		},
	}
	flags := cmd.Flags()
	addChoice(cmd, &f.format, "output", "o", "output format", report.Text, report.JSON)
	flags.StringVar(&f.GoTypes, "go", "", "`auto|PATH` where the Go types are (default auto: around the manifest)")
	addCommon(cmd, &f.Flags, "config")
	return cmd
}

func (s *session) where(f whereFlags, name, path string) error {
	config, err := f.ReadConfigFile()
	if err != nil {
		return err
	}
	if f.GoTypes == run.GoOff {
		return run.UsageError("'crdlift where' needs Go types, so it cannot be used with --go off", "use --go auto")
	}
	if f.GoTypes == "" && config.Go.Off {
		return run.UsageError("'crdlift where' needs Go types, but the configuration turns them off", "turn them on with --go auto")
	}
	folders, err := f.GoFolders(config)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	in := run.Input{Path: name}
	if name == run.Stdin {
		in.Path = run.StdinName
	}
	if info, err := os.Stat(in.Path); err == nil && info.IsDir() {
		return run.UsageError(run.Shown(in.Path)+" is a folder, but 'crdlift where' needs one file", "name the file of the CRD")
	}
	src, err := s.Read(in)
	if err != nil {
		return err
	}
	index := gotypes.New(here, gotypes.DefaultLimits)
	index.UseModuleCache(gotypes.ModuleCache())
	w := &whereRun{session: s, path: path, types: &vicinity.GoTypes{Index: index, Folders: folders}}
	if err := w.file(manifest.Parse(run.Shown(in.Path), src), src); err != nil {
		return err
	}
	return w.print(f.format)
}

// A whereRun looks for the places of one path.
type whereRun struct {
	*session
	path   string // as the user wrote it; "" for the structs
	types  *vicinity.GoTypes
	places []*goplace.Place
	gaps   []gotypes.Gap // what was not read, and may have what was not found
}

// file looks for the path in the CRDs of a file.
func (w *whereRun) file(f *manifest.File, src []byte) error {
	met := false // a CRD, or text that does not parse and may hold one
	for _, d := range f.Documents {
		if d.Err != nil && xrd.MayHold(src) {
			met = true
			w.Worsen(run.ExitFindings)
			fmt.Fprintln(w.Stderr, text.Harmless(d.Err.Error()))
		}
		if d.Root == nil {
			continue
		}
		found, _ := xrd.Find(d.Root.YNode())
		for _, c := range found {
			met = true
			places, gaps := goplace.Find(w.types, f.Path, c.Frozen(), w.path)
			w.places, w.gaps = append(w.places, places...), append(w.gaps, gaps...)
		}
	}
	if !met {
		return run.WithRemedy(run.NoneIn(f.Path, []lint.File{{Label: f.Path, Read: func() ([]byte, error) { return src, nil }}}))
	}
	return nil
}

// print prints what was found, and why other places were not. Names in Go source and of files may hold anything.
func (w *whereRun) print(format string) error {
	var lines, lost []string
	for _, p := range w.places {
		if p.Declaration == nil {
			lost = append(lost, p.Sentence())
		}
		lines = append(lines, p.Lines()...)
	}
	if len(lines) == 0 {
		w.Worsen(run.ExitFindings)
	}
	if format == report.JSON {
		lost = nil // the report has them
	}
	for _, gap := range w.gaps {
		lost = append(lost, fmt.Sprintf("the Go types of %s cannot be read: %s; correct that", gap.Path, gap.Reason))
	}
	for i, line := range lost {
		if !slices.Contains(lost[:i], line) { // versions share what was not read
			fmt.Fprintln(w.Stderr, text.Harmless("crdlift: "+line))
		}
	}
	if format == report.JSON {
		return report.Encode(w.Stdout, goplace.Report{Version: 1, Places: append([]*goplace.Place{}, w.places...)})
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w.Stdout, text.Harmless(line)); err != nil {
			return err
		}
	}
	return nil
}
