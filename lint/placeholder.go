package lint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/wording"
)

// PlaceholderRule speaks of templates that parse as YAML. It has no Run: it takes the place of what other rules say.
var PlaceholderRule = &Rule{
	ID:       "template-placeholder",
	Summary:  "placeholders that stand where a value is judged",
	Severity: Info,
	Doc: `A manifest with ` + "`${NAME}`" + ` in it is a template: envsubst, Flux, OpenShift or a script puts the value in before a server sees
it. What is wrong with the placeholder itself, as a name or a label, says nothing about the value. All that is reported
at such values is told by this one finding, and does not fail. Inside of schemas and descriptions, ` + "`${NAME}`" + ` is text like
any other.

**What to do**: nothing; or lint what is made of the template, as in ` + "`envsubst < crd.yaml | crdlift lint -`" + `.

**When to ignore it**: switch the rule off where manifests are applied as they are. Then each value is judged as it stands.

**Source**: https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution; crdlift's own.`,
}

var placeholder = regexp.MustCompile(`\$\{[A-Za-z_]\w*([-:=?+][^}]*)?\}`)

// withoutPlaceholders puts findings of its own in the place of all that speak about placeholders.
func (p *Pass) withoutPlaceholders(findings []*Finding) []*Finding {
	severity := p.Config.severity(PlaceholderRule)
	if severity == Off {
		return findings
	}
	p.rule, p.severity, p.findings = PlaceholderRule, severity, nil
	told := map[Position]*Finding{}
	var all []*Finding
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		name := placeholderOf(f)
		if name == "" {
			return false
		}
		one := told[f.Pos]
		if one == nil {
			one = p.Reportf(f.At, "%s is a placeholder, and what stands there is not judged; lint what is made of the template", wording.Value(name))
			told[f.Pos] = one
			all = append(all, one)
		}
		one.RefusedBy = cmp.Or(f.RefusedBy, one.RefusedBy)
		return true
	})
	Together(all)
	return append(findings, all...)
}

// placeholderOf is the placeholder that a finding is about; "" for any other, and inside of schemas, where such a text
// may be meant.
func placeholderOf(f *Finding) string {
	if strings.Contains(f.At.Path, "openAPIV3Schema") {
		return ""
	}
	if f.At.Node != nil {
		if m := placeholder.FindString(f.At.Node.Value); m != "" {
			return m
		}
	}
	return placeholder.FindString(f.Message)
}
