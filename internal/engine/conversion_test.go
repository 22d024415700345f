package engine

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
)

// dataLost is a rule about conversions.
var dataLost = &Rule{ID: "data-lost", Severity: lint.Error, Conversion: true, Run: func(p *Pass) {
	for _, f := range p.Broken(webhook.DataLost) {
		p.Report(crd.Place{Node: p.CRD.Node}, f.Detail).Replay = f.Replay
	}
}}

// types says why a CRD cannot be read.
var types = &Rule{ID: "wrong-type", Severity: lint.Error, Reading: true, Run: func(p *Pass) {
	for _, w := range p.WrongTypes() {
		p.Report(w.Place, "wrong type")
	}
}}

// testingLinter is a linter of a run that tests conversions, each with the same result.
func testingLinter(partly bool, found *webhook.Result) *Linter {
	return &Linter{
		Rules: append(toyRules(), dataLost, types),
		Conversions: &Conversions{Partly: partly, Test: func(*Pass) *webhook.Result {
			return found
		}},
	}
}

const converted = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: number}}}}}
`

// TestConversions: a run that tests conversions reports what they find, and nothing that lint finds of a CRD.
func TestConversions(t *testing.T) {
	t.Parallel()
	ignored := strings.Replace(converted, "\n", " # crdlift:ignore data-lost -- on purpose\n", 1)
	wrong := strings.Replace(converted, "served: true", "served: 1", 1)
	lost := &webhook.Result{Findings: []webhook.Finding{{Property: webhook.DataLost, Detail: "lost", Replay: "replay"}, {Property: webhook.Failed, Detail: "failed"}}}
	for name, tt := range map[string]struct {
		linter *Linter
		src    string
		want   string
	}{
		"lint":                      {&Linter{Rules: append(toyRules(), dataLost)}, ignored, "schema-float: type number"},
		"found":                     {testingLinter(false, lost), converted, "data-lost: lost"},
		"ignored":                   {testingLinter(false, lost), ignored, "data-lost: lost (ignored)"},
		"unused":                    {testingLinter(false, &webhook.Result{}), ignored, "ignore-unused"},
		"partly tested":             {testingLinter(true, &webhook.Result{}), ignored, ""},
		"not tested":                {testingLinter(false, nil), ignored, ""},
		"a CRD that cannot be read": {testingLinter(false, lost), wrong, "wrong-type: wrong type"},
		"no YAML":                   {testingLinter(false, lost), converted + "\t", "yaml-syntax"},
	} {
		out := tt.linter.Report([]*FileReport{tt.linter.File("crd.yaml", []byte(tt.src))})
		var all []string
		for _, f := range out.Findings {
			said := f.Rule.ID + ": " + f.Message
			if f.Ignored != "" {
				said += " (ignored)"
			}
			all = append(all, said)
		}
		if got := strings.Join(all, "; "); len(all) > 1 || tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	found := testingLinter(false, lost).File("crd.yaml", []byte(converted)).Findings
	if len(found) != 1 || found[0].Replay != "replay" {
		t.Errorf("got %+v", found)
	}
}
