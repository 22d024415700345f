package manifest

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestSmoke(t *testing.T) {
	src := "# top\n---\n# lead\na: 1 # one\n\n# about b\nb:\n  # inner\n  c: |\n    text\n\n    more\n  # tail of b\n\n# about d\nd:\n- x: 1 # x\n  y: 2\n- z\n# end\n"
	f := Parse("t", []byte(src))
	for i, d := range f.Documents {
		t.Logf("%d %q %v", i, d.Text(), d.Err)
	}
	d := f.Documents[0]
	root := d.Root.YNode()
	b := root.Content[3]
	// move b's content under d's first item as key "e", delete a, rename d
	item := root.Content[5].Content[0]
	item.Content = append(item.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "e"}, b)
	root.Content = root.Content[4:]
	root.Content[0].Value = "dd"
	edits, enc, err := d.Edits()
	t.Logf("%v %v %v", edits, enc, err)
	t.Logf("\n%s", Apply(f.Source, edits))
}
