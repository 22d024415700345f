package older

import (
	"strings"
	"testing"
)

const outdatedText = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: foos.example.com
spec:
  group: example.com
  names: {kind: Foo, plural: foos}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: "One.\n\tTwo's."
        default: "1"
`

// TestStates compares CRDs as they are written in several ways with one that is written as a generator does.
func TestStates(t *testing.T) {
	t.Parallel()
	replaced := func(old, by string) string {
		if !strings.Contains(outdatedText, old) {
			t.Fatalf("there is no %q", old)
		}
		return strings.Replace(outdatedText, old, by, 1)
	}
	is := stateIn("crd.yaml", []byte(outdatedText), "foos.example.com")
	if is == nil {
		t.Fatal("the CRD is not found")
	}
	for name, tt := range map[string]struct {
		text        string
		found, same bool
	}{
		"the text":                {outdatedText, true, true},
		"line ends of Windows":    {strings.ReplaceAll(outdatedText, "\n", "\r\n"), true, true},
		"labels":                  {replaced("  name: foos", "  labels: {a: b}\n  name: foos"), true, true},
		"a status":                {outdatedText + "status:\n  versions: [v1]\n", true, true},
		"a conversion":            {replaced("  group:", "  conversion: {strategy: None}\n  group:"), true, true},
		"other quotes":            {replaced(`"1"`, `'1'`), true, true},
		"a text in lines":         {replaced(`"One.\n\tTwo's."`, "|-\n          One.\n          \tTwo's."), true, true},
		"another order":           {replaced("  - name: v1\n    schema:", "  - schema:") + "    name: v1\n", true, true},
		"other documents":         {"a: b\n---\n" + outdatedText + "---\nkind: ClusterRole\nmetadata:\n  name: foos.example.com\n", true, true},
		"a number":                {replaced(`"1"`, `1`), true, false},
		"another text":            {replaced("One", "None"), true, false},
		"another plural":          {replaced("plural: foos", "plural: fools"), true, false},
		"another version":         {replaced("name: v1", "name: v2"), true, false},
		"text that does not read": {outdatedText + "status: [\n", true, false},
		"no mapping":              {replaced("  group: example.com\n  names: {kind: Foo, plural: foos}\n  versions:\n", "- versions:\n"), true, false},
		"a template's branch":     {outdatedText + "{{- if .Values.a }}\n        {{- end }}\n", true, true},
		"a branch inside":         {replaced("        default:", "        {{- if .Values.a }}\n        default:") + "        {{- end }}\n", true, false},
		"an action inside":        {replaced("        default:", "        {{- include \"a\" . }}\n        default:"), true, false},
		"a list":                  {"kind: List\nitems:\n- " + strings.ReplaceAll(outdatedText, "\n", "\n  ") + "\n", true, true},
		"a list with another": {"kind: List\nitems:\n- " + strings.ReplaceAll(outdatedText, "\n", "\n  ") +
			"\n- " + strings.ReplaceAll(replaced("foos.", "bars."), "\n", "\n  ") + "\n", true, false},
		"it twice":          {outdatedText + "---\n" + outdatedText, false, false},
		"a longer name":     {replaced("foos.example.com", "foos.example.community"), false, false},
		"a longer one, too": {replaced("foos.example.com", "my-foos.example.com"), false, false},
		"no CRD":            {replaced("CustomResourceDefinition", "Role"), true, false},
		"nothing":           {"", false, false},
	} {
		got := stateIn("templates/crd.yaml", []byte(tt.text), "foos.example.com")
		if got == nil {
			if tt.found {
				t.Errorf("%s: not found", name)
			}
			continue
		}
		if !tt.found || got.says(is) != tt.same || is.says(got) != tt.same {
			t.Errorf("%s: found, and the same is %v", name, got.says(is))
		}
	}
}
