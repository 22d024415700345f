package manifest

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

func BenchmarkParse(b *testing.B) {
	small := "---\na: {b: [1, 2, 3], c: \"a text that takes a line of some length, and more\"}\nd:\n- e\n- f: g\n"
	for _, tt := range []struct{ name, text string }{
		{"size=20KB/documents=1", specimen.Sized("v1", 0, 20_000).YAML()},
		{"size=1MB/documents=1", specimen.Sized("v1", 0, 1_000_000).YAML()},
		{"size=1MB/documents=50", specimen.Documents("v1", 50, 20_000)},
		{"size=1MB/documents=11k", strings.Repeat(small, 1_000_000/len(small))},
	} {
		b.Run(tt.name, func(b *testing.B) {
			src := []byte(tt.text)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range Parse("crd.yaml", src).Documents {
					if d.Err != nil {
						b.Fatal(d.Err)
					}
				}
			}
		})
	}
}

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
			d := Parse("crd.yaml", src).Documents[0]
			if err := tt.change(d.Root); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				edits, encoded, err := d.Edits()
				if err != nil || encoded != "" || (len(edits) == 0) != (tt.name == "change=none") {
					b.Fatalf("%d edits, encoded: %q, error: %v", len(edits), encoded, err)
				}
			}
		})
	}
}
