package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// BenchmarkFile converts a CRD of 100 KB up and down, with the proof of it.
func BenchmarkFile(b *testing.B) {
	for _, tt := range []struct{ from, to policy.Target }{{policy.V1beta1, policy.V1}, {policy.V1, policy.V1beta1}} {
		b.Run("to="+string(tt.to), func(b *testing.B) {
			src := []byte(specimen.Sized(string(tt.from), 0, 100_000).YAML())
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				converted(b, src, tt.to)
			}
		})
	}
}

// BenchmarkOneLine converts JSON on one line, of which every other value gets a mark. The time per byte must not grow with
// the size.
func BenchmarkOneLine(b *testing.B) {
	for _, properties := range []int{500, 2000, 8000} {
		b.Run(fmt.Sprintf("properties=%d", properties), func(b *testing.B) {
			src := oneLine(properties)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				converted(b, src, policy.V1)
			}
		})
	}
}

// oneLine is a CRD as JSON on one line.
func oneLine(properties int) []byte {
	var b strings.Builder
	b.WriteString(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"kettles.example.com"},` +
		`"spec":{"group":"example.com","names":{"kind":"Kettle","plural":"kettles"},"scope":"Namespaced","version":"v1",` +
		`"validation":{"openAPIV3Schema":{"type":"object","properties":{`)
	for i := range properties {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"p%d":{"description":"one of many properties of a kettle","properties":{"a":{"items":{}},"b":{"type":"string"}}}`, i)
	}
	b.WriteString(`}}}}}`)
	return []byte(b.String())
}

// BenchmarkVerify is the proof alone.
func BenchmarkVerify(b *testing.B) {
	src := []byte(specimen.Sized("v1beta1", 0, 100_000).YAML())
	res := converted(b, src, policy.V1)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := convert.Verify("crd.yaml", src, res); err != nil {
			b.Fatal(err)
		}
	}
}

func converted(b *testing.B, src []byte, to policy.Target) *convert.Result {
	res, err := convert.File("crd.yaml", src, policy.Options{To: to})
	if err != nil || res.CRDs[0].State != policy.Converted {
		b.Fatal(res, err)
	}
	return res
}
