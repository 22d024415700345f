package page_test

import (
	"fmt"
	"strings"
	"testing"
)

// removedFields is a report that compares, with so many fields that are removed and so many that are added.
func removedFields(removed, added int, more ...string) string {
	findings, additions := more, []string{}
	for i := range removed {
		findings = append(findings, changeAt("field-removed", "warning", i+1, ""))
	}
	for i := range added {
		additions = append(additions, fmt.Sprintf(`{"resource": "foos.example.com", "field": "spec.new%d", "text": "added (string)", "kind": "added"}`, i))
	}
	return `{"version": 1, "command": "breaking", "against": "v1", "findings": [` + strings.Join(findings, ",") + `], "added": [` + strings.Join(additions, ",") + `],
		"crds": [{"name": "foos.example.com", "file": "new.yaml", "line": 1, "document": 0, "apiVersion": "apiextensions.k8s.io/v1"}]}`
}

// changeAt is a finding about a change, with further members.
func changeAt(rule, severity string, line int, members string) string {
	return fmt.Sprintf(`{"rule": %q, "severity": %q, "message": "change %d", "file": "new.yaml", "line": %d, "column": 1, "document": 0,
		"resource": "foos.example.com", "field": "spec.f%d", "related": [{"file": "old.yaml", "line": 3}]%s}`, rule, severity, line, line, line, members)
}

// TestManyChanges tests that changes are shown up to a limit, the gravest first, and that what is left out is counted.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		removed, added, rows int
		want                 []string
	}{
		{120, 0, 121, nil},
		{100, 3000, 1000, []string{"2101 more changes not shown: 2101 compatible. The gravest", "2101 more changes of this CRD not shown"}},
		{1500, 0, 1000, []string{"501 more changes not shown: 501 warnings", "501 more changes of this CRD not shown"}},
	} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": removedFields(c.removed, c.added, changeAt("crd-removed", "error", 9000, ""))}, "a"))
		if rows := strings.Count(got, "<tr class="); rows != c.rows {
			t.Errorf("%d removed and %d added: %d rows, want %d", c.removed, c.added, rows, c.rows)
		}
		if first := strings.Index(got, "change 9000"); first < 0 || first > strings.Index(got, "change 1<") && strings.Contains(got, "change 1<") {
			t.Errorf("%d removed and %d added: the error is not the first", c.removed, c.added)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d removed and %d added: the page does not say %q", c.removed, c.added, want)
			}
		}
		if len(c.want) == 0 && strings.Contains(got, "not shown") {
			t.Errorf("%d removed and %d added: the page says that something is not shown", c.removed, c.added)
		}
	}
}

// TestSides tests the words on both sides where values would mislead, and that a file of all rows is named once.
func TestSides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ finding, old, new string }{
		{changeAt("field-newly-required", "error", 1, `, "new": "bucket"`), `optional<br><small><code>line 3`, `required<br><small><code>line 1<`},
		{changeAt("field-removed", "error", 1, ""), `there<br><small><code>line 3<`, `removed<br><small><code>line 1<`},
		{changeAt("crd-removed", "error", 1, ""), `there<br>`, `removed</td>`},
		{changeAt("constraint-tightened", "error", 1, `, "old": 30, "new": 7`), `<code>30</code>`, `<code>7</code>`},
	} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": removedFields(0, 0, c.finding)}, "a"))
		if !strings.Contains(got, `<td class="old" data-label="before">`+c.old) || !strings.Contains(got, `<td class="new" data-label="now">`+c.new) {
			t.Errorf("%s: the sides are not %q and %q:\n%s", c.finding, c.old, c.new, got[strings.Index(got, `<table class="changes`):])
		}
		if n := strings.Count(got, "old.yaml"); n != 1 {
			t.Errorf("%s: the old file is named %d times", c.finding, n)
		}
	}
}

// TestAdditions tests the words on both sides of an addition, and that what the line of versions shows is no row as well.
func TestAdditions(t *testing.T) {
	t.Parallel()
	const report = `{"version": 1, "command": "breaking", "against": "old", "findings": [], "added": [{"resource": "a.b", "versions": ["v1"], %s}],
		"crds": [{"name": "a.b", "file": "a", "line": 1, "document": 0, "versions": [{"name": "v1", "served": true, "storage": true, "deprecated": true}],
		"before": [{"name": "v1", "served": true, "storage": true, "deprecated": false}]}]}`
	for addition, want := range map[string]string{
		`"kind": "version-added", "text": "version added"`:                        "",
		`"kind": "deprecated", "text": "deprecated"`:                              "",
		`"kind": "deprecated", "text": "deprecated: use v2", "warning": "use v2"`: "not deprecated|deprecated",
		`"kind": "served", "text": "served again"`:                                "not served|served",
		`"kind": "optional", "field": "spec.a", "text": "no longer required"`:     "required|optional",
		`"kind": "added", "field": "spec.a", "text": "added (string)"`:            "–|new",
		`"kind": "added", "text": "short name t added"`:                           "–|new",
		`"kind": "loosened", "field": "spec.a", "text": "may be null now"`:        "–|–",
	} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": fmt.Sprintf(report, addition)}, "a"))
		_, row, found := strings.Cut(got, `<td class="old" data-label="before">`)
		if !found {
			row = ""
		} else {
			old, rest, _ := strings.Cut(row, "</td>")
			_, rest, _ = strings.Cut(rest, `<td class="new" data-label="now">`)
			now, _, _ := strings.Cut(rest, "</td>")
			row = old + "|" + now
		}
		if row != want {
			t.Errorf("%s: the sides are %q, want %q", addition, row, want)
		}
	}
}
