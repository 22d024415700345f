package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crdlift/crdlift/lint"
)

func readSARIF(t testing.TB, r *lint.Report, o Options) sarifLog {
	t.Helper()
	var log sarifLog
	decoder := json.NewDecoder(strings.NewReader(write(t, SARIF, r, o)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&log); err != nil {
		t.Fatal(err)
	}
	return log
}

// sarifContract is the schema of SARIF 2.1.0, as @microsoft/sarif-multitool 5.7.0 (MIT) has it. GitHub rejects what does
// not fit.
func sarifContract(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	schema := sarifContract(t)
	real := options
	real.Rules = Catalogue()
	inGo := options
	inGo.GoLocation = lint.GoPrimary
	for _, c := range []struct {
		name string
		r    *lint.Report
		o    Options
	}{
		{"nasty", nasty(), options}, {"empty", &lint.Report{}, options}, {"no catalogue", &lint.Report{}, Options{}},
		{"generated", generated(), options}, {"objects", ofObjects(), options}, {"generated, in Go", generated(), inGo}, {"repository", inRepository(), options},
		{"catalogue", &lint.Report{}, real}, {"fixtures", FixtureReport(t), real},
	} {
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(write(t, SARIF, c.r, c.o))))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(log); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestSARIFRelated is about related places: readers open the files of those that the run looked at. Others, such as a
// revision's, are told of.
func TestSARIFRelated(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Files: []string{"a.yaml", "b.yaml"}, Findings: []*lint.Finding{{
		Rule: typeRule, Severity: lint.Error, Message: "it changed", Source: lint.Source{Pos: lint.Position{File: "a.yaml", Line: 1, Column: 1, EndLine: 1, EndColumn: 2}},
		Related: []lint.Related{
			{Pos: lint.Position{File: "v1.0:a.yaml", Line: 4, Column: 2, EndLine: 4, EndColumn: 3}, Message: "was here"},
			{Pos: lint.Position{File: "b.yaml", Line: 7, Column: 1, EndLine: 7, EndColumn: 2}, Message: "the other one"},
		},
	}}}
	result := readSARIF(t, r, Options{}).Runs[0].Results[0]
	if result.Message.Text != "it changed (v1.0:a.yaml:4:2: was here)" {
		t.Error(result.Message.Text)
	}
	if len(result.Related) != 1 || result.Related[0].Physical.Artifact.URI != "b.yaml" || result.Related[0].Message.Text != "the other one" {
		t.Errorf("%+v", result.Related)
	}
}

func TestSARIFHelp(t *testing.T) {
	t.Parallel()
	for _, r := range append(Catalogue(), catalog...) {
		rule := sarifRuleOf(r, "", docOf)
		if rule.Help.Markdown != docOf(r.ID) {
			t.Errorf("%s: the Markdown is not its documentation", r.ID)
		}
		for _, text := range []string{rule.Help.Text, rule.FullDescription.Text} {
			if text == "" || strings.Contains(text, "**") || strings.Contains(text, "`") {
				t.Errorf("%s: no plain text: %s", r.ID, text)
			}
		}
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	r := nasty()
	run := readSARIF(t, r, Options{Rules: catalog, Doc: docOf, Version: "v1.2.3", Failed: true}).Runs[0]
	if run.ColumnKind != "unicodeCodePoints" || run.Tool["driver"].Version != "1.2.3" || run.Invocations[0]["executionSuccessful"] {
		t.Errorf("got %+v", run)
	}
	all := run.Tool["driver"].Rules
	used := map[string]int{}
	for _, f := range r.Findings {
		used[f.Rule.ID] = slices.IndexFunc(all, func(rule sarifRule) bool { return rule.ID == f.Rule.ID })
	}
	if len(all) != len(used) {
		t.Errorf("%d rules, want the %d that have results, each once", len(all), len(used))
	}
	for _, rule := range all {
		if hasPage := lint.Rules(catalog).ByID(rule.ID) != nil; (rule.HelpURI != "") != hasPage || rule.Help.Text == "" {
			t.Errorf("%s: help %q, %q", rule.ID, rule.HelpURI, rule.Help.Text)
		}
	}
	if got := all[used["schema-type-invalid"]].FullDescription.Text; got != "Where a schema has no type, the API server rejects it. That is *structural*." {
		t.Errorf("got %q", got)
	}
	for i, f := range r.Findings {
		result := run.Results[i]
		if result.RuleID != f.Rule.ID || all[result.RuleIndex].ID != f.Rule.ID {
			t.Errorf("%s has index %d", result.RuleID, result.RuleIndex)
		}
		place := result.Locations[0].Physical
		if path, err := url.PathUnescape(place.Artifact.URI); err != nil || path != f.Pos.File {
			t.Errorf("got %q, %v", path, err)
		}
		if place.Artifact.URIBaseID != "%SRCROOT%" || place.Region.StartColumn != f.Pos.Column {
			t.Errorf("got %+v", place)
		}
		if len(result.Suppressions) > 0 != (f.Ignored != "") {
			t.Errorf("%s: suppressions %v", f.Message, result.Suppressions)
		}
	}
	if kinds := run.Results[3].Suppressions[0].Kind + " " + run.Results[4].Suppressions[0].Kind; kinds != "inSource external" {
		t.Errorf("got %s", kinds)
	}
	if fixes := run.Results[0].Fixes; len(fixes[0].Changes[0].Replacements) != 2 {
		t.Errorf("got %+v", fixes)
	}
	if fixes := run.Results[7].Fixes; len(fixes) != 0 {
		t.Errorf("a fix without edits: %+v", fixes)
	}
}

func TestSARIFVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "v", "(devel)"} {
		if got := readSARIF(t, &lint.Report{}, Options{Version: version}).Runs[0].Tool["driver"].Version; got != "" {
			t.Errorf("%q: got %s", version, got)
		}
	}
}

func TestSARIFFiles(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b c.yaml":    "a/b%20c.yaml %SRCROOT%",
		"c:d#e?f%.yaml": "c%3Ad%23e%3Ff%25.yaml %SRCROOT%",
		"../up.yaml":    "../up.yaml",
		"/abs/x y.yaml": "file:///abs/x%20y.yaml",
		"<stdin>":       "%3Cstdin%3E %SRCROOT%",
		"\xff":          "%FF %SRCROOT%",
	} {
		at := sarifFile(path)
		got := strings.TrimSuffix(at.URI+" "+at.URIBaseID, " ")
		if got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		if _, err := url.Parse(at.URI); err != nil {
			t.Error(err)
		}
	}
}

func TestSARIFMessageIsNoLink(t *testing.T) {
	t.Parallel()
	if got := sarifMessage("see [here](https://evil.example)").Text; got != "see [here] (https://evil.example)" {
		t.Errorf("got %s", got)
	}
}
