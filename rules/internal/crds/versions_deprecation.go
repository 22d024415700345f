package crds

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	deprecationWarningInvalid = &engine.Rule{
		ID:       "deprecation-warning-invalid",
		Summary:  "deprecation warnings that the API server refuses",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			switch r.Row {
			case apiserver.DeprecationWarningTooLong:
				p.Refusef(r.At, "deprecationWarning has %d bytes; 256 are allowed", len(crd.StringAt(r.At.Node)))
			case apiserver.DeprecationWarningEmpty:
				p.Refuse(r.At, "deprecationWarning is empty; remove it and the API server makes one, or write what to use instead")
			default:
				p.Refuse(r.At, "deprecationWarning has a character that cannot be printed; it must be one line of plain text")
			}
		}),
	}

	deprecationWarningWithoutDeprecated = &engine.Rule{
		ID:       "deprecation-warning-without-deprecated",
		Summary:  "deprecation warnings of versions that are not deprecated",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
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
	}
)

// deprecationRules are about what users are told of a deprecated version.
var deprecationRules = []*engine.Rule{
	{
		ID:       "deprecation-warning-missing",
		Summary:  "deprecated versions without a warning of their own",
		Severity: lint.Info,
		Run: func(p *engine.Pass) {
			if s := rolesOf(p); s != nil && s.allDeprecated() {
				return // all-versions-deprecated tells
			}
			for _, v := range p.CRD.Versions() {
				if v.Name != "" && v.Deprecated && v.Served && !crd.HasValue(v.At.Node, "deprecationWarning") && !hasSuccessor(p.CRD, v) {
					p.Reportf(flagOfVersion(v, "deprecated"), "no served version outranks %s, so that its warning names none; write a deprecationWarning that says what to use", text.Quoted(v.Name))
				}
			}
		},
	},
	{
		ID:       "deprecation-warning-uninformative",
		Summary:  "deprecation warnings that do not say what to do",
		Severity: lint.Info,
		Run: func(p *engine.Pass) {
			for _, v := range p.CRD.Versions() {
				text := crd.StringAt(v.At.Node, "deprecationWarning")
				if v.Deprecated && text != "" && hasSuccessor(p.CRD, v) && !informs(text, v, p.CRD) {
					p.Report(v.At.At("deprecationWarning"), "deprecationWarning does not say what to do; name the version or the resource to use instead")
				}
			}
		},
	},
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
