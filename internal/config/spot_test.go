package config

import (
	"slices"
	"strings"
	"testing"
)

// TestSpots finds what may be written at a place, which "|" marks, in a file that is finished and in one that is not.
func TestSpots(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		words string // some that may be written there, with what follows; "-" for no spot
		not   string // one that may not
		doc   string // a part of what is said of the word there
	}{
		{"|", "preset: |ignore:|failOn: |rules:|convert:", "rule: ", ""},
		{"pre|", "preset: ", "", ""},
		{"preset: all\n|\nfailOn: info\n", "ignore:", "preset: ", ""},
		{"preset: |", "recommended|all", "preset: ", "Each preset includes"},
		{"preset: re|\nrules:\n", "recommended", "", "The default is `recommended`."},
		{"pre|set: all", "preset", "", "The rules to run."},
		{"convert:\n  |", "policy: |keepStatus: ", "preset: ", ""},
		{"convert: {pol|}", "policy: ", "", ""},
		{"convert: {policy: exact, keepStatus: |}", "true|false", "", "Keep the status stanza."},
		{"convert:\n  keepStatus: |\n", "true", "", ""},
		{"ignore:\n  - |", "rule: |crd: |reason: ", "failOn: ", ""},
		{"ignore:\n  - rule: schema-float\n    |", "reason: ", "rule: ", ""},
		{"ignore:\n  - rule: schema-float\n    rea|son: x\n", "reason", "", "Why the finding is acceptable."},
		{"overrides:\n  - paths: [a]\n    rules:\n      schema-float: |\n", "off|info|warning|error", "", ""},
		{"roles: |", "off", "", "where `crdlift roles` gets it wrong"},
		{"roles:\n  |", "test:|source:", "paths: ", ""},
		{"roles:\n  te|st: []\n", "test", "", "never changed"},
		{"go: |", "auto|off", "", "Where the Go types are"},
		{"compatibility:\n  alpha: |", "off|error", "", "The default is `info`."},
		{"preset: [unfinished\n  failOn|", "-", "", ""},
		{"failOn: |\nrules: [unfinished", "info|never", "off", ""},
		{"# pre|", "-", "", ""},
		{`{"pre|": strict}`, "preset", "preset: ", ""},
		{"{pre|}", "preset: |ignore: ", "ignore:", ""},
		{"pre|set:\tstrict", "preset", "preset: ", ""},
		{"nothing:\n  |", "-", "", ""},
		{"baseline: a|", "", "", "File of known findings"},
		{"paths:\n  - |", "", "", ""},
	} {
		offset := strings.Index(test.text, "|")
		spot := SpotAt([]byte(test.text[:offset]+test.text[offset+1:]), offset)
		if spot == nil || test.words == "-" {
			if spot != nil || test.words != "-" {
				t.Errorf("%q: there is the spot %+v", test.text, spot)
			}
			continue
		}
		var words []string
		for _, w := range spot.Words() {
			words = append(words, w.Insert)
		}
		for want := range strings.SplitSeq(test.words, "|") {
			if want != "" && !slices.Contains(words, want) {
				t.Errorf("%q: there is no %q among %q", test.text, want, words)
			}
		}
		if test.not != "" && slices.Contains(words, test.not) || test.words == "" && len(words) > 0 {
			t.Errorf("%q: there is %q", test.text, words)
		}
		written := test.text[spot.Start:offset] + strings.TrimPrefix(test.text[offset:], "|")[:spot.End-offset]
		if strings.ContainsAny(written, `"'`) {
			t.Errorf("%q: written is %q", test.text, written)
		}
		if doc := spot.Doc(written); !strings.Contains(doc, test.doc) {
			t.Errorf("%q: of %q it says %q", test.text, written, doc)
		}
	}
}

// TestRuleSpots finds where the ids of rules belong.
func TestRuleSpots(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rules:\n  |":                            "x: ",
		"rules: {sch|}":                          "x: ",
		"rules:\n  schema-f|loat: off":           "x",
		"rules: {schema-float: |}":               "",
		"ignore:\n  - rule: sch|":                "x",
		"ignore: [{reason: a, rule: |}]":         "x",
		"overrides: [{paths: [a], rules: {a|}}]": "x: ",
		"rul|":                                   "",
	} {
		offset := strings.Index(text, "|")
		spot := SpotAt([]byte(text[:offset]+text[offset+1:]), offset)
		if spot == nil || spot.IsRule != (want != "") || spot.IsRule && spot.Key("x") != want {
			t.Errorf("%q: %+v", text, spot)
		}
	}
}
