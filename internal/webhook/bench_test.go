package webhook_test

import (
	"strconv"
	"testing"

	"github.com/crdlift/crdlift/internal/webhook"
)

// BenchmarkTest tests a correct webhook with so many objects of each of three versions.
func BenchmarkTest(b *testing.B) {
	for _, count := range []int{300, 2000} {
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			for b.Loop() {
				r := test(b, "", webhook.Options{Count: count, Seed: 1})
				b.ReportMetric(float64(r.Requests), "requests")
				b.ReportMetric(float64(r.Requests)/r.Elapsed.Seconds(), "requests/s")
				b.ReportMetric(100*(1-r.Waiting.Seconds()/r.Elapsed.Seconds()), "%own")
			}
		})
	}
}
