package rules

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var _ = topic("versions", "Versions", slices.Concat(enforcedVersionRules, versionFieldRules, servingRules, deprecationRules)...)

var enforcedVersionRules = []*engine.Rule{
	&engine.Rule{
		ID:        "storage-version-count",
		DependsOn: []string{"*.storage", "*.versions[*]"},
		Summary:   "CRDs without exactly one storage version",
		Severity:  lint.Error,
		Doc: `Objects are stored in one version and converted to the others when they are read. The API server refuses a
CustomResourceDefinition with none or with several.

**What to do**: set ` + "`storage: true`" + ` on one version and ` + "`storage: false`" + ` on all others.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver ("must have exactly one version marked
as storage version"); "Versions in CustomResourceDefinitions", https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if r.Row != "E049" {
				// status.storedVersions repeats it, and has an opinion of its own only on a version that is listed twice
				if !slices.ContainsFunc(p.Refusals(), func(r engine.Refusal) bool { return r.Row == "E049" }) {
					p.Refuse(r.At, "a version is listed with storage: true and without; list it once")
				}
				return
			}
			var marked []string
			at := r.At
			versions := crd.Get(p.CRD.Node, "spec", "versions")
			if versions != nil {
				for i, v := range versions.Content {
					if storage, _ := crd.BoolAt(v, "storage"); storage {
						marked = append(marked, crd.StringAt(v, "name"))
						if len(marked) == 2 {
							at = crd.Place{Node: v, Path: crd.Item("spec.versions", i)}.Key(v, "storage")
						}
					}
				}
			}
			if versions == nil || len(versions.Content) == 0 {
				if p.CRD.Version == crd.V1 && hasValue(crd.Get(p.CRD.Node, "spec"), "version") {
					return // v1beta1-field-in-v1 says where that belongs
				}
				p.Refuse(at, "there are no versions; write spec.versions with one entry at least, served and stored")
				return
			}
			if len(marked) == 0 {
				p.Refuse(at, "no version has storage: true; mark the one that objects are stored in")
				return
			}
			p.Refusef(at, "%d versions have storage: true (%s); objects are stored in exactly one", len(marked), text.Names(marked))
		}),
	},
	&engine.Rule{
		ID:       "version-name-invalid",
		Summary:  "version names that the API server refuses",
		Severity: lint.Error,
		Doc: `The name of a version is part of the URL of the resource, ` + "`/apis/<group>/<version>/<plural>`" + `, and so must be a DNS
label: no dots, no upper case.

**What to do**: write v1, v1beta1, v2alpha3 or the like.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if r.Row == "E050" && len(itemsOf(crd.Get(p.CRD.Node, "spec", "versions"))) > 0 && crd.StringAt(p.CRD.Node, "spec", "version") == "" {
				return // versions[0].name, which is reported there
			}
			if name := fmt.Sprint(r.BadValue); name != "" {
				p.Refusef(r.At, "version name %s is invalid; %s", quoted(name), label)
				return
			}
			p.Refuse(r.At, "the version has no name; write name: v1 or the like")
		}),
	},
	&engine.Rule{
		ID:        "version-name-duplicate",
		DependsOn: []string{"*.name"},
		Summary:   "versions with the same name",
		Severity:  lint.Error,
		Doc: `Every entry of spec.versions is one version of the API, with a name of its own.

**What to do**: remove the entry that is not meant, or rename it.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver ("must contain unique version names").`,
		Run: enforced(duplicateVersions),
	},
	&engine.Rule{
		ID:        "version-field-mismatch",
		DependsOn: []string{"*.name"},
		Summary:   "v1beta1 manifests whose spec.version is not the first of spec.versions",
		Severity:  lint.Error,
		Doc: `In v1beta1, ` + "`spec.version`" + ` is the old way to name the only version. Beside ` + "`spec.versions`" + ` it may only repeat the name of
the first entry.

**What to do**: remove ` + "`spec.version`" + `; the API server fills it in.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver 0.21 ("must match the first version in
spec.versions").`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			first := ""
			if versions := p.CRD.Versions(); len(versions) > 0 {
				first = versions[0].Name
			}
			f := p.Refusef(r.At, "version is %s, but the first of versions is %s; remove version", quoted(r.BadValue), quoted(first))
			f.Fix = &engine.Fix{Title: "remove spec.version", Safe: true, Apply: func(c *crd.CRD) bool {
				return len(itemsOf(crd.Get(c.Node, "spec", "versions"))) > 0 && len(repair.Remove(crd.Get(c.Node, "spec"), "version")) > 0
			}}
		}),
	},
	deprecationWarningInvalid,
	deprecationWarningWithoutDeprecated,
}

// duplicateVersions reports every entry of versions whose name an earlier one has.
func duplicateVersions(p *engine.Pass, r engine.Refusal) {
	first := map[string]int{}
	for _, v := range p.CRD.Versions() {
		i, again := first[v.Name]
		if !again {
			first[v.Name] = v.Index
			continue
		}
		at, _ := p.CRD.Resolve([]string{"spec", "versions", fmt.Sprint(v.Index), "name"})
		p.Refusef(at, "versions[%d] is called %s already; every version has a name of its own", i, quoted(v.Name))
	}
}
