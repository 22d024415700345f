package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var versionFieldRules = []*engine.Rule{
	// most v1beta1 manifests have it, and a conversion takes care of it
	Check(lint.Info, "version-field-deprecated", "v1beta1 manifests that name their version in spec.version",
		unlessConverted(func(p *engine.Pass) {
			spec := writtenAt(p.CRD, "spec")
			name := crd.StringAt(spec.Node, "version")
			versions := p.CRD.Versions()
			if p.CRD.Version != crd.V1beta1 || name == "" || len(versions) == 0 || versions[0].Name != name {
				return // another name is version-field-mismatch
			}
			message := "spec.version is deprecated and was removed in v1; spec.versions already has the same information"
			if len(crd.Items(crd.Get(spec.Node, "versions"))) == 0 {
				message = "spec.version is deprecated and was removed in v1; write spec.versions instead"
			}
			f := p.Report(spec.KeyOf("version"), message)
			f.Fix = &engine.Fix{Title: "name the version in spec.versions", Safe: true, Apply: func(c *crd.CRD) bool { return versionToList(c, "") }}
		})),
	dependent([]string{"*.served", "*.storage"},
		Check(lint.Warning, "version-flag-missing", "versions that do not say whether they are served or stored",
			func(p *engine.Pass) {
				for i, item := range crd.Items(crd.Get(p.CRD.Node, "spec", "versions")) {
					var missing []string
					for _, flag := range []string{"served", "storage"} {
						if flag == "storage" && len(p.RefusalsOf("storage-version-count")) > 0 {
							continue // one of them has to be true
						}
						if crd.Deref(item).Kind == yaml.MappingNode && !crd.HasValue(item, flag) {
							missing = append(missing, flag)
						}
					}
					if len(missing) == 0 {
						continue
					}
					steps := []string{"spec", "versions", fmt.Sprint(i)}
					at, _ := p.CRD.Resolve(append(steps, "name"))
					f := p.Reportf(at, "the version does not set %s, which means false; write it out", strings.Join(missing, " and "))
					f.Fix = &engine.Fix{Title: "write out " + strings.Join(missing, " and "), Safe: true, Apply: func(c *crd.CRD) bool {
						at, complete := c.Resolve(steps)
						for _, flag := range missing {
							complete = complete && layout.InsertAfter(at.Node, flag, layout.Bool(false), "name", "served")
						}
						return complete
					}}
				}
			})),
	inAll(Check(lint.Warning, "version-name-not-kubelike", "version names that have no priority", func(p *engine.Pass) {
		versions := p.CRD.Versions()
		for _, v := range versions {
			if v.Name == "" || stableVersion.MatchString(v.Name) || unstableVersion.MatchString(v.Name) || len(validation.IsDNS1035Label(v.Name)) > 0 {
				continue
			}
			f := p.Reportf(v.At.At("name"), "%s has no priority among versions; call them v1, v1beta1, v2alpha1 and so on", text.Quoted(v.Name))
			if len(versions) == 1 {
				f.AtMost(lint.Info) // nothing to be compared with, yet
			}
		}
	})),
	convention("version-order", "versions that are not in the order of their priority", func(p *engine.Pass) {
		if p.Generated() {
			return
		}
		versions := p.CRD.Versions()
		sorted := slices.SortedStableFunc(slices.Values(versions), byPriority)
		if len(versions) < 2 || slices.EqualFunc(versions, sorted, func(a, b crd.APIVersion) bool { return a.Name == b.Name }) {
			return
		}
		var names []string
		for _, v := range sorted {
			names = append(names, v.Name)
		}
		at, _ := p.CRD.Resolve([]string{"spec", "versions"})
		f := p.Reportf(at, "versions are not in the order of priority, which is %s", text.Names(names))
		if p.CRD.Version == crd.V1 && !holdsAnchor(at.Node) {
			f.Fix = &engine.Fix{Title: "sort the versions by priority", Apply: sortVersions}
		}
	}),
}

// holdsAnchor reports whether something below a node has an anchor, which has to stay before its aliases.
func holdsAnchor(n *yaml.Node) bool {
	return n != nil && slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return c.Anchor != "" || holdsAnchor(c) })
}

func sortVersions(c *crd.CRD) bool {
	list := crd.Get(c.Node, "spec", "versions")
	before := slices.Clone(list.Content)
	slices.SortStableFunc(list.Content, func(a, b *yaml.Node) int {
		return version.CompareKubeAwareVersionStrings(crd.StringAt(b, "name"), crd.StringAt(a, "name"))
	})
	return !slices.Equal(before, list.Content)
}
