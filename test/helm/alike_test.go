package helm

import (
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/diff"
)

// alike reports whether a text of a template may become another one when it is rendered: its actions become anything.
func alike(template, rendered string) bool {
	if template == rendered || !strings.Contains(template, "{{") {
		return template == rendered
	}
	var pattern strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{{")
		pattern.WriteString(regexp.QuoteMeta(before))
		if !found {
			break
		}
		pattern.WriteString(`.*`)
		if _, rest, found = strings.Cut(after, "}}"); !found {
			break
		}
	}
	return regexp.MustCompile(`(?s)^` + pattern.String() + `$`).MatchString(rendered)
}

// blanksOnly reports whether texts differ in blank lines and in white space at the ends of lines only.
func blanksOnly(a, b string) bool {
	squeeze := func(text string) string {
		var all []string
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" {
				all = append(all, line)
			}
		}
		return strings.Join(all, "\n")
	}
	return squeeze(a) == squeeze(b)
}

// difference is the first lines of a diff.
func difference(a, b string) string {
	all := strings.SplitAfter(string(diff.Unified("<", ">", []byte(a), []byte(b))), "\n")
	return strings.Join(all[:min(len(all), 40)], "")
}

func TestAlike(t *testing.T) {
	for _, test := range []struct {
		template, rendered string
		want               bool
	}{
		{"widgets.example.com", "widgets.example.com", true},
		{"widgets.{{ .Values.group }}", "widgets.example.com", true},
		{"{{ .A }}.{{ .B }}", "a.b", true},
		{"{{ .A }}.{{ .B }}", "ab", false},
		{"widgets.{{ .Values.group }}", "gadgets.example.com", false},
		{"cut off: {{ .Val", "cut off: long", true},
		{"a", "b", false},
	} {
		if got := alike(test.template, test.rendered); got != test.want {
			t.Errorf("%q, %q: %v", test.template, test.rendered, got)
		}
	}
	if !blanksOnly("a: 1 \n\nb: 2\r\n", "a: 1\nb: 2") || blanksOnly("a: 1\n", " a: 1\n") {
		t.Error("blanks are not told from text")
	}
}
