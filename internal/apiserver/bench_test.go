package apiserver_test

import (
	"fmt"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// specimens are CRDs of about 100 KB. CEL rules have a price of their own: each is compiled and estimated.
var specimens = []specimen.CRD{
	{Version: "v1", Parts: 60}, {Version: "v1", Parts: 60, Rules: 10}, {Version: "v1beta1", Parts: 60},
}

func BenchmarkOnCreate(b *testing.B) {
	for _, s := range specimens {
		b.Run(fmt.Sprintf("version=%s/rules=%d", s.Version, s.Rules), func(b *testing.B) {
			hub := benchmarked(b, s)
			b.SetBytes(int64(len(s.YAML())))
			b.ReportAllocs()
			for b.Loop() {
				if v := apiserver.OnCreate(hub.Hub, crd.Version(s.Version)); len(v.Errors) > 0 {
					b.Fatal(v)
				}
			}
		})
	}
}

func BenchmarkOnUpdate(b *testing.B) {
	for _, s := range specimens {
		b.Run(fmt.Sprintf("version=%s/rules=%d", s.Version, s.Rules), func(b *testing.B) {
			old := benchmarked(b, s)
			s.Parts++
			hub := benchmarked(b, s)
			b.SetBytes(int64(len(s.YAML())))
			b.ReportAllocs()
			for b.Loop() {
				if v := apiserver.OnUpdate(hub.Hub, old.Hub, crd.Version(s.Version)); len(v.Errors) > 0 {
					b.Fatal(v)
				}
			}
		})
	}
}

func benchmarked(b *testing.B, s specimen.CRD) *crd.Object {
	root, err := yaml.Parse(s.YAML())
	if err != nil {
		b.Fatal(err)
	}
	found, _ := crd.Find(root.YNode())
	decoded, err := found[0].Decode()
	if err != nil {
		b.Fatal(err)
	}
	return decoded
}
