package apiserver

import (
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const rootPath = "spec.versions[0].schema.openAPIV3Schema"

func invalidAt(path, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: rootPath + path, Detail: detail}
}

// TestEchoes: that a default cannot be judged by a rule which does not compile is told by the rule, where there is one.
func TestEchoes(t *testing.T) {
	t.Parallel()
	rule := invalidAt(".properties[a].x-kubernetes-validations[0].rule", "compilation failed: boom")
	for story, test := range map[string]struct {
		err, other *field.Error
		want       bool
	}{
		"the rule of the same schema":       {invalidAt(".properties[a].default", "rule compile error: boom"), rule, true},
		"the rule of a schema below":        {invalidAt(".default", "rule compile error: boom"), rule, true},
		"the rule of a schema beside it":    {invalidAt(".properties[b].default", "rule compile error: boom"), rule, false},
		"a rule, and no default":            {invalidAt(".properties[a].pattern", "rule compile error: boom"), rule, false},
		"a default that is wrong by itself": {invalidAt(".properties[a].default", "must be of type string"), rule, false},
		"another error of the same schema":  {invalidAt(".properties[a].default", "rule compile error: boom"), invalidAt(".properties[a].pattern", "boom"), false},
	} {
		if got := Echoes(test.err, field.ErrorList{test.other}); got != test.want {
			t.Errorf("%s: %v", story, got)
		}
	}
}

// TestDependsOnGuesses: an error is not told where it may come from what was guessed of a schema.
func TestDependsOnGuesses(t *testing.T) {
	t.Parallel()
	cost := func(path string) *field.Error {
		return &field.Error{Type: field.ErrorTypeForbidden, Field: rootPath + path + ".x-kubernetes-validations[0].rule", Detail: "estimated rule cost exceeds budget"}
	}
	total := &field.Error{Type: field.ErrorTypeForbidden, Field: rootPath, Detail: "cost total for entire schema exceeds budget"}
	selectable := &field.Error{Type: field.ErrorTypeInvalid, Field: "spec.versions[0].selectableFields[0].jsonPath", Detail: "is an invalid path: boom", BadValue: ".spec.color"}
	for story, test := range map[string]struct {
		guessed string // below the root; "" for nothing
		err     *field.Error
		want    string
	}{
		"the cost of a rule above":               {".properties[a].properties[b]", cost(".properties[a]"), CELRules},
		"the cost of a rule below":               {".properties[a]", cost(".properties[a].properties[b]"), CELRules},
		"the cost of a rule beside":              {".properties[a]", cost(".properties[b]"), ""},
		"the cost of all rules":                  {".properties[a]", total, CELRules},
		"the cost of all rules, nothing guessed": {"", total, ""},
		"a selectable field of that name":        {".properties[spec].properties[color]", selectable, SelectableFields},
		"a selectable field of another name":     {".properties[spec].properties[size]", selectable, ""},
		"a list that was guessed":                {".properties[a]", invalidAt(".properties[a].x-kubernetes-list-map-keys", "must be names of item properties"), SchemaDepths},
		"a list beside it":                       {".properties[b]", invalidAt(".properties[a].x-kubernetes-list-map-keys", "must be names of item properties"), ""},
		"a pattern, whatever was guessed":        {".properties[a]", invalidAt(".properties[a].pattern", "boom"), ""},
	} {
		m := &mender{hub: &apiextensions.CustomResourceDefinition{}, guessed: map[string]bool{}}
		if test.guessed != "" {
			m.guessed[rootPath+test.guessed] = true
		}
		if got := m.depends(test.err); got != test.want {
			t.Errorf("%s: got %q, want %q (%s)", story, got, test.want, rowOf(test.err).name)
		}
	}
}

// TestSelectableAway: selectable fields that crash the server are taken away for a round, and put back.
func TestSelectableAway(t *testing.T) {
	t.Parallel()
	for story, test := range map[string]struct {
		common, version []apiextensions.SelectableField
		want            bool
	}{
		"none":                {nil, nil, false},
		"of all versions":     {[]apiextensions.SelectableField{{JSONPath: ".a"}}, nil, true},
		"of the last version": {nil, []apiextensions.SelectableField{{JSONPath: ".a"}}, true},
	} {
		hub := &apiextensions.CustomResourceDefinition{}
		hub.Spec.SelectableFields = test.common
		hub.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{{}, {SelectableFields: test.version}}
		m := &mender{hub: hub}
		if got := m.mend(Verdict{Panic: "boom"}); got != test.want {
			t.Errorf("%s: may show more: %v", story, got)
		}
		if len(hub.Spec.SelectableFields)+len(hub.Spec.Versions[1].SelectableFields) > 0 {
			t.Errorf("%s: still there", story)
		}
		if !m.mend(Verdict{}) || len(hub.Spec.SelectableFields) != len(test.common) || len(hub.Spec.Versions[1].SelectableFields) != len(test.version) {
			t.Errorf("%s: not put back", story)
		}
	}
}

func TestRulesOnce(t *testing.T) {
	t.Parallel()
	all := Rules()
	slices.Sort(all)
	if len(all) < 2 || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("each rule is there once: %q", all)
	}
}

func TestUsableCABundle(t *testing.T) {
	t.Parallel()
	if UsableCABundle([]byte("Cg==")) {
		t.Error("a bundle without a certificate is usable")
	}
}
