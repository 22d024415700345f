package lint

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/wording"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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

A value that is nothing but a comment of ytt, ` + "`JSONPath: #@ data.values.path`" + `, is one everywhere. A server would read null
there; that, and what is missing because of it, is not reported either.

**What to do**: nothing; or lint what is made of the template, as in ` + "`envsubst < crd.yaml | crdlift lint -`" + ` or
` + "`ytt -f crd.yaml | crdlift lint -`" + `.

**When to ignore it**: switch the rule off where manifests are applied as they are. Then each value is judged as it stands.

**Source**: https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution;
https://carvel.dev/ytt/docs/latest/lang/; crdlift's own.`,
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
	ytt := p.yttValues()
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		name, at := placeholderOf(f), f.At
		if name == "" {
			name, at = yttOf(f, ytt)
		}
		if name == "" {
			return false
		}
		pos := p.locate(at)
		one := told[pos]
		if one == nil {
			one = p.Reportf(at, "%s is a placeholder, and what stands there is not judged; lint what is made of the template", wording.Value(name))
			told[pos] = one
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

// A yttValue is a value that ytt puts in: to YAML it is null, with a comment.
type yttValue struct {
	comment string
	at      crd.Place
}

func (p *Pass) yttValues() []yttValue {
	if !bytes.Contains(p.document.Text(), []byte("#@")) {
		return nil
	}
	var all []yttValue
	var visit func(n *yaml.Node, path string)
	visit = func(n *yaml.Node, path string) {
		for i, c := range n.Content {
			switch {
			case n.Kind == yaml.SequenceNode:
				visit(c, crd.Item(path, i))
			case n.Kind == yaml.MappingNode && i%2 == 1:
				key := n.Content[i-1]
				below := crd.Member(path, key.Value)
				if strings.HasPrefix(key.LineComment, "#@") && c.Kind == yaml.ScalarNode && c.Value == "" {
					all = append(all, yttValue{key.LineComment, crd.Place{Node: c, Path: below}})
				}
				visit(c, below)
			}
		}
	}
	visit(p.CRD.Node, "")
	return all
}

// yttOf is the value of ytt that a finding comes from; "" for any other. Beside what is said of the value itself, it
// comes from there when something above the value, or the name that is made of it, is refused.
func yttOf(f *Finding, values []yttValue) (comment string, at crd.Place) {
	for _, v := range values {
		rest, below := strings.CutPrefix(v.at.Path, f.At.Path)
		below = below && rest != "" && (rest[0] == '.' || rest[0] == '[')
		named := f.At.Path == "metadata.name" && (v.at.Path == "spec.group" || v.at.Path == "spec.names.plural")
		if rest == "" || (below || named) && f.Severity == Error {
			return v.comment, v.at
		}
	}
	return "", crd.Place{}
}
