package krm

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wrong is a CRD with a mistake: that it is told shows that the item was looked at.
const wrong = `- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: backups.example.com}
  spec:
    group: example.com
    names: {kind: Backup, plural: backups}
    scope: namespaced
    versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
`

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// TestOddItems has items that are not objects, or not complete ones, beside a CRD.
func TestOddItems(t *testing.T) {
	t.Parallel()
	const crd = "- apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n"
	for name, tt := range map[string]struct {
		items string
		says  []string // the lines, by how they begin
	}{
		"null":                           {"- null\n-\n", nil},
		"scalars":                        {"- 5\n- x: y\n- [a]\n", nil},
		"another's metadata":             {"- {apiVersion: v1, kind: Secret, metadata: null}\n- {apiVersion: v1, kind: Secret, metadata: x}\n", nil},
		"an alias":                       {"- &a {apiVersion: v1, kind: Secret}\n- *a\n", nil},
		"a CRD without a name":           {crd + "  metadata: null\n  spec: {group: example.com, names: {}}\n", []string{"item 0: "}},
		"a CRD whose metadata is a word": {crd + "  metadata: x\n  spec: {group: example.com, names: {}}\n", []string{"item 0: metadata: error: "}},
		"a CRD that shares a part": {"- {apiVersion: v1, kind: Secret, metadata: &m {name: backups.example.com}}\n" + crd + "  metadata: *m\n  spec: {group: example.com, names: {}, scope: x}\n",
			[]string{"backups.example.com: spec.names: error: "}},
		"a CRD that is shared": {"- &own\n" + strings.Replace(strings.Replace(wrong, "- ", "  ", 1), "backups.example.com", "wrong.example.com", 1) + "- *own\n",
			[]string{"wrong.example.com: metadata.name: error: ", "wrong.example.com: spec.scope: error: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := head + "items:\n" + tt.items + wrong
			out, stderr, err := call(t, in)
			if !errors.Is(err, ErrFindings) {
				t.Fatalf("error %v, want findings", err)
			}
			if !strings.HasPrefix(out, in) {
				t.Errorf("items changed: %s", cmp.Diff(in, out))
			}
			for _, want := range append(tt.says, "backups.example.com: spec.scope: error: ") {
				if !strings.Contains("\n"+stderr, "\n"+want) {
					t.Errorf("no line begins with %q:\n%s", want, stderr)
				}
			}
			if strings.Contains("\n"+stderr, "\n:") {
				t.Errorf("a line names nothing:\n%s", stderr)
			}
		})
	}
}

// TestWrongLists has input that is not a ResourceList, or one with an error outside of its items.
func TestWrongLists(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"items is a word":      {head + "items: x\n", "<stdin>:3: items of the ResourceList must be a list"},
		"items is a mapping":   {head + "items: {}\n", "<stdin>:3: items of the ResourceList must be a list"},
		"data is a word":       {head + "functionConfig: {kind: ConfigMap, data: x}\nitems: []\n", "functionConfig: data must be a mapping of names to strings"},
		"a setting is a list":  {head + "functionConfig: {kind: ConfigMap, data: {convert: [v1]}}\nitems: []\n", "functionConfig: data.convert must be a string"},
		"a word for config":    {head + "functionConfig: x\nitems: []\n", `functionConfig: kind "" is neither ConfigMap nor CRDLift`},
		"no list":              {"kind: List\nitems: []\n", "standard input is not a ResourceList; for manifests, use crdlift lint or crdlift convert"},
		"two documents":        {head + "items: []\n---\nkind: List\n", "standard input has more than a ResourceList: a second document"},
		"text that is no YAML": {"items: [\n", "<stdin>:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _, err := call(t, tt.in)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || out != "" {
				t.Errorf("error %v, want %s; the answer is %q", err, tt.want, out)
			}
		})
	}
}

// TestKeepsTheText checks that the text around the items stays, and that only the results are added.
func TestKeepsTheText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, before, behind string }{
		"an end":           {head + "items:\n" + wrong + "# end\n...\n", "type: object}}\nresults:\n", "# end\n...\n"},
		"no line end":      {strings.TrimSuffix(head+"items:\n"+wrong, "\n"), "type: object}}\nresults:\n", ""},
		"line ends of DOS": {strings.ReplaceAll(head+"items:\n"+wrong, "\n", "\r\n"), "type: object}}\r\nresults:\r\n", "\r\n"},
		"JSON": {`{"kind": "ResourceList", "items": [{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {"group": "example.com", "scope": "x"}}]}` + "\n",
			`"scope": "x"}}], "results": [{`, "}\n"},
		"older results": {head + "items:\n" + wrong + "results: # of another\n- message: x\nfunctionConfig: {}\n", "type: object}}\nresults:", "functionConfig: {}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _, err := call(t, tt.in)
			if !errors.Is(err, ErrFindings) {
				t.Fatalf("error %v, want findings", err)
			}
			if !strings.Contains(out, tt.before) || !strings.HasSuffix(out, tt.behind) || strings.Count(out, "results") != 1 {
				t.Errorf("got:\n%s", out)
			}
			if strings.Contains(tt.in, "\r\n") && strings.Contains(strings.ReplaceAll(out, "\r\n", ""), "\n") {
				t.Errorf("line ends differ:\n%q", out)
			}
		})
	}
}

// TestResultsBeforeItems has lists that end in a key without a value, after which nothing can be added.
func TestResultsBeforeItems(t *testing.T) {
	t.Parallel()
	for name, items := range map[string]string{
		"a CRD":             "items:\n" + wrong + "? last\n",
		"items of others":   "items:\n" + asItem(others[0], 0) + asItem(others[1], 0) + wrong + "? last\n",
		"no final line end": "items:\n" + wrong + "? last",
	} {
		for eol, written := range map[string]func(string) string{
			"LF":   func(text string) string { return text },
			"CRLF": func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
		} {
			t.Run(name+"/"+eol, func(t *testing.T) {
				t.Parallel()
				before, after := written(head), written(items)
				out, _, err := call(t, before+after)
				if !errors.Is(err, ErrFindings) {
					t.Fatalf("error %v, want findings", err)
				}
				results, kept := strings.CutPrefix(out, before)
				results, whole := strings.CutSuffix(results, after)
				if !kept || !whole {
					t.Fatalf("the list changed beside its results: %s", cmp.Diff(before+after, out))
				}
				if !strings.HasPrefix(results, written("results:\n- message: ")) || !strings.HasSuffix(results, written("\n    rule: scope-invalid\n")) ||
					results != written(strings.ReplaceAll(results, "\r\n", "\n")) {
					t.Errorf("results %q", results)
				}
			})
		}
	}
}

// TestResultsNowhere has a list that neither ends so that results can be added nor has items that they can stand before.
func TestResultsNowhere(t *testing.T) {
	t.Parallel()
	out, _, err := call(t, head+"? items\n:\n"+wrong+"? last\n")
	if err == nil || err.Error() != "<stdin>: the results cannot be added without rewriting all items" || out != "" {
		t.Errorf("error %v, output %q", err, out)
	}
}
