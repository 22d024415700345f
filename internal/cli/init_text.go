package cli

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// configuration is the text of a configuration for the repository. It is an error if there is nothing to lint.
func (v *rolesView) configuration() ([]byte, error) {
	sources := v.those(isCRD, func(r roleRow) bool { return r.Role == lint.RoleSource })
	if len(sources) == 0 {
		return nil, v.nothingToLint()
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `# yaml-language-server: $schema=%s
# What crdlift checks when a command is given no path. All keys: %s/docs/configuration/

# CRDs, for crdlift lint and crdlift breaking
paths:
`, config.SchemaID(), report.Homepage)
	v.writePaths(&out, "  ", v.withBuilds(sources))
	out.WriteString("\n# custom resources, for crdlift validate\n")
	objects := v.those(isObject, isOwn)
	if len(objects) == 0 {
		out.WriteString("# validate: no custom resources outside of tests, old releases and templates\n")
	} else {
		out.WriteString("validate:\n  paths:\n")
		v.writePaths(&out, "    ", objects)
		if crds := v.installed(sources); len(crds) > 0 {
			out.WriteString("  crds: # the CRDs to check them with\n")
			v.writePaths(&out, "    ", crds)
		}
	}
	v.writeRest(&out)
	return out.Bytes(), nil
}

func isCRD(r roleRow) bool    { return r.crd != nil }
func isObject(r roleRow) bool { return r.crd == nil && !r.isTemplate && r.Role != lint.RolePatch }

// isOwn reports whether custom resources are for users.
func isOwn(r roleRow) bool { return r.Role == lint.RoleDocs || r.Role.Told() }

// those are the folders of the rows that are wanted among some, or the files at the top: the next file of a folder will be alike,
// and roles leave out what is not.
func (v *rolesView) those(among, wanted func(roleRow) bool) (all []roleGroup) {
	rows := slices.DeleteFunc(slices.Clone(v.rows), func(r roleRow) bool { return !among(r) })
	for _, g := range foldRows(".", rows, func(a, b roleRow) bool { return wanted(a) == wanted(b) }, 0) {
		if dir := path.Dir(g.at); g.at == g.rows[0].file && dir != "." {
			g.at = dir
		}
		switch last := len(all) - 1; {
		case !wanted(g.rows[0]):
		case last >= 0 && all[last].at == g.at:
			all[last].rows = slices.Concat(all[last].rows, g.rows)
		default:
			all = append(all, g)
		}
	}
	return all
}

// nothingToLint says what there is instead of a source.
func (v *rolesView) nothingToLint() error {
	n, in := 0, run.Shown(v.Top)
	for _, r := range v.rows {
		if isCRD(r) {
			n++
		}
	}
	if n == 0 {
		return run.UsageError(fmt.Sprintf("there is no CRD in %q, so 'crdlift init' writes nothing", in), "run it where your CustomResourceDefinitions are, after the generator that writes them, if any")
	}
	return run.UsageError(fmt.Sprintf("no file with the role source has any of the %s in %q, so 'crdlift init' writes nothing", text.Count(n, "CRD"), in),
		"run the generator first, or see the roles with 'crdlift roles' and correct them with --set source=GLOB")
}

// withBuilds are the sources, with the kustomizations by which they are built: where these are not among them, a folder around both takes
// their place, so that what is applied is judged as well.
func (v *rolesView) withBuilds(sources []roleGroup) []roleGroup {
	all := slices.Clone(sources)
	for _, at := range v.Inner() {
		for _, b := range at.Look().Builds(func(string) bool { return true }) {
			if around := groupAround(path.Join(v.InTree(at.Top), b.Folder), all); len(around.rows) > 0 {
				all = append(slices.DeleteFunc(all, func(g roleGroup) bool { return isBelow(g.at, around.at) }), around)
			}
		}
	}
	return all
}

// groupAround is the innermost folder around another that has some of all groups in it, and what these have; no rows if one of them has
// the other folder already, or only the top is around it.
func groupAround(folder string, all []roleGroup) roleGroup {
	for ; folder != "."; folder = path.Dir(folder) {
		around := roleGroup{at: folder}
		for _, g := range all {
			if isBelow(folder, g.at) {
				return roleGroup{}
			}
			if isBelow(g.at, folder) {
				around.rows = append(around.rows, g.rows...)
			}
		}
		if len(around.rows) > 0 {
			return around
		}
	}
	return roleGroup{}
}

// installed are the CRDs that users get, where one file that is made of the sources has all of them: a build may do more than
// put them together. Else there are none to name in a git repository, whose CRDs judge its custom resources, and outside of one they
// are the sources.
func (v *rolesView) installed(sources []roleGroup) []roleGroup {
	wanted := map[string]bool{}
	for _, g := range sources {
		for _, r := range g.rows {
			wanted[r.crd.Name] = true
		}
	}
	for _, of := range ordered.Grouped(v.rows, func(r roleRow) string { return r.file }) {
		built := slices.DeleteFunc(of, func(r roleRow) bool { return r.crd == nil || r.Role != lint.RoleBuilt })
		left := maps.Clone(wanted)
		for _, r := range built {
			delete(left, r.crd.Name)
		}
		if len(left) == 0 {
			return []roleGroup{{built[0].file, built}}
		}
	}
	if worktree.IsRepository(v.Top) {
		return nil
	}
	return sources
}

// writePaths writes globs, with what they are for in comments.
func (v *rolesView) writePaths(out *bytes.Buffer, indent string, groups []roleGroup) {
	for _, g := range groups {
		why := g.count()
		if isCRD(g.rows[0]) && !slices.ContainsFunc(g.rows, func(r roleRow) bool { return !sameReason(r, g.rows[0]) }) {
			why += "; " + g.rows[0].Because.String()
		}
		fmt.Fprintf(out, "%s- %s # %s\n", indent, config.Scalar(config.Literal(g.at)), inComment(why))
	}
}

// writeRest writes as comments what becomes of all else.
func (v *rolesView) writeRest(out *bytes.Buffer) {
	rest := slices.DeleteFunc(slices.Clone(v.rows), func(r roleRow) bool {
		return r.Role == lint.RoleSource || r.crd == nil && isOwn(r)
	})
	groups := foldRows(".", rest, func(a, b roleRow) bool { return a.Role == b.Role }, 0)
	if len(groups) == 0 {
		return
	}
	out.WriteString("\n# What the other files are; 'crdlift roles' shows why. A mistake in a copy is reported at its source, and what only\n" +
		"# a copy has by 'crdlift lint .'; old releases, tests, documentation and other projects' CRDs are left out, and\n" +
		"# --fix does not change them.\n")
	for _, role := range lint.Roles() {
		all, at := roleGroup{}, []string{}
		for _, g := range groups {
			if g.rows[0].Role == role {
				all.rows, at = append(all.rows, g.rows...), append(at, g.at)
			}
		}
		const few = 3
		if more := len(at) - few; more > 1 {
			at = append(at[:few], fmt.Sprintf("%d more", more))
		}
		if len(at) > 0 {
			fmt.Fprintf(out, "#   %s: %s in %s\n", role, all.count(), inComment(text.And(at)))
		}
	}
}

func inComment(s string) string { return text.OneLine(text.Harmless(s)) }
