package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

var (
	sizeRule    = &lint.Rule{ID: "object-constraint", Summary: "values that the schema rejects", Severity: lint.Error, Object: true}
	unknownRule = &lint.Rule{ID: "object-unknown-field", Summary: "fields that the schema does not declare", Severity: lint.Error, Object: true}
)

const (
	samples  = "config/samples/databases.yaml"
	dump     = "dump.yaml"
	crdsFile = "crds/databases.yaml"
)

// aboutObject is a finding about an object, at the first word of an excerpt.
func aboutObject(rule *lint.Rule, o *lint.Object, file string, line int, path, message string) *lint.Finding {
	return &lint.Finding{
		Rule: rule, Severity: rule.Severity, Path: path, Message: message, Resource: "databases.example.com", Object: o, Operation: "create",
		Versions: []string{"v1"}, Source: lint.Source{Pos: lint.Position{File: file, Line: line, Column: 3, EndLine: line, EndColumn: 7}},
	}
}

// withConstraint names the place in a CRD that a finding is because of.
func withConstraint(f *lint.Finding, file string, line int) *lint.Finding {
	f.Related = []lint.Related{{Pos: lint.Position{File: file, Line: line, Column: 15, EndLine: line, EndColumn: 20}, Message: "the maxLength is here"}}
	return f
}

// ofObjects is a report on custom resources: two samples that lack the same, judged by a CRD outside of the paths and by one of
// a revision, and a dump with five objects that have the same mistake.
func ofObjects() *lint.Report {
	r := &lint.Report{
		Files: []string{samples, dump, "config/samples/right.yaml"}, Crowded: map[string]bool{samples: true, dump: true}, Counts: lint.Counts{Others: 1},
		Objects: &lint.Objects{
			BuiltIn: 2, Partial: 1, WithoutCRD: map[string]int{"Certificate": 3}, Files: []string{crdsFile}, Dumps: map[string]bool{dump: true},
		},
	}
	add := func(verdict string, o *lint.Object, file string, line int) *lint.Object {
		r.Objects.Judged(lint.JudgedObject{Object: o, File: file, Line: line, Verdict: verdict})
		return o
	}
	sample := func(name string) *lint.Object {
		return &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Name: name}
	}
	first, second := add(lint.Refused, sample("orders"), samples, 1), add(lint.Refused, sample("users"), samples, 10)
	add(lint.Unjudged, sample("right"), "config/samples/right.yaml", 1)
	for i, o := range []*lint.Object{first, second} {
		unknown := aboutObject(unknownRule, o, samples, 5+10*i, "spec.size", "spec.size is not declared and is dropped")
		unknown.Excerpt = "  size: 3"
		unknown.Fix = &lint.Fix{Title: "remove spec.size", Safe: true, Edits: []lint.TextEdit{{Line: 5 + 10*i, Column: 1, EndLine: 6 + 10*i, EndColumn: 1}}}
		r.Findings = append(r.Findings, unknown)
	}
	long := aboutObject(sizeRule, second, samples, 17, "spec.note", "spec.note has 9 characters, and must have at most 5")
	r.Findings = append(r.Findings, withConstraint(long, "v1.4.0:config/crd/databases.yaml", 24))
	for i := range 5 {
		o := add(lint.Refused, &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Namespace: "prod", Name: fmt.Sprint("shop-", i)}, dump, 10*i+1)
		f := aboutObject(sizeRule, o, dump, 10*i+8, "spec.name", fmt.Sprintf("spec.name has %d characters, and must have at most 5", 6+i))
		r.Findings = append(r.Findings, withConstraint(f, crdsFile, 24))
	}
	ignored := aboutObject(sizeRule, first, samples, 8, "spec.name", "spec.name has 7 characters, and must have at most 5")
	ignored.Ignored, ignored.IgnoredBy = "a sample of what is rejected", lint.ByComment
	r.Findings = append(r.Findings, ignored)
	return r
}

// firstLines are the lines of text output that begin with a place.
func firstLines(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, " ") && line != "\n" {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// TestPlaces: findings that are alike in the objects of a cluster are told once, with the first places; those in files each by
// itself. A limit is for both.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const also = "also Database prod/shop-1 (dump.yaml:18:3)"
	for _, tt := range []struct {
		places, entries int
		also            string
	}{
		{0, 4, also + ", Database prod/shop-2 (dump.yaml:28:3) and 2 more\n"},
		{AllPlaces, 8, ""},
		{1, 3, ""},
		{2, 3, also + " and 3 more\n"},
		{5, 3, also + ", Database prod/shop-2 (dump.yaml:28:3), Database prod/shop-3 (dump.yaml:38:3) and Database prod/shop-4 (dump.yaml:48:3)\n"},
	} {
		out := write(t, Text, ofObjects(), Options{Places: tt.places})
		if n := len(firstLines(out)); n != tt.entries {
			t.Errorf("%d places: %d entries\n%s", tt.places, n, out)
		}
		if strings.Contains(out, "also Database prod") != (tt.also != "") || !strings.Contains(out, tt.also) {
			t.Errorf("%d places: no %q in\n%s", tt.places, tt.also, out)
		}
	}
	short := firstLines(write(t, Text, ofObjects(), Options{}))
	want := "dump.yaml:8:3: error: Database prod/shop-0: spec.name has 6 characters, and must have at most 5 (and 4 more) [object-constraint]"
	if diff := cmp.Diff(want, short[len(short)-1]); diff != "" {
		t.Error(diff)
	}
}

// TestRequests: where the request is named, findings about different requests are not told as one.
func TestRequests(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Objects: &lint.Objects{}}
	for i, operation := range []string{"create", "update", "status", "scale", "status", ""} {
		o := &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Name: fmt.Sprint(i)}
		f := aboutObject(sizeRule, o, samples, i+1, "", "status.size must be at least 1")
		f.Operation = operation
		r.Findings = append(r.Findings, f)
	}
	line := func(n int, end string) string {
		return fmt.Sprintf("%s:%d:3: error: status.size must be at least 1%s [object-constraint]", samples, n, end)
	}
	want := []string{
		line(1, " (on a create)"), line(2, " (on an update)"), line(3, " (and 1 more) (on a status update)"),
		line(4, " (on a scale update)"), line(6, ""),
	}
	if diff := cmp.Diff(want, firstLines(write(t, Text, r, Options{Places: 3, Requests: true}))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{line(1, " (and 5 more)")}, firstLines(write(t, Text, r, Options{Places: 3}))); diff != "" {
		t.Error(diff)
	}
}

// TestPlacesWithoutConstraint: what no place in a CRD says is alike if it differs in the numbers of items only.
func TestPlacesWithoutConstraint(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Objects: &lint.Objects{}}
	for i, message := range []string{"spec.items[0].a is not declared", "spec.items[12].a is not declared", "spec.items[0].b is not declared"} {
		o := &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Name: fmt.Sprint(i)}
		r.Findings = append(r.Findings, aboutObject(unknownRule, o, samples, i+1, "", message))
	}
	if got := firstLines(write(t, Text, r, Options{Places: 3})); len(got) != 2 || !strings.Contains(got[0], "spec.items[0].a is not declared (and 1 more)") {
		t.Errorf("got %q", got)
	}
}

// TestPlacesOfFields: fields that the same schema does not declare are told apart, items of a list are not.
func TestPlacesOfFields(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Objects: &lint.Objects{Upgrade: true}}
	for i, field := range []string{"spec.a", "spec.b", "spec.a"} {
		f := aboutObject(sizeRule, &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Name: fmt.Sprint(i)}, samples, i+1, field, field+" is lost")
		f.Field, f.Severity = field, lint.Info+lint.Severity(i%2)
		r.Findings = append(r.Findings, withConstraint(f, crdsFile, 24))
	}
	want := []string{
		"config/samples/databases.yaml:2:3: warning: spec.b is lost [object-constraint]",
		"config/samples/databases.yaml:1:3: info: spec.a is lost (and 1 more) [object-constraint]",
	}
	if diff := cmp.Diff(want, firstLines(write(t, Text, r, Options{Places: 3}))); diff != "" {
		t.Errorf("the worst is not first, or fields are mixed:\n%s", diff)
	}
}

// TestLongKind: a long kind leaves the name of the object, and the other way round.
func TestLongKind(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Objects: &lint.Objects{}, Crowded: map[string]bool{samples: true}}
	kind, name := "ServerOfDatabasesThatRestoresBackups", strings.Repeat("orders-", 12)
	r.Findings = []*lint.Finding{aboutObject(sizeRule, &lint.Object{APIVersion: "example.com/v1", Kind: kind, Namespace: "shop", Name: "a"}, samples, 1, "", "is too long")}
	r.Findings = append(r.Findings, aboutObject(sizeRule, &lint.Object{APIVersion: "example.com/v1", Kind: kind, Namespace: "shop", Name: name}, samples, 2, "", "is too long"))
	out := firstLines(write(t, Text, r, Options{}))
	if !strings.Contains(out[0], " "+kind+" shop/a: is too long") || !strings.Contains(out[1], " "+kind+" shop/orders-orders-") || !strings.Contains(out[1], "…: is too long") {
		t.Errorf("got %q", out)
	}
}

// TestUpgradeSummary: each object counts for the worst that becomes of it; what does no harm survives.
func TestUpgradeSummary(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		verdicts []string
		want     string
	}{
		{nil, "compared no objects"},
		{[]string{lint.Survives}, "1 object (Database 1): 1 survives"},
		{[]string{lint.GetsDefaults, lint.Survives, lint.RefusedOnCreate}, "3 objects (Database 3): 3 survive (1 rejected if created again, 1 with new defaults)"},
		{[]string{lint.ConvertedByWebhook, lint.Unjudged}, "2 objects (Database 2): 1 survives (1 as far as is known without the webhook), 1 not compared"},
		{lint.Foreseen(), "10 objects (Database 10): 4 survive (1 rejected if created again, 1 with new defaults, 1 as far as is known without the webhook), " +
			"1 stuck forever, 1 with a status that cannot be written, 1 unreadable, 1 rejected by server-side apply, 1 loses fields, 1 rejected when changed"},
	} {
		r := &lint.Report{Objects: &lint.Objects{Upgrade: true}}
		for i, verdict := range test.verdicts {
			o := &lint.Object{APIVersion: "example.com/v1", Kind: "Database", Name: fmt.Sprint(i)}
			r.Objects.Judged(lint.JudgedObject{Object: o, File: dump, Line: i + 1, Verdict: verdict})
		}
		if got := Summary(r); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// TestObjectFingerprints: findings about the same path of two objects in a file are two, and stay when lines move.
func TestObjectFingerprints(t *testing.T) {
	t.Parallel()
	before := fingerprints(ofObjects())
	if before[0] == before[1] {
		t.Error("two objects have the same fingerprint")
	}
	swapped := ofObjects()
	f := swapped.Findings
	f[0], f[1] = f[1], f[0]
	f[0].Pos.Line, f[1].Pos.Line = 40, 60
	after := fingerprints(swapped)
	if after[0] != before[1] || after[1] != before[0] {
		t.Error("objects that change places get each other's fingerprint")
	}
}

// TestSARIFConstraint: the place in a CRD of this machine is a related location, wherever it is; of one in a revision, which no
// reader could open, the message tells.
func TestSARIFConstraint(t *testing.T) {
	t.Parallel()
	results := readSARIF(t, ofObjects(), options).Runs[0].Results
	revision, local := results[2], results[3]
	if want := "spec.note has 9 characters, and must have at most 5 (v1.4.0:config/crd/databases.yaml:24:15: the maxLength is here)"; len(revision.Related) > 0 || revision.Message.Text != want {
		t.Errorf("got %+v, %q", revision.Related, revision.Message.Text)
	}
	if len(local.Related) != 1 || local.Related[0].Physical.Artifact.URI != crdsFile || local.Related[0].Physical.Region.StartLine != 24 {
		t.Errorf("got %+v", local.Related)
	}
	if got := local.Locations[0].Logical[0]; got.Qualified != "Database prod/shop-0/spec.name" {
		t.Errorf("got %+v", got)
	}
}

// TestObjectsJUnit: every file of objects has a suite, and one without findings a test that passed.
func TestObjectsJUnit(t *testing.T) {
	t.Parallel()
	var got []string
	for _, suite := range readJUnit(t, ofObjects(), options).Suites {
		for _, test := range suite.Cases {
			got = append(got, fmt.Sprintf("%s %s %v", suite.Name, test.Name, test.Failure != nil))
		}
	}
	want := []string{
		samples + " object-unknown-field true", samples + " object-constraint true", samples + " object-constraint (ignored) false",
		dump + " object-constraint true", "config/samples/right.yaml crdlift validate false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestObjectSummary(t *testing.T) {
	t.Parallel()
	const want = "8 errors (1 ignored) in 7 of 8 objects (Database 8), 1 not checked; 7 documents skipped: 2 built in, 1 part of objects, 3 Certificate without CRD, 1 other document"
	if diff := cmp.Diff(want, Summary(ofObjects())); diff != "" {
		t.Error(diff)
	}
}
