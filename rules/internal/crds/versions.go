package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// effects are what the API server does with a version that does not set its flags.
var effects = map[string]string{"served": "not served", "storage": "not stored", "served and storage": "neither served nor stored"}

var versionRules = []*engine.Rule{
	dependent([]string{"*.storage", "*.versions[*]"}, refusal("storage-version-count", "CRDs without exactly one storage version",
		func(p *engine.Pass, r engine.Refusal) {
			if r.Row != apiserver.StorageVersionCount {
				// status.storedVersions repeats it, and has an opinion of its own only on a version that is listed twice
				if !slices.ContainsFunc(p.Refusals(), func(r engine.Refusal) bool { return r.Row == apiserver.StorageVersionCount }) {
					p.Refuse(r.At, "a version is listed both with storage: true and without; list it once")
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
				p.Refuse(at, "there are no versions; write spec.versions with at least one entry that is served and stored")
				return
			}
			if len(marked) == 0 {
				p.Refuse(at, "no version has storage: true; set it on the version that objects are stored in")
				return
			}
			p.Refusef(at, "%d versions have storage: true (%s), but objects are stored in one; keep it on one", len(marked), text.Names(marked))
		})),
	refusal("version-name-invalid", "version names that the API server rejects", func(p *engine.Pass, r engine.Refusal) {
		if r.Row == apiserver.TopLevelVersionInvalid && len(crd.Items(crd.Get(p.CRD.Node, "spec", "versions"))) > 0 && crd.StringAt(p.CRD.Node, "spec", "version") == "" {
			return // versions[0].name, which is reported there
		}
		if name := fmt.Sprint(r.BadValue); name != "" {
			p.Refusef(r.At, "version name %s is invalid; %s", text.Quoted(name), words.WantLabel)
			return
		}
		p.Refuse(r.At, "the version has no name; write name: v1 or the like")
	}),
	dependent([]string{"*.name"}, refusal("version-name-duplicate", "versions with the same name", duplicateVersions)),
	dependent([]string{"*.name"},
		refusal("version-field-mismatch", "v1beta1 manifests whose spec.version is not the first of spec.versions",
			func(p *engine.Pass, r engine.Refusal) {
				first := ""
				if versions := p.CRD.Versions(); len(versions) > 0 {
					first = versions[0].Name
				}
				p.Refusef(r.At, "spec.version is %s, but the first of spec.versions is %s; remove spec.version", text.Quoted(r.BadValue), text.Quoted(first)).
					Fix = removeAt("remove spec.version", true, "spec.version")
			})),
	refusal("deprecation-warning-invalid", "deprecation warnings that the API server rejects",
		func(p *engine.Pass, r engine.Refusal) {
			switch r.Row {
			case apiserver.DeprecationWarningTooLong:
				p.Refusef(r.At, "deprecationWarning has %d bytes; shorten it to 256", len(crd.StringAt(r.At.Node)))
			case apiserver.DeprecationWarningEmpty:
				p.Refuse(r.At, "deprecationWarning is empty; remove it and the API server makes one, or write what to use instead")
			default:
				p.Refuse(r.At, "deprecationWarning has a character that cannot be printed; it must be one line of plain text")
			}
		}),
	refusal("deprecation-warning-without-deprecated", "deprecation warnings of versions that are not deprecated",
		func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "deprecationWarning is set, but the version is not deprecated; add deprecated: true or remove the warning")
			steps := crd.Steps(r.At.Path)
			if crd.StringAt(r.At.Node) == "" || len(steps) < 4 {
				f.Fix = removeAt("remove the empty deprecationWarning", false, r.At.Path)
				return
			}
			f.Fix = &engine.Fix{Title: "mark the version as deprecated", Apply: func(c *crd.CRD) bool {
				version, complete := c.Resolve(steps[:3])
				m := crd.Deref(version.Node)
				if !complete || m.Kind != yaml.MappingNode {
					return false
				}
				if !layout.InsertAfter(m, "deprecated", layout.Bool(true), "name", "served", "storage") {
					layout.Set(m, "deprecated", layout.Bool(true))
				}
				return true
			}}
		}),
	// most v1beta1 manifests have it, and a conversion takes care of it
	Check(lint.Info, "version-field-deprecated", "v1beta1 manifests that name their version in spec.version",
		unlessConverted(func(p *engine.Pass) {
			spec := writtenAt(p.CRD, "spec")
			name := crd.StringAt(spec.Node, "version")
			versions := p.CRD.Versions()
			if p.CRD.Version != crd.V1beta1 || name == "" || len(versions) == 0 || versions[0].Name != name {
				return // another name is version-field-mismatch
			}
			message := "spec.version is deprecated and was removed in v1; remove it, since spec.versions says the same"
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
					flags := strings.Join(missing, " and ")
					f := p.Reportf(at, "the version does not set %s, so it is %s; write true or false", flags, effects[flags])
					f.Fix = &engine.Fix{Title: "write out " + flags, Safe: true, Apply: func(c *crd.CRD) bool {
						at, complete := c.Resolve(steps)
						for _, flag := range missing {
							complete = complete && layout.InsertAfter(at.Node, flag, layout.Bool(false), "name", "served")
						}
						return complete
					}}
				}
			})),
	InAll(Check(lint.Warning, "version-name-not-kubelike", "version names that have no priority", func(p *engine.Pass) {
		versions := p.CRD.Versions()
		for _, v := range versions {
			if v.Name == "" || stableVersion().MatchString(v.Name) || unstableVersion().MatchString(v.Name) || len(validation.IsDNS1035Label(v.Name)) > 0 {
				continue
			}
			f := p.Reportf(v.At.At("name"), "%s is not of the form v1, v1beta1 or v2alpha1, so clients prefer every version that is; rename it", text.Quoted(v.Name))
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
		names := Mapped(sorted, func(v crd.APIVersion) string { return v.Name })
		at, _ := p.CRD.Resolve([]string{"spec", "versions"})
		f := p.Reportf(at, "versions are not in the order of their priority; reorder them: %s", text.Names(names))
		if p.CRD.Version == crd.V1 && !holdsAnchor(at.Node) {
			f.Fix = &engine.Fix{Title: "sort the versions by priority", Apply: sortVersions}
		}
	}),
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
		p.Refusef(v.At.At("name"), "versions[%d] is called %s already; rename or remove one", i, text.Quoted(v.Name))
	}
}

// deprecationRules are about what users are told of a deprecated version.
var deprecationRules = []*engine.Rule{
	Check(lint.Info, "deprecation-warning-missing", "deprecated versions without a warning of their own", func(p *engine.Pass) {
		if s := rolesOf(p); s != nil && s.allDeprecated() {
			return // all-versions-deprecated tells
		}
		for _, v := range p.CRD.Versions() {
			if v.Name != "" && v.Deprecated && v.Served && !crd.HasValue(v.At.Node, "deprecationWarning") && !hasSuccessor(p.CRD, v) {
				p.Reportf(flagOfVersion(v, "deprecated"), "no served version outranks %s, so its warning names no successor; write a deprecationWarning that says what to use", text.Quoted(v.Name))
			}
		}
	}),
	Check(lint.Info, "deprecation-warning-uninformative", "deprecation warnings that do not say what to do", func(p *engine.Pass) {
		for _, v := range p.CRD.Versions() {
			text := crd.StringAt(v.At.Node, "deprecationWarning")
			if v.Deprecated && text != "" && hasSuccessor(p.CRD, v) && !informs(text, v, p.CRD) {
				p.Report(v.At.At("deprecationWarning"), "deprecationWarning does not say what to do; name the version or the resource to use instead")
			}
		}
	}),
}

// hasSuccessor reports whether the API server's own warning names a version to use instead, as defaultDeprecationWarning
// chooses it.
func hasSuccessor(c *crd.CRD, deprecated crd.APIVersion) bool {
	return slices.ContainsFunc(c.Versions(), func(v crd.APIVersion) bool {
		return v.Served && !v.Deprecated && byPriority(v, deprecated) < 0
	})
}

// guidance are beginnings of words of a text that says what to do.
var guidance = []string{"use", "using", "instead", "replac", "migrat", "mov", "switch", "upgrad", "remov", "see ", "http", "please", "favor", "favour", "longer", "succe"}

// informs reports whether a warning names another version or the group, or says what to do.
func informs(text string, deprecated crd.APIVersion, c *crd.CRD) bool {
	text = strings.ToLower(text)
	for _, v := range c.Versions() {
		if v.Name != deprecated.Name && strings.Contains(text, v.Name) {
			return true
		}
	}
	if group := crd.StringAt(c.Node, "spec", "group"); group != "" && strings.Contains(text, group) {
		return true
	}
	return slices.ContainsFunc(guidance, func(word string) bool { return strings.Contains(text, word) })
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
