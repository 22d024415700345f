package complete

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/objects"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func garden(t testing.TB) *objects.Catalogue {
	t.Helper()
	c := &objects.Catalogue{}
	c.Add(objects.Definitions("garden.yaml", "garden.yaml", readFile(t, "testdata/garden.yaml"), true)...)
	return c
}

// at cuts a text where the cursor is.
func at(t testing.TB, text string, crds *objects.Catalogue) (*Text, int) {
	t.Helper()
	before, after, found := strings.Cut(text, "‸")
	if !found {
		t.Fatal("there is no cursor in the text")
	}
	return &Text{Path: "sample.yaml", Source: []byte(before + after), CRDs: crds}, len(before)
}

const head = "apiVersion: garden.example.com/v1\nkind: Bed\n"

const suiteHead = "crdtest: v1\nbase:\n  apiVersion: garden.example.com/v1\n  kind: Bed\ncases:\n"

// TestObjects shows what is offered to somebody who writes a custom resource.
func TestObjects(t *testing.T) {
	crds := garden(t)
	tests := []struct {
		name, text string
		want       string // an item a line: its label, and with > what is written for it where that is more
	}{
		{"an empty file", "‸", `Bed > apiVersion: garden.example.com/v1\nkind: Bed\nmetadata:\n  name: ${1}\nspec:\n  soil: ${2|clay,loam,sand|}
apiVersion > apiVersion: 
kind > kind: 
CustomResourceDefinition > apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${1}\nspec:\n  group: ${2}\n  names:\n    kind: ${3}\n    plural: ${4}\n  scope: ${5|Namespaced,Cluster|}\n  versions:\n    - name: ${6|v1,v1beta1,v1alpha1|}\n      served: ${7|true,false|}\n      storage: ${8:true}\n      schema:\n        openAPIV3Schema:\n          type: ${9:object}
Bed > apiVersion: garden.example.com/v1alpha1\nkind: Bed\nmetadata:\n  name: ${1}\nspec:\n  ${2}`},
		{"an apiVersion", "apiVersion: ‸\n", "garden.example.com/v1\napiextensions.k8s.io/v1\ngarden.example.com/v1alpha1"},
		{"an apiVersion of a kind", "apiVersion: ‸\nkind: Shed\n", ""},
		{"a kind", "apiVersion: garden.example.com/v1\nkind: ‸\n", "Bed"},
		{"a kind of another group", "apiVersion: apps/v1\nkind: ‸\n", ""},
		{"the members of an object", head + "‸", "metadata > metadata:\\n  name: ${1}\nspec > spec:\\n  soil: ${1|clay,loam,sand|}\nstatus > status:\\n  ${1}"},
		{"metadata", head + "metadata:\n  name: a\n  ‸\n", `annotations > annotations:\n  ${1}
labels > labels:\n  ${1}
namespace > namespace: ${1}
finalizers > finalizers:\n  - ${1}
generateName > generateName: ${1}
ownerReferences > ownerReferences:\n  - ${1}
creationTimestamp > creationTimestamp: ${1}
deletionGracePeriodSeconds > deletionGracePeriodSeconds: ${1}
deletionTimestamp > deletionTimestamp: ${1}
generation > generation: ${1}
managedFields > managedFields:\n  - ${1}
resourceVersion > resourceVersion: ${1}
selfLink > selfLink: ${1}
uid > uid: ${1}`},
		{"labels", head + "metadata:\n  labels:\n    ‸\n", ""},
		{"required fields first, deprecated ones last", head + "spec:\n  ‸\n", `soil > soil: ${1|clay,loam,sand|}
code > code: ${1|"no","off","007"|}
covered > covered: ${1|true,false|}
depth > depth: ${1}
length > length: ${1:3}
notes > notes:\n  ${1}
plants > plants:\n  - name: ${1}\n    water:\n      litres: ${2}
template > template:\n  apiVersion: ${1}\n  kind: ${2}
tools > tools:\n  - ${1}
width > width: ${1}`},
		{"what is there is not offered", head + "spec:\n  soil: clay\n  code: x\n  ‸\n  covered: true\n  notes: {}\n  plants: []\n  tools: []\n", "depth > depth: ${1}\nlength > length: ${1:3}\ntemplate > template:\\n  apiVersion: ${1}\\n  kind: ${2}\nwidth > width: ${1}"},
		{"a name that has its colon", head + "spec:\n  so‸: clay\n  code: x\n  covered: true\n  notes: {}\n  plants: []\n  tools: []\n  template: {}\n", "soil\ndepth\nlength\nwidth"},
		{"an item", head + "spec:\n  plants:\n  - ‸\n", "name > name: ${1}\nwater > water:\\n    litres: ${1}\npruned > pruned: ${1|true,false|}"},
		{"a next member of an item", head + "spec:\n  plants:\n  - name: a\n    ‸\n", "water > water:\\n  litres: ${1}\npruned > pruned: ${1|true,false|}"},
		{"a next item", head + "spec:\n  plants:\n    - name: a\n    ‸\n", "name > - name: ${1}\nwater > - water:\\n    litres: ${1}\npruned > - pruned: ${1|true,false|}"},
		{"a first item", head + "spec:\n  plants:\n    ‸\n", "- > - name: ${1}\\n  water:\\n    litres: ${2}"},
		{"a list in the column of its key", head + "metadata:\n  finalizers:\n  - a/b\nspec:\n  soil: clay\n  plan‸\n", `code > code: ${1|"no","off","007"|}
covered > covered: ${1|true,false|}
depth > depth: ${1}
length > length: ${1:3}
notes > notes:\n  ${1}
plants > plants:\n- name: ${1}\n  water:\n    litres: ${2}
template > template:\n  apiVersion: ${1}\n  kind: ${2}
tools > tools:\n- ${1}
width > width: ${1}`},
		{"an enum", head + "spec:\n  soil: ‸\n", "clay\nloam\nsand"},
		{"what a rule forbids is not offered", head + "spec:\n  plants:\n  - water:\n      from: ‸\n", "rain\nwell"},
		{"without a space", head + "spec:\n  soil:‸\n", "clay >  clay\nloam >  loam\nsand >  sand"},
		{"in quotes", head + "spec:\n  soil: \"c‸\"\n", `clay > "clay"` + "\n" + `loam > "loam"` + "\n" + `sand > "sand"`},
		{"texts that would not be read as such", head + "spec:\n  code: ‸\n", `no > "no"` + "\n" + `off > "off"` + "\n" + `007 > "007"`},
		{"a boolean", head + "spec:\n  covered: ‸\n", "true\nfalse"},
		{"a default", head + "spec:\n  length: ‸\n", "3"},
		{"what a rule compares with", head + "status:\n  phase: ‸\n", "Sown\nGrown"},
		{"between braces", head + "spec: {soil: clay, code: x, covered: true, notes: {}, depth: 1, tools: [], ‸}\n", "length > length: ${1:3}\nplants > plants: [${1}]\ntemplate > template: {apiVersion: ${1}, kind: ${2}\\}\nwidth > width: ${1}"},
		{"JSON", `{"apiVersion": "garden.example.com/v1", "kind": "Bed", "spec": {"soil": "clay", "code": "", "tools": [], "notes": {}, ‸}}`, `covered > "covered": ${1|true,false|}
depth > "depth": ${1}
length > "length": ${1:3}
plants > "plants": [${1}]
template > "template": {"apiVersion": ${1}, "kind": ${2}\}
width > "width": ${1}`},
		{"an item of a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: garden.example.com/v1\n  kind: Bed\n  spec:\n    soil: ‸\n", "clay\nloam\nsand"},
		{"an object in a suite of tests", "crdtest: v1\nbase:\n  apiVersion: garden.example.com/v1\n  kind: Bed\n  spec: {soil: ‸}\n", "clay\nloam\nsand"},
		{"a field in a case", suiteHead + "- set: {‸}\n", "apiVersion > apiVersion: \nkind > kind: \nmetadata > metadata: \nspec > spec: \nstatus > status: "},
		{"a field further in", suiteHead + "- set:\n    spec.covered: true\n    spec.co‸\n", "spec.soil > spec.soil: \nspec.code > spec.code: \nspec.depth > spec.depth: \nspec.length > spec.length: \nspec.notes > spec.notes: \nspec.plants > spec.plants: \nspec.template > spec.template: \nspec.tools > spec.tools: \nspec.width > spec.width: "},
		{"a field's value", suiteHead + "- set: {spec.soil: ‸}\n", "clay\nloam\nsand"},
		{"what a case is about", suiteHead + "- at: status.‸\n", "status.phase"},
		{"what a case leaves out", suiteHead + "- unset: [status.‸]\n", "status.phase"},
		{"another key of a case", suiteHead + "- name: ‸\n", ""},
		{"what is set elsewhere", head + "spec:\n  set: {‸}\n", ""},
		{"an item of a list that is begun", "apiVersion: v1\nkind: List\nitems:\n- ap‸\n- apiVersion: x\n", `Bed > apiVersion: garden.example.com/v1\n  kind: Bed\n  metadata:\n    name: ${1}\n  spec:\n    soil: ${2|clay,loam,sand|}
apiVersion > apiVersion: 
kind > kind: 
CustomResourceDefinition > apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  metadata:\n    name: ${1}\n  spec:\n    group: ${2}\n    names:\n      kind: ${3}\n      plural: ${4}\n    scope: ${5|Namespaced,Cluster|}\n    versions:\n    - name: ${6|v1,v1beta1,v1alpha1|}\n      served: ${7|true,false|}\n      storage: ${8:true}\n      schema:\n        openAPIV3Schema:\n          type: ${9:object}
Bed > apiVersion: garden.example.com/v1alpha1\n  kind: Bed\n  metadata:\n    name: ${1}\n  spec:\n    ${2}`},
		{"an item between brackets", head + "spec: {plants: [‸]}\n", `{} > {name: ${1}, water: {litres: ${2}\}\}`},
		{"the first key of an item", head + "spec:\n  plants:\n  - ‸\n    name: a\n", "water > water:\\n    litres: ${1}\npruned > pruned: ${1|true,false|}"},
		{"open braces, further on", head + "spec: {soil: clay, code: x, covered: true, notes: {}, depth: 1, tools: [],  ‸\n", "length > length: ${1:3}\nplants > plants: [${1}]\ntemplate > template: {apiVersion: ${1}, kind: ${2}\\}\nwidth > width: ${1}"},
		{"open braces in the next line", head + "spec: {soil: clay,\n  code: x, covered: true, notes: {}, depth: 1, tools: [], length: 1, plants: [],\n  ‸\n", "template > template: {apiVersion: ${1}, kind: ${2}\\}\nwidth > width: ${1}"},
		{"a patch in a kustomization", "kind: Kustomization\npatches:\n- patch: |-\n    " + strings.ReplaceAll(head, "\n", "\n    ") + "spec:\n      soil: ‸\n", "clay\nloam\nsand"},
		{"a new line of a patch", "kind: Kustomization\npatchesStrategicMerge:\n- |-\n  " + strings.ReplaceAll(head, "\n", "\n  ") + "status:\n    ‸\n", "phase > phase: ${1|Sown,Grown|}"},
		{"an action of a template", head + "spec:\n  soil: {{ .Values.‸ }}\n", ""},
		{"an action that is begun", head + "spec:\n  soil: x-{{ .‸\n", ""},
		{"behind an action", head + "spec:\n  covered: {{ .x }}\n  soil: ‸\n", "clay\nloam\nsand"},
		{"a version without a schema for it", "apiVersion: garden.example.com/v1alpha1\nkind: Bed\nspec:\n  ‸\n", ""},
		{"a kind that nobody defines", "apiVersion: apps/v1\nkind: Deployment\nspec:\n  ‸\n", ""},
		{"an embedded object", head + "spec:\n  template:\n    kind: X\n    ‸\n", "apiVersion > apiVersion: ${1}\nmetadata > metadata:\\n  name: ${1}"},
		{"a reference", head + "metadata:\n  ownerReferences:\n  - apiVersion: garden.example.com/v1\n    kind: Bed\n    ‸\n", "blockOwnerDeletion > blockOwnerDeletion: ${1|true,false|}\ncontroller > controller: ${1|true,false|}\nname > name: ${1}\nuid > uid: ${1}"},
		{"an object in an embedded one", head + "spec:\n  template:\n    apiVersion: garden.example.com/v1\n    kind: Bed\n    spec:\n      soil: ‸\n", "clay\nloam\nsand"},
		{"a document that does not parse", head + "spec:\n  plants: [\n  soil: ‸\n  : x\n", "clay\nloam\nsand"},
		{"a comment", head + "spec:\n  # ‸\n", ""},
		{"as many members as there may be", head + "spec:\n  notes:\n    a: x\n    ‸\n", ""},
		{"a template of a chart", head + "{{- if .Values.x }}\nspec:\n  soil: ‸\n{{- end }}\n", "clay\nloam\nsand"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, offset := at(t, test.text, crds)
			if got := show(text.At(offset)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestManyKinds offers the heads of objects where there are too many kinds to read the schemas of all.
func TestManyKinds(t *testing.T) {
	crds := garden(t)
	for i := range maxWhole {
		src := strings.NewReplacer("garden.example.com", fmt.Sprintf("g%d.example.com", i), "Bed", fmt.Sprintf("Bed%d", i)).Replace(string(readFile(t, "testdata/garden.yaml")))
		crds.Add(objects.Definitions("a.yaml", "a.yaml", []byte(src), true)...)
	}
	text, offset := at(t, "‸", crds)
	got := show(text.At(offset))
	if want := `Bed > apiVersion: garden.example.com/v1\nkind: Bed\nmetadata:\n  name: ` + "\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got[:200])
	}
}

// show is items as a client orders them.
func show(items []Item) string {
	var lines []string
	for _, i := range Sorted(items) {
		written := i.Snippet
		if written == "" {
			written = i.Insert
		}
		if written == i.Label {
			lines = append(lines, i.Label)
		} else {
			lines = append(lines, fmt.Sprintf("%s > %s", i.Label, strings.ReplaceAll(written, "\n", `\n`)))
		}
	}
	return strings.Join(lines, "\n")
}
