package gotypes

import (
	"fmt"
	"testing"
)

// BenchmarkFind looks a kind up in a repository of 40 packages with 25 files each, of which four have kinds, and follows a
// path. A run does that once.
func BenchmarkFind(b *testing.B) {
	files := map[string]string{}
	for i := range 40 {
		for j := range 25 {
			files[fmt.Sprintf("pkg%d/file%d.go", i, j)] = fmt.Sprintf("package pkg%d\n\nfunc f%d() { println(%d) }\n\ntype t%d struct{ x int }\n", i, j, j, j)
		}
	}
	for i := range 4 {
		name := fmt.Sprintf("pkg%d/types.go", i)
		files[name] = fmt.Sprintf("// +groupName=example.com\npackage pkg%d\n%s", i, declaration[len("// +groupName=example.com\npackage v1\n"):]) +
			"\tSpec Spec `json:\"spec\"`\n}\n\ntype Spec struct {\n\tNames []string `json:\"names\"`\n}\n"
	}
	files["pkg0/doc.go"] = "// +versionName=v1\npackage pkg0\n"
	dir := repositoryOf(b, files)
	for b.Loop() {
		found := New(dir, DefaultLimits).Find("config/crd.yaml", widget)
		if found.Kind == nil || found.Kind.At("properties", "spec", "properties", "names").Outcome != Exact {
			b.Fatal(found)
		}
	}
}
