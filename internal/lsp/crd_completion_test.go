package lsp

import (
	"slices"
	"strings"
	"testing"
)

// TestCompletionOfCRDs offers the fields of a rule's value behind a dot, in a text with lines as on Windows and letters of several
// bytes before them.
func TestCompletionOfCRDs(t *testing.T) {
	t.Parallel()
	c := start(t, markdown)
	text := changed(t, widgets, "      openAPIV3Schema:\n", "      openAPIV3Schema:\n        x-kubernetes-validations:\n        - rule: \"'🌱é' != self.\"\n")
	c.open("crd.yaml", strings.ReplaceAll(text, "\n", "\r\n"))
	line := strings.Count(text[:strings.Index(text, "- rule:")], "\n")
	character := len("        - rule: \"'") + len("🌱")/2 + 1 + len("' != self.") // in UTF-16
	all := c.complete("crd.yaml", line, character)
	i := slices.IndexFunc(all, func(one item) bool { return one.Label == "metadata" })
	if i < 0 || all[i].TextEdit.Range.Start != (place{line, character}) || all[i].TextEdit.Range.End != (place{line, character}) || all[i].TextEdit.NewText != "metadata" {
		t.Errorf("%+v", all)
	}
}
