package gofix

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// A finding that is fixed by marks in two files is fixed in both or in none.
func TestPlanAllOrNone(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"a/types.go": "package a\n\ntype Spec struct {\n\tNames []string `json:\"names\"`\n}\n",
		"b/types.go": "package b\n\ntype Spec struct {\n\t// +listType=set\n\tNames []string `json:\"names\"`\n\tOther int `json:\"other\"`\n}\n",
	}
	source := func(path string) (gotypes.Source, bool) {
		text, ok := texts[path]
		return gotypes.Source{Text: []byte(text)}, ok
	}
	mark := func(path, field, marker string) lint.Mark {
		m := markOf(t, texts[path], []string{field, marker})
		m.Pos.File = path
		return m
	}
	elsewhere := mark("a/types.go", "Names", "+optional")
	elsewhere.Pos.File = "c/types.go"
	findings := [][]lint.Mark{
		{mark("a/types.go", "Names", "+listType=atomic"), mark("b/types.go", "Names", "+listType=atomic")},
		{mark("b/types.go", "Other", "+optional")},
		{elsewhere},
		{mark("a/types.go", "Spec", "+kubebuilder:subresource:status"), elsewhere},
	}
	plan := PlanFor(findings, source)
	for i, want := range []string{"contradicts", "", "not read", "not read"} {
		switch err := plan.Refused[i]; {
		case want == "" && err != nil:
			t.Errorf("finding %d is rejected: %v", i, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("finding %d is rejected with %v, want %s", i, err, want)
		}
	}
	if len(plan.Files) != 1 || plan.Files[0].Shown != "b/types.go" {
		t.Fatalf("files %+v", plan.Files)
	}
	if after := string(plan.Files[0].After); !strings.Contains(after, "\t// +optional\n\tOther") || strings.Contains(after, "atomic") {
		t.Errorf("got\n%s", after)
	}
}
