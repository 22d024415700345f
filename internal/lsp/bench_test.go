package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/testing/specimen"
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

// BenchmarkEditor is the time from an edit to an answer, with a CRD of 1 MB and 500 custom resources of it open: of the CRD, after which
// all of them are judged again, and of a custom resource.
func BenchmarkEditor(b *testing.B) {
	c := start(b, rich)
	text := specimen.Sized("v1", 0, 1_000_000).YAML()
	_, from, _ := strings.Cut(text[:strings.Index(text, "What the part0")], "\n")
	line := strings.Count(from, "\n") + 1
	c.open("crd.yaml", text)
	any := func(clientDiagnostics) bool { return true }
	c.published("crd.yaml", any)
	const object = "apiVersion: example.com/v1\nkind: Example00000\nmetadata:\n  name: one\nspec:\n  part0:\n    mode: Always\n    replicas: 3\n    \n"
	for i := range 500 {
		c.open(fmt.Sprintf("%d.yaml", i), object)
		c.published(fmt.Sprintf("%d.yaml", i), any)
	}
	version := map[string]int{"crd.yaml": 1, "0.yaml": 1}
	edit := func(name string) {
		version[name]++
		at := map[string]string{"crd.yaml": fmt.Sprintf("%d:18-%d:19 ", line, line), "0.yaml": "3:8-3:9 "}[name]
		c.edit(name, version[name], at+string(rune('a'+version[name]%26)))
	}
	for _, name := range []string{"crd.yaml", "0.yaml"} {
		place := map[string]string{"crd.yaml": fmt.Sprintf(`{"line": %d, "character": 20}`, line+4), "0.yaml": `{"line": 8, "character": 4}`}[name]
		b.Run("diagnostics/"+name, func(b *testing.B) {
			for b.Loop() {
				edit(name)
				c.published(name, func(p clientDiagnostics) bool { return p.Version != nil && *p.Version == version[name] })
			}
		})
		for _, method := range []string{"completion", "hover"} {
			at := fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": %s}`, c.uri(name), place)
			if method == "hover" && name == "0.yaml" {
				at = fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 6, "character": 5}}`, c.uri(name))
			}
			b.Run(method+"/"+name, func(b *testing.B) {
				for b.Loop() {
					edit(name)
					if answer := c.call("textDocument/"+method, at); answer.Error != nil {
						b.Fatal(answer.Error.Message)
					}
				}
			})
		}
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			edit("crd.yaml")
			for c.published("crd.yaml", func(p clientDiagnostics) bool { return *p.Version == version["crd.yaml"] }); c.server.queue.length() > 0; {
				time.Sleep(time.Millisecond)
			}
		}
	})
}
