package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

var enforcedVersionRules = []*engine.Rule{
	{
		ID:        "storage-version-count",
		DependsOn: []string{"*.storage", "*.versions[*]"},
		Summary:   "CRDs without exactly one storage version",
		Severity:  lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if r.Row != apiserver.StorageVersionCount {
				// status.storedVersions repeats it, and has an opinion of its own only on a version that is listed twice
				if !slices.ContainsFunc(p.Refusals(), func(r engine.Refusal) bool { return r.Row == apiserver.StorageVersionCount }) {
					p.Refuse(r.At, "a version is listed with storage: true and without; list it once")
				}
				return
			}
			var marked []string
			at := r.At
			versions := writtenAt(p.CRD, "spec", "versions").Items()
			for _, v := range versions {
				if storage, _ := crd.BoolAt(v.Node, "storage"); storage {
					marked = append(marked, crd.StringAt(v.Node, "name"))
					if len(marked) == 2 {
						at = v.KeyOf("storage")
					}
				}
			}
			if len(versions) == 0 {
				if p.CRD.Version == crd.V1 && crd.HasValue(crd.Get(p.CRD.Node, "spec"), "version") {
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
	refusal("version-name-invalid", "version names that the API server refuses", func(p *engine.Pass, r engine.Refusal) {
		if r.Row == apiserver.TopLevelVersionInvalid && len(crd.Items(crd.Get(p.CRD.Node, "spec", "versions"))) > 0 && crd.StringAt(p.CRD.Node, "spec", "version") == "" {
			return // versions[0].name, which is reported there
		}
		if name := fmt.Sprint(r.BadValue); name != "" {
			p.Refusef(r.At, "version name %s is invalid; %s", text.Quoted(name), words.WantLabel)
			return
		}
		p.Refuse(r.At, "the version has no name; write name: v1 or the like")
	}),
	{
		ID:        "version-name-duplicate",
		DependsOn: []string{"*.name"},
		Summary:   "versions with the same name",
		Severity:  lint.Error,
		Run:       enforced(duplicateVersions),
	},
	{
		ID:        "version-field-mismatch",
		DependsOn: []string{"*.name"},
		Summary:   "v1beta1 manifests whose spec.version is not the first of spec.versions",
		Severity:  lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			first := ""
			if versions := p.CRD.Versions(); len(versions) > 0 {
				first = versions[0].Name
			}
			p.Refusef(r.At, "version is %s, but the first of versions is %s; remove version", text.Quoted(r.BadValue), text.Quoted(first)).
				Fix = removeAt("remove spec.version", true, "spec.version")
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
		p.Refusef(v.At.At("name"), "versions[%d] is called %s already; every version has a name of its own", i, text.Quoted(v.Name))
	}
}
