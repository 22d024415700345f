package request_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/specimen"
	"sigs.k8s.io/yaml"
)

// benchmarked is a kind with most of the fields that specimens have, and two of its objects.
func benchmarked(b *testing.B) (crd string, one, two request.Object) {
	b.Helper()
	kind := specimen.Kind{Number: 3}
	objects := [2]request.Object{}
	for i := range objects {
		if err := yaml.Unmarshal([]byte(specimen.Object{Kind: kind, Number: i}.YAML()), &objects[i]); err != nil {
			b.Fatal(err)
		}
		objects[i] = plain(objects[i]).(request.Object)
	}
	return kind.CRD(), objects[0], objects[1]
}

// BenchmarkPrepare is what a CRD costs before its first object is judged.
func BenchmarkPrepare(b *testing.B) {
	text, _, _ := benchmarked(b)
	crd := decode(b, text)
	b.ReportAllocs()
	for b.Loop() {
		server, err := request.New(crd)
		if err != nil {
			b.Fatal(err)
		}
		if err := server.Storage().Err(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCreate and BenchmarkUpdate judge one object by a CRD that is prepared.
func BenchmarkCreate(b *testing.B) {
	text, o, _ := benchmarked(b)
	judgeAgain(b, text, func(v *request.Version) *request.Outcome { return v.Create(o) })
}

func BenchmarkUpdate(b *testing.B) {
	text, one, two := benchmarked(b)
	two["metadata"] = one["metadata"]
	two["spec"].(map[string]any)["storage"] = one["spec"].(map[string]any)["storage"] // whose class must not change
	judgeAgain(b, text, func(v *request.Version) *request.Outcome { return v.Update(two, one) })
}

func judgeAgain(b *testing.B, crd string, judge func(*request.Version) *request.Outcome) {
	v := serveCRD(b, crd).Storage()
	if o := judge(v); !o.Accepted() {
		b.Fatalf("rejected: %+v", o.Causes)
	}
	b.ReportAllocs()
	for b.Loop() {
		judge(v)
	}
}
