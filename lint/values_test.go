package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestNames reads every name of a severity and a preset back, and says what a name that is none might have been.
func TestNames(t *testing.T) {
	t.Parallel()
	for i, name := range lint.Severities() {
		if s, err := lint.ParseSeverity(name); err != nil || s != lint.Severity(i) || s.String() != name {
			t.Errorf("%s is %v, %v", name, s, err)
		}
	}
	for i, name := range lint.Presets() {
		if p, err := lint.ParsePreset(name); err != nil || p != lint.Preset(i) || p.String() != name {
			t.Errorf("%s is %v, %v", name, p, err)
		}
	}
	if got := lint.Never.String(); got != "never" {
		t.Errorf("never is %q", got)
	}
	for _, name := range []string{"never", "", "Error"} {
		if s, err := lint.ParseSeverity(name); err == nil || s != lint.Off || !strings.Contains(err.Error(), "off, info, warning, error") {
			t.Errorf("%q is %v, %v", name, s, err)
		}
	}
	if p, err := lint.ParsePreset("al"); err == nil || p != lint.Recommended || !strings.Contains(err.Error(), "all") {
		t.Errorf("al is %v, %v", p, err)
	}
}

func TestKubernetesVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1.27": "1.27", "v1.27": "1.27", "1.27.3": "1.27", "1.0": "1.0",
		"": "", "1": "", "1.x": "", "x.27": "", "2.0": "", "0.27": "", "1.-1": "", "1.27.3.4": "",
	} {
		if v, err := lint.ParseKubernetesVersion(text); v.String() != want || (err != nil) != (want == "") {
			t.Errorf("%q is %q, %v", text, v, err)
		}
	}
	v := lint.KubernetesVersion{Major: 1, Minor: 27}
	for minor, want := range map[int][2]bool{26: {false, true}, 27: {}, 28: {true, false}} {
		if got := [2]bool{v.Before(minor), v.After(minor)}; got != want {
			t.Errorf("1.27 is before, and after, 1.%d: %v", minor, got)
		}
	}
	// The newest is no older than any, and nothing says that it is newer.
	if newest := (lint.KubernetesVersion{}); newest.Before(1) || newest.After(0) {
		t.Error("the newest version is compared with others")
	}
}

// TestBaselineOf keeps the findings of some rules, and no file without one.
func TestBaselineOf(t *testing.T) {
	t.Parallel()
	if (*lint.Baseline)(nil).Of(func(string) bool { return true }) != nil {
		t.Error("there is a part of no baseline")
	}
	known := func(rule, path string) lint.KnownFinding { return lint.KnownFinding{Rule: rule, Path: path} }
	all := &lint.Baseline{Path: "b.json", Counts: map[string]map[lint.KnownFinding]int{
		"a.yaml": {known("x", "spec"): 2, known("x", "status"): 1, known("y", "spec"): 4},
		"b.yaml": {known("y", "spec"): 1},
	}}
	part := all.Of(func(rule string) bool { return rule == "x" })
	if a := part.Counts["a.yaml"]; part.Path != "b.json" || len(part.Counts) != 1 || len(a) != 2 || a[known("x", "spec")] != 2 || a[known("x", "status")] != 1 {
		t.Errorf("the findings of x are %v", part)
	}
}

// TestRules finds a rule by the id that it had, too.
func TestRules(t *testing.T) {
	t.Parallel()
	rules := lint.Rules{{ID: "a"}, {ID: "b", Was: []string{"bee", "be"}}}
	for id, want := range map[string]*lint.Rule{"a": rules[0], "b": rules[1], "be": rules[1], "c": nil, "": nil} {
		if got := rules.ByID(id); got != want {
			t.Errorf("%q is %v", id, got)
		}
	}
	if got := rules.Renamed("bee"); got != "rule bee is now called b; write the new name" {
		t.Error(got)
	}
	if got := rules.IDs(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the ids are %v", got)
	}
}

// TestCompare sorts findings as a person reads them: by place, then the gravest first, then by rule and message.
func TestCompare(t *testing.T) {
	t.Parallel()
	finding := func(line, column int, s lint.Severity, rule, message string) *lint.Finding {
		f := &lint.Finding{Rule: &lint.Rule{ID: rule}, Severity: s, Message: message}
		f.Pos = lint.Point("crd.yaml", line, column)
		return f
	}
	sorted := []*lint.Finding{
		finding(1, 9, lint.Info, "z", "z"),
		finding(2, 1, lint.Info, "z", "z"),
		finding(2, 3, lint.Error, "z", "z"),
		finding(2, 3, lint.Info, "a", "z"),
		finding(2, 3, lint.Info, "b", "a"),
		finding(2, 3, lint.Info, "b", "b"),
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := a.Compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%d and %d compare as %d", i, j, got)
			}
		}
	}
}

// TestMarkers has each marker of a remedy once, and none where a part of it has none.
func TestMarkers(t *testing.T) {
	t.Parallel()
	of := func(markers ...string) lint.Change { return lint.Change{Markers: markers} }
	for _, tt := range []struct {
		remedy []lint.Change
		want   []string
	}{
		{nil, nil},
		{[]lint.Change{of("+a", "+b"), of("+b", "+c")}, []string{"+a", "+b", "+c"}},
		{[]lint.Change{of("+a"), of()}, nil},
	} {
		if got := (&lint.Finding{Remedy: tt.remedy}).Markers(); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.remedy, got, tt.want)
		}
	}
}

// TestWritable has the reasons for which no program changes the markers of a remedy.
func TestWritable(t *testing.T) {
	t.Parallel()
	add, drop := lint.Mark{Add: []lint.Marker{{Text: "+a"}}}, lint.Mark{Drop: []lint.Marker{{Text: "+a"}}}
	for _, tt := range []struct {
		name              string
		origin            lint.Origin
		writable, changes bool
	}{
		{"a marker is added", lint.Origin{Mark: add}, true, true},
		{"one is dropped there, too", lint.Origin{Mark: add, Others: []lint.Mark{drop}}, true, true},
		{"none has to change", lint.Origin{}, false, false},
		{"one of two places has none to change", lint.Origin{Mark: add, Others: []lint.Mark{{}}}, false, true},
		{"only another place has one", lint.Origin{Others: []lint.Mark{drop}}, false, true},
		{"a person has to decide", lint.Origin{Mark: add, Manual: true}, false, true},
		{"a part has no marker", lint.Origin{Mark: add, Partial: true}, false, true},
		{"a value is not known", lint.Origin{Mark: lint.Mark{Add: []lint.Marker{{Text: "+a"}, {Text: "+b=<number>", Open: true}}}}, false, true},
		{"the generator is too old", lint.Origin{Mark: lint.Mark{Add: []lint.Marker{{Text: "+a", Needs: "v0.15.0"}}}}, false, true},
		{"a value is wrong", lint.Origin{Mark: lint.Mark{Add: add.Add, Correct: add.Add}}, false, true},
		{"only a value is wrong", lint.Origin{Mark: lint.Mark{Correct: add.Add}}, false, true},
		{"the manifest is stale", lint.Origin{Mark: add, Confidence: lint.StaleOrigin}, false, true},
		{"another module has it", lint.Origin{Mark: add, Confidence: lint.ForeignOrigin}, false, true},
	} {
		o := tt.origin
		exact := o.Confidence == ""
		if exact {
			o.Confidence = lint.ExactOrigin
		}
		if o.Writable() != tt.writable || o.Changes() != tt.changes {
			t.Errorf("%s: writable %t, changes %t", tt.name, o.Writable(), o.Changes())
		}
		if (&lint.Finding{Origin: &o}).InGo() != exact {
			t.Errorf("%s: that it is to be fixed in Go is %t", tt.name, !exact)
		}
	}
	if (&lint.Finding{}).InGo() {
		t.Error("without Go types it is to be fixed in Go")
	}
}

// TestLikeness counts findings about objects together that differ in the object, and in numbers, only.
func TestLikeness(t *testing.T) {
	t.Parallel()
	about := func(object *lint.Object, message string, related ...lint.Related) *lint.Finding {
		f := &lint.Finding{Rule: &lint.Rule{ID: "value"}, Message: message, Object: object, Related: related}
		f.Pos.File = "objects.yaml"
		return f
	}
	place := func(file string, line int) lint.Related { return lint.Related{Pos: lint.Point(file, line, 5)} }
	a, b := &lint.Object{APIVersion: "g/v1", Kind: "A", Name: "x"}, &lint.Object{APIVersion: "g/v1", Kind: "A", Name: "y"}
	one := about(a, "item 1 is wrong")
	for _, tt := range []struct {
		name  string
		one   *lint.Finding
		other *lint.Finding
		want  bool
	}{
		{"another object and item", one, about(b, "item 25 is wrong"), true},
		{"another message", one, about(b, "item 1 is missing"), false},
		{"another kind", one, about(&lint.Object{APIVersion: "g/v1", Kind: "B"}, "item 1 is wrong"), false},
		{"another version", one, about(&lint.Object{APIVersion: "g/v2", Kind: "A"}, "item 1 is wrong"), false},
		{"no object", one, about(nil, "item 1 is wrong"), false},
		{"the same place of the CRD", about(a, "x is wrong", place("crd.yaml", 3)), about(b, "y is wrong", place("objects.yaml", 1), place("crd.yaml", 3)), true},
		{"another place of the CRD", about(a, "x is wrong", place("crd.yaml", 3)), about(a, "x is wrong", place("crd.yaml", 4)), false},
		{"a place among the objects", about(a, "x is wrong", place("objects.yaml", 3)), about(a, "y is wrong", place("objects.yaml", 3)), false},
	} {
		if got := tt.one.Likeness() == tt.other.Likeness(); got != tt.want {
			t.Errorf("%s: alike is %t", tt.name, got)
		}
	}
}
