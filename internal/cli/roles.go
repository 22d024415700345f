package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// rolesFlags are the flags of `crdlift roles`.
type rolesFlags struct {
	run.Flags
	format, role string
	set          []string
}

func rolesCommand(s *session) *cobra.Command {
	f := rolesFlags{format: report.Text}
	cmd := &cobra.Command{
		Use:        "roles [flags] [PATH...]",
		SuggestFor: []string{"files", "sources", "why"},
		Short:      "Print the role of each file with CRDs or custom resources, and why",
		RunE:       func(_ *cobra.Command, paths []string) error { return s.roles(f, paths) },
	}
	flags := cmd.Flags()
	addChoice(cmd, &f.format, "output", "o", "output format", report.Text, report.JSON)
	addChoice(cmd, &f.role, "role", "", "print only what has this role", config.RoleNames()...)
	flags.StringArrayVar(&f.set, "set", nil, "`ROLE=GLOB` print the configuration that gives files this role, may be repeated")
	var roles []string
	for _, role := range config.RoleNames() {
		roles = append(roles, role+"=")
	}
	complete(cmd, "set", completeBefore(roles, cobra.ShellCompDirectiveNoSpace))
	addCommon(cmd, &f.Flags, "config")
	return cmd
}

func (s *session) roles(f rolesFlags, paths []string) error {
	c, err := f.ReadConfigFile()
	if err != nil {
		return err
	}
	block := ""
	if len(f.set) > 0 {
		if block, err = f.correct(c); err != nil {
			return err
		}
	}
	if c.Roles.Off {
		s.Note("%s switches roles off; remove that setting to get the roles below", c.Path)
	}
	v, err := lookAround(c, paths...)
	if err != nil {
		return err
	}
	if err := v.limit(paths); err != nil {
		return err
	}
	for _, unused := range v.Unused() {
		at := "--set" // which has no line
		if pos := unused.At.Pos; pos.Line > 0 {
			at = fmt.Sprintf("%s:%d", pos.File, pos.Line)
		}
		s.Note("%s: %s changes the role of no file and no CRD; correct or remove this glob", at, text.Quoted(unused.Glob))
	}
	isShown := func(file string) bool {
		return slices.ContainsFunc(v.rows, func(r roleRow) bool { return v.Shown(r.file) == file })
	}
	if missing := v.MissingSource(isShown); missing != "" {
		s.Note("%s", missing)
	}
	if len(v.rows) == 0 {
		s.Note("no file has a CRD or a custom resource that a CRD of the repository defines, so no role is printed; name other paths")
	}
	if f.format == report.JSON {
		return s.listRoles(v, f.role, block)
	}
	var out bytes.Buffer
	if block != "" {
		out.WriteString(block + "\n")
	}
	v.print(&out, f.role)
	_, err = s.Stdout.Write(out.Bytes())
	return err
}

// limit leaves the rows that are below paths.
func (v *rolesView) limit(paths []string) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var within []string
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return run.Absent(err)
		}
		real, err := worktree.RealPath(p)
		if err != nil {
			return run.Unread(err)
		}
		at, inside := worktree.RelativeTo(v.Top, real)
		if !inside {
			return run.UsageError(run.Shown(p)+" is outside of the repository", "run crdlift in the repository that has it")
		}
		within = append(within, filepath.ToSlash(at))
	}
	v.rows = slices.DeleteFunc(v.rows, func(r roleRow) bool {
		return !slices.ContainsFunc(within, func(at string) bool { return isBelow(r.file, at) })
	})
	return nil
}

// isBelow reports whether a path is that of a folder, or in it.
func isBelow(at, folder string) bool { return folder == "." || strings.HasPrefix(at+"/", folder+"/") }

// correct puts --set into the configuration, and returns what has to be written there for it. Of the settings that match, the first
// counts, and a glob has one role.
func (f *rolesFlags) correct(c *lint.Config) (block string, err error) {
	var all []lint.RoleSetting
	for _, given := range f.set {
		role, glob, ok := strings.Cut(given, "=")
		if !ok || glob == "" {
			return "", run.UsageError(fmt.Sprintf("--set %s: write ROLE=GLOB, such as 'test=e2e/**'", given), "")
		}
		one := lint.RoleSetting{Role: lint.Role(role), Glob: glob}
		_, err := config.Read(c.Path, config.RolesYAML(lint.RoleSettings{Set: []lint.RoleSetting{one}}), nil)
		if fault := (*lint.FileError)(nil); errors.As(err, &fault) {
			return "", run.UsageError(fmt.Sprintf("--set %s: %s", given, fault.Message), "")
		}
		one.At.Pos.File = cmp.Or(c.Path, config.Name)
		all = append(all, one)
	}
	var set []lint.RoleSetting
	for _, one := range slices.Concat(all, c.Roles.Set) {
		if !slices.ContainsFunc(set, func(other lint.RoleSetting) bool { return other.Glob == one.Glob }) {
			set = append(set, one)
		}
	}
	block = whereTo(c)
	c.Roles = lint.RoleSettings{Set: set}
	return block + string(config.RolesYAML(c.Roles)), nil
}

// whereTo is a comment that says where settings belong.
func whereTo(c *lint.Config) string {
	file := text.Harmless(c.Path)
	switch {
	case file == "":
		return "# write this into a new " + config.Name + ":\n"
	case len(c.Roles.Set) > 0 || c.Roles.Off:
		return "# in place of the roles of " + file + ":\n"
	}
	return "# add this to " + file + ":\n"
}

// print prints a line for each group of files, in the order of roles.
func (v *rolesView) print(out *bytes.Buffer, only string) {
	const few = 3 // lines that a folder has rather than one
	groups := foldRows(".", v.rows, func(a, b roleRow) bool { return a.Role == b.Role }, few)
	slices.SortStableFunc(groups, func(a, b roleGroup) int {
		return slices.Index(lint.Roles(), a.rows[0].Role) - slices.Index(lint.Roles(), b.rows[0].Role)
	})
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, g := range groups {
		if only != "" && string(g.rows[0].Role) != only {
			continue
		}
		cells := []string{v.Shown(g.at), string(g.rows[0].Role), g.count(), v.because(g)}
		for i := range cells {
			cells[i] = text.OneLine(text.Harmless(cells[i]))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	table.Flush()
}

// A listedRole is a CRD in a file, or a file with custom resources, in JSON; docs/schema/roles.json describes it.
type listedRole struct {
	File    string    `json:"file"`
	Line    int       `json:"line,omitempty"`
	CRD     string    `json:"crd,omitempty"`
	Role    lint.Role `json:"role"`
	Because string    `json:"because"`
	Source  string    `json:"source,omitempty"`
}

// listRoles prints each CRD and each file.
func (s *session) listRoles(v *rolesView, only, block string) error {
	list := struct {
		Version       int          `json:"version"`
		Configuration string       `json:"configuration,omitempty"`
		Roles         []listedRole `json:"roles"`
	}{1, block, []listedRole{}}
	for _, r := range v.rows {
		if only != "" && string(r.Role) != only {
			continue
		}
		d := v.Here(r.Decision)
		one := listedRole{File: v.Shown(r.file), Role: d.Role, Because: d.Because.String(), Source: d.Source}
		if r.crd != nil {
			one.CRD, one.Line = r.crd.Name, r.crd.Line
		}
		list.Roles = append(list.Roles, one)
	}
	return report.Encode(s.Stdout, list)
}
