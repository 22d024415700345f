package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var nameConventions = []*engine.Rule{
	convention("names-duplicate", "short names and categories that repeat another name", func(p *engine.Pass) {
		names := writtenAt(p.CRD, "spec", "names")
		plural, singular := crd.StringAt(names.Node, "plural"), singularOf(names.Node)
		for _, list := range []string{"shortNames", "categories"} {
			seen := map[string]bool{}
			for _, at := range names.At(list).Items() {
				name, what := crd.StringAt(at.Node), ""
				switch {
				case name == "":
				case seen[name]:
					what = "is listed twice"
				case list == "shortNames" && name == plural:
					what = "is the plural name already"
				case list == "shortNames" && name == singular:
					what = "is the singular name already"
				}
				seen[name] = true
				if what != "" {
					f := p.Reportf(at, "%s %s; remove it", text.Quoted(name), what)
					f.Fix = &engine.Fix{Title: "remove " + name + " from " + list, Safe: true, Apply: func(c *crd.CRD) bool {
						return dropRepeated(crd.Get(c.Node, "spec", "names"), list)
					}}
				}
			}
		}
	}),
	{
		ID:       "names-kind-convention",
		Summary:  "kinds that are not in PascalCase, and list kinds that are not the kind followed by List",
		Severity: lint.Warning,
		Preset:   lint.All,
		Run: func(p *engine.Pass) {
			kind, _ := p.CRD.Resolve([]string{"spec", "names", "kind"})
			name := crd.StringAt(kind.Node)
			switch {
			case name == "" || len(p.RefusalsOf("names-kind-invalid")) > 0:
				return
			case name[0] < 'A' || 'Z' < name[0] || strings.Contains(name, "-"):
				p.Reportf(kind, "kind %s is not in PascalCase, which generators and clients expect", text.Quoted(name))
			}
			list, complete := p.CRD.Resolve([]string{"spec", "names", "listKind"})
			if written := crd.StringAt(list.Node); complete && written != "" && written != name && written != name+"List" && len(p.RefusalsOf("names-listkind-invalid")) == 0 {
				p.Reportf(list, "listKind is %s, but clients expect %s", text.Quoted(written), text.Quoted(name+"List"))
			}
		},
	},
	convention("names-plural-convention", "singular names that are not the kind in lower case", func(p *engine.Pass) {
		singular, complete := p.CRD.Resolve([]string{"spec", "names", "singular"})
		kind, name := strings.ToLower(crd.StringAt(p.CRD.Node, "spec", "names", "kind")), crd.StringAt(singular.Node)
		if complete && name != "" && kind != "" && name != kind {
			p.Reportf(singular, "singular is %s; by convention it is the kind in lower case, %s", text.Quoted(name), text.Quoted(kind))
		}
	}),
	{
		ID:       "names-shadows-builtin",
		Summary:  "short names that belong to a resource of Kubernetes",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			names := writtenAt(p.CRD, "spec", "names", "shortNames")
			for _, at := range names.Items() {
				name := crd.StringAt(at.Node)
				if owner := builtin[name]; owner != "" {
					p.Reportf(at, "%s belongs to the %s of Kubernetes, which kubectl finds first", text.Quoted(name), owner).
						Remedy = []lint.Change{listWithout(names, func(name string) bool { return builtin[name] != "" })}
				}
			}
		},
	},
	convention("names-category-all", "resources that `kubectl get all` lists", func(p *engine.Pass) {
		categories := writtenAt(p.CRD, "spec", "names", "categories")
		for _, at := range categories.Items() {
			if crd.StringAt(at.Node) == "all" {
				p.Report(at, "the category all puts the resource into every kubectl get all").
					Remedy = []lint.Change{listWithout(categories, func(name string) bool { return name == "all" })}
			}
		}
	}),
}

// listWithout is the change that takes strings out of a list, or the list away if no others are in it.
func listWithout(list crd.Place, goes func(string) bool) lint.Change {
	parent, keyword := crd.Above(list.Path)
	var left []any
	for _, at := range list.Items() {
		if name := crd.StringAt(at.Node); !goes(name) {
			left = append(left, name)
		}
	}
	if left == nil {
		return origin.ToRemove(parent, keyword)
	}
	return lint.Change{Path: parent, Keyword: keyword, Value: left}
}

// singularOf is the singular name, as the API server defaults it.
func singularOf(names *yaml.Node) string {
	if s := crd.StringAt(names, "singular"); s != "" {
		return s
	}
	return strings.ToLower(crd.StringAt(names, "kind"))
}

// dropRepeated removes what names-duplicate reports of a list of names.
func dropRepeated(names *yaml.Node, field string) bool {
	var known []string
	if field == "shortNames" {
		known = []string{crd.StringAt(names, "plural"), singularOf(names)}
	}
	list := crd.Get(names, field)
	did := dropDuplicates(list, stringOf, known...)
	if did && len(list.Content) == 0 {
		layout.Remove(names, field)
	}
	return did
}
