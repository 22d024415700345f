package yaml11

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Alike reports whether YAML 1.1 reads two trees alike, so that what follows from one follows from the other. It is false
// where it would take more than a look at node beside node: for aliases.
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
