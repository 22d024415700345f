package convert_test

import (
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/specimen"
)

// BenchmarkFile converts a CRD of 100 KB up and down, with the proof of it.
func BenchmarkFile(b *testing.B) {
	for _, tt := range []struct{ from, to convert.Version }{{convert.V1beta1, convert.V1}, {convert.V1, convert.V1beta1}} {
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

// BenchmarkVerify is the proof alone.
func BenchmarkVerify(b *testing.B) {
	src := []byte(specimen.Sized("v1beta1", 0, 100_000).YAML())
	res := converted(b, src, convert.V1)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := convert.Verify("crd.yaml", src, res); err != nil {
			b.Fatal(err)
		}
	}
}

func converted(b *testing.B, src []byte, to convert.Version) *convert.Result {
	res, err := convert.File("crd.yaml", src, convert.Options{To: to})
	if err != nil || res.CRDs[0].State != convert.Converted {
		b.Fatal(res, err)
	}
	return res
}
