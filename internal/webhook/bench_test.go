package webhook_test

import (
	"testing"

	"github.com/crdlift/crdlift/internal/webhook"
)

// BenchmarkTest tests a correct webhook with 300 objects of each of three versions.
func BenchmarkTest(b *testing.B) {
	for b.Loop() {
		r := test(b, "", webhook.Options{Count: 300, Seed: 1})
		b.ReportMetric(float64(r.Requests)/r.Elapsed.Seconds(), "requests/s")
		b.ReportMetric(100*(1-r.Waiting.Seconds()/r.Elapsed.Seconds()), "%own")
	}
}
