package objects

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
)

// TestEveryCauseHasARule: each cause that an API server may have is told by one rule, and each row of the table is needed.
func TestEveryCauseHasARule(t *testing.T) {
	t.Parallel()
	var causes []request.Cause
	for stage := request.Decoding; stage <= request.RulesNotRun; stage++ {
		for _, path := range []request.Path{nil, request.Keys("metadata", "name"), request.Keys("kind"), request.Keys("spec", "metadata")} {
			for _, keyword := range []string{"", "type", "required", "enum", "format", "pattern", "maxLength", "anyOf", "not", "additionalProperties"} {
				for failure := request.NotMet; failure <= request.Uncompiled; failure++ {
					causes = append(causes, request.Cause{Stage: stage, Path: path, Keyword: keyword, Failure: failure})
				}
			}
		}
	}
	needed := map[int]bool{}
	for _, c := range causes {
		i := slices.IndexFunc(causeRows, func(row causeRow) bool { return row.fits(c) })
		if i < 0 {
			t.Errorf("no rule tells %+v", c)
			continue
		}
		needed[i] = true
		if !slices.ContainsFunc(Rules, func(r *engine.Rule) bool { return r.ID == tells(c) }) {
			t.Errorf("%s, for %+v, is no rule about objects", tells(c), c)
		}
	}
	for i, row := range causeRows {
		if !needed[i] {
			t.Errorf("no cause needs the row %+v", row)
		}
	}
}

// TestFollowingCauses: what only says why another cause is one is not told beside it.
func TestFollowingCauses(t *testing.T) {
	t.Parallel()
	at := func(keyword string, schemaPath ...string) request.Cause {
		return request.Cause{Stage: request.Schema, Keyword: keyword, SchemaPath: schemaPath}
	}
	for _, test := range []struct {
		story    string
		c, other request.Cause
		want     bool
	}{
		{"what the nearest alternative lacks", at("required", "properties", "spec", "oneOf", "1"), at("oneOf", "properties", "spec"), true},
		{"deeper in an alternative", at("type", "properties", "spec", "anyOf", "0", "properties", "a"), at("anyOf", "properties", "spec"), true},
		{"that not all schemas are met", at("allOf", "properties", "spec"), at("maximum", "properties", "spec", "allOf", "0"), true},
		{"what is wrong with one of all schemas", at("maximum", "properties", "spec", "allOf", "0"), at("allOf", "properties", "spec"), false},
		{"alternatives of another value", at("required", "properties", "spec", "oneOf", "1"), at("oneOf", "properties", "status"), false},
		{"another keyword of the same schema", at("required", "properties", "spec"), at("oneOf", "properties", "spec"), false},
		{"itself", at("oneOf", "properties", "spec"), at("oneOf", "properties", "spec"), false},
	} {
		if got := reasonsIn(slices.Values([]request.Cause{test.c, test.other})).explain(test.c); got != test.want {
			t.Errorf("%s: %v", test.story, got)
		}
	}
	rule := request.Cause{Stage: request.Rule, SchemaPath: []string{"properties", "spec"}}
	if reasonsIn(slices.Values([]request.Cause{rule, at("anyOf")})).explain(rule) {
		t.Error("a rule follows from a schema")
	}
}
