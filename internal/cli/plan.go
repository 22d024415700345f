package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/before"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// planFlags are what `crdlift plan` is told.
type planFlags struct {
	format      string
	dir         string
	maxFileSize byteSize
}

// The formats of a plan.
const (
	planText     = "text"
	planMarkdown = "markdown"
	planJSON     = "json"
)

func planCommand(s *session) *cobra.Command {
	f := planFlags{format: planText, maxFileSize: defaultMaxFileSize}
	cmd := &cobra.Command{
		Use:   "plan [flags] OLD NEW [PATH]",
		Short: "Plan the releases in which versions of a CRD are added, deprecated and removed",
		Long: `Compares the versions of CRDs and says how to get from the old manifests to the new ones: in which
order versions are served, become the storage version, are deprecated and removed; what has to wait
for another release, and why; and what is done in every cluster in between, with the commands. CRDs
with the same plan share one.

OLD and NEW are each a git revision, of which perhaps a part (v1.2.0:config/crd), a folder, a file, or
- for standard input; git: or path: in front says which. PATH is the part of revisions that name none.
A dump, such as 'kubectl get crd -o yaml' prints it, tells which versions a cluster has stored. CRDs
are matched by metadata.name.

--write makes the manifests: DIR/release-1, DIR/release-2 and so on have what is shipped in each
release. They are the new manifests, byte for byte but for what spec.versions says.

Exit codes: 0 there is a plan, or nothing to do; 1 a manifest cannot be read as a CRD, or a release
cannot be written; 2 wrong usage, unreadable files, a side without any CRD, or git failed.`,
		Example: `  crdlift plan origin/main config/crd
  crdlift plan v0.2.1 v0.17.8 config/crd
  crdlift plan --output markdown v1.2.0:config/crd/foos.yaml config/crd/foos.yaml
  crdlift plan --write releases origin/main config/crd
  kubectl get crd foos.example.com -o yaml | crdlift plan - config/crd/foos.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return usageError{"plan takes the old side and the new one, and perhaps a path", "Run 'crdlift plan --help' for usage."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.plan(cmd.Context(), f, args[0], args[1], strings.Join(args[2:], ""))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addChoiceP(cmd, &f.format, "output", "o", "how the plan is written", planText, planMarkdown, planJSON)
	addChoice(cmd, &f.format, "format", "how the plan is written", planText, planMarkdown, planJSON)
	flags.Lookup("format").Hidden = true // what --output was called
	flags.StringVar(&f.dir, "write", "", "write the manifests of each release below this `DIR`")
	flags.Var(&f.maxFileSize, "max-file-size", "refuse larger files")
	return cmd
}

func (s *session) plan(ctx context.Context, f planFlags, from, to, path string) error {
	p := &planner{session: s, flags: f}
	was, is, err := planSides(ctx, from, to, path)
	if err != nil {
		return err
	}
	if was.path == stdinPath && is.path == stdinPath && !was.isGit() && !is.isGit() {
		return usageError{"standard input cannot be both sides", "Name a file or a folder on one of them."}
	}
	files, err := p.newSide(ctx, is)
	if err != nil {
		return err
	}
	paths := []string{is.path}
	if is.isGit() {
		paths = nil // the working tree has nothing to do with it
	}
	if p.old, err = openOld(ctx, was, paths, s.fromStdin(f.maxFileSize), f.maxFileSize); err != nil {
		return err
	}
	defer p.old.close()
	for _, in := range files {
		text, err := in.Read()
		if err != nil {
			s.fail(err)
			continue
		}
		p.file(in, text)
	}
	for _, l := range p.lost(is, files) {
		if gone := l.CRD(); gone != nil {
			if d := p.decode(gone.Document, gone.CRD); d != nil {
				p.add(l.File.Label, plan.Deleted, d.Hub)
			}
		}
	}
	every := func(gitrev.Module) bool { return true }
	for _, line := range slices.Compact(slices.Concat(p.old.broken(), p.old.modules(every), p.now.modules(every))) {
		fmt.Fprintln(s.stderr, harmless("crdlift: "+line))
	}
	p.failEmpty(is, len(files))
	if err := p.old.Err(); err != nil {
		return err
	}
	if err := p.writeReleases(); err != nil {
		return err
	}
	return p.print(f.format)
}

// planSides finds out what the names of both sides stand for. A path goes with revisions that do not name a part.
func planSides(ctx context.Context, from, to, path string) (was, is oldName, err error) {
	if was, err = parseOld(ctx, from); err != nil {
		return was, is, err
	}
	if is, err = parseOld(ctx, to); err != nil {
		return was, is, err
	}
	if path == "" {
		return was, is, nil
	}
	taken := false
	for _, n := range []*oldName{&was, &is} {
		if !n.isGit() || n.path != "" {
			continue
		}
		at, inside := n.repository.Path(path)
		if !inside {
			return was, is, fmt.Errorf("%s lies outside of the repository", path)
		}
		if n.path, taken = at, true; at == "." {
			n.path = ""
		}
	}
	if !taken {
		return was, is, usageError{"a path goes with a revision that names no part", "Leave it out, or name a revision."}
	}
	return was, is, nil
}

// newSide lists the files of the new side. Their labels are what commands name: of a revision the paths in the working
// tree, which somebody who applies it has checked out.
func (p *planner) newSide(ctx context.Context, name oldName) ([]planInput, error) {
	var all []planInput
	if name.isGit() {
		side := &oldSide{name: name}
		p.now = side
		found, err := side.ofRevision(ctx, nil, int64(p.flags.maxFileSize))
		if err != nil {
			return nil, err
		}
		texts := make([][]byte, len(found))
		for i, f := range found {
			if texts[i], err = f.Read(); err != nil {
				break
			}
			read := func() ([]byte, error) { return texts[i], nil }
			all = append(all, planInput{input{path: f.Path, mirror: filepath.FromSlash(f.Path)}, name.repository.Shown(f.Path), read})
		}
		side.close()
		return all, err
	}
	found := &finder{}
	found.find(name.path)
	for _, err := range found.errs {
		p.fail(err)
	}
	for _, in := range found.inputs {
		read := func() ([]byte, error) { return in.read(p.stdin, int64(p.flags.maxFileSize)) }
		all = append(all, planInput{in, shown(in.path), read})
	}
	return all, nil
}

// lost lists the CRDs that the new side has no more. In a revision that is all that there is to look at; else a CRD may
// have moved to where nobody looks.
func (p *planner) lost(is oldName, files []planInput) []before.Lost {
	if !is.isGit() {
		return p.old.lost([]string{is.path}, func(string) bool { return false }, int64(p.flags.maxFileSize))
	}
	return p.old.Lost(func(f before.File) bool { return (p.old.dir || p.old.name.isGit()) && !p.now.hides(f.Path) })
}

// A planInput is a file of the new side.
type planInput struct {
	input
	label string
	Read  func() ([]byte, error)
}

// A planner makes the plans for all CRDs of the new side.
type planner struct {
	*session
	flags     planFlags
	old       *oldSide
	now       *oldSide // the new side, if it is a revision
	plans     []*plan.Plan
	unchanged int  // CRDs whose versions stay as they are
	met       bool // the new side has CRDs, or text that does not parse and may hold some
	files     []*planned
}

// file plans for the CRDs of a file.
func (p *planner) file(in planInput, text []byte) {
	if manifest.TemplateOf(in.label, text) != manifest.NoTemplate {
		return
	}
	f := manifest.Parse(in.label, text)
	done := &planned{in: in, text: text}
	for _, d := range f.Documents {
		if d.Err != nil {
			if crd.MayHold(text) {
				p.met = true
				p.complain(d.Err)
			}
			continue
		}
		if d.Root == nil {
			continue
		}
		found, _ := crd.Find(d.Root.YNode())
		p.met = p.met || len(found) > 0
		for i, c := range found {
			if made := p.crd(in, d, c); made != nil && len(made.Releases) > 0 {
				done.crds = append(done.crds, plannedCRD{d.Index, i, made.Releases, p.old.Find(c.Name(), in.label, 0)})
			}
		}
	}
	if len(done.crds) > 0 {
		p.files = append(p.files, done)
	}
}

// failEmpty fails the run for a side without any CRD: one that is misspelt, or whose manifests have moved, must not look
// like one with nothing to do. A new side may have lost its CRDs to the plan, and a whole revision may be older than all.
func (p *planner) failEmpty(is oldName, files int) {
	unread := p.now.modules(func(gitrev.Module) bool { return true }) // which may hold some
	if !p.met && len(p.plans) == 0 && len(unread) == 0 {
		p.fail(noneIn(is.String(), files))
	}
	was := p.old.name
	if was.isGit() && was.path == "" || len(p.old.Used()) > 0 || len(p.old.Broken()) > 0 {
		return
	}
	if len(p.old.Lost(func(before.File) bool { return true })) == 0 {
		p.fail(noneIn(was.String(), p.old.count))
	}
}

// complain says what is wrong with a manifest.
func (p *planner) complain(err error) {
	p.worsen(exitFindings)
	fmt.Fprintln(p.stderr, harmless(err.Error()))
}

// decode reads a CRD of a document as its server would. What keeps it from that is said in the words of lint.
func (p *planner) decode(d *manifest.Document, c *crd.CRD) *crd.Decoded {
	decoded, err := c.Decode()
	if err == nil {
		return decoded
	}
	wrong := c.WrongTypes()
	for _, w := range wrong {
		line, column := d.Begin(w.Place.Node)
		p.complain(fmt.Errorf("%s:%d:%d: %s", d.File.Path, line, column, rules.WrongType(w).Brief()))
	}
	if len(wrong) == 0 {
		p.complain(fmt.Errorf("%s: %s: %w", d.File.Path, c.Name(), err))
	}
	return nil
}

// crd plans for a CRD that may be on both sides; nil when nothing is to be done for it, or there is no old side.
func (p *planner) crd(in planInput, d *manifest.Document, c *crd.CRD) *plan.Plan {
	to := p.decode(d, c)
	was := p.old.Find(c.Name(), in.label, 0)
	if to == nil {
		return nil
	}
	if was == nil {
		if !p.old.unknown(in.label) {
			p.add(in.label, plan.Added, to.Hub)
		}
		return nil
	}
	from := p.decode(was.Document, was.CRD)
	if from == nil {
		return nil
	}
	opt := plan.Options{File: in.label, Stored: storedVersions(was)}
	if p.flags.dir != "" {
		opt.Written = func(release int) string {
			return slashed(filepath.Join(releaseFolder(p.flags.dir, release), in.mirror))
		}
	}
	made, err := plan.Make(from.Hub, to.Hub, opt)
	switch {
	case err != nil:
		p.complain(fmt.Errorf("%s: %w", in.label, err))
		return nil
	case len(made.Releases) == 0 && len(made.Warnings) == 0:
		p.unchanged++
	default:
		p.plans = append(p.plans, made)
	}
	return made
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
	plans := plan.Merge(p.plans)
	var text strings.Builder
	switch format {
	case planJSON:
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(planReport{1, append([]*plan.Plan{}, plans...)}); err != nil {
			return err
		}
	default:
		for i, made := range plans {
			if i > 0 {
				text.WriteString("\n")
			}
			if format == planMarkdown {
				text.WriteString(made.Markdown())
			} else {
				text.WriteString(made.Text())
			}
		}
	}
	if _, err := fmt.Fprint(p.stdout, report.HarmlessLines(text.String())); err != nil {
		return err
	}
	if p.unchanged > 0 {
		fmt.Fprintf(p.stderr, "%s: no version is added, removed, deprecated or served differently\n", wording.Count(p.unchanged, "CRD"))
	}
	return nil
}

// A planReport is the plans as JSON; docs/schema/plan.json describes it. The version changes when a member changes its
// meaning or goes, not when one is added.
type planReport struct {
	Version int          `json:"version"`
	Plans   []*plan.Plan `json:"plans"`
}
