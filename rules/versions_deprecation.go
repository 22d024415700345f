package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var (
	deprecationWarningInvalid = &lint.Rule{
		ID:       "deprecation-warning-invalid",
		Summary:  "deprecation warnings that the API server refuses",
		Severity: lint.Error,
		Doc: `The warning is sent as an HTTP header with every answer about the deprecated version. It must fit in one: a single line
of printable characters, 256 bytes at most, and not empty.

**What to do**: shorten it to what users have to do. Without a warning of its own, the API server makes one.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: KEP-1693; validateDeprecationWarning of k8s.io/apiextensions-apiserver.`,
		Run: enforced(func(p *lint.Pass, r lint.Refusal) {
			switch r.Row {
			case "E053":
				p.Refuse(r.At, fmt.Sprintf("deprecationWarning has %d bytes; 256 are allowed", len(crd.StringAt(r.At.Node))))
			case "E054":
				p.Refuse(r.At, "deprecationWarning is empty; remove it and the API server makes one, or write what to use instead")
			default:
				p.Refuse(r.At, "deprecationWarning has a character that cannot be printed; it must be one line of plain text")
			}
		}),
	}

	deprecationWarningWithoutDeprecated = &lint.Rule{
		ID:       "deprecation-warning-without-deprecated",
		Summary:  "deprecation warnings of versions that are not deprecated",
		Severity: lint.Error,
		Doc: `A warning is only sent for a version with ` + "`deprecated: true`" + `. The API server refuses one, even an empty one, for any other.

**What to do**: add ` + "`deprecated: true`" + `, or remove the warning.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: KEP-1693; validateDeprecationWarning of k8s.io/apiextensions-apiserver.`,
		Run: enforced(func(p *lint.Pass, r lint.Refusal) {
			f := p.Refuse(r.At, "deprecationWarning is set, but the version is not deprecated; add deprecated: true or remove the warning")
			steps := crd.Steps(r.At.Path)
			if crd.StringAt(r.At.Node) == "" || len(steps) < 4 {
				f.Fix = removeAt("remove the empty deprecationWarning", r.At.Path)
				return
			}
			f.Fix = &lint.Fix{Title: "mark the version as deprecated", Apply: func(c *crd.CRD) bool {
				version, complete := c.Resolve(steps[:3])
				m := crd.Deref(version.Node)
				if !complete || m.Kind != yaml.MappingNode {
					return false
				}
				repair.Set(m, "deprecated", repair.Bool(true))
				return true
			}}
		}),
	}
)

// removeAt is an unsafe fix that removes the entry of a mapping.
func removeAt(title, path string) *lint.Fix {
	steps := crd.Steps(path)
	return &lint.Fix{Title: title, Apply: func(c *crd.CRD) bool {
		parent, complete := c.Resolve(steps[:len(steps)-1])
		return complete && len(repair.Remove(parent.Node, steps[len(steps)-1])) > 0
	}}
}
