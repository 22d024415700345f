package engine

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// PlaceholderRule speaks of templates that parse as YAML. It has no Run: it takes the place of what other rules say.
var PlaceholderRule = &Rule{
	ID:       "template-placeholder",
	Summary:  "placeholders that stand where a value is judged",
	Severity: lint.Info,
}

// withoutPlaceholders puts findings of its own in the place of all that speak about placeholders.
func (p *Pass) withoutPlaceholders(findings []*Finding) []*Finding {
	if !p.judgedBy(PlaceholderRule) {
		return findings
	}
	told := map[lint.Position]*Finding{}
	var all []*Finding
	tell := func(name string, at crd.Place) *Finding {
		pos := p.locate(at)
		if told[pos] == nil {
			told[pos] = p.Reportf(at, "%s is a placeholder, and its value is not checked; lint the rendered manifest", text.Value(name))
			all = append(all, told[pos])
		}
		return told[pos]
	}
	ytt := p.yttValues()
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		name, at := placeholderOf(f), f.At
		if name == "" && at.Path == "metadata.name" {
			name, at = p.CRD.NamePlaceholder()
		}
		if name == "" {
			name, at = yttOf(f, ytt)
		}
		if name == "" {
			return false
		}
		one := tell(name, at)
		one.RefusedBy = cmp.Or(f.RefusedBy, one.RefusedBy)
		return true
	})
	if p.CRD.Version == crd.V1beta1 { // which is null there, and may be taken for nothing
		for _, v := range ytt {
			tell(v.Comment, v.At)
		}
	}
	Together(all)
	return append(findings, all...)
}

// placeholderOf is the placeholder that a finding is about; "" for any other.
func placeholderOf(f *Finding) string {
	if crd.InSchema(f.At.Path) {
		return ""
	}
	return cmp.Or(crd.PlaceholderAt(f.At), crd.PlaceholderIn(f.Message))
}

// yttValues are the values of the CRD that ytt puts in.
func (p *Pass) yttValues() []crd.YttValue {
	if !bytes.Contains(p.document.Text(), []byte("#@")) {
		return nil
	}
	return p.CRD.YttValues()
}

// yttOf is the value of ytt that a finding comes from; "" for any other.
func yttOf(f *Finding, values []crd.YttValue) (comment string, at crd.Place) {
	for _, v := range values {
		if v.Explains(f.At.Path, f.Severity == lint.Error) {
			return v.Comment, v.At
		}
	}
	return "", crd.Place{}
}
