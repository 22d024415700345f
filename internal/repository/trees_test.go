package repository

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/lint"
)

// whole is a CRD of a kind and its group, as a generator writes it, or a person.
func whole(kindOfGroup string, generated bool) string {
	kind, group, _ := strings.Cut(kindOfGroup, ".")
	annotations := ""
	if generated {
		annotations = "  annotations:\n    controller-gen.kubebuilder.io/version: v0.19.0\n"
	}
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
%s  name: %ss.%s
spec:
  group: %s
  names:
    kind: %s
    plural: %[2]ss
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`, annotations, strings.ToLower(kind), group, group, kind)
}

// files is a tree in memory.
type files map[string]string

func (f files) Files() []string         { return slices.Sorted(maps.Keys(f)) }
func (f files) Read(path string) []byte { return []byte(f[path]) }

// treeOf are the files of an archive. A line `crd Widget.example.org` stands for that CRD as a person writes it, `crd+` for what
// controller-gen writes, and `object Widget.example.org` for a custom resource.
func treeOf(a *txtar.Archive) (tree files, settings []Setting) {
	tree = files{}
	for _, f := range a.Files {
		switch f.Name {
		case "want":
		case "settings":
			for i, line := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
				role, glob, _ := strings.Cut(line, " ")
				at := lint.Source{Pos: lint.Position{File: ".crdlift.yaml", Line: i + 1}}
				settings = append(settings, Setting{RoleSetting: lint.RoleSetting{Role: lint.Role(role), Glob: glob, At: at}})
			}
		default:
			text := string(f.Data)
			for _, m := range shorthand.FindAllStringSubmatch(text, -1) {
				kind, group, _ := strings.Cut(m[2], ".")
				full := fmt.Sprintf("apiVersion: %s/v1\nkind: %s\nmetadata:\n  name: one\n", group, kind)
				if m[1] != "object" {
					full = whole(m[2], m[1] == "crd+")
				}
				text = strings.Replace(text, m[0], full, 1)
			}
			tree[f.Name] = text
		}
	}
	return tree, settings
}

var shorthand = regexp.MustCompile(`(?m)^(crd|crd\+|object) (\S+)\n`)

// told are the roles of a tree, in the words that users see.
func told(tree Tree, settings ...Setting) string {
	r := Look(tree, settings...)
	var b strings.Builder
	for _, file := range tree.Files() {
		for i, d := range r.in[file] {
			place, of := file, ""
			if len(r.in[file]) > 1 {
				place += fmt.Sprintf(" %d", i)
			}
			if d.Source != "" {
				of = " of " + d.Source
			}
			fmt.Fprintf(&b, "%s: %s%s, %s\n", place, d.Role, of, d.Because)
		}
		if text := string(tree.Read(file)); len(r.in[file]) == 0 && strings.Contains(text, "apiVersion: example.org/v1") {
			d := r.File(file)
			fmt.Fprintf(&b, "%s: %s, %s\n", file, d.Role, d.Because)
		}
	}
	for _, m := range r.Missing() {
		fmt.Fprintf(&b, "missing %s: in %q, after %s: %s\n", m.Name, m.Folder, m.Latest, m.Because)
	}
	for _, s := range r.Unused() {
		fmt.Fprintf(&b, "unused: %s %s\n", s.Role, s.Glob)
	}
	return b.String()
}
