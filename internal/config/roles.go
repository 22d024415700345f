package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// RoleNames are the roles as words.
func RoleNames() (all []string) {
	for _, role := range lint.Roles() {
		all = append(all, string(role))
	}
	return all
}

// roles reads which files have another role than the repository's evidence says: a word, or globs by their role. They are below
// the folder of the configuration for the same reason as paths: a source is mended.
func (r *reader) roles(n *yaml.Node) (s lint.RoleSettings) {
	if n.Kind == yaml.ScalarNode {
		if k, v := yaml11.Resolve(n); k == yaml11.Bool && v == false { // what YAML 1.1 reads a plain off as
			return lint.RoleSettings{Off: true}
		}
		if n.Value == "off" {
			return lint.RoleSettings{Off: true}
		}
		r.Fail(n, "roles must be globs by role, or off, not %s", Kind(n))
		return s
	}
	of := map[string]string{}
	r.Entries(n, "roles", func(key *yaml.Node, name string, value *yaml.Node) {
		if !slices.Contains(RoleNames(), name) {
			r.Fail(key, "there is no role %s; the roles are %s", text.Misspelt(name, RoleNames()), strings.Join(RoleNames(), ", "))
			return
		}
		if value = crd.Deref(value); crd.IsNull(value) {
			return
		}
		r.List(value, name, func(item *yaml.Node) {
			glob := r.glob(item, "a glob of "+name)
			before, again := of[glob]
			switch of[glob] = name; {
			case glob == "":
			case again && before != name:
				r.Fail(item, "%q has the role %s above; it can only have one", glob, before)
			case !filepath.IsLocal(filepath.FromSlash(glob)):
				r.Fail(item, "%q does not lie below the folder of the configuration; move the configuration up", glob)
			case !again:
				s.Set = append(s.Set, lint.RoleSetting{Role: lint.Role(name), Glob: glob, At: r.source(item), Shared: r.isShared()})
			}
		})
	})
	return s
}

// rolesOver puts settings over those of the files that are extended: the first that matches counts.
func rolesOver(before, own lint.RoleSettings) lint.RoleSettings {
	if !own.Off {
		own.Set = append(own.Set, before.Set...)
	}
	return own
}

// RolesYAML returns what settings are in a configuration file.
func RolesYAML(s lint.RoleSettings) []byte {
	p := &printer{}
	p.roles(s)
	return p.Bytes()
}

func (p *printer) roles(s lint.RoleSettings) {
	switch {
	case s.Off:
		p.line(`roles: "off"`)
		return
	case len(s.Set) == 0:
		p.value("", "roles", "", "as crdlift roles shows")
		return
	}
	p.line("roles:")
	for _, same := range ordered.Grouped(s.Set, func(one lint.RoleSetting) lint.Role { return one.Role }) {
		var globs []string
		for _, one := range same {
			globs = append(globs, one.Glob)
		}
		p.strings("  ", string(same[0].Role), globs)
	}
}
