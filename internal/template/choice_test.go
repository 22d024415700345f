package template

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
)

// TestTriedAlone: what is said of the conditions that are tried alone is true of few, of some with many branches, and of more than
// there are choices for.
func TestTriedAlone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		conditions, branches int
		want                 string
	}{
		"four conditions":               {4, 2, ""},
		"five":                          {5, 2, "each of the 5 conditions of this template was tried alone"},
		"few combinations":              {3, 5, ""},
		"few conditions, many branches": {3, 6, "each of the 3 conditions of this template was tried alone"},
		"the last that has room":        {62, 2, "each of the 62 conditions of this template was tried alone"},
		"one more":                      {63, 2, "62 of the 63 conditions of this template were tried alone, and the others only together"},
		"room for one":                  {5, 30, "1 of the 5 conditions of this template was tried alone, and the others only together"},
	} {
		var src strings.Builder
		for c := range test.conditions {
			fmt.Fprintf(&src, "{{- if .c%d }}\na%d: 0\n", c, c)
			for b := range test.branches - 2 {
				fmt.Fprintf(&src, "{{- else if .d%d }}\na%d: %d\n", b, c, b+1)
			}
			fmt.Fprintf(&src, "{{- else }}\na%d: x\n{{- end }}\n", c)
		}
		tmpl, err := Parse([]byte(src.String()))
		if err != nil {
			t.Fatal(err)
		}
		if got := tmpl.TriedAlone(); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestManyBranches: a condition may have as many branches as half of the choices that are tried.
func TestManyBranches(t *testing.T) {
	t.Parallel()
	for branches, want := range map[int]string{limit.Choices / 2: "", limit.Choices/2 + 1: "begins more branches than the 64 that are tried"} {
		src := "{{- if .a }}\na: 0\n"
		for i := range branches - 2 {
			src += fmt.Sprintf("{{- else if .d%d }}\na: %d\n", i, i)
		}
		tmpl, err := Parse([]byte(src + "{{- else }}\na: x\n{{- end }}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tmpl.Choices(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d branches: got %v, want %q", branches, err, want)
		}
	}
}
