package objectpass

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// withoutPlaceholders puts findings of its own in the place of those about values that have placeholders in them.
func (p *Pass) withoutPlaceholders(findings []*engine.Finding) []*engine.Finding {
	if !p.judgedBy(engine.PlaceholderRule) {
		return findings
	}
	told := map[lint.Position]bool{}
	var all []*engine.Finding
	for _, f := range findings {
		if !p.isPlaceholder(f.At.Node) && !p.identityPlaceholder(f) {
			all = append(all, f)
			continue
		}
		if !told[f.Pos] {
			told[f.Pos] = true
			one := p.report(f.At.Node, nil, "a placeholder is here, and its value is not checked; validate the rendered manifest")
			one.At.Path = f.At.Path
			all = append(all, one)
		}
	}
	return all
}

// identityPlaceholder reports whether a finding is about an apiVersion or a kind with a placeholder in it.
func (p *Pass) identityPlaceholder(f *engine.Finding) bool {
	return p.Match.Verdict != objects.Judged && f.By != engine.PlaceholderRule &&
		(p.isPlaceholder(crd.Get(p.Object.Head, "apiVersion")) || p.isPlaceholder(crd.Get(p.Object.Head, "kind")))
}
