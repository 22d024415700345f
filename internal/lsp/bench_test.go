package lsp

import (
	"fmt"
	"testing"
)

// BenchmarkTyping is the time from an edit of a CRD to what is said of it, for a file of 20 KB and one of 1 MB, alone and with a
// custom resource that is open as well.
func BenchmarkTyping(b *testing.B) {
	for _, size := range []struct {
		name   string
		fields int
	}{{"20KB", 270}, {"1MB", 12500}} {
		text := long(size.fields)
		for name, sample := range map[string]bool{"alone": false, "sample": true} {
			b.Run(size.name+"/"+name, func(b *testing.B) {
				c := start(b, rich)
				c.open("crd.yaml", text)
				c.published("crd.yaml", func(clientDiagnostics) bool { return true })
				if sample {
					c.open("one.yaml", widget)
					c.diagnostics("one.yaml")
				}
				b.ReportMetric(float64(len(text))/1024, "KB")
				version := 1
				for b.Loop() {
					version++
					c.edit("crd.yaml", version, fmt.Sprintf("11:9-11:19 %s", []string{"namespaced", "Namespaced"}[version%2]))
					c.published("crd.yaml", func(p clientDiagnostics) bool { return *p.Version == version })
				}
			})
		}
	}
}
