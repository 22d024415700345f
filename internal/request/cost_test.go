package request_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// heavy is an expression that is true of a text of so many a's, and costs about as much as the text is long: a tenth of
// the length of the text by a quarter of that of the pattern. A call may cost 1,000,000, those of an object 10,000,000.
var heavy = "!self.matches('" + strings.Repeat("b", 40) + "')"

// heavyTexts are n texts of some thousand a's, a thousand being more than one call of heavy can take.
func heavyTexts(n, thousands int) []any {
	return slices.Repeat([]any{strings.Repeat("a", 1000*thousands)}, n)
}

// costSchema has rules that are heavy, and others that come after them.
var costSchema = `{type: object, properties: {
	text: {type: string, x-kubernetes-validations: [{rule: "self != 'never'"}, {rule: "` + heavy + `"}, {rule: "self.endsWith('a')", message: no a}]},
	list: {type: array, items: {type: string, x-kubernetes-validations: [{rule: "` + heavy + `"}, {rule: "self.endsWith('a')", message: no a}]}},
	explained: {type: array, items: {type: string, x-kubernetes-validations: [{rule: "` + heavy + `"},
		{rule: "self.endsWith('a')", message: no a, messageExpression: "` + heavy + ` && ` + heavy + ` ? 'light' : 'heavy'"}, {rule: "self.endsWith('aa')", message: no aa}]}},
	map: {type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: "` + heavy + `"}]}}}}`

// The rules of an object are evaluated up to a limit of each call and one of the object, as upstream does.
func TestCost(t *testing.T) {
	t.Parallel()
	long, more := strings.Repeat("a", 950_000), strings.Repeat("a", 1_050_000)
	for _, test := range []struct {
		about, member string
		value         any
		want          []string
		excused       bool // where nothing changes; upstream makes warnings of what goes wrong with a message, too
	}{
		{"a call within its limit", "text", long, nil, false},
		{"a call beyond its limit, after which no rule runs", "text", more + "b", []string{"text: CallCost of rule 1"}, false},
		{"calls within the limit of the object", "list", heavyTexts(10, 950), nil, false},
		{"calls beyond the limit of the object, after which no rule runs", "list", append(heavyTexts(10, 950), long+"b"), []string{"list[10]: TotalCost of rule 0"}, false},
		{"others fail before", "list", append([]any{"b"}, heavyTexts(11, 950)...), []string{"list[0]: NotMet of rule 1", "list[11]: TotalCost of rule 0"}, false},
		{"a message beyond the limit of the object", "explained", append(heavyTexts(20, 450), strings.Repeat("a", 450_000)+"b", "b"), []string{"explained[20]: TotalCost of rule 1"}, true},
		{"a message beyond the limit of its call", "explained", []any{strings.Repeat("a", 600_000) + "b", "b"}, []string{"explained[0]: CallCost of rule 1"}, true},
		{"a value of a map", "map", map[string]any{"a": more}, []string{"map.a: CallCost of rule 0"}, false},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			c := contestOf(t, versionOne(costSchema))
			o := object(t, "a: 1")
			o[test.member] = test.value
			if got := failures(c.version.Create(o)); !slices.Equal(got, test.want) {
				t.Errorf("causes are %q, want %q", got, test.want)
			}
			c.create(o)
			labelled := runtime.DeepCopyJSON(o)
			labelled["metadata"].(request.Object)["labels"] = request.Object{"new": "label"}
			c.update(labelled, o)
			if again := c.version.Update(labelled, o); again.Accepted() != (test.want == nil || test.excused) {
				t.Errorf("an update of the labels is accepted: %v, causes are %q", again.Accepted(), failures(again))
			}
			if len(c.failures) > 0 {
				t.Errorf("it is not as upstream has it (%d differences)", len(c.failures)) // their texts are long
			}
		})
	}
}

// Upstream goes through maps in a random order, so that what it says when the cost is exhausted is random as well.
func TestCostOfMap(t *testing.T) {
	t.Parallel()
	v := serve(t, costSchema).Version("v1")
	o := object(t, "map: {}")
	for i, text := range heavyTexts(12, 950) {
		o["map"].(request.Object)[fmt.Sprintf("%02d", i)] = text
	}
	for range 3 {
		if got, want := failures(v.Create(o)), []string{"map.10: TotalCost of rule 0"}; !slices.Equal(got, want) {
			t.Errorf("causes are %q, want %q", got, want)
		}
	}
}

// failures are the rules that fail, and how.
func failures(o *request.Outcome) (all []string) {
	names := map[request.Failure]string{request.NotMet: "NotMet", request.RunTime: "RunTime", request.CallCost: "CallCost", request.TotalCost: "TotalCost"}
	for _, c := range o.Causes {
		all = append(all, fmt.Sprintf("%s: %s of rule %d", c.Path, names[c.Failure], c.Rule))
	}
	return all
}
