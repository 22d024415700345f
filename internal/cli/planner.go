package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// A planInput is a file of the new side.
type planInput struct {
	run.Input
	label string // the path in commands
}

// A planner makes the plans for all CRDs of the new side.
type planner struct {
	*session
	flags     planFlags
	from, to  string // the sides, as the user calls them
	old       *older.Side
	now       *older.Manifests  // the new side, if it is a revision
	roles     *run.Roles        // of the new side
	first     map[string]string // the files that stand for CRDs of roles, by their names
	plans     []*plan.Plan
	unchanged int               // CRDs whose versions stay as they are
	leftOut   map[lint.Role]int // manifests with changes of versions
	met       bool              // the new side has CRDs, or text that does not parse and may hold some
	files     []*planned
}

// newSide lists the files of the new side. The label of a revision's is the path in the working tree, where it is checked
// out when it is applied.
func (p *planner) newSide(ctx context.Context, name older.Name, c *lint.Config) (all []planInput, err error) {
	if name.IsGit() {
		if p.now, err = p.Open(ctx, "", name); err != nil {
			return nil, err
		}
		for _, f := range p.now.Files {
			text, err := f.Read()
			if err != nil {
				return nil, err
			}
			in := run.Input{Path: f.Path, Mirror: filepath.FromSlash(f.Path), Text: append([]byte{}, text...)} // one that is too large is empty
			all = append(all, planInput{in, p.now.Here(f)})
		}
		if p.roles, err = run.RolesAt(ctx, p.now, c); err != nil {
			p.Note("%v", err)
		}
		return all, nil
	}
	found := p.FindAll(name.Path)
	p.FailAll(found.Errs)
	found.NoteLinks(p.Note)
	for _, in := range found.All {
		all = append(all, planInput{in, run.Shown(in.Path)})
	}
	p.roles = run.RolesIn(found, c)
	return all, nil
}

// lost lists the CRDs that the new side does not have any more. A revision is complete; else a CRD may have moved out
// of the given paths.
func (p *planner) lost(is older.Name) []lint.LostCRD {
	if !is.IsGit() {
		lost, ofCluster := p.old.Deleted([]string{is.Path}, func(string) bool { return false })
		noteOthers(p.Note, ofCluster)
		return lost
	}
	was := p.old.From()
	return p.old.Lost(func(f lint.File) bool { return (was.Folder || was.IsGit()) && !p.now.Hides(f.Path) })
}

// file plans for the CRDs of a file.
func (p *planner) file(in planInput, text []byte) {
	opened := manifest.Open(in.label, in.label, text)
	if len(opened.Worlds) == 0 {
		return
	}
	f := opened.Worlds[0]
	done := &planned{in: in, text: f.Source, mask: f.Mask}
	for _, d := range f.Documents {
		if d = d.Parsed(); d.Err != nil {
			if xrd.MayHold(text) && f.Mask == nil {
				p.met = true
				p.complain(d.Err)
			}
			continue
		}
		if d.Root == nil {
			continue
		}
		for _, c := range crd.Meant(d.Root.YNode()) {
			p.misspelt(in, d, c)
		}
		found, _ := xrd.Find(d.Root.YNode())
		for i, c := range found {
			if f.Mask.Mentions(c.Name()) {
				continue // the name that it is rendered with is not known
			}
			if c.IsPart() {
				p.misspelt(in, d, c) // else it is a patch, whose CRD is elsewhere
				continue
			}
			p.met = true
			if role := p.roles.CRD(in.label, c.Name()).Role; role != "" && !role.Told() {
				p.leaveOut(role, in, c)
				continue
			}
			made := p.crd(in, d, c)
			switch {
			case made == nil || len(made.Releases) == 0:
			case c.From != nil && p.flags.dir != "" && !c.From.Also:
				p.complainAt(d, crd.Place{Node: c.From.Node}, "--write writes no "+c.From.Kind+"; change its versions release by release, as the plan says")
			case c.From == nil:
				done.crds = append(done.crds, plannedCRD{d.Index, i, made.Releases, p.old.Find(c.Name(), in.label, 0)})
			}
		}
	}
	if len(done.crds) > 0 {
		p.files = append(p.files, done)
	}
}

// leaveOut counts a CRD that has no plan for its role, if it would have one otherwise.
func (p *planner) leaveOut(role lint.Role, in planInput, c *crd.CRD) {
	was := p.old.Find(c.Name(), in.label, 0)
	if was == nil {
		return
	}
	from, err := was.Decode()
	to, broken := c.Decode()
	if err != nil || broken != nil {
		return
	}
	if made, err := plan.Make(from.Hub, to.Hub, plan.Options{}); err == nil && len(made.Releases) > 0 {
		p.leftOut[role]++
	}
}

// standsFor reports whether the plan for a CRD is that for it in a file, of which it may have several.
func (p *planner) standsFor(name string, in planInput) bool {
	return p.roles.CRD(in.label, name).Role == "" || p.first[name] == in.label
}

// misspelt complains of a head that is misspelt. Its CRD is still there, in a manner: there is nothing to plan for it, least
// of all that it is deleted.
func (p *planner) misspelt(in planInput, d *manifest.Document, c *crd.CRD) {
	slips := c.Slips()
	if len(slips) == 0 {
		return
	}
	p.met = true
	p.old.Find(c.Name(), in.label, 0)
	for _, slip := range slips {
		p.complainAt(d, slip.Place, slip.Message().Brief())
	}
}

// failEmpty fails the run for a side without any CRD, and reports whether there is one: a side that is misspelt, or whose
// manifests have moved, must not look like one with nothing to do, or with everything to delete. Where a revision had CRDs
// at the place of the new side, they are deleted on purpose; a whole revision may be older than all CRDs.
func (p *planner) failEmpty(is older.Name, inputs []planInput) (empty bool) {
	was := p.old.From()
	deleted := was.IsGit() && len(p.plans) > 0
	if !p.met && !deleted && len(p.now.Modules()) == 0 { // which may hold some
		var files []lint.File
		for _, in := range inputs {
			files = append(files, lint.File{Label: run.Shown(in.Path), Read: func() ([]byte, error) { return p.Reread(in.Input) }})
		}
		p.Fail(run.WithRemedy(run.NoneIn(is.String(), files)))
		empty = true
	}
	if was.IsGit() && was.Path == "" || !p.old.IsEmpty() {
		return empty
	}
	p.Fail(run.WithRemedy(noneOnSide(p.old)))
	return true
}

// complain reports an error of a manifest.
func (p *planner) complain(err error) {
	p.Worsen(run.ExitFindings)
	fmt.Fprintln(p.Stderr, text.Harmless(err.Error()))
}

// complainAt reports an error at a place in a manifest.
func (p *planner) complainAt(d *manifest.Document, at crd.Place, what string) {
	line, column := d.Begin(at.Node)
	p.complain(fmt.Errorf("%s:%d:%d: %s", d.File.Path, line, column, what))
}

// decode reads a CRD of a document as its server would. What keeps it from that is said in the words of lint.
func (p *planner) decode(d *manifest.Document, c *crd.CRD) *crd.Object {
	decoded, err := c.Decode()
	if err == nil {
		return decoded
	}
	wrong := c.WrongTypes()
	for _, w := range wrong {
		p.complainAt(d, w.Place, w.Message().Brief())
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
	tells := p.standsFor(c.Name(), in) && (c.From == nil || !c.From.Also) // whose versions are those of another
	if was == nil {
		if tells && !p.old.IsUnknown(c.Name(), in.label) {
			p.add(in.label, plan.Added, to.Hub)
		}
		return nil
	}
	from := p.decode(was.Document, was.CRD)
	if from == nil {
		return nil
	}
	opt := plan.Options{File: in.label, Stored: storedVersions(was), Chart: chartOf(in.label, d.File.Mask != nil), Kustomization: p.roles.KustomizationOf(in.label)}
	if p.flags.dir != "" {
		opt.Written = func(release int) string {
			return run.Slashed(filepath.Join(p.flags.dir, releaseFolder(release), in.Mirror))
		}
	}
	made, err := plan.Make(from.Hub, to.Hub, opt)
	switch {
	case err != nil:
		p.complain(fmt.Errorf("%s: %w", in.label, err))
		return nil
	case !tells: // a copy, of which --write writes the manifests
	case len(made.Releases) == 0 && len(made.Warnings) == 0:
		p.unchanged++
	default:
		p.plans = append(p.plans, made)
	}
	return made
}

// chartOf is the chart that renders a file among its templates; "" for one that kubectl can apply.
func chartOf(file string, isTemplate bool) string {
	switch chart, folder := template.InChart(file); {
	case folder == "templates":
		return run.Shown(chart)
	case isTemplate: // of a revision, say, and not there
		return path.Dir(path.Dir(file))
	}
	return ""
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

// storedVersions returns the stored versions in a cluster's dump of a CRD; nil for any other manifest.
func storedVersions(old *older.CRD) []string {
	if !older.FromCluster(old.CRD) {
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
