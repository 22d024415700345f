package upgrade_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/upgrade"
)

// BenchmarkOf is about an object of which nothing is foretold but a default.
func BenchmarkOf(b *testing.B) {
	const fields = "size: {type: integer}, limit: {type: integer}, engine: {type: string}, backup: {type: object, properties: {schedule: {type: string}, keep: {type: integer}}}, template: {type: object, x-kubernetes-preserve-unknown-fields: true}"
	rule := "x-kubernetes-validations: [{rule: '!has(self.spec.limit) || self.spec.size <= self.spec.limit'}], "
	r := upgrade.New(serve(b, version("v1", spec(fields), status)), serve(b, version("v1", rule+spec(fields+", mode: {type: string, default: fast}"), status)), nil)
	o := object(b, "v1", "spec: {size: 3, engine: mysql, backup: {schedule: daily, keep: 3}, template: {a: {b: [1, 2, 3]}}}, status: {phase: Ready}")
	for b.Loop() {
		if p := r.Of(o); p.Err != nil || p.Worst() != upgrade.DefaultChanged {
			b.Fatalf("the prospect is %+v", p)
		}
	}
}
