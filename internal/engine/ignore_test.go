package engine

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

func TestIgnoreComments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		story, text string
		want        []string
	}{
		{"at the end of a line", toyCRD("a", `
type: object
properties:
  a: {type: number} # crdlift:ignore schema-float -- measured in seconds
  b: {type: number}
`), []string{"12:21 schema-float ignored: measured in seconds", "13:21 schema-float"}},
		{"above an entry, for all that is in it", toyCRD("a", `
type: object
# crdlift:ignore schema-float -- all are measured
properties:
  a: {type: number}
  b:
    type: number
not: {type: number}
`), []string{"13:21 schema-float ignored: all are measured", "15:19 schema-float ignored: all are measured", "16:21 schema-float"}},
		{"among other comments", toyCRD("a", `
type: object
properties:
  # The first.
  # crdlift:ignore schema-float -- measured

  # +kubebuilder:validation:Minimum=0
  a: # {"$ref": "#/definitions/io.k8s.cli.setters.a"}
    type: number
  # The second.
  b: {type: number}
`), []string{"17:19 schema-float ignored: measured", "19:21 schema-float"}},
		{"above the item of a list", `apiVersion: v1
kind: List
items:
# crdlift:ignore schema-float, schema-type-missing -- not ours
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: a}
  spec: {versions: [{name: v1, schema: {openAPIV3Schema: {not: {type: number}}}}], group: e.com}
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: b}
  spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: number}}}], group: e.com}
`, []string{"8:41 schema-type-missing ignored: not ours", "8:71 schema-float ignored: not ours", "12:65 schema-float"}},
		{"at the top, for all of the document and no other", "# crdlift:ignore schema-float -- old\n---\n" + toyCRD("a", "type: number") +
			"---\n" + toyCRD("b", "type: number"), []string{"12:15 schema-float ignored: old", "24:15 schema-float"}},
		{"on the marker", "--- # crdlift:ignore schema-float -- old\n" + toyCRD("a", "type: number"), []string{"11:15 schema-float ignored: old"}},
		{"with Windows line ends", strings.ReplaceAll("# crdlift:ignore schema-float -- old\n"+toyCRD("a", "type: number"), "\n", "\r\n"),
			[]string{"11:15 schema-float ignored: old"}},
		{"text that looks like one is none", toyCRD("a", `
type: number
description: |
  # crdlift:ignore schema-float -- in a block
title: "# crdlift:ignore schema-float -- in quotes"
`), []string{"10:15 schema-float"}},
		{"without a reason", toyCRD("a", "type: number # crdlift:ignore schema-float"),
			[]string{"10:15 schema-float ignored: (no reason given)", "10:22 ignore-reason-missing"}},
		{"with dashes but no reason", toyCRD("a", "type: number # crdlift:ignore schema-float --"),
			[]string{"10:15 schema-float ignored: (no reason given)", "10:22 ignore-reason-missing"}},
		{"with a reason that lacks its dashes", toyCRD("a", "type: number # crdlift:ignore schema-float it is measured"),
			[]string{"10:15 schema-float ignored: (no reason given)", "10:22 ignore-reason-missing"}},
		{"with spaces instead of commas", toyCRD("a", "not: {type: number} # crdlift:ignore schema-type-missing schema-float -- old"),
			[]string{"9:7 schema-type-missing", "10:21 schema-float ignored: old", "10:46 ignore-unused"}},
		{"of no rule", toyCRD("a", "type: number # crdlift:ignore -- why not"), []string{"10:15 schema-float", "10:22 ignore-unknown-rule"}},
		{"of a misspelt rule", toyCRD("a", "type: number # crdlift:ignore schema-flaot -- old"),
			[]string{"10:15 schema-float", "10:39 ignore-unknown-rule"}},
		{"with another word", toyCRD("a", "type: number # crdlift:ignore-line schema-float -- old"),
			[]string{"10:15 schema-float", "10:32 ignore-unknown-rule"}},
		{"that hides nothing", toyCRD("a", "type: string # crdlift:ignore schema-float -- old"), []string{"10:39 ignore-unused"}},
		{"below what it means", toyCRD("a", "type: number\n# crdlift:ignore schema-float -- old"), []string{"10:15 schema-float", "11:26 ignore-unused"}},
		{"in the wrong document", toyCRD("a", "type: number") + "# crdlift:ignore schema-float -- old\n---\n" + toyCRD("b", "type: number"),
			[]string{"10:15 schema-float", "12:18 ignore-unused", "23:15 schema-float"}},
		{"of a rule that is off", toyCRD("a", "type: string # crdlift:ignore names-category-all -- old"), nil},
		{"of a rule that has nothing to compare with", toyCRD("a", "type: string # crdlift:ignore field-removed -- old"), nil},
		{"of a rule that needs all files", toyCRD("a", "type: string # crdlift:ignore names-collide -- old"), nil},
		{"of ignores that hide nothing", "# crdlift:ignore ignore-unused -- generated\n" + toyCRD("a", "type: string # crdlift:ignore schema-float -- old"),
			[]string{"11:39 ignore-unused ignored: generated"}},
		{"of ignores that all hide something", "# crdlift:ignore ignore-unused -- generated\n" + toyCRD("a", "type: string"), []string{"1:18 ignore-unused"}},
		{"of ignores without a reason", "# crdlift:ignore ignore-reason-missing -- old\n" + toyCRD("a", "type: number # crdlift:ignore schema-float"),
			[]string{"11:15 schema-float ignored: (no reason given)", "11:22 ignore-reason-missing ignored: old"}},
		{"in another manifest", "# crdlift:ignore nothing\nkind: ConfigMap\n", nil},
	} {
		t.Run(test.story, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, told(toyReport(t, nil, "a.yaml", test.text))); diff != "" {
				t.Errorf("%s\n%s", diff, test.text)
			}
		})
	}
}

func TestIgnoreMessages(t *testing.T) {
	t.Parallel()
	r := toyReport(t, nil, "a.yaml", toyCRD("crds.example.com", "type: string # crdlift:ignore schema-flaot, schema-float"))
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Resource+": "+f.Message)
	}
	if diff := cmp.Diff([]string{
		"crds.example.com: the ignore has no reason; write it after two dashes: -- REASON",
		"crds.example.com: there is no rule \"schema-flaot\" (did you mean \"schema-float\"?); run `crdlift explain` to list the rules",
		"crds.example.com: no finding of schema-float is ignored by this comment; remove the comment, or move it to the line of the finding",
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestIgnoresOfTheConfiguration(t *testing.T) {
	t.Parallel()
	numbers := toyCRD("crds.example.com", "properties: {spec: {type: number}}")
	for _, test := range []struct {
		story, config string
		want          []string
	}{
		{"by rule", `{rule: schema-*, reason: old}`, []string{"9:7 schema-type-missing ignored: old", "10:35 schema-float ignored: old"}},
		{"by CRD and rule", `{crd: "*.example.com", rule: schema-float, reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float ignored: old"}},
		{"of another CRD", `{crd: "*.example.org", reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float"}},
		{"by path", `{path: "spec.versions[*].schema.**.properties.**", reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float ignored: old"}},
		{"by the name of a version", `{path: "spec.versions[v1].schema.**.properties.**", reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float ignored: old"}},
		{"by the name of another version", `{path: "spec.versions[v2].**", reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float"}},
		{"by file", `{file: config/*, reason: old}`, []string{"9:7 schema-type-missing ignored: old", "10:35 schema-float ignored: old"}},
		{"of another file", `{file: "other/**", reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float"}},
		{"of a file that has no such finding", `{file: config/a.yaml, path: metadata, reason: old}`,
			[]string{"9:7 schema-type-missing", "10:35 schema-float", "1:11 ignore-unused"}},
		{"of a CRD that has no such finding", `{crd: crds.example.com, rule: ignore-reason-missing, reason: old}`,
			[]string{"9:7 schema-type-missing", "10:35 schema-float", "1:11 ignore-unused"}},
		{"of a CRD that was not looked at", `{crd: others.example.com, reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float"}},
		{"of a rule that is off", `{crd: crds.example.com, rule: names-category-all, reason: old}`, []string{"9:7 schema-type-missing", "10:35 schema-float"}},
		{"by wildcards, which may be for files that were not looked at", `{crd: "*.com", rule: names-*, reason: old}`,
			[]string{"9:7 schema-type-missing", "10:35 schema-float"}},
	} {
		t.Run(test.story, func(t *testing.T) {
			t.Parallel()
			config := mustRead(t, "repo/.crdlift.yaml", "ignore: ["+test.config+"]")
			r := toyReport(t, config, "repo/config/a.yaml", numbers)
			if diff := cmp.Diff(test.want, told(r)); diff != "" {
				t.Error(diff)
			}
			if last := r.Findings[len(r.Findings)-1]; last.Rule.ID == suppress.UnusedRule.ID && last.Pos.File != "repo/.crdlift.yaml" {
				t.Errorf("the unused ignore is in %s", last.Pos.File)
			}
		})
	}
}

func TestSwitchedOffIgnoreRules(t *testing.T) {
	t.Parallel()
	config := mustRead(t, "x", `
rules: {ignore-reason-missing: off, ignore-unknown-rule: off, ignore-unused: off}
ignore: [{crd: a, rule: schema-float, reason: old}]
`)
	r := toyReport(t, config, "a.yaml", toyCRD("a", "type: string # crdlift:ignore schema-float, nothing"))
	if diff := cmp.Diff([]string(nil), told(r)); diff != "" {
		t.Error(diff)
	}
}

func TestIgnoredFindingsAreNotFixed(t *testing.T) {
	t.Parallel()
	l := &Linter{Rules: toyRules(), Options: lint.Options{Config: mustRead(t, "x", `ignore: [{path: "**.properties[c]**", reason: old}]`)}}
	src := toyCRD("a", `
type: object
properties:
  a: {type: number} # crdlift:ignore schema-float -- measured
  b: {type: number}
  c: {type: number}
`)
	fixed := l.Fix("a.yaml", []byte(src), false)
	if diff := cmp.Diff(strings.Replace(src, "b: {type: number}", "b: {type: integer}", 1), string(fixed.Output)); diff != "" {
		t.Error(diff)
	}
}

func FuzzIgnoreComments(f *testing.F) {
	for _, text := range []string{
		"crdlift:ignore schema-float -- old", "crdlift:ignore", "crdlift:ignore --", "crdlift:ignore ,, -- --", "crdlift: ignore a b, schema-float c",
		"crdlift:ignore schema-float—old", "crdlift:ignore\tschema-float\t--\told", "\ncrdlift:ignore", "crdlift:ignore \u0085x -- \u2028",
	} {
		f.Add(text, "\n", "  ")
		f.Add(text, " ", "\n- # crdlift:ignore schema-float\n  type: number")
		f.Add(text, "\n  - - ", "{")
	}
	f.Fuzz(func(t *testing.T, text, before, after string) {
		src := "# " + text + "\n" + toyCRD("a", "type: number"+before+"# "+text+after+"\nnot: {type: number} # "+text)
		for _, finding := range toyReport(t, nil, "a.yaml", src).Findings {
			if finding.Pos.Line < 1 || finding.Pos.Column < 1 || finding.Message == "" || finding.Severity == lint.Off {
				t.Errorf("%+v", finding)
			}
		}
	})
}

// TestIgnoreGlob wants to be told that a comment takes no glob, rather than that no rule has that name.
func TestIgnoreGlob(t *testing.T) {
	t.Parallel()
	report := toyReport(t, nil, "a.yaml", toyCRD("a", "type: string # crdlift:ignore schema-* -- old"))
	want := `a comment cannot ignore a glob such as "schema-*"; name each rule, or write the glob in the configuration`
	if len(report.Findings) != 1 || report.Findings[0].Message != want {
		t.Errorf("got %v, want %s", told(report), want)
	}
}

// TestExampleOfComments: the manifest in the documentation has findings, and its comments hide all of them.
func TestExampleOfComments(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/reference/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```yaml\n(apiVersion:.*?)```").FindSubmatch(docs)
	r := toyReport(t, nil, "a.yaml", string(m[1]))
	if len(r.Findings) != 2 || r.Ignored() != 2 {
		t.Errorf("got %v", told(r))
	}
}
