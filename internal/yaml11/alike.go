package yaml11

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Alike reports whether YAML 1.1 reads two trees alike, so that conclusions about one hold for the other. It returns
// false for aliases, where nodes cannot be compared pairwise.
func Alike(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Kind == yaml.AliasNode || len(a.Content) != len(b.Content) || a.ShortTag() != b.ShortTag() {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		return scalarsAlike(a, b)
	}
	for i, c := range a.Content {
		if !Alike(c, b.Content[i]) {
			return false
		}
	}
	return true
}

func scalarsAlike(a, b *yaml.Node) bool {
	if a.Value != b.Value || IsMerge(a) != IsMerge(b) {
		return false
	}
	if a.Tag == b.Tag && a.Style == b.Style {
		return true
	}
	kindA, valueA := Resolve(a)
	kindB, valueB := Resolve(b)
	return kindA == kindB && valueA == valueB
}
