package rules

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var nameConventions = []*engine.Rule{
	{
		ID:       "names-duplicate",
		Summary:  "short names and categories that say the same twice",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `A short name that is listed twice, or that is the plural or the singular name, adds nothing. The API server does not
refuse it; most often another name was meant.

**What to do**: remove it, or write the name that was meant.

**When to ignore it**: never.

**Source**: measured against k8s.io/apiextensions-apiserver v0.37.2, which accepts it.`,
		Run: func(p *engine.Pass) {
			names := crd.Get(p.CRD.Node, "spec", "names")
			plural, singular := crd.StringAt(names, "plural"), singularOf(names)
			for _, list := range []string{"shortNames", "categories"} {
				seen := map[string]bool{}
				for i, n := range itemsOf(crd.Get(names, list)) {
					name, at := crd.StringAt(n), crd.Place{Node: n, Path: crd.Item("spec.names."+list, i)}
					what := ""
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
						f := p.Reportf(at, "%s %s; remove it", quoted(name), what)
						f.Fix = &engine.Fix{Title: "remove " + name + " from " + list, Safe: true, Apply: func(c *crd.CRD) bool {
							return dropRepeated(crd.Get(c.Node, "spec", "names"), list)
						}}
					}
				}
			}
		},
	},
	{
		ID:       "names-kind-convention",
		Summary:  "kinds that are not in PascalCase, and list kinds that are not the kind with List behind it",
		Severity: lint.Warning,
		Preset:   lint.Strict,
		Doc: `The API server takes a kind in any case, but generators of clients make Go types of it, and clients such as kubectl and
client-go expect a list to be called like its kind with "List" behind it.

**What to do**: write the kind as a noun in PascalCase, and leave the listKind out.

**When to ignore it**: when the API is in use; a kind cannot be renamed.

**Source**: API conventions, https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#types-kinds.`,
		Run: func(p *engine.Pass) {
			kind, _ := p.CRD.Resolve([]string{"spec", "names", "kind"})
			name := crd.StringAt(kind.Node)
			switch {
			case name == "" || len(p.RefusalsOf("names-kind-invalid")) > 0:
				return
			case name[0] < 'A' || 'Z' < name[0] || strings.Contains(name, "-"):
				p.Reportf(kind, "kind %s is not in PascalCase, which generators and clients expect", quoted(name))
			}
			list, complete := p.CRD.Resolve([]string{"spec", "names", "listKind"})
			if written := crd.StringAt(list.Node); complete && written != "" && written != name && written != name+"List" && len(p.RefusalsOf("names-listkind-invalid")) == 0 {
				p.Reportf(list, "listKind is %s, but clients expect %s", quoted(written), quoted(name+"List"))
			}
		},
	},
	{
		ID:       "names-plural-convention",
		Summary:  "singular names that are not the kind in lower case",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `People find a resource in kubectl by its kind in lower case or by its plural. A singular name that is something else, or
no different from the plural, is one more to remember.

**What to do**: leave the singular out; it is the kind in lower case then.

**When to ignore it**: for words without a plural, and when the API is in use.

**Source**: API conventions, https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#resources.`,
		Run: func(p *engine.Pass) {
			singular, complete := p.CRD.Resolve([]string{"spec", "names", "singular"})
			kind, name := strings.ToLower(crd.StringAt(p.CRD.Node, "spec", "names", "kind")), crd.StringAt(singular.Node)
			if complete && name != "" && kind != "" && name != kind {
				p.Reportf(singular, "singular is %s; by convention it is the kind in lower case, %s", quoted(name), quoted(kind))
			}
		},
	},
	{
		ID:       "names-shadows-builtin",
		Summary:  "short names that belong to a resource of Kubernetes",
		Severity: lint.Warning,
		Doc: `kubectl looks among the resources of Kubernetes first, so that a short name which one of those has never leads to the
custom resource.

**What to do**: choose a short name that Kubernetes does not use; ` + "`kubectl api-resources`" + ` lists those that it does.

**When to ignore it**: when users are told to write the full name.

**Source**: the resources of Kubernetes 1.37; the shortcut expander of k8s.io/client-go (restmapper), which takes the
first group that has the name.`,
		Run: func(p *engine.Pass) {
			for i, n := range itemsOf(crd.Get(p.CRD.Node, "spec", "names", "shortNames")) {
				name := crd.StringAt(n)
				if owner := builtin[name]; owner != "" {
					p.Reportf(crd.Place{Node: n, Path: crd.Item("spec.names.shortNames", i)},
						"%s belongs to the %s of Kubernetes, which kubectl finds first", quoted(name), owner)
				}
			}
		},
	},
	{
		ID:       "names-category-all",
		Summary:  "resources that `kubectl get all` lists",
		Severity: lint.Info,
		Preset:   lint.All,
		Doc: `` + "`kubectl get all`" + ` lists what is in the category "all". Kubernetes itself puts workloads there, and little else.

**What to do**: remove the category, unless the resource is one that people look for with that command.

**When to ignore it**: when it is.

**Source**: categories, https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#categories.`,
		Run: func(p *engine.Pass) {
			for i, n := range itemsOf(crd.Get(p.CRD.Node, "spec", "names", "categories")) {
				if crd.StringAt(n) == "all" {
					p.Report(crd.Place{Node: n, Path: crd.Item("spec.names.categories", i)}, "the category all puts the resource into every kubectl get all")
				}
			}
		},
	},
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
	list := crd.Get(names, field)
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	drop := map[string]bool{}
	if field == "shortNames" {
		drop[crd.StringAt(names, "plural")], drop[singularOf(names)] = true, true
	}
	before := len(list.Content)
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool {
		name := crd.StringAt(n)
		gone := name != "" && drop[name]
		drop[name] = true
		return gone
	})
	if len(list.Content) == 0 {
		repair.Remove(names, field)
		return true
	}
	return len(list.Content) < before
}
