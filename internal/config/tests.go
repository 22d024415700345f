package config

import (
	"maps"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

func (r *reader) testFields(t *lint.Test) []Member {
	return []Member{
		Key("paths", func(n *yaml.Node) { t.Paths = r.paths(n, "paths") }),
		Key("crds", func(n *yaml.Node) { t.CRDs = r.paths(n, "crds") }),
		Key("cover", func(n *yaml.Node) { r.Mapping(n, "cover", r.coverFields(&t.Cover)) }),
	}
}

func (r *reader) coverFields(c *lint.Cover) []Member {
	return []Member{
		Key("min", func(n *yaml.Node) {
			if c.Min == nil {
				c.Min = map[string]int{}
			}
			r.Mapping(n, "min", r.minFields(c.Min))
		}),
		Key("ignore", func(n *yaml.Node) {
			r.List(n, "ignore", func(item *yaml.Node) { c.Ignore = append(c.Ignore, r.uncovered(item)) })
		}),
	}
}

func (r *reader) minFields(least map[string]int) (all []Member) {
	for _, kind := range lint.Covered() {
		all = append(all, Key(kind, func(n *yaml.Node) { least[kind] = r.percentage(n, kind) }))
	}
	return all
}

func (r *reader) percentage(n *yaml.Node, what string) int {
	k, v := yaml11.Resolve(n)
	if i, ok := v.(int64); ok && k == yaml11.Int && i >= 0 && i <= 100 {
		return int(i)
	}
	r.Fail(n, "%s must be a percentage, a number from 0 to 100, not %s", what, Kind(n))
	return 0
}

func (r *reader) uncoveredFields(i *lint.Ignore) []Member {
	return slices.DeleteFunc(r.ignoreFields(i), func(m Member) bool { return m.Name == "rule" || m.Name == "file" })
}

// uncovered reads which constraints need no test.
func (r *reader) uncovered(n *yaml.Node) (i lint.Ignore) {
	before := r.Errors()
	r.Mapping(n, "an ignore", r.uncoveredFields(&i))
	switch {
	case r.Errors() > before:
	case i.Reason == "":
		r.Fail(crd.FirstKey(n), "the ignore has no reason: say why no test is needed, for those who find it later")
	case i.CRD == "" && i.Path == "":
		r.Fail(crd.FirstKey(n), "the ignore leaves out everything: it needs a crd or path")
	default:
		i.At, i.Shared = r.source(crd.FirstKey(n)), r.isShared()
	}
	return i
}

func (p *printer) test(t lint.Test) {
	if t.Paths == nil && t.CRDs == nil && t.Cover.Min == nil && t.Cover.Ignore == nil {
		p.value("", "test", "", "paths as above, crds that suites name or the repository has, cover without a minimum")
		return
	}
	p.line("test:")
	p.strings("  ", "paths", t.Paths)
	p.strings("  ", "crds", t.CRDs)
	if t.Cover.Min == nil && t.Cover.Ignore == nil {
		p.value("  ", "cover", "", "no minimum")
		return
	}
	p.line("  cover:")
	p.heading("    ", "min", len(t.Cover.Min), "none")
	for _, kind := range slices.Sorted(maps.Keys(t.Cover.Min)) {
		p.line("      %s: %s", kind, strconv.Itoa(t.Cover.Min[kind]))
	}
	p.ignores("    ", t.Cover.Ignore)
}
