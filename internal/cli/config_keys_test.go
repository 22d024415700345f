package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/run"
)

// configKeys shows for each key of the configuration a command that obeys it: of two configurations that differ in the
// key only, it makes something else.
var configKeys = map[string]struct {
	command       string
	config, other string
}{
	"extends":           {"lint new.yaml", "extends: all.yaml", "extends: baseless.yaml"},
	"preset":            {"lint new.yaml", "preset: all", "preset: recommended"},
	"rules":             {"lint new.yaml", "rules: {metadata-namespace-set: off}", ""},
	"overrides":         {"lint new.yaml", "overrides: [{paths: [new.yaml], preset: all}]", ""},
	"overrides.paths":   {"lint new.yaml", "overrides: [{paths: [new.yaml], preset: all}]", "overrides: [{paths: [old.yaml], preset: all}]"},
	"overrides.preset":  {"lint new.yaml", "overrides: [{paths: ['**'], preset: all}]", "overrides: [{paths: ['**'], preset: recommended}]"},
	"overrides.rules":   {"lint new.yaml", "overrides: [{paths: ['**'], rules: {metadata-namespace-set: off}}]", "overrides: [{paths: ['**'], rules: {metadata-namespace-set: info}}]"},
	"paths":             {"lint", "paths: [new.yaml]", "paths: [old.yaml]"},
	"exclude":           {"convert --check --allow-empty old.yaml other.yaml", "exclude: [old.yaml]", ""},
	"roles":             {"roles", "roles: {test: [new.yaml]}", ""},
	"ignore":            {"lint new.yaml", "ignore: [{file: new.yaml, reason: known}]", ""},
	"ignore.rule":       {"lint new.yaml", "ignore: [{rule: metadata-namespace-set, reason: known}]", "ignore: [{rule: scope-*, reason: known}]"},
	"ignore.crd":        {"lint new.yaml", "ignore: [{crd: '*.example.com', reason: known}]", "ignore: [{crd: '*.example.org', reason: known}]"},
	"ignore.path":       {"lint new.yaml", "ignore: [{path: metadata.namespace, reason: known}]", "ignore: [{path: spec.scope, reason: known}]"},
	"ignore.file":       {"lint new.yaml", "ignore: [{file: new.yaml, reason: known}]", "ignore: [{file: old.yaml, reason: known}]"},
	"ignore.reason":     {"lint -o json new.yaml", "ignore: [{file: new.yaml, reason: known}]", "ignore: [{file: new.yaml, reason: generated}]"},
	"kubernetesVersion": {"lint cel.yaml", "kubernetesVersion: '1.20'", "kubernetesVersion: '1.30'"},
	"failOn":            {"lint new.yaml", "failOn: warning", "failOn: error"},
	"minSeverity":       {"lint cel.yaml", "preset: all\nminSeverity: error", "preset: all\nminSeverity: info"},
	"baseline":          {"lint new.yaml", "baseline: baseline.yaml", ""},

	"compatibility":        {"lint --new-only before new.yaml", "compatibility: {stable: info}", ""},
	"compatibility.alpha":  {"lint --new-only before new.yaml", "compatibility: {alpha: warning}", "compatibility: {alpha: off}"},
	"compatibility.beta":   {"lint --new-only before new.yaml", "compatibility: {beta: warning}", "compatibility: {beta: off}"},
	"compatibility.stable": {"lint --new-only before new.yaml", "compatibility: {stable: warning}", "compatibility: {stable: off}"},
	"compatibility.status": {"lint --new-only before new.yaml", "compatibility: {status: warning}", "compatibility: {status: off}"},

	"go":         {"lint -o json go/crd.yaml", "go: off", "go: [go]"},
	"goLocation": {"lint -o github go/crd.yaml", "goLocation: primary", "goLocation: related"},

	"apply":        {"validate validate", "apply: server-side", "apply: client-side"},
	"fieldManager": {"validate --old-objects live.yaml applied.yaml validate/crd", "fieldManager: scaler", "fieldManager: delivery"},

	"validate":                 {"validate", "validate: {paths: [validate]}", ""},
	"validate.paths":           {"validate", "validate: {paths: [validate]}", "validate: {paths: [validate/crd, validate/samples/database.yaml]}"},
	"validate.crds":            {"validate validate/samples", "validate: {crds: [validate/crd]}", "validate: {crds: [unserved]}"},
	"validate.fieldValidation": {"validate validate", "validate: {fieldValidation: strict}", "validate: {fieldValidation: ignore}"},
	"validate.missingCRD":      {"validate validate", "validate: {missingCRD: error}", "validate: {missingCRD: ignore}"},

	"test":                       {"test", "test: {paths: [tests/typo.crdtest.yaml]}", ""},
	"test.paths":                 {"test", "test: {paths: [tests/typo.crdtest.yaml]}", "test: {paths: [tests]}"},
	"test.crds":                  {"test tests/replicas.crdtest.yaml", "test: {crds: [validate/crd]}", "test: {crds: [protected.yaml]}"},
	"test.cover":                 {"test covered", "test: {cover: {min: {all: 60}}}", ""},
	"test.cover.min":             {"test covered", "test: {cover: {min: {all: 60}}}", "test: {cover: {}}"},
	"test.cover.min.rules":       {"test covered", "test: {cover: {min: {rules: 60}}}", "test: {cover: {min: {rules: 0}}}"},
	"test.cover.min.transitions": {"test covered", "test: {cover: {min: {transitions: 60}}}", "test: {cover: {min: {transitions: 0}}}"},
	"test.cover.min.defaults":    {"test covered", "test: {cover: {min: {defaults: 60}}}", "test: {cover: {min: {defaults: 0}}}"},
	"test.cover.min.bounds":      {"test covered", "test: {cover: {min: {bounds: 60}}}", "test: {cover: {min: {bounds: 0}}}"},
	"test.cover.min.enums":       {"test covered", "test: {cover: {min: {enums: 60}}}", "test: {cover: {min: {enums: 0}}}"},
	"test.cover.min.patterns":    {"test covered", "test: {cover: {min: {patterns: 60}}}", "test: {cover: {min: {patterns: 0}}}"},
	"test.cover.min.formats":     {"test covered", "test: {cover: {min: {formats: 60}}}", "test: {cover: {min: {formats: 0}}}"},
	"test.cover.min.required":    {"test covered", "test: {cover: {min: {required: 60}}}", "test: {cover: {min: {required: 0}}}"},
	"test.cover.min.all":         {"test covered", "test: {cover: {min: {all: 60}}}", "test: {cover: {min: {all: 0}}}"},
	"test.cover.ignore":          {"test --cover covered", "test: {cover: {ignore: [{path: spec.size, reason: old}]}}", ""},
	"test.cover.ignore.crd":      {"test --cover covered", "test: {cover: {ignore: [{crd: '*.example.com', reason: old}]}}", "test: {cover: {ignore: [{crd: '*.example.org', reason: old}]}}"},
	"test.cover.ignore.path":     {"test --cover covered", "test: {cover: {ignore: [{path: spec.size, reason: old}]}}", "test: {cover: {ignore: [{path: spec.name, reason: old}]}}"},
	"test.cover.ignore.reason":   {"test -o json --cover covered", "test: {cover: {ignore: [{path: spec.size, reason: old}]}}", "test: {cover: {ignore: [{path: spec.size, reason: goes away}]}}"},

	"convert":                  {"convert old.yaml", "convert: {policy: idiomatic}", ""},
	"convert.policy":           {"convert old.yaml", "convert: {policy: idiomatic}", "convert: {policy: exact}"},
	"convert.unknownFields":    {"convert old.yaml", "convert: {unknownFields: prune}", "convert: {unknownFields: root}"},
	"convert.missingTypes":     {"convert old.yaml", "convert: {missingTypes: infer}", "convert: {missingTypes: preserve}"},
	"convert.unapprovedAPI":    {"convert protected.yaml", "convert: {unapprovedAPI: true}", "convert: {unapprovedAPI: false}"},
	"convert.upgradeInPlace":   {"convert old.yaml", "convert: {upgradeInPlace: true}", "convert: {upgradeInPlace: false}"},
	"convert.onLoss":           {"convert --check --to v1beta1 cel.yaml", "convert: {onLoss: drop}", "convert: {onLoss: report}"},
	"convert.withVersionField": {"convert --to v1beta1 new.yaml", "convert: {withVersionField: true}", "convert: {withVersionField: false}"},
	"convert.keepStatus":       {"convert old.yaml", "convert: {keepStatus: true}", "convert: {keepStatus: false}"},
}

// TestConfigKeys walks the keys of the configuration's JSON Schema: each changes what some command makes.
func TestConfigKeys(t *testing.T) {
	src, err := os.ReadFile("../../docs/schema/config.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema configSchema
	if err := json.Unmarshal(src, &schema); err != nil {
		t.Fatal(err)
	}
	keys := schema.keys("")
	if len(keys) < 30 {
		t.Fatalf("the schema has %d keys: %v", len(keys), keys)
	}
	inConfigKeys(t)
	for _, key := range keys {
		shown, ok := configKeys[key]
		if !ok {
			t.Errorf("no command is known to obey %s", key)
			continue
		}
		last := key[strings.LastIndex(key, ".")+1:]
		if !strings.Contains(shown.config, last+":") {
			t.Errorf("%s: the configuration does not say it: %s", key, shown.config)
		}
		with, without := outcomeUnder(t, shown.command, shown.config), outcomeUnder(t, shown.command, shown.other)
		if with == without {
			t.Errorf("%s changes nothing for `crdlift %s`: with %q and with %q it makes\n%s", key, shown.command, shown.config, shown.other, with)
		}
	}
	for key := range configKeys {
		if !slices.Contains(keys, key) {
			t.Errorf("the schema has no key %s", key)
		}
	}
}

// inConfigKeys makes a copy of the test's files the working directory.
func inConfigKeys(t *testing.T) {
	t.Helper()
	files := os.DirFS("testdata/config-keys")
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// A configSchema is the part of the JSON Schema that the test examines.
type configSchema struct {
	Properties map[string]configSchema
	Items      *configSchema
}

// keys are the keys below a path, those of lists' items too.
func (s configSchema) keys(path string) (all []string) {
	for name, below := range s.Properties {
		all = append(all, path+name)
		all = append(all, below.keys(path+name+".")...)
	}
	if s.Items != nil {
		all = append(all, s.Items.keys(path)...)
	}
	slices.Sort(all)
	return all
}

// outcomeUnder returns the outcome of a command in the working directory under a configuration.
func outcomeUnder(t *testing.T, command, config string) string {
	t.Helper()
	write(t, ".crdlift.yaml", config+"\n")
	var stdout, stderr strings.Builder
	code := Run(strings.Fields(command), strings.NewReader(""), &stdout, &stderr)
	if code == run.ExitTrouble {
		t.Errorf("crdlift %s fails under %q: %s", command, config, stderr.String())
	}
	return fmt.Sprintf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
}

// TestFlagWins sets the policy in the configuration, and otherwise on the command line.
func TestFlagWins(t *testing.T) {
	inConfigKeys(t)
	shown := configKeys["convert.policy"]
	want := outcomeUnder(t, shown.command, shown.other)
	if got := outcomeUnder(t, shown.command+" --policy=exact", shown.config); got != want {
		t.Errorf("--policy does not win over %q: got\n%s\nwant\n%s", shown.config, got, want)
	}
}
