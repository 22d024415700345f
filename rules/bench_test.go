package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/testing/specimen"
	"github.com/crdlift/crdlift/lint"
)

// BenchmarkLint looks at one file with the recommended rules, and with all.
func BenchmarkLint(b *testing.B) {
	for _, tt := range []struct {
		crd    specimen.CRD
		preset lint.Preset
	}{
		{specimen.Sized("v1", 0, 20_000), lint.Recommended},
		{specimen.Sized("v1", 0, 20_000), lint.All},
		{specimen.Sized("v1beta1", 0, 20_000), lint.Recommended},
		{specimen.Sized("v1", 0, 1_000_000), lint.Recommended},
	} {
		text := []byte(tt.crd.YAML())
		b.Run(fmt.Sprintf("version=%s/size=%dKB/preset=%s", tt.crd.Version, (len(text)+5_000)/10_000*10, tt.preset), func(b *testing.B) {
			l := &engine.Linter{Rules: allRules, Options: lint.Options{Config: &lint.Config{Preset: tt.preset}}}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r := l.File("crd.yaml", text); r.CRDs != 1 {
					b.Fatalf("%d CRDs", r.CRDs)
				}
			}
		})
	}
}

// BenchmarkValidate judges one file with ten objects, of which none or each has a mistake.
func BenchmarkValidate(b *testing.B) {
	kind := specimen.Kind{Number: 3}
	catalogue := &objects.Catalogue{}
	catalogue.Add(objects.Definitions("crd.yaml", "crd.yaml", []byte(kind.CRD()), false)...)
	l := &engine.Linter{Rules: allRules, Kind: &objectpass.Objects{Catalogue: catalogue}}
	for _, mistake := range []specimen.Mistake{specimen.None, specimen.NotInEnum, specimen.BrokenRule} {
		var text strings.Builder
		for i := range 10 {
			text.WriteString("---\n" + specimen.Object{Kind: kind, Number: i, Mistake: mistake}.YAML())
		}
		b.Run(fmt.Sprintf("mistake=%d", mistake), func(b *testing.B) {
			src := []byte(text.String())
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if r := l.File("objects.yaml", src); (len(r.Findings) > 0) != (mistake != specimen.None) {
					b.Fatalf("%d findings", len(r.Findings))
				}
			}
		})
	}
}

// BenchmarkFix repairs a file of 20 KB with one mistake, and with one in each of its parts.
func BenchmarkFix(b *testing.B) {
	text := specimen.Sized("v1", 0, 20_000).YAML()
	for _, mistakes := range []int{1, strings.Count(text, "pattern:")} {
		b.Run(fmt.Sprintf("mistakes=%d", mistakes), func(b *testing.B) {
			src := []byte(strings.Replace(text, "pattern:", "patern:", mistakes))
			l := &engine.Linter{Rules: allRules}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if fixed := l.Fix("crd.yaml", src, true); string(fixed.Output) != text {
					b.Fatalf("%d findings fixed", len(fixed.Findings))
				}
			}
		})
	}
}
