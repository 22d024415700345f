package krm

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/google/go-cmp/cmp"
)

// list makes a ResourceList of a CRD of an API version and a Namespace.
func list(version, scope, config string) string {
	schema := "    schema:\n        openAPIV3Schema: {type: object}\n"
	crd := `- apiVersion: apiextensions.k8s.io/` + version + `
  kind: CustomResourceDefinition
  metadata:
    name: backups.example.com # plural.group
    annotations:
      config.kubernetes.io/path: 'crds/backups.yaml'
      config.kubernetes.io/index: '1'
  spec:
    # one group for all of it
    group: example.com
    names: {kind: Backup, plural: backups}
    scope: ` + scope + "\n"
	if version == "v1" {
		crd += "    versions:\n    - name: v1\n      served: true\n      storage: true\n  " + schema
	} else {
		crd += "    preserveUnknownFields: false\n    versions:\n    - {name: v1, served: true, storage: true}\n    validation:\n      openAPIV3Schema: {type: object}\n"
	}
	return "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n" + config + "items:\n" + crd +
		"- apiVersion: v1\n  kind: Namespace\n  metadata:\n    name: backups # stays\n"
}

func call(t *testing.T, input string) (out, stderr string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = Run(strings.NewReader(input), &o, func(line string) { fmt.Fprintln(&e, line) })
	return o.String(), e.String(), err
}

const convertConfig = `functionConfig:
  apiVersion: crdlift.github.io/v1
  kind: CRDLift
  metadata: {name: crds}
  spec:
    convert: {to: v1}
`

// TestFailOn: findings fail the call from the severity on that the functionConfig has, and not those that are ignored.
func TestFailOn(t *testing.T) {
	t.Parallel()
	flagless := strings.Replace(list("v1", "Namespaced", ""), "      served: true\n", "", 1) // a warning
	wrong := list("v1", "namespaced", "")                                                    // an error
	ignored := strings.Replace(wrong, "    scope:", "    # crdlift:ignore scope-invalid -- an old cluster\n    scope:", 1)
	for failOn, fails := range map[string]map[string]bool{
		"never":   {flagless: false, wrong: false, ignored: false},
		"error":   {flagless: false, wrong: true, ignored: false},
		"warning": {flagless: true, wrong: true, ignored: false},
		"info":    {flagless: true, wrong: true, ignored: false},
	} {
		for input, want := range fails {
			config := "functionConfig:\n  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  metadata: {name: crds}\n  spec: {lint: {failOn: " + failOn + "}}\n"
			out, stderr, err := call(t, strings.Replace(input, "items:\n", config+"items:\n", 1))
			if errors.Is(err, ErrFindings) != want || err != nil && !want {
				t.Errorf("%s: %v, want findings %t\n%s\n%s", failOn, err, want, stderr, out)
			}
			if said := strings.Contains(stderr, "scope-invalid") || strings.Contains(stderr, "version-flag-missing"); said != (input != ignored) {
				t.Errorf("%s: said is %s", failOn, stderr)
			}
		}
	}
}

func TestConverts(t *testing.T) {
	t.Parallel()
	out, stderr, err := call(t, list("v1beta1", "Namespaced", convertConfig))
	if err != nil || stderr != "" {
		t.Fatalf("%v, %s", err, stderr)
	}
	for _, want := range []string{
		"apiVersion: apiextensions.k8s.io/v1\n", "name: backups.example.com # plural.group", "# one group for all of it",
		"config.kubernetes.io/path: 'crds/backups.yaml'", "name: backups # stays", "openAPIV3Schema",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "v1beta1") || strings.Contains(out, "results:") {
		t.Errorf("not converted, or something to say:\n%s", out)
	}
	again, _, err := call(t, out)
	if diff := cmp.Diff(out, again); diff != "" || err != nil {
		t.Errorf("a second call changes something (%v):\n%s", err, diff)
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	out, stderr, err := call(t, list("v1", "namespaced", ""))
	if !errors.Is(err, ErrFindings) {
		t.Errorf("error %v, want findings", err)
	}
	_, results, _ := strings.Cut(out, "results:\n")
	for _, want := range []string{
		"severity: error", "resourceRef:\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    name: backups.example.com\n",
		"field:\n    path: spec.scope\n", "file:\n    path: crds/backups.yaml\n    index: 1\n", "tags:\n    rule: scope-invalid\n",
	} {
		if !strings.Contains(results, want) {
			t.Errorf("the results lack %q:\n%s", want, results)
		}
	}
	if !strings.HasPrefix(stderr, "crds/backups.yaml: backups.example.com: spec.scope: error: ") || !strings.HasSuffix(stderr, " [scope-invalid]\n") {
		t.Errorf("stderr: %s", stderr)
	}
	if !strings.Contains(out, "scope: namespaced") {
		t.Errorf("an item changed:\n%s", out)
	}
}

func TestConfigMap(t *testing.T) {
	t.Parallel()
	out, _, err := call(t, list("v1beta1", "Namespaced", "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: crds}\n  data: {convert: v1, policy: idiomatic, lint: 'false', output: none}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "items: []") {
		t.Errorf("output: none gives items:\n%s", out)
	}
}

// TestDocumentedKptfile calls the function with what kpt makes of the configMaps in docs/guides/kustomize.md.
func TestDocumentedKptfile(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "kustomize.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^    configMap:\n((?:      .*\n)+)`).FindAllStringSubmatch(strings.ReplaceAll(string(page), "\r\n", "\n"), -1)
	if len(found) == 0 {
		t.Fatal("there is no configMap in the page")
	}
	for _, m := range found {
		config := "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: function-input}\n  data:\n" + m[1]
		if _, _, err := call(t, list("v1beta1", "Namespaced", config)); err != nil && !errors.Is(err, ErrFindings) {
			t.Errorf("%v for\n%s", err, config)
		}
	}
}

// TestWordsOfYAML reads what YAML takes for something else than the text that was meant.
func TestWordsOfYAML(t *testing.T) {
	t.Parallel()
	config := "functionConfig:\n  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convert: null, lint: {rules: {scope-invalid: off}, kubernetesVersion: 1.30}}\n"
	if out, _, err := call(t, list("v1", "namespaced", config)); err != nil || strings.Contains(out, "results:") {
		t.Errorf("scope-invalid is off, but: %v\n%s", err, out)
	}
}

// TestAdviceInKeys checks that messages name keys of the functionConfig instead of flags.
func TestAdviceInKeys(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"  apiVersion: v1\n  kind: ConfigMap\n  data: {convert: v1beta1}\n":                       "; data.on-loss: drop leaves it out",
		"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convert: {to: v1beta1}}\n": "; spec.convert.onLoss: drop leaves it out",
	} {
		input := strings.Replace(list("v1", "Namespaced", "functionConfig:\n"+config), "{type: object}", "{type: object, properties: {a: {type: string, default: b}}}", 1)
		out, stderr, err := call(t, input)
		if !errors.Is(err, ErrFindings) || !strings.Contains(stderr, want) || !strings.Contains(out, want) || strings.Contains(stderr, "--") {
			t.Errorf("%v, want %q in\n%s", err, want, stderr)
		}
	}
	c := &Config{flags: true}
	const message = "annotate it, or use 'convert.unapprovedAPI: true'; kubectl --server-side"
	if got, want := c.inKeys(message, policy.Choice{Name: "unapproved-api"}), "annotate it, or use data.unapproved-api: true; kubectl --server-side"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.inKeys(message, policy.Choice{}); got != message {
		t.Errorf("nothing is advised, and it became %s", got)
	}
	for _, s := range settings {
		if s.word == nil && s.read == nil {
			t.Errorf("a ConfigMap cannot say %s", s.flag)
		}
	}
}

func TestWrongConfigs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ config, want string }{
		"unknown kind":      {"  apiVersion: v1\n  kind: Secret\n", `kind "Secret" is neither ConfigMap nor CRDLift`},
		"another kind":      {"  apiVersion: crdlift.github.io/v1\n  kind: CRDlift\n", `kind "CRDlift" (did you mean "CRDLift"?) is neither`},
		"unknown field":     {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convrt: {}}\n", `functionConfig: spec: unknown key "convrt" (did you mean "convert"?); known here: convert, lint, output`},
		"field of the root": {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  convert: {}\n", `functionConfig: unknown key "convert"; known here: apiVersion, kind, metadata, spec`},
		"several":           {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convert: {polcy: exact, to: []}, lint: 5}\n", "functionConfig: spec.convert: unknown key \"polcy\" (did you mean \"policy\"?); known here: to, policy, unknownFields, missingTypes, unapprovedAPI, upgradeInPlace, keepStatus, onLoss, withVersionField\nfunctionConfig: spec.convert.to: must be a string, not a list\nfunctionConfig: spec.lint: must be a mapping, not a number"},
		"not a flag":        {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convert: {to: v1, keepStatus: \"yes\"}}\n", "functionConfig: spec.convert.keepStatus: must be true or false, not a string"},
		"twice":             {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {output: none, output: items}\n", `functionConfig: spec: duplicate key "output"`},
		"misspelt rule":     {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {lint: {rules: {scope-invald: off}}}\n", `functionConfig: spec.lint.rules: there is no rule "scope-invald" (did you mean "scope-invalid"?)`},
		"wrong version":     {"  apiVersion: crdlift.github.io/v9\n  kind: CRDLift\n", "crdlift.github.io/v1"},
		"unknown policy":    {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {convert: {policy: mild}}\n", `functionConfig: spec.convert.policy cannot be "mild"; it is one of exact, idiomatic`},
		"unknown rule":      {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {lint: {rules: {nameless: off}}}\n", `there is no rule "nameless"`},
		"unknown rules":     {"  apiVersion: crdlift.github.io/v1\n  kind: CRDLift\n  spec: {lint: {rules: {f: off, e: off, d: off, c: off, b: off, a: off}}}\n", `there is no rule "a"`},
		"unknown key":       {"  apiVersion: v1\n  kind: ConfigMap\n  data: {polcy: exact}\n", `functionConfig: data: unknown key "polcy" (did you mean "policy"?); known here: convert, fail-on, `},
		"not a boolean":     {"  apiVersion: v1\n  kind: ConfigMap\n  data: {convert: v1, keep-status: maybe}\n", "neither true nor false"},
		"converts to where": {"  apiVersion: v1\n  kind: ConfigMap\n  data: {policy: exact}\n", "add convert: v1"},
		"unknown version":   {"  apiVersion: v1\n  kind: ConfigMap\n  data: {kubernetes-version: newest}\n", "not a Kubernetes version"},
		"all at once": {"  apiVersion: v1\n  kind: ConfigMap\n  data: {convert: v2, fail-on: eror, keep-status: maybe, polcy: exact, preset: recomended, rules: 'scope-invald=off, scope-invalid=eror, both', kubernetes-version: newest}\n",
			"functionConfig: data.keep-status: \"maybe\" is neither true nor false\n" +
				"functionConfig: data: unknown key \"polcy\" (did you mean \"policy\"?); known here: convert, fail-on, keep-status, kubernetes-version, lint, missing-types, on-loss, output, policy, preset, rules, unapproved-api, unknown-fields, upgrade-in-place, with-version-field\n" +
				"functionConfig: data.rules: \"both\" is not RULE=SEVERITY\n" +
				"functionConfig: data.convert cannot be \"v2\" (did you mean \"v1\"?); it is one of v1, v1beta1\n" +
				"functionConfig: data.preset cannot be \"recomended\" (did you mean \"recommended\"?); it is one of recommended, all\n" +
				"functionConfig: data.fail-on cannot be \"eror\" (did you mean \"error\"?); it is one of error, warning, info, never\n" +
				"functionConfig: data.rules: there is no rule \"scope-invald\" (did you mean \"scope-invalid\"?); 'crdlift explain' lists them\n" +
				"functionConfig: data.rules: \"scope-invalid\": \"eror\" (did you mean \"error\"?) is not one of off, info, warning, error\n" +
				"functionConfig: data.kubernetes-version: \"newest\" is not a Kubernetes version such as 1.27"},
		"all at once, in fields": {"  apiVersion: crdlift.github.io/v9\n  kind: CRDLift\n  spec: {convert: {to: v2, keepStatus: maybe}, lint: {failOn: off}, output: non}\n",
			"functionConfig: spec.convert.keepStatus: must be true or false, not a string\n" +
				"functionConfig: apiVersion \"crdlift.github.io/v9\" is not crdlift.github.io/v1\n" +
				"functionConfig: spec.convert.to cannot be \"v2\" (did you mean \"v1\"?); it is one of v1, v1beta1\n" +
				"functionConfig: spec.lint.failOn cannot be \"off\"; it is one of error, warning, info, never\n" +
				"functionConfig: spec.output cannot be \"non\" (did you mean \"none\"?); it is one of items, none"},
		"unknown output": {"  apiVersion: v1\n  kind: ConfigMap\n  data: {output: some}\n", `functionConfig: data.output cannot be "some"; it is one of items, none`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := call(t, list("v1", "Namespaced", "functionConfig:\n"+tt.config))
			if err == nil || errors.Is(err, ErrFindings) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}
