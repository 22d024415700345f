package cli

import (
	"io"
	"strings"
	"testing"
)

// FuzzResourceList sniffs at standard input: whatever it is, nothing of it gets lost.
func FuzzResourceList(f *testing.F) {
	f.Add("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", true)
	f.Add(`{"kind": "ResourceList"}`, true)
	f.Add("\n\n# kind: x\nkind:ResourceList", false)
	f.Add(strings.Repeat(" ", sniffed-10)+"kind: ResourceList", true)
	f.Fuzz(func(t *testing.T, text string, more bool) {
		if more {
			text += strings.Repeat("more\n", sniffed)
		}
		in, is := resourceList(strings.NewReader(text))
		if got, err := io.ReadAll(in); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
		if is && !strings.Contains(text, "ResourceList") {
			t.Errorf("%q is taken for a ResourceList", text)
		}
	})
}
