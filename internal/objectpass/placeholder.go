package objectpass

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"

	"sigs.k8s.io/kustomize/kyaml/yaml"
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

// isPlaceholder reports whether a value, or a key, has a placeholder in it.
func (p *Pass) isPlaceholder(n *yaml.Node) bool {
	value := crd.Deref(n)
	if value == nil || crd.PlaceholderInObject(value.Value) == "" {
		return false
	}
	return crd.PlaceholderInKey(value.Value) != "" || !p.isKey(n)
}

// isKey reports whether a node is a key of the object.
func (p *Pass) isKey(n *yaml.Node) bool {
	type keys struct{}
	return engine.Memo(p, keys{}, func() map[*yaml.Node]bool {
		all := map[*yaml.Node]bool{}
		addKeys(p.Object.Node, all, map[*yaml.Node]bool{})
		return all
	})[n]
}

// addKeys adds the keys below a node, also in what aliases bring in.
func addKeys(n *yaml.Node, all, been map[*yaml.Node]bool) {
	n = crd.Deref(n)
	if n.Kind == yaml.ScalarNode || been[n] {
		return
	}
	been[n] = true
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			all[child] = true
		}
		addKeys(child, all, been)
	}
}

// identityPlaceholder reports whether a finding is about an apiVersion or a kind with a placeholder in it.
func (p *Pass) identityPlaceholder(f *engine.Finding) bool {
	return p.Match.Verdict != objects.Judged && f.By != engine.PlaceholderRule &&
		(p.isPlaceholder(crd.Get(p.Object.Head, "apiVersion")) || p.isPlaceholder(crd.Get(p.Object.Head, "kind")))
}
