package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/page"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/version"
	"github.com/crdlift/crdlift/lint"
)

// planFlags are the flags of `crdlift plan`.
type planFlags struct {
	format string
	dir    string
}

func planCommand(s *session) *cobra.Command {
	f := planFlags{format: report.Text}
	cmd := &cobra.Command{
		Use:   "plan [flags] OLD NEW [PATH]",
		Short: "Plan the releases in which versions of a CRD are added, deprecated and removed",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return run.UsageError("'crdlift plan' needs OLD and NEW, and takes an optional PATH", "run 'crdlift plan --help' for usage")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.plan(cmd.Context(), f, args[0], args[1], strings.Join(args[2:], ""))
		},
	}
	flags := cmd.Flags()
	addChoice(cmd, &f.format, "output", "o", "output format", report.Text, report.Markdown, report.JSON, run.FormatHTML)
	addChoice(cmd, &f.format, "format", "", "output format", report.Text, report.Markdown, report.JSON, run.FormatHTML)
	flags.Lookup("format").Hidden = true // what --output was called
	flags.StringVar(&f.dir, "write", "", "`DIR` write the manifests of each release into it")
	return cmd
}

func (s *session) plan(ctx context.Context, f planFlags, from, to, path string) error {
	p := &planner{session: s, flags: f, from: from, to: to, leftOut: map[lint.Role]int{}}
	config, err := (&run.Flags{}).ReadConfigFile()
	if err != nil {
		return err
	}
	was, is, err := planSides(ctx, from, to, path)
	if err != nil {
		return err
	}
	if was.IsStdin() && is.IsStdin() {
		return run.UsageError("standard input can be read only once", "name a file or a folder for one of them")
	}
	files, err := p.newSide(ctx, is, config)
	if err != nil {
		return err
	}
	paths := []string{is.Path}
	if is.IsGit() {
		paths = nil // the working tree has nothing to do with it
	}
	old, err := s.Open(ctx, run.OfAgainst, was, paths...)
	if err != nil {
		return err
	}
	if p.old, err = old.Side(nil); err != nil {
		return err
	}
	if p.roles != nil {
		if err := p.roles.CompareWith(ctx, p.old); err != nil {
			s.Note("%v", err)
		}
		var labels []string
		for _, in := range files {
			labels = append(labels, in.label)
		}
		p.first = p.roles.First(labels)
	}
	for _, in := range files {
		text, err := s.Read(in.Input)
		if err != nil {
			s.Fail(err)
			continue
		}
		p.file(in, text)
	}
	for _, l := range p.lost(is) {
		if p.old.Was(l.File.Path, l.Name).Role == lint.RoleForeign {
			p.leftOut[lint.RoleForeign]++
		} else if gone := p.old.Gone(l); gone != nil {
			if d := p.decode(gone.Document, gone.CRD); d != nil {
				p.add(l.File.Label, plan.Deleted, d.Hub)
			}
		}
	}
	if len(p.old.Misspelt()) > 0 { // as on the new side
		p.Worsen(run.ExitFindings)
	}
	for _, line := range slices.Compact(slices.Concat(p.old.Uncompared(), old.Modules(), p.now.Modules())) {
		fmt.Fprintln(s.Stderr, text.Harmless("crdlift: "+line))
	}
	for _, o := range s.Oversized.Of("") {
		fmt.Fprintln(s.Stderr, text.Harmless(fmt.Sprintf("crdlift: %s is larger than --max-file-size=%s and was not read, so its CRDs have no plan; raise the limit", o.Label, s.MaxFileSize)))
		p.Worsen(run.ExitFindings)
	}
	empty := p.failEmpty(is, files)
	if err := p.old.Err(); err != nil || empty {
		return err
	}
	if err := p.writeReleases(); err != nil {
		return err
	}
	return p.print(f.format)
}

// planSides resolves the names of both sides. A path applies to revisions without one of their own.
func planSides(ctx context.Context, from, to, path string) (was, is older.Name, err error) {
	if was, err = older.Parse(ctx, from); err != nil {
		return was, is, err
	}
	if is, err = older.Parse(ctx, to); err != nil {
		return was, is, err
	}
	if path == "" {
		return was, is, nil
	}
	taken := false
	for _, n := range []*older.Name{&was, &is} {
		if !n.IsGit() || n.Path != "" {
			continue
		}
		if *n, err = n.In(path); err != nil {
			return was, is, err
		}
		taken = true
	}
	if !taken {
		return was, is, run.UsageError("PATH belongs to a git revision, and neither OLD nor NEW is one without a path", "remove PATH")
	}
	return was, is, nil
}

// print prints the plans by the names of the CRDs.
func (p *planner) print(format string) error {
	plans := plan.Merge(p.plans)
	if format == run.FormatHTML {
		var all overview.Builder
		all.Add(overview.OfPlans(plans, p.head(), p.to))
		return page.Write(p.Stdout, all.Overview())
	}
	var printed strings.Builder
	if format == report.JSON {
		if err := report.Encode(&printed, planReport{report.ContractVersion, p.head(), p.to, append([]*plan.Plan{}, plans...)}); err != nil {
			return err
		}
		plans = nil
	}
	for i, made := range plans {
		if i > 0 {
			printed.WriteString("\n")
		}
		if format == report.Markdown {
			printed.WriteString(made.Markdown())
		} else {
			printed.WriteString(made.Text())
		}
	}
	if _, err := fmt.Fprint(p.Stdout, text.HarmlessLines(printed.String())); err != nil {
		return err
	}
	if p.unchanged > 0 {
		fmt.Fprintf(p.Stderr, "%s: no version is added, removed, deprecated or served differently, so there is nothing to plan\n", text.Count(p.unchanged, "CRD"))
	}
	if left := report.LeftOutParts(p.leftOut); len(left) > 0 {
		fmt.Fprintf(p.Stderr, "left out: %s; name the file to plan for it\n", strings.Join(left, ", "))
	}
	return nil
}

// head is what the report says of the run.
func (p *planner) head() report.Head {
	return report.Head{Command: "plan", Crdlift: report.Released(version.Program()), Repository: run.RepositoryName(os.Getenv), FilesURL: run.RepositoryURL(os.Getenv), Against: p.from}
}

// A planReport is the plans as JSON; docs/schema/plan.json describes it. The version changes when a member changes its
// meaning or goes, not when one is added.
type planReport struct {
	Version int `json:"version"`
	report.Head
	New   string       `json:"target,omitempty"`
	Plans []*plan.Plan `json:"plans"`
}
