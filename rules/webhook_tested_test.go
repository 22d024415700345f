package rules

import (
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/rules/internal/conversions"
)

// testedTopic is the topic of rules about what a test of conversions found.
const testedTopic = "tested"

// changeNames are what fixtures call what became of a value.
var changeNames = map[string]webhook.Change{"": webhook.Unchanged, "lost": webhook.Lost, "changed": webhook.Changed, "added": webhook.Added, "reordered": webhook.Reordered}

// conversions are what a test found according to a fixture; nil for one of another topic.
func (f fixture) conversions(t testing.TB) *engine.Conversions {
	t.Helper()
	if f.topic != testedTopic {
		return nil
	}
	result := &webhook.Result{}
	for line := range strings.Lines(string(f.src)) {
		if found, is := strings.CutPrefix(line, foundPrefix); is {
			result.Findings = append(result.Findings, readFound(t, found))
		}
	}
	return &engine.Conversions{Test: func(*engine.Pass) *webhook.Result { return result }}
}

// readFound reads a finding of a test, such as {rule: webhook-failed, pair: v1 v2, detail: boom}.
func readFound(t testing.TB, line string) webhook.Finding {
	t.Helper()
	var found struct {
		Rule, Pair, Version, Path, Detail, Change string

		Was, Is        any
		Shown, Seen    int
		Minor, Missing bool
		Versions, Also []string
		Object         map[string]any
	}
	if err := yaml.Unmarshal([]byte(line), &found); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	change, known := changeNames[found.Change]
	property, tested := properties()[found.Rule]
	if !known || !tested {
		t.Fatalf("%s: there is no such change, or no such rule", line)
	}
	from, to, _ := strings.Cut(found.Pair, " ")
	var also []request.Path
	for _, path := range found.Also {
		also = append(also, pathOf(path))
	}
	grade := webhook.AsUsual
	if found.Minor {
		grade = webhook.Minor
	}
	return webhook.Finding{
		Property: property, Pair: webhook.Pair{From: from, To: to}, Version: found.Version, Path: pathOf(found.Path), Detail: found.Detail,
		Change: change, Was: found.Was, Is: found.Is, Shown: found.Shown, Seen: found.Seen, Grade: grade, Missing: found.Missing, Object: found.Object,
		Versions: found.Versions, Also: also,
	}
}

// properties are those of conversions, by the rules about them: both stand in the same order.
func properties() map[string]webhook.Property {
	all := map[string]webhook.Property{}
	for i, r := range conversions.Rules {
		all[r.ID] = webhook.Property(i)
	}
	return all
}

// pathOf reads a path such as spec.args[0].
func pathOf(path string) (steps request.Path) {
	for _, step := range crd.Steps(path) {
		if i, err := strconv.Atoi(step); err == nil {
			steps = append(steps, request.Index(i))
		} else {
			steps = append(steps, request.Key(step))
		}
	}
	return steps
}

// TestEveryPropertyHasARule: there is a rule for each property, in their order.
func TestEveryPropertyHasARule(t *testing.T) {
	t.Parallel()
	if len(conversions.Rules) != int(webhook.Slow)+1 {
		t.Errorf("%d rules for %d properties", len(conversions.Rules), webhook.Slow+1)
	}
	for i, r := range conversions.Rules {
		told := false
		rule := *r
		linter := &engine.Linter{Rules: []*engine.Rule{&rule}, Conversions: &engine.Conversions{
			Test: func(*engine.Pass) *webhook.Result {
				return &webhook.Result{Findings: []webhook.Finding{{Property: webhook.Property(i), Pair: webhook.Pair{From: "v1", To: "v2"}}}}
			},
		}}
		for _, f := range linter.File("crd.yaml", []byte(smallCRD)).Findings {
			told = told || f.Rule.ID == r.ID
		}
		if !told {
			t.Errorf("%s says nothing of property %d", r.ID, i)
		}
	}
}

const smallCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`
