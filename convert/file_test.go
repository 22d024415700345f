package convert

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// TestSettle tampers with the pending edits of a conversion: each change must be noticed, and leave the file alone.
func TestSettle(t *testing.T) {
	src := []byte(`a: b
...
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: kettles.example.com}
spec:
  group: example.com
  names: {kind: Kettle, plural: kettles}
  scope: Namespaced
  version: v1
---
c: d
`)
	replace := func(old, text string) func(edits []rewrite.Edit, texts [][]byte) []rewrite.Edit {
		return func(edits []rewrite.Edit, _ [][]byte) []rewrite.Edit {
			start := bytes.Index(src, []byte(old))
			at, _ := slices.BinarySearchFunc(edits, start, func(e rewrite.Edit, start int) int { return e.Start - start })
			return slices.Insert(edits, at, rewrite.Edit{Start: start, End: start + len(old), New: text})
		}
	}
	for name, tt := range map[string]struct {
		tamper func(edits []rewrite.Edit, texts [][]byte) []rewrite.Edit
		want   string
	}{
		"nothing":                  {replace("", ""), ""},
		"another text than proven": {replace("Namespaced", "Cluster"), "a document has another text than the one that crdlift checked; convert it by hand"},
		"another proof": {func(edits []rewrite.Edit, texts [][]byte) []rewrite.Edit {
			texts[1] = texts[0]
			return edits
		}, "a document has another text than the one that crdlift checked; convert it by hand"},
		"another document":   {replace("c: d", "c: e"), "document 3 of 3 became another"},
		"a marker is gone":   {replace("...\n", ""), "3 documents became 2"},
		"a marker is added":  {replace("c: d\n", "c: d\n---\n"), "3 documents became 4"},
		"kubectl sees fewer": {replace("---\nc: d\n", "...\nc: d\n"), "kubectl read 2 documents and would read 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := &Result{Output: src}
			file := manifest.Split("kettles.yaml", src)
			var edits []rewrite.Edit
			var texts [][]byte
			for _, d := range file.Documents {
				d = d.Parsed()
				text := d.Text()
				if made := convertDocument(d, policy.Options{}, nil, res); made != nil {
					edits = append(edits, made.Edits...)
					text = made.Text
				}
				texts = append(texts, text)
			}
			if len(edits) == 0 {
				t.Fatal("nothing was converted")
			}
			res.settle(file, tt.tamper(edits, texts), texts)
			c := res.CRDs[0]
			if tt.want == "" {
				if c.State != policy.Converted || bytes.Equal(res.Output, src) {
					t.Errorf("%s: %v", c.State, c.Notes)
				}
				return
			}
			if c.State != policy.NeedsPerson || !bytes.Equal(res.Output, src) || len(c.Notes) != 1 || !strings.Contains(c.Notes[0].Message, tt.want) {
				t.Errorf("%s: %v; want %q", c.State, c.Notes, tt.want)
			}
		})
	}
}
