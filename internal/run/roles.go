package run

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Roles say what the files of a run are, each to the repository that it is in. The nil Roles take all files alike.
type Roles struct {
	*repository.Around
	trees []*repository.Around // that files of the run are in
	named map[string]bool      // the files that the user asks for, whatever they are

	base    *repository.Repository         // the working directory's by the evidence of --config-from; nil where it is not given
	was     *repository.Repository         // the older side of a comparison; nil where that has no roles
	Deleted map[string]repository.Decision // what CRDs were that only that side has, by their names
}

// rolesOf finds the roles of the inputs of a run: of those that were found in folders. It is nil where the user wants none, and
// where every file was named or is in no repository.
func (r *Run) rolesOf() *Roles {
	if r.Around == nil || r.Flags.AllFiles || r.Config.Roles.Off || r.Inputs.Built != nil || !r.Inputs.walked {
		return nil
	}
	if top := r.topAt(0); top != nil && len(r.Inputs.paths) == 1 {
		top.Files = func() []string { return r.Inputs.files }
	}
	roles := rolesAround(r.Around)
	asked := map[int]bool{} // the folders with CRDs that are told of, by their paths
	for _, in := range r.Inputs.All {
		if at := roles.Of(Shown(in.Path)); at != nil && !slices.Contains(roles.trees, at) {
			roles.trees = append(roles.trees, at)
		}
		for _, d := range roles.documentsIn(Shown(in.Path)) {
			for _, from := range in.From {
				asked[from] = asked[from] || d.Role.Told()
			}
		}
	}
	if len(roles.trees) == 0 {
		return nil
	}
	for _, in := range r.Inputs.All {
		for _, from := range in.From {
			if in.named || !asked[from] && !r.Flags.Found && r.topAt(from) == nil {
				roles.named[Shown(in.Path)] = true
			}
		}
	}
	return roles
}

// RolesAround are those of all files of a repository and the ones below it, as they are when nobody has named one.
func RolesAround(around *repository.Around) *Roles { return rolesAround(around, around.Inner()...) }

func rolesAround(around *repository.Around, trees ...*repository.Around) *Roles {
	return &Roles{Around: around, trees: trees, named: map[string]bool{}, Deleted: map[string]repository.Decision{}}
}

// RolesIn is what the files are that were found in a folder for a command without rules; nil where none is to have a role.
func RolesIn(found *Inputs, c *lint.Config) *Roles {
	around, _ := repository.AroundFolder(".", c.Roles.Set, found.paths...)
	return (&Run{Flags: &Flags{}, Config: c, Inputs: found, Around: around}).rolesOf()
}

// RolesAt is RolesIn for the files of a revision, or of a part of it.
func RolesAt(ctx context.Context, m *older.Manifests, c *lint.Config) (*Roles, error) {
	around, err := repository.AroundFolder(".", c.Roles.Set)
	if err != nil || c.Roles.Off {
		return nil, err
	}
	was, err := m.Repository(ctx, around.Settings())
	if was == nil {
		return nil, err
	}
	around.Look = func() *repository.Repository { return was }
	return rolesAround(around, around), nil
}

// topAt is what a path of the command line is all of: then nobody asks for what is left out of it. It is nil for any other.
func (r *Run) topAt(from int) *repository.Around {
	real, err := worktree.RealPath(r.Inputs.paths[from])
	if err != nil {
		return nil
	}
	if at := r.Around.Of(filepath.Join(real, "any")); at != nil && at.Top == real {
		return at
	}
	return nil
}

// documentsIn are the CRDs in a file.
func (r *Roles) documentsIn(file string) []*repository.Document {
	if r == nil {
		return nil
	}
	if at := r.Of(file); at != nil {
		return at.Look().DocumentsIn(at.InTree(file))
	}
	return nil
}

// CRD is the role of a CRD in a file, as the run calls it; the zero Decision for one that is checked whatever it is.
func (r *Roles) CRD(file, name string) repository.Decision {
	if r == nil || r.named[file] {
		return repository.Decision{}
	}
	if was, ok := r.Deleted[name]; ok {
		return was
	}
	d := r.Around.CRD(file, name)
	if r.base != nil && !d.Role.Told() && r.tellsBefore(file, name) {
		return repository.Decision{}
	}
	if d.Role == lint.RoleForeign && r.was != nil && r.was.Tells(name) {
		return r.parted(file, name, d)
	}
	return d
}

// File is the role of a file for the custom resources in it, likewise.
func (r *Roles) File(file string) repository.Decision {
	if r == nil || r.named[file] {
		return repository.Decision{}
	}
	d := r.Around.File(file)
	if at := r.Of(file); r.base != nil && !d.Role.Own() && at == r.Around && r.base.Placed(at.InTree(file)).Role.Own() {
		return repository.Decision{}
	}
	return d
}

// tellsBefore reports whether a CRD that is left out was told of in its file on the older side, or is told of by the evidence of
// --config-from.
func (r *Roles) tellsBefore(file, name string) bool {
	at := r.Of(file)
	if at != r.Around {
		return false // another repository has its own evidence
	}
	before := r.was != nil && len(r.was.DocumentsIn(at.InTree(file))) > 0
	return r.base.CRD(at.InTree(file), name).Role.Told() || before && r.was.CRD(at.InTree(file), name).Role.Told()
}

// applies is what says how the manifests of a repository are applied.
func (r *Roles) applies(at *repository.Around) *repository.Repository {
	if r.base != nil && at == r.Around {
		return r.base
	}
	return at.Look()
}

// Unused are the settings that change nothing here and in the repositories below, with their places as the run calls them.
func (r *Roles) Unused() (all []lint.RoleSetting) {
	if r == nil || len(r.Settings()) == 0 {
		return nil
	}
	for i, at := range append(r.Inner(), r.trees...) {
		unused := at.Look().Unused()
		for j := range unused {
			unused[j].At.Pos.File = at.Shown(unused[j].At.Pos.File)
		}
		if i == 0 {
			all = unused
		}
		all = slices.DeleteFunc(all, func(s lint.RoleSetting) bool { return !slices.Contains(unused, s) })
	}
	return all
}

// OfObjects is what a run that checks custom resources asks: the role of a CRD in a file or, for no name, that of its objects, and the
// folder of the test or the old release that the CRD is in. It is nil for a run without roles.
func (r *Roles) OfObjects() func(file, crd string) (role lint.Role, below string) {
	if r == nil {
		return nil
	}
	return func(file, crd string) (lint.Role, string) {
		if crd == "" {
			return r.File(file).Role, ""
		}
		role, at := r.CRD(file, crd).Role, r.Of(file)
		if at == nil {
			return role, ""
		}
		return role, at.Shown(at.Look().Below(at.InTree(file), role))
	}
}

// parted is the role of a CRD of another project that was one of this repository on the older side: its types have moved, and who
// gets it from here is to know what changes. What was left out there still is.
func (r *Roles) parted(file, name string, d repository.Decision) repository.Decision {
	at := r.Of(file)
	was := func(file string) repository.Decision { return r.was.CRD(file, name) }
	isTold := func(d repository.Decision) bool { return d.Role == "" || d.Role.Told() }
	if d := was(at.InTree(file)); !isTold(d) {
		return at.Here(d)
	}
	d = repository.Decision{Role: lint.RoleBuilt, Because: repository.Reason{Text: "the earlier version has its source"}, Top: d.Top}
	all := at.Look().CRDs()
	first := slices.IndexFunc(all, func(one *repository.Document) bool {
		return one.Name == name && one.Role == lint.RoleForeign && isTold(was(one.File))
	})
	if all[first].File != at.InTree(file) {
		d.Source = at.Shown(all[first].File)
	}
	return d
}

// First are the files that stand for CRDs that are reported on, by their names: of those files each the one that is rather the source.
func (r *Roles) First(files []string) map[string]string {
	first, ranks := map[string]string{}, map[string]int{}
	for _, file := range files {
		for _, doc := range r.documentsIn(file) {
			d := r.CRD(file, doc.Name)
			if rank, known := ranks[doc.Name]; !d.Role.Told() || known && rank <= d.Rank {
				continue
			}
			first[doc.Name], ranks[doc.Name] = file, d.Rank
		}
	}
	return first
}

// KustomizationOf is the folder of the kustomization that lists a file; "" for none.
func (r *Roles) KustomizationOf(file string) string {
	if r == nil {
		return ""
	}
	at := r.Of(file)
	if at == nil {
		return ""
	}
	return at.Shown(at.Look().ListedIn(at.InTree(file)))
}

// CompareWith has the roles of files decide what is compared with what, in an earlier version that has some.
func (r *Roles) CompareWith(ctx context.Context, old *older.Side) (err error) {
	r.was, err = old.From().Repository(ctx, r.Settings())
	old.UseRoles(r.was, r)
	return err
}

// LeavesOut is the role for which all CRDs in a file are left out; "" for a file of which one is reported on, or without any.
func (r *Roles) LeavesOut(file string) (role lint.Role) {
	for _, d := range r.documentsIn(file) {
		is := r.CRD(file, d.Name).Role
		if is == "" || is.Told() {
			return ""
		}
		role = cmp.Or(role, is)
	}
	return role
}

// IsTold reports whether a finding is reported, so that its fix is made.
func (r *Roles) IsTold(f *lint.Finding) bool { return suppress.IsTold(f, r) }

// DropFollowed drops that CRDs are too large for a client-side apply where their repository applies manifests server-side, as the finding
// advises; not if the user sets the rule, or asks for it or for all.
func (r *Roles) DropFollowed(all *lint.Report, c *lint.Config) {
	const rule, clientSide = "manifest-too-large", "use --server-side"
	all.Findings = slices.DeleteFunc(all.Findings, func(f *lint.Finding) bool {
		if f.Rule.ID != rule || !strings.HasSuffix(f.Message, clientSide) || len(c.Only) > 0 {
			return false
		}
		here := config.ForFile(c, f.Pos.File)
		_, isSet := here.Rules[rule]
		at := r.Of(f.Pos.File)
		return !isSet && here.Preset < lint.All && at != nil && r.applies(at).AppliesServerSide()
	})
}

// Applied is how the files of the repositories say that manifests are applied; the zero Applied where they differ or say nothing.
func (r *Roles) Applied() repository.Applied {
	if r == nil {
		return repository.Applied{}
	}
	var all []repository.Applied
	for _, at := range r.trees {
		one := r.applies(at).Applied()
		one.Because.File = at.Shown(one.Because.File)
		all = append(all, one)
	}
	return repository.Agreed(all)
}

// Missing are the CRDs whose source is not there, with files as the run calls them.
func (r *Roles) Missing() (all []repository.Missing) {
	for _, at := range r.trees {
		for _, m := range at.Look().Missing() {
			m.Latest, m.Folder, m.Because.File = at.Shown(m.Latest), at.Shown(m.Folder), at.Shown(m.Because.File)
			all = append(all, m)
		}
	}
	return all
}

// MissingSource says that CRDs in some files are not checked, since the repository has old forms of them only and their generator was
// not run, or only what may be tests; "" where every source is there.
func (r *Roles) MissingSource(isAsked func(file string) bool) string {
	all := slices.DeleteFunc(r.Missing(), func(m repository.Missing) bool { return r.named[m.Latest] || !isAsked(m.Latest) })
	if len(all) == 0 {
		return ""
	}
	m := all[0]
	what, n := m.Name, 0
	for _, one := range all {
		if one.IsTest == m.IsTest {
			n++
		}
	}
	if more := n - 1; more > 0 {
		what += fmt.Sprintf(" and %s", text.Count(more, "more CRD"))
	}
	if m.IsTest {
		return fmt.Sprintf("%s %s no file outside of tests (%s), so %s left out; if %s is not for tests, give it the role source in the configuration",
			what, text.Verb(n, "has", "have"), m.Because, text.Verb(n, "it is", "they are"), m.Latest)
	}
	where := "the manifest of " + what
	if m.Folder != "" {
		where = fmt.Sprintf("%s, which %s:%d writes with %s,", m.Folder, m.Because.File, m.Because.Line, what)
	}
	return fmt.Sprintf("%s is not there, so it is not checked; run the generator, or name older manifests: %s", where, path.Dir(m.Latest))
}

// Repeats has one of the documents checked that say the same, and reads the files with those first. It is nil where each has to be
// checked, since the configuration or an earlier version makes copies differ.
func (r *Run) Repeats() *rules.Repeats {
	if r.Roles == nil || r.Flags.About != "" || r.Flags.Against != "" || len(r.Config.Overrides) > 0 {
		return nil
	}
	files := map[*repository.Around][]string{}
	for i, in := range r.Inputs.All {
		if at := r.Around.Of(Shown(in.Path)); at != nil {
			files[at] = append(files[at], at.InTree(Shown(in.Path)))
		}
		r.Order = append(r.Order, i)
	}
	judged, same := map[*repository.Around]map[string]int{}, map[*repository.Around]func(string, int) lint.Sameness{}
	for at, in := range files {
		same[at], judged[at] = at.Look().Same(in)
	}
	first := func(i int) int {
		at := r.Around.Of(Shown(r.Inputs.All[i].Path))
		if at == nil {
			return 0
		}
		return judged[at][at.InTree(Shown(r.Inputs.All[i].Path))]
	}
	slices.SortStableFunc(r.Order, func(a, b int) int { return cmp.Compare(first(b), first(a)) })
	return rules.NewRepeats(func(file string, document int) (is lint.Sameness) {
		if at := r.Around.Of(file); same[at] != nil {
			if is = same[at](at.InTree(file), document); is.Text != "" {
				is.Text += at.Top // what is the same in another repository has another source
			}
		}
		return is
	})
}
