package carry

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/objects"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// definition is the CRD of a file of testdata.
func definition(t testing.TB, src []byte) *objects.Definition {
	t.Helper()
	all := objects.Definitions("crd.yaml", "crd.yaml", src, true)
	if len(all) != 1 || all[0].Unread() != "" {
		t.Fatal("there is no CRD in it")
	}
	return all[0]
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	src, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// object is one from YAML.
func object(t testing.TB, src string) (o Object) {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(src))
	if err == nil {
		err = utiljson.Unmarshal(encoded, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// told are the notes, a line each: the rule, the path, and what is said or rejected.
func told(notes []Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s %s", n.Rule, n.Path)
		if n.Cause != nil {
			fmt.Fprintf(&b, " at %s: %s%s", n.Version, n.Cause.Keyword, n.Cause.ValidationRule().Rule)
		}
		if n.Message.String() != "" {
			fmt.Fprintf(&b, ": %s", n.Message)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func wayTo(t testing.TB, c *Carrier, d *objects.Definition, from string) *Way {
	t.Helper()
	w, state, why := c.way(d, from)
	if w == nil {
		t.Fatalf("there is no way: %d, %s", state, why)
	}
	return w
}

const pot = "apiVersion: kiln.example.com/v1beta1\nkind: Pot\nmetadata: {name: a}\n"

// TestSamePlaces are the stories of strategy None, from v1beta1 to v1: an object is written below a head that all have.
func TestSamePlaces(t *testing.T) {
	for _, test := range []struct {
		name, given string
		to          string // "" for v1
		part        bool
		options     Options
		want        string // "" where it is left as it is
		notes       string
	}{
		{name: "what both have alike stays", given: "spec: {clay: red, depth: 2, lid: true, width: 30}",
			want: "spec: {clay: red, depth: 2, lid: true, width: 30}"},
		{name: "a field that the new version lacks", given: "spec: {clay: red, depth: 4, glaze: {colour: blue}}",
			notes: "migrate-lost spec.glaze: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "the same in an item", given: "spec: {clay: red, depth: 4, handles: [{side: left, size: 1}, {side: right, size: 1, old: x}]}",
			notes: "migrate-lost spec.handles[1].old: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "one that may go", given: "spec: {clay: red, depth: 4, glaze: {colour: blue}}", options: Options{AllowLoss: []string{"spec.glaze"}},
			want: "spec: {clay: red, depth: 4}"},
		{name: "what it is in may go, in items", given: "spec: {clay: red, depth: 4, handles: [{old: x, size: 7}]}",
			options: Options{AllowLoss: []string{"spec.handles[*].old"}}, want: "spec: {clay: red, depth: 4, handles: [{size: 7}]}"},
		{name: "another one may go", given: "spec: {clay: red, depth: 4, glaze: {colour: blue}}", options: Options{AllowLoss: []string{"spec.glaze.coats", "spe"}},
			notes: "migrate-lost spec.glaze: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "a misspelt field", given: "spec: {clay: red, depht: 3, depth: 4}", want: "spec: {clay: red, depht: 3, depth: 4}",
			notes: "object-unknown-field spec.depht: v1beta1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a misspelt field in one that is lost", given: "spec: {clay: red, depth: 4, glaze: {coulour: blue}}",
			notes: "migrate-lost spec.glaze: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n" +
				"object-unknown-field spec.glaze.coulour: v1beta1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a field of the new version", given: "spec: {clay: red, depth: 4, rim: thin}",
			notes: "migrate-refused spec.rim: v1beta1 drops it and v1 does not, so it would take effect; remove it first\n" +
				"object-unknown-field spec.rim: v1beta1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a value that the new version rejects", given: "spec: {clay: red, depth: 4, width: 31}",
			notes: "migrate-refused spec.width at v1: maximum\n"},
		{name: "one that both reject for the same", given: "spec: {depth: 4}", want: "spec: {depth: 4}"},
		{name: "one that both reject, the new one for more", given: "spec: {depth: 4, width: 31}",
			notes: "migrate-refused spec.clay at v1beta1: required\nmigrate-refused spec.clay at v1: required\nmigrate-refused spec.width at v1: maximum\n"},
		{name: "another default", given: "spec: {clay: red}", want: "spec: {clay: red, depth: 4}",
			notes: "migrate-default-written spec.depth: the default is 4 at v1beta1, but 9 at v1; crdlift writes 4, so nothing changes\n"},
		{name: "another default in an item", given: "spec: {clay: red, depth: 1, handles: [{size: 5}, {side: left}]}",
			want:  "spec: {clay: red, depth: 1, handles: [{size: 5}, {side: left, size: 1}]}",
			notes: "migrate-default-written spec.handles[1].size: the default is 1 at v1beta1, but 2 at v1; crdlift writes 1, so nothing changes\n"},
		{name: "the same schema but for its words", to: "v1beta2", given: "spec: {clay: red, glaze: {coats: 1}}", want: "spec: {clay: red, glaze: {coats: 1}}"},
		{name: "what only servers write", given: `
metadata:
  uid: 11111111-1111-4111-8111-111111111111
  resourceVersion: "12"
  creationTimestamp: "2024-01-01T00:00:00Z"
  generation: 3
  managedFields: [{manager: m}]
  labels: {a: b}
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
spec: {clay: red, depth: 4}
status: {done: true}`, want: "metadata: {labels: {a: b}}\nspec: {clay: red, depth: 4}",
			notes: `object-server-fields metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]: only kubectl writes it; crdlift removes it
object-server-fields metadata.creationTimestamp: only the API server writes it; crdlift removes it
object-server-fields metadata.generation: only the API server writes it; crdlift removes it
object-server-fields metadata.managedFields: only the API server writes it; crdlift removes it
object-server-fields metadata.resourceVersion: only the API server writes it; crdlift removes it
object-server-fields metadata.uid: only the API server writes it; crdlift removes it
object-status-dropped status: only updates of the status subresource write it; crdlift removes it
`},
		{name: "the same of alike versions", to: "v1beta2", given: "metadata: {uid: 1b}\nspec: {clay: red}\nstatus: {a: 1}", want: "spec: {clay: red}",
			notes: "object-server-fields metadata.uid: only the API server writes it; crdlift removes it\nobject-status-dropped status: only updates of the status subresource write it; crdlift removes it\n"},
		{name: "empty annotations that somebody wrote", given: "metadata: {annotations: {}}\nspec: {clay: red, depth: 4}",
			want: "metadata: {annotations: {}}\nspec: {clay: red, depth: 4}"},
		{name: "a patch", part: true, given: "spec: {lid: true}", want: "spec: {lid: true}"},
		{name: "a patch with an item", part: true, given: "spec: {handles: [{side: left}]}", want: "spec: {handles: [{side: left, size: 1}]}",
			notes: "migrate-default-written spec.handles[0].size: the default is 1 at v1beta1, but 2 at v1; crdlift writes 1, so nothing changes\n"},
		{name: "a patch with a directive", part: true, given: "spec: {$patch: replace, clay: red}", want: "spec: {$patch: replace, clay: red}"},
		{name: "a directive in a whole object", given: "spec: {$patch: replace, clay: red, depth: 4}", want: "spec: {$patch: replace, clay: red, depth: 4}",
			notes: "object-unknown-field spec.$patch: v1beta1 does not declare it, so the API server drops it; correct its name, or remove it\n"},
		{name: "a patch that loses something", part: true, given: "spec: {glaze: {coats: 2}}",
			notes: "migrate-lost spec.glaze: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "a patch with a value that is rejected", part: true, given: "spec: {width: 40}", notes: "migrate-refused spec.width at v1: maximum\n"},
		{name: "placeholders of each type", given: "metadata: {namespace: '${NS:=default}'}\nspec: {clay: '${A}', depth: '${D}', width: '${W}', lid: '${L}', finish: 'x-${F}'}",
			want: "metadata: {namespace: '${NS:=default}'}\nspec: {clay: '${A}', depth: '${D}', width: '${W}', lid: '${L}', finish: 'x-${F}'}"},
		{name: "a placeholder in a part that is rejected", given: "spec: {clay: '${A}', depth: 4, width: '${W}', handles: [{size: 40, old: '${O}'}]}",
			notes: "migrate-lost spec.handles[0].old: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "a value that is rejected beside a placeholder", given: "spec: {clay: '${A}', depth: 4, width: 31}", notes: "migrate-refused spec.width at v1: maximum\n"},
		{name: "a placeholder that is lost", given: "spec: {clay: '${A}', depth: 4, glaze: {coats: '${N}'}}",
			notes: "migrate-lost spec.glaze: v1 does not declare it, so it would be lost; remove it, or allow that with --allow-loss\n"},
		{name: "a placeholder for a whole object", given: "metadata: {labels: '${LABELS}'}\nspec: {clay: red, depth: 4}", to: "v1beta2",
			want: "metadata: {labels: '${LABELS}'}\nspec: {clay: red, depth: 4}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.To = "v1"
			if test.to != "" {
				test.options.To = test.to
			}
			w := wayTo(t, &Carrier{Options: test.options}, definition(t, read(t, "pots.yaml")), "v1beta1")
			given := merged(object(t, pot), object(t, test.given))
			copied := merged(object(t, pot), object(t, test.given))
			got := w.Carry(given, test.part)
			if !reflect.DeepEqual(given, copied) {
				t.Errorf("what was given has changed: %v", given)
			}
			if notes := told(got.Notes); notes != test.notes {
				t.Errorf("notes:\n%swant:\n%s", notes, test.notes)
			}
			var want Object
			if test.want != "" {
				want = merged(object(t, pot), object(t, test.want))
				want["apiVersion"] = "kiln.example.com/" + test.options.To
			}
			if !reflect.DeepEqual(got.Object, want) {
				t.Errorf("it becomes %v, want %v", got.Object, want)
			}
			if len(got.Traces) > 0 {
				t.Errorf("nothing moves, but there are traces: %v", got.Traces)
			}
		})
	}
}

// TestAlike is about which versions differ in nothing but their names.
func TestAlike(t *testing.T) {
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pots.kiln.example.com}
spec:
  group: kiln.example.com
  scope: Namespaced
  names: {kind: Pot, listKind: PotList, plural: pots, singular: pot}
  versions:
  - {name: v1, served: true, storage: true, %s}
  - {name: v2, served: true, storage: false, %s}
`
	const schema = "schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {n: {type: integer}}}, status: {type: object, properties: {n: {type: integer}}}}"
	const scale = "scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}"
	for name, test := range map[string]struct {
		a, b  string
		alike bool
	}{
		"the same":           {schema + "}}", schema + "}}", true},
		"other words":        {schema + "}}", schema + ", description: pots, title: Pot, externalDocs: {url: a}, example: {spec: {n: 1}}}}", true},
		"status":             {schema + "}}", schema + "}}, subresources: {status: {}}", false},
		"scale":              {schema + "}}, subresources: {" + scale + "}", schema + "}}, subresources: {}", false},
		"the same scale":     {schema + "}}, subresources: {" + scale + "}", schema + "}}, subresources: {" + scale + "}", true},
		"a rule":             {schema + "}}", schema + ", x-kubernetes-validations: [{rule: 'has(self.spec)'}]}}", false},
		"the same rule":      {schema + ", x-kubernetes-validations: [{rule: 'has(self.spec)'}]}}", schema + ", x-kubernetes-validations: [{rule: 'has(self.spec)'}]}}", true},
		"a rule of versions": {schema + ", x-kubernetes-validations: [{rule: 'self.apiVersion.endsWith(\"1\")'}]}}", schema + ", x-kubernetes-validations: [{rule: 'self.apiVersion.endsWith(\"1\")'}]}}", false},
	} {
		w := wayTo(t, &Carrier{Options: Options{To: "v1"}}, definition(t, fmt.Appendf(nil, crd, test.a, test.b)), "v2")
		if w.Alike != test.alike {
			t.Errorf("%s: alike %t", name, w.Alike)
		}
	}
}

// merged has the members of both, and those of metadata, too.
func merged(head, rest Object) Object {
	for name, value := range rest {
		if more, ok := value.(map[string]any); ok && name == "metadata" {
			head[name] = merged(head[name].(map[string]any), more)
			continue
		}
		head[name] = value
	}
	return head
}

// TestWays is about which objects are carried, and where to.
func TestWays(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		from    string
		state   State
		to, why string
	}{
		{name: "a version", options: Options{To: "v1"}, from: "v1beta1", state: Moved, to: "v1"},
		{name: "of its group", options: Options{To: "kiln.example.com/v1"}, from: "v1beta1", state: Moved, to: "v1"},
		{name: "of another group", options: Options{To: "example.com/v1"}, from: "v1beta1", state: Passed},
		{name: "the storage version", options: Options{To: ToStorage}, from: "v1beta1", state: Moved, to: "v1"},
		{name: "at the version already", options: Options{To: "v1"}, from: "v1", state: Passed},
		{name: "a version that there is not", options: Options{To: "v2"}, from: "v1", state: NoTarget},
		{name: "a version that is not served", options: Options{To: "v0"}, from: "v1", state: NoTarget},
		{name: "from one that is not served", options: Options{To: "v1"}, from: "v0", state: Moved, to: "v1"},
		{name: "from one that there is not", options: Options{To: "v1"}, from: "v1alpha1", state: Refused, why: "its CRD has no version v1alpha1; correct the version"},
		{name: "of a kind", options: Options{To: "v1", Kinds: []string{"Cup", "pot"}}, from: "v1beta1", state: Moved, to: "v1"},
		{name: "of another kind", options: Options{To: "v1", Kinds: []string{"Cup"}}, from: "v1beta1", state: Passed},
		{name: "from a version that is asked for", options: Options{To: "v1", From: []string{"v1beta1"}}, from: "v1beta1", state: Moved, to: "v1"},
		{name: "from another one", options: Options{To: "v1", From: []string{"v1beta2"}}, from: "v1beta1", state: Passed},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &Carrier{Options: test.options}
			d := definition(t, read(t, "pots.yaml"))
			w, state, why := c.way(d, test.from)
			if state != test.state || why != test.why {
				t.Errorf("state %d, why %q; want %d, %q", state, why, test.state, test.why)
			}
			switch {
			case (w != nil) != (test.to != ""):
				t.Errorf("there is a way: %t", w != nil)
			case w != nil && (w.To != test.to || w.From != test.from || w.Definition != d || w.Webhook):
				t.Errorf("the way leads from %s to %s", w.From, w.To)
			}
			if again, _, _ := c.way(d, test.from); again != w {
				t.Error("it is prepared again")
			}
		})
	}
}
