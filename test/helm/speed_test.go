package helm

import (
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/rules"
)

// BenchmarkLint lints templates, and what each renders to by the defaults of its chart.
func BenchmarkLint(b *testing.B) {
	var templates, manifests [][2]string
	take := func(src *template) {
		all, _ := src.renderings(src.text)
		if len(all) == 0 || !all[0].hasCRDs() {
			return
		}
		var rendered strings.Builder
		for _, text := range all[0].texts {
			rendered.WriteString(text + "\n---\n")
		}
		templates = append(templates, [2]string{src.path, src.text})
		manifests = append(manifests, [2]string{"crd.yaml", rendered.String()})
	}
	if os.Getenv("CRDLIFT_CHARTS") != "" {
		public(b, take)
	} else {
		for _, src := range handwritten(b) {
			take(src)
		}
	}
	for name, all := range map[string][][2]string{"templates": templates, "renderings": manifests} {
		b.Run(name, func(b *testing.B) {
			var linter rules.Linter
			for b.Loop() {
				for _, f := range all {
					linter.File(f[0], []byte(f[1]))
				}
			}
		})
	}
}
