package crds

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var Names = []*engine.Rule{
	refusal("group-invalid", "groups that are not domain names", func(p *engine.Pass, r engine.Refusal) {
		group := fmt.Sprint(r.BadValue)
		switch {
		case r.Row == apiserver.GroupMissing && isWithoutGroup(p):
			p.Refuse(r.At, "spec.group is missing: controller-gen wrote this for a Go package without +groupName; add the marker, or leave the package out of paths and delete the file").Alone = true
		case r.Row == apiserver.GroupMissing:
			p.Refuse(r.At, "spec.group is missing; write the domain that the API belongs to, such as storage.example.com")
		case r.Row == apiserver.GroupWithoutDot:
			p.Refusef(r.At, "group %s has no dot; write a domain, such as storage.example.com", text.Quoted(group))
		default:
			p.Refusef(r.At, "group %s is not a DNS name; use lower-case letters, digits, - and dots, at most 253 characters", text.Quoted(group))
		}
	}),
	refusal("scope-invalid", "CRDs whose scope is neither Cluster nor Namespaced", func(p *engine.Pass, r engine.Refusal) {
		if r.Row == apiserver.ScopeMissing {
			f := p.Refuse(r.At, "spec.scope is missing; write scope: Namespaced or scope: Cluster")
			f.Fix = setText("spec", "scope", "Namespaced") // the default of v1beta1
			return
		}
		f := p.Refusef(r.At, "scope %s is unknown; use Namespaced or Cluster", text.Quoted(r.BadValue))
		if f.Fix = respelling(r, []string{r.At.Path}, "Namespaced", "Cluster"); f.Fix != nil {
			return
		}
		switch scope := strings.ToLower(fmt.Sprint(r.BadValue)); {
		case strings.HasPrefix(scope, "namespace"):
			f.Fix = setText("spec", "scope", "Namespaced")
		case strings.HasPrefix(scope, "cluster"):
			f.Fix = setText("spec", "scope", "Cluster")
		}
	}),
	refusedName("names-plural-invalid", "plural names that the API server rejects",
		apiserver.PluralMissing, "names.plural is missing; write the lower-case plural of the kind, such as backups", "plural", words.WantLabel),
	refusedName("names-singular-invalid", "singular names that the API server rejects", "", "", "singular", words.WantLabel),
	refusedName("names-kind-invalid", "kinds that the API server rejects",
		apiserver.KindMissing, "names.kind is missing; write the kind in PascalCase, such as Backup", "kind", words.WantKindLabel),
	refusal("names-listkind-invalid", "list kinds that the API server rejects", func(p *engine.Pass, r engine.Refusal) {
		if madeFromKind(p, r) {
			return
		}
		if !r.Complete {
			p.Refusef(r.At, "the default listKind (kind followed by List) has %d characters; set listKind to at most 63 letters, digits and -", len(nameInManifest(r)))
			return
		}
		p.Refusef(r.At, "listKind %s is invalid; %s", text.Quoted(nameInManifest(r)), words.WantKindLabel)
	}),
	refusedName("names-shortname-invalid", "short names that the API server rejects", "", "", "short name", words.WantLabel),
	refusedName("names-category-invalid", "categories that the API server rejects", "", "", "category", words.WantLabel),
	refusal("names-kind-equals-listkind", "list kinds that are the kind itself", func(p *engine.Pass, r engine.Refusal) {
		kind := crd.StringAt(p.CRD.Node, "spec", "names", "kind")
		const most = validation.DNS1035LabelMaxLength - len("List")
		switch {
		case len(p.RefusalsOf("names-kind-invalid")) > 0:
			p.Refusef(r.At, "listKind is the same as kind, %s; correct kind, and set listKind to it followed by List", text.Quoted(kind))
		case len(kind) > most:
			p.Refusef(r.At, "listKind is the same as kind, %s, which is too long to append List; shorten kind to %d characters", text.Quoted(kind), most)
		default:
			f := p.Refusef(r.At, "listKind is the same as kind, %s; write %s", text.Quoted(kind), text.Quoted(kind+"List"))
			f.Fix = setText("spec.names", "listKind", kind+"List")
			f.Fix.Safe = true
		}
	}),
	{ID: "names-conflict", Summary: "names that two CRDs claim", Severity: lint.Error, Across: conflictingNames},
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
					what = "is listed twice in " + list + "; remove one"
				case list == "shortNames" && name == plural:
					what = "is the plural name already; remove it from shortNames"
				case list == "shortNames" && name == singular:
					what = "is the singular name already; remove it from shortNames"
				}
				seen[name] = true
				if what != "" {
					f := p.Reportf(at, "%s %s", text.Quoted(name), what)
					f.Fix = &engine.Fix{Title: "remove " + name + " from " + list, Safe: true, Apply: func(c *crd.CRD) bool {
						return dropRepeated(crd.Get(c.Node, "spec", "names"), list)
					}}
				}
			}
		}
	}),
	InAll(
		Check(lint.Warning, "names-kind-convention", "kinds that are not in PascalCase, and list kinds that are not the kind followed by List",
			func(p *engine.Pass) {
				kind, _ := p.CRD.Resolve([]string{"spec", "names", "kind"})
				name := crd.StringAt(kind.Node)
				switch {
				case name == "" || len(p.RefusalsOf("names-kind-invalid")) > 0:
					return
				case name[0] < 'A' || 'Z' < name[0] || strings.Contains(name, "-"):
					p.Reportf(kind, "kind %s is not in PascalCase, which generators and clients expect; rename it before the first release", text.Quoted(name))
				}
				list, complete := p.CRD.Resolve([]string{"spec", "names", "listKind"})
				if written := crd.StringAt(list.Node); complete && written != "" && written != name && written != name+"List" && len(p.RefusalsOf("names-listkind-invalid")) == 0 {
					p.Reportf(list, "listKind is %s, but clients expect %s; write that", text.Quoted(written), text.Quoted(name+"List"))
				}
			})),
	convention("names-plural-convention", "singular names that are not the kind in lower case", func(p *engine.Pass) {
		singular, complete := p.CRD.Resolve([]string{"spec", "names", "singular"})
		kind, name := strings.ToLower(crd.StringAt(p.CRD.Node, "spec", "names", "kind")), crd.StringAt(singular.Node)
		if complete && name != "" && kind != "" && name != kind {
			p.Reportf(singular, "singular is %s, but by convention it is the kind in lower case; write %s", text.Quoted(name), text.Quoted(kind))
		}
	}),
	Check(lint.Warning, "names-shadows-builtin", "short names that already belong to a Kubernetes resource", func(p *engine.Pass) {
		names := writtenAt(p.CRD, "spec", "names", "shortNames")
		for _, at := range names.Items() {
			name := crd.StringAt(at.Node)
			if owner := builtin()[name]; owner != "" {
				p.Reportf(at, "short name %s already means %s: kubectl get %s never lists this resource; choose another", text.Quoted(name), owner, name).
					Remedy = []lint.Change{listWithout(names, func(name string) bool { return builtin()[name] != "" })}
			}
		}
	}),
	convention("names-category-all", "resources that `kubectl get all` lists", func(p *engine.Pass) {
		categories := writtenAt(p.CRD, "spec", "names", "categories")
		for _, at := range categories.Items() {
			if crd.StringAt(at.Node) == "all" {
				p.Report(at, "category \"all\" lists this resource in every 'kubectl get all'; remove it unless that is meant").
					Remedy = []lint.Change{listWithout(categories, func(name string) bool { return name == "all" })}
			}
		}
	}),
}

// refusedName makes a rule about a name. One that is missing has a row of its own; where that is "", none can be.
func refusedName(id, summary string, missingRow apiserver.Row, missing, what, want string) *engine.Rule {
	return refusal(id, summary, func(p *engine.Pass, r engine.Refusal) {
		if madeFromKind(p, r) {
			return
		}
		if r.Row == missingRow {
			p.Refuse(r.At, missing)
			return
		}
		p.Refusef(r.At, "%s %s is invalid; %s", what, text.Quoted(nameInManifest(r)), want)
	})
}

// madeFromKind reports whether an error about a name is one about the kind, from which the name is made when it is not
// written.
func madeFromKind(p *engine.Pass, r engine.Refusal) bool {
	field := crd.LastField(r.Field)
	return (field == "singular" || field == "listKind") && !crd.HasValue(crd.Get(p.CRD.Node, "spec", "names"), field) &&
		len(p.RefusalsOf("names-kind-invalid")) > 0
}

// nameInManifest is a name as the user wrote it: upstream validates kinds in lower case.
func nameInManifest(r engine.Refusal) string {
	if text := crd.StringAt(r.At.Node); r.Complete && text != "" {
		return text
	}
	return fmt.Sprint(r.BadValue)
}

// listWithout is the change that takes strings out of a list, or the list away if no others are in it.
func listWithout(list crd.Place, goes func(string) bool) lint.Change {
	parent, keyword := crd.Above(list.Path)
	var left []any
	for _, name := range crd.Strings(list.Node) {
		if !goes(name) {
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
