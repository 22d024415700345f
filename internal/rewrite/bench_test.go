package rewrite

import (
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/specimen"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// BenchmarkEdits writes a document of 100 KB whose tree is as it was, has one other value, or has its schema elsewhere.
func BenchmarkEdits(b *testing.B) {
	src := []byte(specimen.Sized("v1", 0, 100_000).YAML())
	for _, tt := range []struct {
		name   string
		change func(*yaml.RNode) error
	}{
		{"change=none", func(*yaml.RNode) error { return nil }},
		{"change=scalar", func(root *yaml.RNode) error { return root.PipeE(yaml.SetK8sName("other")) }},
		{"change=move", func(root *yaml.RNode) error {
			version, err := root.Pipe(yaml.Lookup("spec", "versions", "[name=v1]"))
			if err != nil {
				return err
			}
			schema, err := version.Pipe(yaml.Clear("schema"))
			if err != nil {
				return err
			}
			return root.PipeE(yaml.Lookup("spec"), yaml.SetField("validation", schema))
		}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			d := manifest.Parse("crd.yaml", src).Documents[0]
			if err := tt.change(d.Root); err != nil {
				b.Fatal(err)
			}
			w := Of(d)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				made, err := w.Write(d.Root.YNode())
				if err != nil || made.Encoded != "" || (len(made.Edits) == 0) != (tt.name == "change=none") {
					b.Fatalf("%v, error: %v", made, err)
				}
			}
		})
	}
}
