package rules

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// TestChanges tells what the rules about changes say of pairs of CRDs. A story in changes.txt is
//
//	# what happens
//	- the schema of a field before, or all of its version and what else the CRD has, as from "versions:"
//	+ the same now; v1beta1: in front of either is its API version
//	  the answer: severity, rule, versions, field, the values for programs, the text at the place, and the message
//
// with places that belong to it below each finding.
func TestChanges(t *testing.T) {
	t.Parallel()
	var old, before string
	tellStories(t, "testdata/changes.txt", func(line string) string {
		switch {
		case strings.HasPrefix(line, "- "):
			old, before = changedCRD(line[2:]), line
		case strings.HasPrefix(line, "+ "):
			if before == "" {
				t.Fatalf("no line about the older CRD stands before %s", line)
			}
			before = ""
			return changesTold(old, changedCRD(line[2:]))
		}
		return ""
	})
}

// tellStories goes through the lines of a file that are not indented, which the answers are, and has told say what follows each. All
// of it has to be what the file has.
func tellStories(t *testing.T, path string, told func(line string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "  ") {
			got.WriteString(line)
			got.WriteString(told(line))
		}
	}
	switch {
	case got.String() == string(text):
	case *update:
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("answers differ; go test ./rules -update writes them anew:\n%s", diff.Unified("want", "got", text, []byte(got.String())))
	}
}

// changedCRD is the CRD that a line of a story stands for.
func changedCRD(line string) string {
	line = strings.TrimSpace(line)
	version := "v1"
	if rest, is := strings.CutPrefix(line, "v1beta1: "); is {
		version, line = "v1beta1", rest
	}
	if !strings.HasPrefix(line, "versions: ") {
		line = "versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {" + line + "}}}}}]"
	}
	return "apiVersion: apiextensions.k8s.io/" + version + `
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec: {group: example.com, scope: Namespaced, names: {plural: foos, kind: Foo}, ` + line + "}\n"
}

// changesTold are the findings about a change, as a story has them.
func changesTold(old, new string) string {
	l := everyRule()
	l.Old = oldSide("old.yaml", []byte(old))
	var all strings.Builder
	at := func(pos lint.Position) string {
		text := new
		if pos.File == "old.yaml" {
			text = old
		}
		line := strings.Split(text, "\n")[pos.Line-1]
		return line[pos.Column-1 : min(pos.Column+19, len(line))]
	}
	for _, f := range l.File("crd.yaml", []byte(new)).Findings {
		if !f.Rule.NeedsOld {
			continue
		}
		fmt.Fprintf(&all, "  %s %s %s %s", f.Severity, f.Rule.ID, words.JSONOf(f.Versions), cmp.Or(f.Field, "-"))
		for _, value := range []any{f.Old, f.New, f.Witness} {
			fmt.Fprintf(&all, " %s", shortened(words.JSONOf(value)))
		}
		if f.First != nil && f.First != f {
			all.WriteString(" as before")
		}
		fmt.Fprintf(&all, " %q: %s\n", at(f.Pos), f.Message)
		for _, r := range f.Related {
			fmt.Fprintf(&all, "    %s %q: %s\n", cmp.Or(r.Pos.File, "crd.yaml"), at(r.Pos), r.Message)
		}
	}
	return all.String()
}

func shortened(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%s…(%d bytes)", text[:20], len(text))
	}
	return text
}
