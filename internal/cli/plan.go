package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/before"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

// planFlags are what `crdlift plan` is told.
type planFlags struct {
	format      string
	maxFileSize byteSize
}

// The formats of a plan.
const (
	planText     = "text"
	planMarkdown = "markdown"
)

func planCommand(s *session) *cobra.Command {
	f := planFlags{format: planText, maxFileSize: defaultMaxFileSize}
	cmd := &cobra.Command{
		Use:   "plan [flags] OLD NEW",
		Short: "Plan the releases in which versions of a CRD are added, deprecated and removed",
		Long: `Compares the versions of CRDs and says how to get from the old manifests to the new ones: in which
order versions are served, become the storage version, are deprecated and removed; what has to wait
for another release, and why; and what is done in every cluster in between, with the commands.

OLD is a git revision, of which perhaps a part (v1.2.0:config/crd), a folder, a file, or - for
standard input; git: or path: in front says which. A dump, such as 'kubectl get crd -o yaml' prints
it, tells which versions a cluster has stored. NEW is a file, a folder, or -. CRDs are matched by
metadata.name.

Exit codes: 0 there is a plan, or nothing to do; 1 a manifest cannot be read as a CRD; 2 wrong usage,
unreadable files, or git failed.`,
		Example: `  crdlift plan origin/main config/crd
  crdlift plan --format markdown v1.2.0:config/crd/foos.yaml config/crd/foos.yaml
  kubectl get crd foos.example.com -o yaml | crdlift plan - config/crd/foos.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{"plan takes the old side and the new one", "Run 'crdlift plan --help' for usage."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.plan(cmd.Context(), f, args[0], args[1]) },
	}
	cmd.Flags().SortFlags = false
	addChoice(cmd, &f.format, "format", "how the plan is written", planText, planMarkdown)
	cmd.Flags().Var(&f.maxFileSize, "max-file-size", "refuse larger files")
	return cmd
}

func (s *session) plan(ctx context.Context, f planFlags, from, to string) error {
	name, err := parseOld(ctx, from)
	if err != nil {
		return err
	}
	if name.path == stdinPath && to == stdinPath {
		return usageError{"standard input cannot be both sides", "Name a file or a folder on one of them."}
	}
	found := &finder{}
	found.find(to)
	for _, err := range found.errs {
		s.fail(err)
	}
	old, err := openOld(ctx, name, []string{to}, s.fromStdin(f.maxFileSize), f.maxFileSize)
	if err != nil {
		return err
	}
	defer old.close()
	p := &planner{session: s, old: old}
	for _, in := range found.inputs {
		text, err := in.read(s.stdin, int64(f.maxFileSize))
		if err != nil {
			s.fail(err)
			continue
		}
		p.file(shown(in.path), text)
	}
	for _, l := range old.lost([]string{to}, func(string) bool { return false }, int64(f.maxFileSize)) {
		if gone := l.CRD(); gone != nil {
			if d := p.decode(l.File.Label, gone.CRD); d != nil {
				p.add(l.File.Label, plan.Deleted, d.Hub)
			}
		}
	}
	for _, line := range old.broken() {
		fmt.Fprintln(s.stderr, harmless("crdlift: "+line))
	}
	if err := old.Err(); err != nil {
		return err
	}
	return p.print(f.format)
}

// A planner makes the plans for all CRDs of the new side.
type planner struct {
	*session
	old       *oldSide
	plans     []*plan.Plan
	unchanged int // CRDs whose versions stay as they are
}

// file plans for the CRDs of a file.
func (p *planner) file(path string, text []byte) {
	if manifest.TemplateOf(path, text) != manifest.NoTemplate {
		return
	}
	f := manifest.Parse(path, text)
	for _, d := range f.Documents {
		if d.Err != nil {
			if crd.MayHold(text) {
				p.complain(d.Err)
			}
			continue
		}
		if d.Root == nil {
			continue
		}
		found, _ := crd.Find(d.Root.YNode())
		for _, c := range found {
			p.crd(path, c)
		}
	}
}

// complain says what is wrong with a manifest.
func (p *planner) complain(err error) {
	p.worsen(exitFindings)
	fmt.Fprintln(p.stderr, harmless(err.Error()))
}

func (p *planner) decode(path string, c *crd.CRD) *crd.Decoded {
	d, err := c.Decode()
	if err != nil {
		p.complain(fmt.Errorf("%s: %s: %w", path, c.Name(), err))
		return nil
	}
	return d
}

func (p *planner) crd(path string, c *crd.CRD) {
	to := p.decode(path, c)
	was := p.old.Find(c.Name(), path, 0)
	if to == nil {
		return
	}
	if was == nil {
		p.add(path, plan.Added, to.Hub)
		return
	}
	from := p.decode(was.Document.File.Path, was.CRD)
	if from == nil {
		return
	}
	made, err := plan.Make(from.Hub, to.Hub, plan.Options{File: path, Stored: storedVersions(was)})
	switch {
	case err != nil:
		p.complain(fmt.Errorf("%s: %w", path, err))
	case len(made.Releases) == 0 && len(made.Warnings) == 0:
		p.unchanged++
	default:
		p.plans = append(p.plans, made)
	}
}

// add plans for a CRD that is on one side only.
func (p *planner) add(path string, make func(*apiextensions.CustomResourceDefinition) (*plan.Plan, error), hub *apiextensions.CustomResourceDefinition) {
	made, err := make(hub)
	if err != nil {
		p.complain(fmt.Errorf("%s: %w", path, err))
		return
	}
	p.plans = append(p.plans, made)
}

// storedVersions is what a cluster says about a CRD; nil for a manifest that is from none.
func storedVersions(old *lint.OldCRD) []string {
	if !before.FromCluster(old.CRD) {
		return nil
	}
	stored := []string{}
	if list := crd.Get(old.CRD.Node, "status", "storedVersions"); list != nil {
		for _, n := range list.Content {
			stored = append(stored, crd.StringAt(n))
		}
	}
	return stored
}

// print prints the plans by the names of the CRDs.
func (p *planner) print(format string) error {
	slices.SortStableFunc(p.plans, func(a, b *plan.Plan) int { return strings.Compare(a.CRD, b.CRD) })
	for i, made := range p.plans {
		text := made.Text()
		if format == planMarkdown {
			text = made.Markdown()
		}
		if i > 0 {
			text = "\n" + text
		}
		if _, err := fmt.Fprint(p.stdout, report.HarmlessLines(text)); err != nil {
			return err
		}
	}
	if p.unchanged > 0 {
		fmt.Fprintf(p.stderr, "%s: no version is added, removed, deprecated or served differently\n", wording.Count(p.unchanged, "CRD"))
	}
	return nil
}
