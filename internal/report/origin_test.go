package report

import (
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

const nastyGo = "api/[a](1)::error::\x1b.go"

// generated is a report on manifests that are generated from Go types: two findings share a type, the markers of a third go
// into two files, and the others cannot be fixed by a program.
func generated() *lint.Report {
	at := func(file string, line int) lint.Position {
		return lint.Position{File: file, Line: line, Column: 2, EndLine: line, EndColumn: 7}
	}
	finding := func(rule *lint.Rule, message, file string, line int, o lint.Origin) *lint.Finding {
		o.Generator = "controller-gen v0.21.0"
		return &lint.Finding{
			Rule: rule, Severity: rule.Severity, Message: message, Resource: "widgets.example.com", Path: "spec",
			Source: lint.Source{Pos: at(file, line)}, Origin: &o, Fix: &lint.Fix{Title: "add type: object"},
		}
	}
	add := func(all ...lint.Marker) []lint.Marker { return all }
	edit := func(file string, line int, text string) lint.FileEdit {
		return lint.FileEdit{File: file, TextEdit: lint.TextEdit{Line: line, Column: 1, EndLine: line, EndColumn: 1, Text: text}}
	}
	list := lint.Mark{Pos: at("api/types.go", 9), Symbol: "Conditions", At: lint.TypeDeclaration, Add: add(lint.Marker{Text: "+listType=map"})}
	shared := lint.Origin{Mark: list, Confidence: lint.ExactOrigin, Edits: []lint.FileEdit{edit("api/types.go", 9, "// +listType=map\n")}}
	odd := lint.Mark{Pos: at(nastyGo, 4), Symbol: "Spec.\x1b[31m](2)", At: lint.FieldDeclaration, Add: add(lint.Marker{Text: "+default=\"\x1b](3)\""}),
		Drop: add(lint.Marker{Text: "+required", Pos: at(nastyGo, 3)})}
	return &lint.Report{
		Files: []string{"a.yaml", "b.yaml"}, Counts: lint.Counts{CRDs: 2},
		Findings: []*lint.Finding{
			finding(nameRule, "conditions is no map", "a.yaml", 3, shared),
			finding(nameRule, "status.conditions is no map", "b.yaml", 8, shared),
			finding(typeRule, "two files", "b.yaml", 9, lint.Origin{
				Mark: odd, Others: []lint.Mark{list}, Confidence: lint.ExactOrigin, Safe: true,
				Edits: []lint.FileEdit{edit(nastyGo, 3, "x\x1b"), edit("api/types.go", 9, "// +listType=map\n"), edit(nastyGo, 7, "")},
			}),
			finding(typeRule, "a value to choose", "b.yaml", 10, lint.Origin{
				Mark:       lint.Mark{Pos: at("api/types.go", 5), Symbol: "Spec.Name", At: lint.FieldDeclaration, Add: add(lint.Marker{Text: "+k8s:maxLength=<number>", Open: true, Needs: "v0.15.0"})},
				Confidence: lint.ExactOrigin,
			}),
			finding(infoRule, "a value to correct", "b.yaml", 13, lint.Origin{
				Mark:       lint.Mark{Pos: at("api/types.go", 8), Symbol: "Set", At: lint.KindDeclaration, Correct: add(lint.Marker{Text: "+kubebuilder:resource:shortName=sts;asts", Pos: at("api/types.go", 7)})},
				Confidence: lint.ExactOrigin,
			}),
			finding(infoRule, "generated", "b.yaml", 14, lint.Origin{
				Mark: lint.Mark{Pos: at("api/zz_types.go", 8), Symbol: "Spec.Made", At: lint.FieldDeclaration}, Confidence: lint.ExactOrigin, Program: "upjet",
			}),
			finding(infoRule, "stale", "b.yaml", 11, lint.Origin{Mark: lint.Mark{Pos: at("api/types.go", 6), Symbol: "Spec.Old", At: lint.FieldDeclaration}, Confidence: lint.StaleOrigin}),
			finding(infoRule, "foreign", "b.yaml", 12, lint.Origin{
				Mark: lint.Mark{Pos: at("api/types.go", 7), Symbol: "Spec.Pod", At: lint.FieldDeclaration}, Confidence: lint.ForeignOrigin, Type: "corev1.PodSpec", Module: "k8s.io/api",
			}),
		},
	}
}

// TestGitHubInGo has annotations in Go, one for what several manifests have from there.
func TestGitHubInGo(t *testing.T) {
	t.Parallel()
	places := func(o Options) (all []string) {
		for line := range strings.Lines(write(t, GitHub, generated(), o)) {
			c, err := parseCommand(strings.TrimSuffix(line, "\n"))
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(c.message, "\n")
			at := c.properties["file"] + ":" + c.properties["line"] + ":"
			said, placed := strings.CutPrefix(first, at+c.properties["col"]+": ")
			if !placed {
				t.Errorf("%q does not begin with its place, %s", first, at)
			}
			all = append(all, at+" "+said)
		}
		return all
	}
	inGo := []string{
		"api/types.go:9: conditions is no map (and 1 more)", `api/[a](1)::error::\x1b.go:4: two files`, "api/types.go:5: a value to choose", "api/types.go:8: a value to correct",
		"b.yaml:14: generated", "b.yaml:11: stale", "b.yaml:12: foreign",
	}
	inManifests := []string{
		"a.yaml:3: conditions is no map", "b.yaml:8: status.conditions is no map", "b.yaml:9: two files", "b.yaml:10: a value to choose", "b.yaml:13: a value to correct",
		"b.yaml:14: generated", "b.yaml:11: stale", "b.yaml:12: foreign",
	}
	for location, want := range map[lint.GoLocation][]string{"": inGo, lint.GoPrimary: inGo, lint.GoRelated: inManifests} {
		if diff := cmp.Diff(want, places(Options{GoLocation: location})); diff != "" {
			t.Errorf("%q: %s", location, diff)
		}
	}
	message := parseCommands(t, generated())[0].message
	for _, part := range []string{"type Conditions, which 2 findings share", "\n    // +listType=map", "\nmanifest: a.yaml:3:2, b.yaml:8:2"} {
		if !strings.Contains(message, part) {
			t.Errorf("%q is not in %q", part, message)
		}
	}
}

// TestGitHubManyManifests names whole places of manifests, and counts those that are too many.
func TestGitHubManyManifests(t *testing.T) {
	t.Parallel()
	r := generated()
	long := "config/crd/bases/" + strings.Repeat("long", 30) + ".yaml"
	for line := range maxLines {
		f := *r.Findings[0]
		f.Pos = lint.Point(long, line+1, 1)
		r.Findings = append(r.Findings, &f)
	}
	message := parseCommands(t, r)[0].message
	if want := ", " + long + ":6:1 and 2 more"; !strings.HasSuffix(message, want) {
		t.Errorf("%q does not end in %q", message, want)
	}
}

// TestSARIFInGo tests both places of a finding, and that its fix changes Go files only.
func TestSARIFInGo(t *testing.T) {
	t.Parallel()
	primary := readSARIF(t, generated(), Options{GoLocation: lint.GoPrimary}).Runs[0].Results
	for i, related := range readSARIF(t, generated(), Options{}).Runs[0].Results {
		f, swapped := generated().Findings[i], primary[i]
		a, b := related.Locations[0].Physical.Artifact.URI, related.Related[0].Physical.Artifact.URI
		if a != f.Pos.File || b != EscapePath(f.Origin.Pos.File) {
			t.Errorf("%s: at %s, related to %s", f.Message, a, b)
		}
		if f.InGo() && f.Origin.Program == "" {
			a, b = b, a
		}
		if swapped.Locations[0].Physical.Artifact.URI != a || swapped.Related[0].Physical.Artifact.URI != b {
			t.Errorf("%s: the other way round, at %s", f.Message, swapped.Locations[0].Physical.Artifact.URI)
		}
		if diff := cmp.Diff(related.Fingerprints, swapped.Fingerprints); diff != "" {
			t.Error(diff)
		}
		for _, text := range []string{related.Message.Text, swapped.Message.Text} {
			if strings.Count(strings.ReplaceAll(text, `\]`, ""), "](") != 1 {
				t.Errorf("not one link: %s", text)
			}
		}
		var files []string
		for _, fix := range related.Fixes {
			for _, c := range fix.Changes {
				files = append(files, c.Artifact.URI)
			}
		}
		want := map[string][]string{"two files": {EscapePath(nastyGo), "api/types.go"}, "conditions is no map": {"api/types.go"}, "status.conditions is no map": {"api/types.go"}}[f.Message]
		if !slices.Equal(files, want) {
			t.Errorf("%s: its fix changes %q", f.Message, files)
		}
	}
}

// TestOriginEverywhere finds the place in Go types and its markers in every format.
func TestOriginEverywhere(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		out := write(t, format, generated(), Options{})
		checkHarmless(t, format, out)
		if format == Statistics {
			continue // it has no places
		}
		for _, part := range []string{"listType=map", "k8s:maxLength=<number>", "correct", "shortName=sts;asts"} {
			if !strings.Contains(html.UnescapeString(out), part) {
				t.Errorf("%s: %s is not told", format, part)
			}
		}
	}
}

// TestStatisticsInGo counts what --fix-go can write, which a value to choose is not among.
func TestStatisticsInGo(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"     2  warning         2  ", "     2  error           1  "} {
		if out := write(t, Statistics, generated(), Options{}); !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// TestOriginInModule tells a place in another module as text, in every format: readers of the report do not have its file.
func TestOriginInModule(t *testing.T) {
	t.Parallel()
	r := generated()
	r.Findings = r.Findings[len(r.Findings)-1:]
	o := r.Findings[0].Origin
	o.Pos.File, o.Type, o.Module, o.Version, o.InModule = nastyGo, "", "example.net/\x1b[31m::error::](1)", "v1.9.0", true
	for _, format := range Formats() {
		out := write(t, format, r, Options{GoLocation: lint.GoPrimary})
		checkHarmless(t, format, out)
		if format == Statistics {
			continue
		}
		want := "declared in example.net/"
		if format == JSON {
			want = `"inModule": true`
		}
		if !strings.Contains(out, want) || !strings.Contains(out, "v1.9.0") {
			t.Errorf("%s: not told: %s", format, out)
		}
	}
	if at := readSARIF(t, r, Options{GoLocation: lint.GoPrimary}).Runs[0].Results[0]; len(at.Related) > 0 || at.Locations[0].Physical.Artifact.URI != "b.yaml" {
		t.Errorf("SARIF has the place as a location: %+v", at)
	}
	if first := parseCommands(t, r)[0]; first.properties["file"] != "b.yaml" {
		t.Errorf("GitHub has an annotation at %s", first.properties["file"])
	}
}
