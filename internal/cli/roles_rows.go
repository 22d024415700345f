package cli

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// A roleRow is a CRD in a file, or a file with custom resources, and what it is to its repository.
type roleRow struct {
	file string               // from the top of the repository
	crd  *repository.Document // nil for custom resources
	repository.Decision
	isTemplate bool // custom resources are in a template, which validate passes over
}

// A rolesView is what a repository has, as commands show it.
type rolesView struct {
	*run.Roles
	rows []roleRow // by file; of one file, the CRDs come first
}

// lookAround looks at all of the repository around a folder or a file, or else the working directory: what a file is depends on the
// others.
func lookAround(c *lint.Config, paths ...string) (*rolesView, error) {
	around, err := repository.AroundFolder(".", c.Roles.Set, paths...)
	if err != nil {
		return nil, run.Unread(err)
	}
	if len(paths) > 0 {
		if real, err := worktree.RealPath(paths[0]); err == nil {
			around = cmp.Or(around.Of(filepath.Join(real, "any")), around)
		}
	}
	v, defined := &rolesView{Roles: run.RolesAround(around)}, map[string]map[string]bool{} // kinds by their group
	add := func(at *repository.Around, r roleRow) {
		for _, file := range []*string{&r.file, &r.Source, &r.Because.File} {
			if *file != "" {
				*file = path.Join(v.InTree(at.Top), *file)
			}
		}
		v.rows = append(v.rows, r)
	}
	for _, at := range around.Inner() {
		for _, d := range at.Look().CRDs() {
			add(at, roleRow{file: d.File, crd: d, Decision: d.Decision})
			if defined[d.Group] == nil {
				defined[d.Group] = map[string]bool{}
			}
			defined[d.Group][d.Kind] = true
		}
	}
	for _, at := range around.Inner() {
		for _, file := range at.Tree().Files() {
			if !worktree.IsManifest(file) {
				continue
			}
			if has, isTemplate := holdsObject(file, at.Tree().Read(file), defined); has || at.Look().IsPatch(file) {
				add(at, roleRow{file: file, Decision: at.Look().File(file), isTemplate: isTemplate})
			}
		}
	}
	slices.SortStableFunc(v.rows, func(a, b roleRow) int { return strings.Compare(a.file, b.file) })
	return v, nil
}

// groupLine finds the groups that a text may have objects of.
var groupLine = text.Pattern(`apiVersion["']?[ \t]*:[ \t]*["']?([^\s"'/]+)/`)

// holdsObject reports whether a file has a custom resource that one of the CRDs defines, and whether it is a template.
func holdsObject(file string, src []byte, defined map[string]map[string]bool) (has, isTemplate bool) {
	named := groupLine().FindAllSubmatch(text.WithoutNULs(src), -1)
	if !slices.ContainsFunc(named, func(m [][]byte) bool { return defined[string(m[1])] != nil }) {
		return false, false
	}
	contents := manifest.Open(file, file, src)
	for _, world := range contents.Worlds {
		for _, d := range world.Documents {
			if d = d.Parsed(); d.Root == nil {
				continue
			}
			found, _ := objects.Find(d.Root.YNode())
			if slices.ContainsFunc(found, func(o *objects.Object) bool { return defined[o.Group][o.Kind] }) {
				return true, contents.Template != nil
			}
		}
	}
	return false, false
}

// A roleGroup is rows that one line tells of, at a file, or a folder with all below it.
type roleGroup struct {
	at   string
	rows []roleRow
}

// foldRows puts rows together that are below a folder and sorted by file: those of a folder that are all alike, unless there are few
// groups of them by their reasons, and else those of a file.
func foldRows(dir string, rows []roleRow, alike func(a, b roleRow) bool, few int) []roleGroup {
	if len(rows) == 0 {
		return nil
	}
	differs := func(r roleRow) bool { return !alike(rows[0], r) }
	explained := func(r roleRow) bool { return !sameReason(rows[0], r) }
	whole := []roleGroup{{commonFolder(rows), rows}}
	areAlike := !slices.ContainsFunc(rows, differs)
	if whole[0].at == "." { // which names nothing, unless there is nothing else
		areAlike = areAlike && !slices.ContainsFunc(rows, func(r roleRow) bool { return path.Dir(r.file) != "." })
	}
	if areAlike && (few == 0 || !slices.ContainsFunc(rows, explained)) {
		return whole
	}
	var parts []roleGroup
	for rest := rows; len(rest) > 0; {
		name, _, isFolder := strings.Cut(strings.TrimPrefix(rest[0].file, strings.TrimPrefix(dir+"/", "./")), "/")
		child := path.Join(dir, name)
		n := slices.IndexFunc(rest, func(r roleRow) bool { return r.file != child && !strings.HasPrefix(r.file, child+"/") })
		if n < 0 {
			n = len(rest)
		}
		if isFolder {
			parts = append(parts, foldRows(child, rest[:n], alike, few)...)
		} else {
			parts = append(parts, splitFile(rest[:n], alike)...)
		}
		rest = rest[n:]
	}
	if areAlike && len(parts) > few {
		return whole
	}
	if dir == "." || few == 0 {
		return parts
	}
	return gather(dir, parts, few)
}

// sameReason reports whether two rows have a role for the same reason, if need be at other lines of a file.
func sameReason(a, b roleRow) bool {
	return a.Because.Text == b.Because.Text && a.Because.File == b.Because.File
}

// splitFile puts the rows of a file together that are alike.
func splitFile(rows []roleRow, alike func(a, b roleRow) bool) (all []roleGroup) {
	for _, r := range rows {
		i := slices.IndexFunc(all, func(g roleGroup) bool { return alike(g.rows[0], r) })
		if i < 0 {
			i, all = len(all), append(all, roleGroup{at: r.file})
		}
		all[i].rows = append(all[i].rows, r)
	}
	return all
}

// commonFolder is the innermost folder that has all rows, or their one file.
func commonFolder(rows []roleRow) string {
	first, last := rows[0].file, rows[len(rows)-1].file
	at := first
	for at != last && !strings.HasPrefix(last, at+"/") && at != "." {
		at = path.Dir(at)
	}
	return at
}

// gather puts together what stands in a folder and has the same role, beside others, if it is more than a few.
func gather(dir string, parts []roleGroup, few int) (gathered []roleGroup) {
	in := map[lint.Role][]roleGroup{}
	for _, g := range parts {
		if path.Dir(g.at) == dir {
			in[g.rows[0].Role] = append(in[g.rows[0].Role], g)
		}
	}
	for _, g := range parts {
		beside := in[g.rows[0].Role]
		switch {
		case path.Dir(g.at) != dir || len(beside) <= few:
			gathered = append(gathered, g)
		case g.at == beside[0].at:
			one := roleGroup{at: dir}
			for _, b := range beside {
				one.rows = append(one.rows, b.rows...)
			}
			gathered = append(gathered, one)
		}
	}
	return gathered
}

// count says how much there is in a group.
func (g roleGroup) count() string {
	crds, files := 0, 0
	for _, r := range g.rows {
		if r.crd != nil {
			crds++
		} else {
			files++
		}
	}
	var all []string
	if crds > 0 {
		all = append(all, text.Count(crds, "CRD"))
	}
	if files > 0 {
		all = append(all, text.Count(files, "file"))
	}
	return strings.Join(all, ", ")
}

// because is why a group has its role.
func (v *rolesView) because(g roleGroup) string {
	said := v.Here(g.rows[0].Decision).Because.String()
	if slices.ContainsFunc(g.rows, func(r roleRow) bool { return !sameReason(r, g.rows[0]) }) {
		said += "; others likewise"
	}
	return said
}
