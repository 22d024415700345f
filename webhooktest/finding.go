package webhooktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// name is that of the subtest: what is wrong, of which kind of objects, and where in them.
func (f *finding) name() string {
	parts := []string{f.Rule}
	for _, part := range []string{f.Resource, strings.Join(f.Versions, "-"), f.Field} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// report fails a subtest, or logs the finding.
func (f *finding) report(t *testing.T, fails []string) {
	t.Helper()
	switch {
	case f.Ignored != "":
		t.Logf("%s\nignored: %s", f, f.Ignored)
	case slices.Contains(fails, f.Severity):
		t.Error(f)
	default:
		t.Log(f)
	}
}

// String is the finding with what belongs to it.
func (f *finding) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s [%s]\n%s:%d:%d", f.Severity, f.Message, f.Rule, f.File, f.Line, f.Column)
	if object := indented(f.Witness); object != "" {
		fmt.Fprintf(&text, "\nthe smallest object:\n%s", object)
	}
	for _, p := range f.Related {
		fmt.Fprintf(&text, "\n%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	}
	return text.String()
}

// indented is JSON as people read it; empty for none.
func indented(value json.RawMessage) string {
	var text bytes.Buffer
	if len(value) == 0 || json.Indent(&text, value, "", "  ") != nil {
		return ""
	}
	return text.String()
}
