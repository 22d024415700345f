package report

import (
	"net/url"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/crdlift/crdlift/lint"
)

func readSARIF(t testing.TB, r *lint.Report, o Options) *sarif.Report {
	t.Helper()
	log, err := sarif.FromString(write(t, SARIF, r, o))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestSARIFIsValid holds what is written against the schema of SARIF 2.1.0, of which the library has a copy.
func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*lint.Report{"nasty": nasty(), "empty": {}} {
		if err := readSARIF(t, r, options).Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	r := nasty()
	run := readSARIF(t, r, Options{Rules: catalog, Version: "v1.2.3", Failed: true}).Runs[0]
	if *run.ColumnKind != "unicodeCodePoints" || *run.Tool.Driver.Version != "1.2.3" || *run.Invocations[0].ExecutionSuccessful {
		t.Errorf("got %+v", run)
	}
	rules := run.Tool.Driver.Rules
	if len(rules) != len(catalog)+1 {
		t.Errorf("%d rules, want those of the catalogue and one more", len(rules))
	}
	if got := *rules[2].FullDescription.Text; got != "Where a schema has no type, the API server refuses it. That is *structural*." {
		t.Errorf("got %q", got)
	}
	for i, f := range r.Findings {
		result := run.Results[i]
		if *result.RuleID != f.Rule.ID || *rules[result.RuleIndex].ID != f.Rule.ID {
			t.Errorf("%s has index %d", *result.RuleID, result.RuleIndex)
		}
		place := result.Locations[0].PhysicalLocation
		if path, err := url.PathUnescape(*place.ArtifactLocation.URI); err != nil || path != f.Pos.File {
			t.Errorf("got %q, %v", path, err)
		}
		if *place.ArtifactLocation.URIBaseID != "%SRCROOT%" || *place.Region.StartColumn != f.Pos.Column {
			t.Errorf("got %+v", place)
		}
		if len(result.Suppressions) > 0 != (f.Ignored != "") {
			t.Errorf("%s: suppressions %v", f.Message, result.Suppressions)
		}
	}
	if kinds := *run.Results[3].Suppressions[0].Kind + " " + *run.Results[4].Suppressions[0].Kind; kinds != "inSource external" {
		t.Errorf("got %s", kinds)
	}
	if fixes := run.Results[0].Fixes; len(fixes[0].ArtifactChanges[0].Replacements) != 2 {
		t.Errorf("got %+v", fixes)
	}
	if fixes := run.Results[7].Fixes; len(fixes) != 0 {
		t.Errorf("a fix without edits: %+v", fixes)
	}
}

func TestSARIFVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "v", "(devel)"} {
		if got := readSARIF(t, &lint.Report{}, Options{Version: version}).Runs[0].Tool.Driver.Version; got != nil {
			t.Errorf("%q: got %s", version, *got)
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
		got := *at.URI
		if at.URIBaseID != nil {
			got += " " + *at.URIBaseID
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		if _, err := url.Parse(*at.URI); err != nil {
			t.Error(err)
		}
	}
}

func TestSARIFMessageIsNoLink(t *testing.T) {
	t.Parallel()
	if got := *sarifMessage("see [here](https://evil.example)").Text; got != "see [here] (https://evil.example)" {
		t.Errorf("got %s", got)
	}
}
