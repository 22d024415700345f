package carry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// stallCRD is a CRD with two versions that are alike; boothCRD is one whose versions differ.
const stallCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stalls.market.example.com}
spec:
  group: market.example.com
  scope: Namespaced
  names: {kind: Stall, listKind: StallList, plural: stalls, singular: stall}
  versions:
  - &v
    name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [owner]
            properties:
              owner: {type: string}
              tables: {type: integer}
              notes: {type: object, additionalProperties: {type: string}}
              beside: {type: object, properties: {apiVersion: {type: string, maxLength: 50}, kind: {type: string}, name: {type: string}}}
              pinned:
                type: object
                properties: {apiVersion: {type: string, enum: [market.example.com/v1beta1]}, kind: {type: string}}
  - {<<: *v, name: v1, storage: true}
`

const boothCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: booths.market.example.com}
spec:
  group: market.example.com
  scope: Namespaced
  names: {kind: Booth, listKind: BoothList, plural: booths, singular: booth}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {owner: {type: string}, doors: {type: integer}, old: {type: string}, open: {type: boolean, default: false}}}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {owner: {type: string}, doors: {type: integer, maximum: 4}, open: {type: boolean, default: true}}}}
`

func carrierOf(options Options, crds ...string) *Carrier {
	catalogue := &objects.Catalogue{}
	for _, crd := range crds {
		catalogue.Add(objects.Definitions("crd.yaml", "crd.yaml", []byte(crd), true)...)
	}
	if options.To == "" {
		options.To = "v1"
	}
	return &Carrier{Options: options, Catalogue: catalogue, IsPatch: func(path string) bool { return strings.HasPrefix(path, "patch") }}
}

// carried is a file whose documents were carried, with what is said: "rule 3:7" for the place.
func carried(t *testing.T, c *Carrier, path, in string) (out string, said []string) {
	t.Helper()
	f := manifest.Parse(path, []byte(in))
	var edits []rewrite.Edit
	changed := map[int]bool{}
	for _, d := range f.Documents {
		result := c.Document(d)
		edits = append(edits, result.Edits...)
		changed[d.Index] = len(result.Edits) > 0
		said = append(said, sayings([]byte(in), result.Notes)...)
	}
	after := rewrite.Apply([]byte(in), edits)
	if _, err := rewrite.CheckNeighbours(f, after, func(i int) bool { return changed[i] }); err != nil {
		t.Error(err)
	}
	return string(after), said
}

func sayings(src []byte, notes []Note) (said []string) {
	table := lines.TableOf(src)
	for _, n := range notes {
		line, column := table.Position(n.Start)
		said = append(said, fmt.Sprintf("%s %d:%d", n.Rule, line, column))
		if len(n.Message.String()) > 160 {
			said = append(said, "too long: "+n.Message.String())
		}
	}
	return said
}

const stall = "apiVersion: market.example.com/v1beta1\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me}\n"

// TestDocument has documents as users write them. In the wanted text, NEW stands for where v1beta1 was replaced.
func TestDocument(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path, in string // ⟨v1beta1⟩ is what becomes v1
		options  Options
		said     string
	}{
		"one":                {in: strings.Replace(stall, "v1beta1", "⟨v1beta1⟩", 1)},
		"quoted, kind first": {in: "kind: Stall\n# between\n'apiVersion': \"market.example.com/⟨v1beta1⟩\"\nmetadata: {name: a}\nspec: {owner: me}\n"},
		"json":               {in: `{"kind": "Stall", "apiVersion": "market.example.com/⟨v1beta1⟩",` + "\n" + ` "metadata": {"name": "a"}, "spec": {"owner": "me"}}`},
		"flow":               {in: "{apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall, metadata: {name: a}, spec: {owner: me}} # all\n"},
		"at v1":              {in: strings.Replace(stall, "v1beta1", "v1", 1)},
		"other kind":         {in: stall, options: Options{Kinds: []string{"Booth"}}},
		"open":               {in: "---\n# why\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me} # no line end"},
		"a number stays":     {in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: 'me', tables: 0x10}\n"},
		"anchors":            {in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: &n a}\nspec: &s {owner: *n}\n"},
		"documents":          {in: "a: 1\n---\n" + strings.Replace(stall, "v1beta1", "⟨v1beta1⟩", 1) + "---\n# none\n---\nkind: [\n"},
		"list": {
			in: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: a}\n  spec: {owner: me} # one\n" +
				"- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n- apiVersion: market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: b}\n  spec: {owner: me}\n",
		},
		"a list of the kind": {
			in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: StallList\nitems:\n- metadata: {name: a}\n  spec: {owner: me}\n- metadata: {name: b}\n  spec: {owner: me}\n",
		},
		"a list whose items have it, too": {
			in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: StallList\nitems:\n- apiVersion: market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: a}\n  spec: {owner: me}\n",
		},
		"a list of which one stays": {
			in:   "apiVersion: market.example.com/v1beta1\nkind: BoothList\nitems:\n- metadata: {name: a}\n  spec: {doors: 2, open: true}\n- metadata: {name: b}\n  spec: {doors: 5, open: true}\n",
			said: "migrate-unwritable 4:3\nmigrate-refused 7:17",
		},
		"one of a list is rejected": {
			in: "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: market.example.com/v1beta1, kind: Booth, metadata: {name: a}, spec: {doors: 5, open: true}}\n" +
				"- {apiVersion: market.example.com/⟨v1beta1⟩, kind: Booth, metadata: {name: b}, spec: {doors: 4, open: true}}\n",
			said: "migrate-refused 4:92",
		},
		"an apiVersion for two": {
			in: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: &v market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: a}\n  spec: {owner: me}\n" +
				"- apiVersion: *v\n  kind: Stall\n  metadata: {name: b}\n  spec: {owner: me}\n",
		},
		"an object twice": {
			in: "apiVersion: v1\nkind: List\nitems:\n- &a\n  apiVersion: market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: a}\n  spec: {owner: me}\n- *a\n",
		},
		"lost":      {in: "apiVersion: market.example.com/v1beta1\nkind: Booth\nmetadata: {name: a}\nspec:\n  open: true\n  old: x\n", said: "migrate-lost 6:3"},
		"unknown":   {in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Booth\nmetadata: {name: a}\nspec:\n  open: true\n  opne: x # typo\n", said: "object-unknown-field 6:3"},
		"no target": {in: stall, options: Options{To: "v2"}},
		"group":     {in: strings.Replace(stall, "market.example.com/v1beta1", "market.example.org/v1", 1), said: "migrate-group 2:7"},
		"schema comments": {
			in: "---\n# yaml-language-server: $schema=https://x.example.com/market.example.com/stall_⟨v1beta1⟩.json\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me}\n",
		},
		"schema comment with a group": {
			in: "# $schema: https://x.example.com/Stall-market-⟨v1beta1⟩.json\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me}\n",
		},
		"schema comment of another version": {
			in: "# yaml-language-server: $schema=https://v1beta1.example.com/stall_v1beta10.json\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me}\n",
		},
		"schema comment of another kind": {
			in: "# yaml-language-server: $schema=https://x.example.com/installs_v1beta1.json\napiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me}\n",
		},
		"schema comment of what stays": {
			in:   "# yaml-language-server: $schema=https://x.example.com/booth_v1beta1.json\napiVersion: market.example.com/v1beta1\nkind: Booth\nmetadata: {name: a}\nspec: {open: true, doors: 9}\n",
			said: "migrate-refused 5:27",
		},
		"references": {
			in: "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: shop}\nspec:\n  healthChecks:\n  - apiVersion: market.example.com/⟨v1beta1⟩ # mine\n    kind: Stall\n    name: a\n" +
				"  - {apiVersion: market.example.com/v1beta1, kind: Tent, name: a}\n  - {apiVersion: market.example.com/⟨v1beta1⟩, kind: Booth, name: rejected}\n",
		},
		"references to report": {
			in:      "apiVersion: x.example.com/v1\nkind: X\nmetadata: {name: shop}\nspec:\n  ref: {apiVersion: market.example.com/v1beta1, kind: Stall}\n",
			options: Options{References: ReportReferences}, said: "migrate-left-over 5:21",
		},
		"references to ignore": {
			in:      "apiVersion: x.example.com/v1\nkind: X\nmetadata: {name: shop}\nspec:\n  ref: {apiVersion: market.example.com/v1beta1, kind: Stall}\n  text: market.example.com/v1beta1\n",
			options: Options{References: IgnoreReferences},
		},
		"a reference in what is carried": {
			in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me, beside: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall, name: b}}\n",
		},
		"a reference that has to stay": {
			in:   "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me, pinned: {apiVersion: market.example.com/v1beta1, kind: Stall}}\n",
			said: "migrate-left-over 4:40",
		},
		"a shared reference": {
			in:   "apiVersion: x.example.com/v1\nkind: X\nspec:\n  a: {apiVersion: &v market.example.com/v1beta1, kind: Stall}\n  b: *v\n",
			said: "migrate-left-over 4:19",
		},
		"an object inside": {
			in: "apiVersion: work.example.com/v1\nkind: Work\nmetadata: {name: w}\nspec:\n  manifests:\n  - apiVersion: market.example.com/⟨v1beta1⟩\n    kind: Stall\n    metadata: {name: a}\n    spec: {owner: me}\n",
		},
		"an object inside of what is carried": {
			in:   "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {owner: me, beside: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall, metadata: {name: b}}} # all\n",
			said: "object-unknown-field 4:81",
		},
		"an object inside that is rejected": {
			in:   "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec:\n  owner: me\n  notes:\n    a: x # a\n  beside: {apiVersion: market.example.com/v1beta1, kind: Booth, metadata: {name: b}, spec: {doors: 7}}\n",
			said: "object-unknown-field 8:65\nobject-unknown-field 8:86\nmigrate-refused 8:100",
		},
		"texts to ignore": {in: "a: [\nmarket.example.com/v1beta1\n", options: Options{References: IgnoreReferences}},
		"texts": {
			in:   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    first\n    market.example.com/v1beta1 # here\n  b: market.example.com/v1beta1/Tent\n  c: \"market.example.com/v1beta1/Stall\"\n  d: market.example.com/v1beta12\n  e: supermarket.example.com/v1beta1\n",
			said: "migrate-left-over 7:5\nmigrate-left-over 9:7",
		},
		"what does not parse":      {in: "a: [\nmarket.example.com/v1beta1\n", said: "migrate-left-over 2:1"},
		"a patch":                  {path: "patch.yaml", in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {tables: 3}\n"},
		"a patch with a directive": {in: "apiVersion: market.example.com/⟨v1beta1⟩\nkind: Stall\nmetadata: {name: a}\nspec: {notes: {$patch: replace, a: b}}\n"},
		"a kustomization": {
			in: "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches:\n- target: {group: market.example.com, version: ⟨v1beta1⟩, kind: Stall} # all\n  patch: |\n    - {op: replace, path: /spec/tables, value: 1}\n" +
				"- patch: |-\n    # one\n    apiVersion: market.example.com/⟨v1beta1⟩ # two\n    kind: Stall\n    metadata: {name: a}\n    spec: {tables: 1}\npatchesStrategicMerge:\n- |\n  apiVersion: market.example.com/⟨v1beta1⟩\n  kind: Stall\n  metadata: {name: a}\n",
		},
		"a text that cannot be edited": {
			in:   "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches:\n- patch: '{apiVersion: market.example.com/v1beta1, kind: Stall, metadata: {name: a}}'\n",
			said: "migrate-left-over 4:24",
		},
		"a patch in a text that loses something": {
			in: "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\npatches:\n- patch: |\n    apiVersion: market.example.com/v1beta1\n    kind: Booth\n    metadata: {name: a}\n    spec: {old: x}\n" +
				"- patch: |\n    apiVersion: market.example.com/⟨v1beta1⟩\n    kind: Stall\n    metadata: {name: a}\n    spec: {notes: {a: market.example.com/v1beta1}}\n",
			said: "migrate-lost 4:10\nmigrate-left-over 5:17\nmigrate-left-over 13:23",
		},
		"references where patches are reported": {
			in:      "patches:\n- target: {group: market.example.com, version: v1beta1, kind: Stall}\n  patch: |\n    apiVersion: market.example.com/v1beta1\n    kind: Stall\n",
			options: Options{References: ReportReferences}, said: "migrate-left-over 2:48\nmigrate-left-over 4:17",
		},
		"a patch in a text of two lines a value": {
			in: "patches:\n- patch: |2\n      # indented\n\n      apiVersion: market.example.com/⟨v1beta1⟩\n      kind: Stall\n      metadata:\n        name: a\n- patch: |+\n   {apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall, metadata: {name: a}}\n\n",
		},
		"a target whose versions differ": {
			in: "patches:\n- target: {group: market.example.com, version: ⟨v1beta1⟩, kind: Booth}\n  patch: |\n    - {op: replace, path: /spec/doors, value: 1}\n" +
				"- target: {group: market.example.com, version: v1beta1, kind: Booth}\n  patch: |\n    - {op: remove, path: /spec/old}\n" +
				"- target: {group: market.example.com, version: v1beta1, kind: Booth}\n  path: x.yaml\n",
			said: "migrate-not-alike 5:48\nmigrate-not-alike 8:48",
		},
		"a JSON patch in an object": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata: {name: f}\nspec:\n  booth: {apiVersion: market.example.com/v1beta1, kind: Booth, name: a}\n" +
				"  stall: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall, name: a}\n  patches:\n" +
				"  - of: {apiVersion: market.example.com/v1beta1, kind: Booth}\n    do: [{op: remove, path: /spec/old}]\n" +
				"  - of: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Stall}\n    do: [{op: remove, path: /spec/other}]\n",
			said: "migrate-left-over 5:23\nmigrate-left-over 8:22",
		},
		"two JSON patches of which one fits": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata: {name: f}\nspec:\n  of: {apiVersion: market.example.com/v1beta1, kind: Booth}\n" +
				"  do: [{op: remove, path: /spec/old}]\n  then: [{op: replace, path: /spec/doors, value: 1}]\n",
			said: "migrate-left-over 5:20",
		},
		"a JSON patch in what has one": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata: {name: f}\nspec:\n  do: [{op: remove, path: /spec/old}]\n  in:\n" +
				"    of: {apiVersion: market.example.com/v1beta1, kind: Booth}\n    do: [{op: replace, path: /spec/doors, value: 1}]\n",
			said: "migrate-left-over 7:22",
		},
		"a JSON patch that fits both versions": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata: {name: f}\nspec:\n  booth: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Booth, name: a}\n" +
				"  patches:\n  - of: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Booth}\n    do: [{op: replace, path: /spec/doors, value: 1}]\n",
		},
		"lists that are no JSON patches": {
			in: "apiVersion: x.example.com/v1\nkind: Fair\nmetadata: {name: f}\nspec:\n  of: {apiVersion: market.example.com/⟨v1beta1⟩, kind: Booth}\n" +
				"  do: [{op: remove, path: /spec/old}, {op: none}]\n  at: [{path: /spec/old}]\n  no: []\n",
		},
	} {
		c := carrierOf(test.options, stallCRD, boothCRD)
		for form, change := range map[string]func(string) string{
			"": func(s string) string { return s }, "CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"BOM": func(s string) string { return "\ufeff" + s },
		} {
			marked := change(test.in)
			in := strings.NewReplacer("⟨", "", "⟩", "").Replace(marked)
			want := strings.ReplaceAll(marked, "⟨v1beta1⟩", "v1")
			path := test.path
			if path == "" {
				path = "in.yaml"
			}
			got, said := carried(t, c, path, in)
			if got != want || strings.Join(said, "\n") != test.said {
				t.Errorf("%s %s: got\n%s\n%q\nwant\n%s\n%q", name, form, got, said, want, test.said)
			}
			if again, _ := carried(t, c, path, got); again != got {
				t.Errorf("%s %s: a second run changes\n%s\nto\n%s", name, form, got, again)
			}
		}
	}
}

// TestForms has the same object in many forms: what it becomes does not depend on how it is written.
func TestForms(t *testing.T) {
	t.Parallel()
	var want any
	for i, in := range []string{
		"apiVersion: market.example.com/v1beta1\nkind: Booth\nmetadata:\n  name: a\nspec:\n  owner: me\n  doors: 3\n",
		"# a\nkind: Booth # b\napiVersion: market.example.com/v1beta1\nspec:\n  # c\n  doors: 3 # d\n\n  owner: \"me\"\nmetadata: # e\n  name: a\n# f\n",
		"{kind: Booth, apiVersion: market.example.com/v1beta1, spec: {doors: 3, owner: me}, metadata: {name: a}}\n",
		"{\"kind\": \"Booth\", \"apiVersion\": \"market.example.com/v1beta1\",\n  \"spec\": {\"doors\": 3, \"owner\": \"me\"}, \"metadata\": {\"name\": \"a\"}}",
		"metadata: &m\n  name: a\nkind: Booth\napiVersion: >-\n  market.example.com/v1beta1\nspec: {doors: 0x3, owner: !!str me,}\n",
		"apiVersion: market.example.com/v1beta1\r\nkind: Booth\r\nmetadata:\r\n  name: a\r\nspec:\r\n  owner: me\r\n  doors: 3",
	} {
		got, said := carried(t, carrierOf(Options{}, boothCRD), "a.yaml", in)
		if len(said) != 1 || !strings.HasPrefix(said[0], "migrate-default-written ") {
			t.Errorf("%s: %q", in, said)
		}
		value, err := layout.Value(manifest.Parse("a.yaml", []byte(got)).Documents[0].Root.YNode())
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = value
		}
		if !layout.Same(value, want) {
			t.Errorf("%s becomes\n%s", in, got)
		}
		if was, is := commentsOf(t, in), commentsOf(t, got); !slices.Equal(was, is) {
			t.Errorf("comments %q became %q", was, is)
		}
	}
}

// TestStates says of each object what became of it.
func TestStates(t *testing.T) {
	t.Parallel()
	in := stall + "---\n" + strings.Replace(stall, "v1beta1", "v1", 1) + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n---\n" +
		"apiVersion: x.example.com/v1\nkind: X\nmetadata: {name: a}\n---\napiVersion: old.market.example.org/v1\nkind: Stall\nmetadata: {name: a}\n---\n" +
		"apiVersion: market.example.com/v1beta1\nkind: Booth\nmetadata: {name: a}\nspec: {old: x}\n---\napiVersion: market.example.com/v9\nkind: Stall\nmetadata: {name: a}\n"
	var got []string
	for _, d := range manifest.Parse("a.yaml", []byte(in)).Documents {
		for _, item := range carrierOf(Options{}, stallCRD, boothCRD).Document(d).Items {
			got = append(got, fmt.Sprint(item.Kind, " ", item.State, " ", item.To, " ", item.Definition != nil))
		}
	}
	want := []string{"Stall 1 v1 true", "Stall 0 v1 true", "Secret 0 v1 false", "X 4 v1 false", "Stall 5 v1 false", "Booth 2 v1beta1 true", "Stall 2 v9 true"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDocumentsOfWebhooks carries a whole object by the answer of its webhook, and rejects a patch, which no webhook converts.
func TestDocumentsOfWebhooks(t *testing.T) {
	t.Parallel()
	c := carrierOf(Options{}, string(read(t, "cups.yaml")))
	c.Ask = asks(converter(cups))
	in := cup + "spec:\n  count: 1 # one\n"
	if got, said := carried(t, c, "a.yaml", in); !strings.Contains(got, "kiln.example.com/v1\n") || !strings.Contains(got, "amount: 1") || strings.Contains(strings.Join(said, "\n"), "not-alike") {
		t.Errorf("got\n%s\n%q", got, said)
	}
	if got, said := carried(t, c, "patch.yaml", in); got != in || !slices.Equal(said, []string{"migrate-not-alike 2:7"}) {
		t.Errorf("got\n%s\n%q", got, said)
	}
}

// TestPatchInObject has references to a kind that a webhook converts beside a JSON patch, which nothing converts.
func TestPatchInObject(t *testing.T) {
	t.Parallel()
	c := carrierOf(Options{}, string(read(t, "cups.yaml")))
	c.Ask = asks(converter(cups))
	in := "apiVersion: x.example.com/v1\nkind: Shelf\nmetadata: {name: s}\nspec:\n  cup: {apiVersion: kiln.example.com/v1alpha1, kind: Cup, name: a}\n"
	if got, said := carried(t, c, "a.yaml", in); got == in || len(said) > 0 {
		t.Errorf("got\n%s\n%q", got, said)
	}
	in += "  of: {apiVersion: kiln.example.com/v1alpha1, kind: Cup}\n  do: [{op: add, path: /metadata/labels/a, value: b}]\n"
	if got, said := carried(t, c, "a.yaml", in); got != in || !slices.Equal(said, []string{"migrate-left-over 5:21", "migrate-left-over 6:20"}) {
		t.Errorf("got\n%s\n%q", got, said)
	}
}

// TestShared has what aliases share and what changes in one place only.
func TestShared(t *testing.T) {
	t.Parallel()
	in := "apiVersion: v1\nkind: List\nitems:\n- apiVersion: &v market.example.com/v1beta1\n  kind: Stall\n  metadata: &m {name: a}\n  spec: {owner: me}\n" +
		"- apiVersion: *v # mine\n  kind: Tent\n  metadata:\n    <<: *m\n"
	want := strings.Replace(strings.Replace(in, "v1beta1", "v1", 1), "*v", "market.example.com/v1beta1", 1)
	if got, said := carried(t, carrierOf(Options{}, stallCRD), "a.yaml", in); got != want || said != nil {
		t.Errorf("got\n%s\n%q\nwant\n%s", got, said, want)
	}
}

// TestOneByOne carries what can be written where something cannot.
func TestOneByOne(t *testing.T) {
	t.Parallel()
	one := "  - {apiVersion: market.example.com/v1beta1, kind: Stall, metadata: {name: a}, spec: {owner: me}}\n"
	in := "apiVersion: work.example.com/v1\nkind: Work\nspec:\n  manifests:\n" + strings.Repeat(one, 3)
	d := manifest.Parse("a.yaml", []byte(in)).Documents[0]
	tending := &tending{Carrier: carrierOf(Options{}, stallCRD), d: d, out: &Result{}, all: subjectsIn(d.Root.YNode())}
	for i := range tending.all {
		tending.judge(&tending.all[i], false)
	}
	tending.all[2].before = Object{} // so that it is not what it was
	tending.write()
	got := string(rewrite.Apply([]byte(in), tending.out.Edits))
	said := strings.Join(sayings([]byte(in), tending.out.Notes), "\n")
	if strings.Count(got, "/v1,") != 2 || said != "migrate-unwritable 6:52" {
		t.Errorf("got\n%s\n%s", got, said)
	}
}

// TestPrintedAnew leaves a document alone that only an encoder could write, which would lose its layout: a value with a comment above
// moves into a mapping on one line.
func TestPrintedAnew(t *testing.T) {
	t.Parallel()
	in := "apiVersion: market.example.com/v1beta1\nkind: Stall\nmetadata:   {name: a}\nspec:\n  # above\n  owner: me # why\n  tags: {x: y}\n"
	d := manifest.Parse("a.yaml", []byte(in)).Documents[0]
	tending := &tending{Carrier: carrierOf(Options{}, stallCRD), d: d, out: &Result{}, all: subjectsIn(d.Root.YNode())}
	s := &tending.all[0]
	tending.judge(s, false)
	s.after["spec"] = Object{"tags": Object{"x": "y", "owner": "me"}}
	s.made = &Carried{Object: s.after, Traces: []Trace{{From: request.Keys("spec", "owner"), To: request.Keys("spec", "tags", "owner")}}}
	tending.write()
	said := fmt.Sprint(tending.out.Notes[len(tending.out.Notes)-1].Message, " ", tending.out.Items[0].State == Refused)
	if len(tending.out.Edits) > 0 || said != errPrintedAnew.Error()+" true" {
		t.Errorf("got\n%s\n%s", rewrite.Apply([]byte(in), tending.out.Edits), said)
	}
}
