package main

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	t.Parallel()
	var all []mutant
	for i := range 100 {
		all = append(all, mutant{line: line{"a.go", i}}, mutant{line: line{"a.go", i}, column: 1})
	}
	some := sample(all, 31, 1)
	if len(some) != 16 {
		t.Errorf("%d lines with two mutants each for 31 mutants", len(some))
	}
	if !maps.Equal(some, sample(all, 31, 1)) {
		t.Error("one seed takes two samples")
	}
	if maps.Equal(some, sample(all, 31, 2)) {
		t.Error("two seeds take one sample")
	}
	if got := len(sample(all, 1000, 1)); got != 100 {
		t.Errorf("%d of 100 lines for more mutants than there are", got)
	}
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	var r result
	const text = `{"files":[{"file_name":"b.go","mutations":[
		{"type":"ARITHMETIC_BASE","status":"LIVED","line":7,"column":3},{"type":"ARITHMETIC_BASE","status":"KILLED","line":8,"column":3},
		{"type":"ARITHMETIC_BASE","status":"KILLED","line":8,"column":9},{"type":"ARITHMETIC_BASE","status":"TIMED OUT","line":9,"column":1}]},
		{"file_name":"a.go","mutations":[{"type":"INVERT_NEGATIVES","status":"KILLED","line":1,"column":2}]}]}`
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	o := r.outcome()
	o.covered = 9
	var out strings.Builder
	o.print(&out, "convert")
	want := "convert: 75.0% killed: 3 killed, 1 lived, 1 timed out, 0 not viable, of 9 covered mutants; 0 not covered\n" +
		"  lived: convert/b.go:7:3 ARITHMETIC_BASE\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if got := (&outcome{}).percent(); got != 0 {
		t.Errorf("no mutants: %v%% killed", got)
	}
}

func TestSeedOfToday(t *testing.T) {
	t.Parallel()
	if seed, err := seedOfToday("20261121"); seed != 20261121 || err != nil {
		t.Errorf("%d, %v", seed, err)
	}
	if seed, err := seedOfToday(""); seed < 20260101 || err != nil {
		t.Errorf("without one: %d, %v", seed, err)
	}
	if _, err := seedOfToday("monday"); err == nil {
		t.Error("monday is a seed")
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	if all, err := choose(nil); len(all) != len(targets) || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	if some, err := choose([]string{"rules"}); len(some) != 1 || some[0].path != "rules" || err != nil {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := choose([]string{"internal/elsewhere"}); err == nil {
		t.Error("another package is tried")
	}
}
