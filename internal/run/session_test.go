package run

import (
	"bytes"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestStandardInput: it is one file, and not two.
func TestStandardInput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		paths   []string
		against string
		want    string // the error
	}{
		{[]string{Stdin}, "", ""},
		{[]string{Stdin, "a.yaml"}, "", "standard input (-) cannot be combined with other paths"},
		{[]string{"a.yaml", Stdin}, "", "standard input (-) cannot be combined with other paths"},
		{[]string{Stdin}, Stdin, "standard input can be read only once"},
	} {
		s := NewSession(strings.NewReader("a: b\n"), &bytes.Buffer{}, &bytes.Buffer{})
		_, err := s.Prepare(t.Context(), &Flags{Against: test.against}, &lint.Config{}, test.paths)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%v against %q: %q, not %q", test.paths, test.against, got, test.want)
		}
	}
}

// TestNoted: what is said of the run is said once, and a quiet one says nothing.
func TestNoted(t *testing.T) {
	t.Parallel()
	for quiet, want := range map[bool]string{false: "crdlift: a note\ncrdlift: another\n", true: ""} {
		var said bytes.Buffer
		r := &Run{Session: NewSession(nil, nil, &said), Flags: &Flags{Quiet: quiet}}
		for _, line := range []string{"a note", "another", "a note"} {
			r.Note("%s", line)
		}
		if said.String() != want {
			t.Errorf("quiet %t: it said %q", quiet, said.String())
		}
	}
}

// TestLevels: flags go before the configuration, and what fails a run is reported.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		failOn, minSeverity string
		config              lint.Config
		wantFail, wantMin   lint.Severity
	}{
		{"", "", lint.Config{}, lint.Error, lint.Info},
		{"warning", "error", lint.Config{}, lint.Warning, lint.Warning},
		{Never, "error", lint.Config{}, lint.Off, lint.Error},
		{"", "", lint.Config{FailOn: lint.Warning, MinSeverity: lint.Warning}, lint.Warning, lint.Warning},
		{"error", "", lint.Config{FailOn: lint.Warning, MinSeverity: lint.Warning}, lint.Error, lint.Warning},
	} {
		f := &Flags{FailOnText: test.failOn, MinSeverityText: test.minSeverity}
		f.levels(&test.config)
		if f.FailOn != test.wantFail || f.MinSeverity != test.wantMin {
			t.Errorf("%q, %q: fails on %v, reports from %v", test.failOn, test.minSeverity, f.FailOn, f.MinSeverity)
		}
	}
}
