package cli

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// canaryCRD constrains its objects in every way.
const canaryCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cages.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Cage, listKind: CageList, plural: cages, singular: cage}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              text: {type: string, default: usual}
              word: {type: string, enum: [one, two]}
              short: {type: string, maxLength: 3}
              like: {type: string, pattern: ^a}
              mail: {type: string, format: email}
              pin: {type: string, format: password, maxLength: 40}
              password: {type: string, maxLength: 40}
              number: {type: integer, maximum: 5, multipleOf: 7}
              replicas: {x-kubernetes-int-or-string: true}
              flag: {type: boolean}
              either: {oneOf: [{required: [a]}, {required: [b]}], type: object, properties: {a: {type: string}, b: {type: string}}}
              two: {type: object, required: [a], properties: {a: {type: string}, b: {type: string, default: x}}}
              map: {type: object, maxProperties: 9, additionalProperties: {type: object, properties: {a: {type: integer}, b: {type: string, maxLength: 3}}, required: [c]}}
              words: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 30}}
              set: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string}}
              pairs: {type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              many: {type: array, maxItems: 64, items: {type: string, maxLength: 100}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            x-kubernetes-validations:
            - {rule: "!has(self.pin) || self.pin == ''", messageExpression: "'the pin is ' + self.pin.substring(2)"}
            - {rule: "!has(self.words) || self.words['missing'] == ''", message: words}
            - {rule: "!has(self.words) || !has(self.password) || self.words[self.password] == ''", message: more words}
            - {rule: "!has(self.many) || self.many.all(a, self.many.all(b, (a + b).matches('^([a-zA-Z]+[-.]?)*([a-zA-Z]+[-.]?)*([a-zA-Z]+[-.]?)*([a-zA-Z]+[-.]?)*$')))", message: too many}
          status: {type: object, required: [phase], properties: {replicas: {type: integer}, selector: {type: string}, phase: {type: string}}}
  - {name: v2, served: false, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1alpha1, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dens.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Den, listKind: DenList, plural: dens, singular: den}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: strin}}}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: roosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Roost, listKind: RoostList, plural: roosts, singular: roost}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              zone: {type: string}
              tier: {type: string, default: low}
              limits: {type: object, properties: {high: {type: string}}}
              labels: {type: object, additionalProperties: {type: string}}
              doors: {type: array, x-kubernetes-list-type: set, items: {type: string}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hutches.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Hutch, listKind: HutchList, plural: hutches, singular: hutch}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://zoo.example.com/convert"}}}
  versions:
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// oldCanaryCRD is what the CRDs have replaced: it takes everything.
const oldCanaryCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cages.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Cage, listKind: CageList, plural: cages, singular: cage}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v9, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
status: {storedVersions: [v1, v9], conditions: [], acceptedNames: {kind: Cage, plural: cages}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hutches.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Hutch, listKind: HutchList, plural: hutches, singular: hutch}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lairs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Lair, listKind: LairList, plural: lairs, singular: lair}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// canaryObjects are the heads and bodies of objects with a secret at each §, and a number that is one at each #. Each is broken
// in its own way, and the first few in none.
var canaryObjects = []string{
	"v1 {}\nspec: {text: §, words: {missing: ''}, free: {§: {§: [§, #, {§: §}]}}, set: [§, §], pairs: [{name: §, value: §}]}\nstatus: {phase: §, replicas: 1, other: §}",
	"v1 {labels: {§: §}, annotations: {§: §, kubectl.kubernetes.io/last-applied-configuration: '{\"§\": \"§\"}'}}\nspec: {template: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {§: §}, annotations: {§: §}}, spec: {§: §}}}",
	"v1 {finalizers: [§]}\nspec: {text: null, two: {a: §, typo: §, b: null}}",
	"v1 {ownerReferences: [{apiVersion: v1, kind: Pod, name: §, uid: §}], other: {§: §}}\nspec: {}",
	"v1 {ownerReferences: [{apiVersion: §/§/§, kind: §, name: §, uid: ''}]}\nspec: {}",
	"v1 {labels: {§: '§ §', '§ §': §}, annotations: {'§ §': §}}\nspec: {}",
	"v1 {labels: {§: [§]}}\nspec: {}",
	"v1 {labels: §}\nspec: {}",
	"v1 {generateName: §_, managedFields: [{manager: §, other: {§: §}}]}\nspec: {}",
	"v1 {managedFields: [§, {manager: [§], fieldsV1: §}]}\nspec: {}",
	"v1 {managedFields: [{manager: helm, operation: Apply, fieldsV1: {'f:spec': {}}}, {manager: ctl, operation: Update, fieldsV1: {'f:spec': {'f:set': {'v:\"same-§0\"': {}}, 'f:words': {'f:same-§0': {}}, 'f:free': {'f:same-§0': {'f:same-§0': {}}}, 'f:pairs': {'k:{\"name\":\"same-§0\"}': {'.': {}, 'f:name': {}}, 'k:{\"name\":\"x\"}': {'f:value': {}}}}}}]}\nspec: {set: [same-§0], words: {same-§0: §}, free: {same-§0: {same-§0: §}}, pairs: [{name: same-§0}, {name: x, value: §}]}",
	"v1 {}\nspec: {typo: {§: §}, txet: §, more: §}",
	"v1 {}\nspec: {word: §}",
	"v1 {}\nspec: {short: §, like: §, mail: §}",
	"v1 {}\nspec: {number: §, flag: §, text: #, two: [§], set: §, map: §}",
	"v1 {}\nspec: {number: #}",
	"v1 {}\nspec: {replicas: §}",
	"v1 {}\nspec: {replicas: -#}",
	"v1 {}\nspec: {either: {a: §, b: §}}",
	"v1 {}\nspec: {map: {§: {a: §}, §: {b: §, other: §}, §: §}}",
	"v1 {}\nspec: {words: {§: §, §: #}}",
	"v1 {}\nspec: {set: [twice-§0, §, twice-§0]}",
	"v1 {}\nspec: {pairs: [{name: twice-§0, value: §}, {name: twice-§0}, {value: §}]}",
	"v1 {}\nspec: {pin: §}",
	"v1 {}\nspec: {words: {§: §}}",
	"v1 {}\nspec: {words: {§: §, missing: ''}, password: §}",
	"v1 {}\nspec: {template: {apiVersion: §/§/§, kind: '§ §', metadata: {name: '§ §', labels: {'§ §': §}, other: §}, §: §}}",
	"v1 {}\nspec: {template: {kind: [§], metadata: {labels: {§: [§]}}}}",
	"v1 {}\nspec: {text: yes, on: §, two: {a: §, a: §}, words: {twice-§0: §, twice-§0: §}}",
	"v1 {}\nspec: {text: !!int §}",
	"v1 {}\nspec: {text: !!§ §}",
	"v1 {}\nspec: {text: '{{ .Values.§ }}', word: '${§}'}",
	"v2 {}\nspec: {text: §, §: §}",
	"v3 {}\nspec: {text: §, §: §}",
	"v1alpha1 {}\nspec: {text: §, §: §}",
	"v1 {}\nspec: §",
	"v1 §\nspec: {}",
	"v1 {}\nother: {§: §}\nspec: {text: §} # §",
	"v1 {}\nspec: {}\nstatus: {selector: §}",
	"v9 {}\nspec: {text: §, §: §}",
}

// otherCanaries are objects of other kinds: misspelt, without a CRD, and of CRDs that are rejected, are gone, or have a webhook.
var otherCanaries = []string{"example.com/v1 Cgae", "other.example.com/v1 Cage", "example.com/v1 Den", "example.com/v1 Lair", "example.com/v1 Hutch"}

// largeCanaries are objects that are too large, or cost too much.
var largeCanaries = []string{
	"v1 {}\nspec: {many: [" + strings.TrimSuffix(strings.Repeat("§§§§, ", 64), ", ") + "]}",
	"v1 {annotations: {§: " + strings.Repeat("§", 14000) + "}}\nspec: {}",
	"v1 {}\nspec: {free: {§: " + strings.Repeat("§", 80000) + "}}",
}

// canaryRules are rules that speak of other objects than these, or of none.
var canaryRules = []string{"object-crds-differ", "object-nameless", "object-not-judged", "sample-missing", "object-crd-refused", "apply-too-large"}

// A flock makes texts with secrets in them, and finds them in others.
type flock struct {
	*rand.Rand
	grams map[string]bool
}

// gram is the length of the part of a secret that must not be in any output: outputs cut long texts.
const gram = 8

const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"

// secret is one that was in no text before.
func (f *flock) secret(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[f.IntN(len(alphabet))]
	}
	f.learn(string(out))
	encoded := base64.RawStdEncoding.EncodeToString(out)
	f.learn(encoded[:len(encoded)-2])
	for _, before := range []string{"x", "xx"} { // the other two ways in which its bytes fall
		encoded := base64.RawStdEncoding.EncodeToString([]byte(before + string(out)))
		f.learn(encoded[4 : len(encoded)-2])
	}
	return string(out)
}

func (f *flock) learn(secret string) {
	for i := 0; i+gram <= len(secret); i++ {
		f.grams[secret[i:i+gram]] = true
	}
}

// fill puts secrets into a text.
func (f *flock) fill(text string) string {
	same := f.secret(letters, 20)
	var out strings.Builder
	for text != "" {
		switch {
		case strings.HasPrefix(text, "§0"):
			out.WriteString(same)
			text = text[len("§0"):]
		case strings.HasPrefix(text, "§"):
			out.WriteString(f.secret(letters, 20))
			text = text[len("§"):]
		case text[0] == '#' && !strings.HasPrefix(text, "# "):
			out.WriteString("9" + f.secret("123456789", 14))
			text = text[1:]
		default:
			out.WriteByte(text[0])
			text = text[1:]
		}
	}
	return out.String()
}

// leaks returns a part of a secret in an output, wherever that breaks its lines; "" for none.
func (f *flock) leaks(output string) string {
	joined := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(`\"'|`, r) {
			return -1
		}
		return r
	}, output)
	for i := 0; i+gram <= len(joined); i++ {
		if part := joined[i : i+gram]; f.grams[part] {
			return joined[max(0, i-60):min(len(joined), i+60)]
		}
	}
	return ""
}

// cage is one of the objects, with more in its metadata.
func (f *flock) cage(i int, metadata string) string {
	head, body, _ := strings.Cut(slices.Concat(canaryObjects, largeCanaries)[i], "\n")
	version, own, _ := strings.Cut(head, " ")
	meta := fmt.Sprintf("{name: cage%d, namespace: zoo%s}", i, metadata)
	if own = strings.TrimSpace(own); strings.HasPrefix(own, "{") && own != "{}" {
		meta = fmt.Sprintf("{name: cage%d, namespace: zoo%s, %s", i, metadata, own[1:])
	} else if own != "{}" {
		meta = own
	}
	return f.fill(fmt.Sprintf("apiVersion: example.com/%s\nkind: Cage\nmetadata: %s\n%s\n", version, meta, body))
}

// asItem is an object as an item of a list.
func asItem(object string) string {
	return "- " + strings.ReplaceAll(strings.TrimSuffix(object, "\n"), "\n", "\n  ") + "\n"
}

// A canaryRun runs the program and looks for secrets in what it says.
type canaryRun struct {
	*testing.T
	*flock
	dir  string
	said map[string]bool // rules
}

func (c *canaryRun) run(stdin string, args ...string) {
	c.Helper()
	written := filepath.Join(c.dir, "written")
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "WRITTEN", written)
	}
	var stdout, stderr strings.Builder
	args = append([]string{"validate", "--config", "off", "--crds", filepath.Join(c.dir, "crd.yaml")}, args...)
	code := Run(args, strings.NewReader(stdin), &stdout, &stderr)
	outputs := map[string]string{"standard output": stdout.String(), "standard error": stderr.String()}
	files, _ := filepath.Glob(written + "*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			c.Fatal(err)
		}
		outputs[filepath.Base(file)] = string(text)
		_ = os.Remove(file)
	}
	for where, output := range outputs {
		if leak := c.leaks(output); leak != "" {
			c.Errorf("%s: %s has a secret: …%s…", strings.Join(args[4:], " "), where, leak)
		}
		for _, r := range rules.All() {
			if strings.Contains(output, r.ID) {
				c.said[r.ID] = true
			}
		}
	}
	if code == run.ExitTrouble && !strings.Contains(stderr.String(), "there is no") {
		c.Errorf("%s: %s", strings.Join(args, " "), stderr.String())
	}
}

// everyWay runs the program over some input in every way in which it writes something. PATH is "-" for standard input.
func (c *canaryRun) everyWay(stdin, path string, more ...string) {
	c.Helper()
	run := func(args ...string) {
		c.Helper()
		c.run(stdin, slices.Concat(args, more, []string{path})...)
	}
	formats := []string{"--rule", "object-crd-missing=warning"}
	for _, format := range report.Formats() {
		formats = append(formats, "-o", format+"=WRITTEN."+format)
	}
	run(formats...)
	run(append(formats, "--against", filepath.Join(c.dir, "old.yaml"), "--list", "WRITTEN")...)
	run("--output", "short")
	run("--list", "WRITTEN", "--on", "all")
	run("--write-baseline", "WRITTEN")
	for _, on := range rules.Operations() {
		run("--diff", "--on", on)
	}
	run("--diff", "--as", "served", "--on", "create")
	run("--diff", "--as", "served=v1alpha1", "--on", "create")
	run("--fix", "--unsafe-fixes", "--diff", "--on", "create")
	run("--on", "create", "--field-validation", "warn")
	run("--anonymous", "--diff")
}

func newCanaryRun(t *testing.T) *canaryRun {
	t.Helper()
	c := &canaryRun{t, &flock{rand.New(rand.NewPCG(rand.Uint64(), 15)), map[string]bool{}}, t.TempDir(), map[string]bool{}}
	c.write("crd.yaml", canaryCRD)
	c.write("old.yaml", oldCanaryCRD)
	return c
}

func (c *canaryRun) write(name, text string) (path string) {
	c.Helper()
	path = filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	return path
}

// TestCanaries: no output has a value, or a name that is data, of objects that came from a cluster, whichever rule speaks.
// TestAuditCanaries has the rules about clusters.
func TestCanaries(t *testing.T) {
	t.Parallel()
	c := newCanaryRun(t)
	var list, stream strings.Builder
	list.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range canaryObjects {
		list.WriteString(asItem(c.cage(i, "")))
		stream.WriteString("---\n" + c.cage(i, ""))
	}
	for i, kind := range otherCanaries {
		apiVersion, kind, _ := strings.Cut(kind, " ")
		object := c.fill(fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: other%d, namespace: zoo, uid: u, labels: {a: §}}\nspec: {text: §, §: {§: #}}\n", apiVersion, kind, i))
		list.WriteString(asItem(object))
		stream.WriteString("---\n" + object)
	}
	c.everyWay("", c.write("list.yaml", list.String()))
	c.everyWay(stream.String(), "-")
	c.everyWay(list.String(), "-")
	c.run(list.String(), "-o", "argocd-ignore", "-")
	c.run("", "-o", "argocd-ignore=WRITTEN", filepath.Join(c.dir, "list.yaml"))
	for i, object := range canaryObjects {
		if strings.HasPrefix(object, "v1 §") {
			continue // whose metadata does not say where it is from
		}
		c.write(fmt.Sprintf("each/%d.yaml", i), c.cage(i, fmt.Sprintf(", uid: u%d, resourceVersion: '5'", i)))
	}
	c.everyWay("", filepath.Join(c.dir, "each"))
	for i := range largeCanaries {
		c.run(c.cage(len(canaryObjects)+i, ""), "-o", "json", "-")
		c.run(c.cage(len(canaryObjects)+i, ""), "--diff", "-")
	}
	c.applied()
	for _, r := range rules.All() {
		if r.Object && !r.Audit && !c.said[r.ID] && !slices.Contains(canaryRules, r.ID) {
			t.Errorf("%s says nothing of any object", r.ID)
		}
	}
}

// applied applies manifests without secrets to objects of a cluster that have some, also in managedFields.
func (c *canaryRun) applied() {
	c.Helper()
	live, manifests := "", ""
	for i, object := range []struct{ meta, spec, manifest string }{
		{`{manager: delivery, operation: Apply, fieldsV1: {"f:spec": {"f:zone": {}, "f:labels": {"f:§0": {}}, "f:doors": {'v:"§0"': {}}}}},
    {manager: keeper, operation: Update, fieldsV1: {"f:spec": {"f:size": {}, "f:labels": {"f:§0": {}}, "f:doors": {'v:"§0"': {}}}}}`,
			`{size: 3, zone: §, labels: {"§0": §}, doors: ["§0"]}`, "{size: 5, zone: b}"},
		{`{manager: delivery, operation: Apply, fieldsV1: {"f:spec": {"f:zone": {}, "f:labels": {"f:§0": {}}, "f:doors": {'v:"§0"': {}}}}},
    {manager: keeper, operation: Update, fieldsV1: {"f:spec": {"f:labels": {"f:§0": {}}, "f:doors": {'v:"§0"': {}}}}}`,
			`{zone: §, labels: {"§0": §}, doors: ["§0"]}`, "{zone: b}"},
		{`{manager: delivery, operation: Apply, fieldsV1: {"f:spec": {"f:size": {}}}}`, "{size: 3, zone: #, labels: {§: #}}", "{size: 1}"},
		{`{manager: delivery, operation: Apply, fieldsV1: {"f:spec": {"f:limits": {"f:high": {}}}}}`, "{limits: {high: §}}", "{limits: {}}"},
		{`{manager: delivery, operation: Apply, fieldsV1: {"f:spec": {"f:tier": {}, "f:doors": {'v:"left"': {}, 'v:"right"': {}}}}},
    {manager: keeper, operation: Apply, fieldsV1: {"f:spec": {"f:doors": {'v:"left"': {}, 'v:"right"': {}}}}}`,
			`{tier: §, doors: [left, right]}`, "{doors: [right, left]}"},
	} {
		entries := strings.ReplaceAll(object.meta, "fieldsV1:", "apiVersion: example.com/v1, fieldsType: FieldsV1, fieldsV1:")
		live += c.fill(fmt.Sprintf("---\napiVersion: example.com/v1\nkind: Roost\nmetadata:\n  name: roost%d\n  namespace: zoo\n  uid: u\n  managedFields: [%s]\nspec: %s\n", i, entries, object.spec))
		manifests += fmt.Sprintf("---\napiVersion: example.com/v1\nkind: Roost\nmetadata: {name: roost%d, namespace: zoo}\nspec: %s\n", i, object.manifest)
	}
	dump, path := c.write("live.yaml", live), c.write("manifests.yaml", manifests)
	for _, way := range lint.Ways() {
		c.run("", "--old-objects", dump, "--apply", way, "--field-manager", "delivery", "--preset", "all", "-o", "json", path)
		c.run("", "--old-objects", dump, "--apply", way, "--diff", path)
		c.run("", "--old-objects", dump, "--apply", way, "--field-manager", "keeper", "--force-conflicts", "-o", "json", path)
	}
}

// TestCanariesOfBrokenText: what does not parse is no less secret.
func TestCanariesOfBrokenText(t *testing.T) {
	t.Parallel()
	c := newCanaryRun(t)
	for i, broken := range []string{"§: [§", "*§ : §", "a: \"§\\q§\"", "a: b: §: §", "§: !<§", "\t§: §", "%§ §\n---\n§", "a: {§: *§}", "a: !!binary §\n? {§: §}\n: §", "<<: §"} {
		text := c.fill("apiVersion: example.com/v1\nkind: Cage\nmetadata: {name: a, uid: x}\n" + broken + "\n")
		c.write(fmt.Sprintf("broken/%d.yaml", i), text)
		c.run(text, "-o", "json", "-")
		c.run(text, "--fix", "--diff", "-")
	}
	c.everyWay("", filepath.Join(c.dir, "broken"))
}

// TestCanariesInFiles: of the user's own files, passwords are not shown, unless they say so.
func TestCanariesInFiles(t *testing.T) {
	t.Parallel()
	c := newCanaryRun(t)
	text := c.fill(`apiVersion: example.com/v1
kind: Cage
metadata: {name: a}
spec: {replicas: 1, pin: §, typo: 1, short: toolong, password: "§", free: {adminPassword: §, apiToken: [§]}} # typo
---
apiVersion: example.com/v1
kind: Cage
metadata:
  name: b
spec:
  typo: 1
  password: |
    §
    §
  more: 2
  pin:
    §
---
apiVersion: v1
kind: Secret
metadata: {name: c}
data: {any: §}
---
apiVersion: example.com/v1
kind: Cage
metadata: {name: d}
spec:
  replicas: 1
  typo: 1
  text: "-----BEGIN RSA PRIVATE KEY----- §"
  pairs:
  - {name: DB_PASSWORD, value: §}
  - name: API_TOKEN
    value: §
`)
	path := c.write("own.yaml", text)
	c.everyWay("", path)
	for _, values := range []string{"never", "auto"} {
		c.everyWay("", path, "--show-values", values)
	}
	var stdout, stderr strings.Builder
	if Run([]string{"validate", "--config", "off", "--crds", filepath.Join(c.dir, "crd.yaml"), "--diff", "--show-values", "always", path}, nil, &stdout, &stderr); c.leaks(stdout.String()) == "" {
		t.Errorf("--show-values always hides something: %s%s", &stdout, &stderr)
	}
}

// TestCanariesInPanics: a panic in the work on a file, or beside it, tells its type and place.
func TestCanariesInPanics(t *testing.T) {
	t.Parallel()
	c := &flock{rand.New(rand.NewPCG(rand.Uint64(), 15)), map[string]bool{}}
	for _, fault := range []any{c.secret(letters, 20), fmt.Errorf("at %s", c.secret(letters, 20)), map[string]any{c.secret(letters, 20): 1}} {
		var in, all error
		func() {
			defer run.Survive(run.Input{Path: "a.yaml"}, true, &in)
			panic(fault)
		}()
		func() {
			defer run.SurviveAll(&all)
			panic(fault)
		}()
		for _, err := range []error{in, all} {
			if err == nil || c.leaks(err.Error()) != "" || !strings.Contains(err.Error(), "please report it") {
				t.Errorf("got %v", err)
			}
		}
	}
}
