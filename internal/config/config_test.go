package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// toyRules are rules for tests.
var toyRules = lint.Rules{
	{ID: "schema-float", Severity: lint.Warning},
	{ID: "schema-type-missing", Severity: lint.Error},
	{ID: "names-category-all", Severity: lint.Info, Preset: lint.All},
	{ID: "schema-description-missing", Severity: lint.Info, Preset: lint.All},
	{ID: "field-removed", Severity: lint.Error, NeedsOld: true},
	{ID: "names-collide", Severity: lint.Error, Across: true},
}

func mustRead(t testing.TB, path, text string) *lint.Config {
	t.Helper()
	c, err := Read(path, []byte(text), toyRules)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var sameConfig = cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(lint.Ignore{}, "At"), cmpopts.IgnoreFields(lint.RoleSetting{}, "At")}

const fullConfig = `
preset: all
rules: {schema-float: error, names-category-all: off, schema-type-missing: false}
overrides:
  - paths: ["config/legacy/**"]
    preset: all
    rules: {schema-float: "off"}
exclude: [vendor]
roles: {test: [e2e/**, "*.test.example.com"], source: [./config/crd]}
ignore:
  - {rule: schema-*, crd: "*.example.com", path: "spec.versions[*].schema.**", file: "config/**", reason: "generated: #12"}
kubernetesVersion: 1.30
failOn: warning
minSeverity: warning
baseline: .crdlift-baseline.yaml
compatibility: {alpha: off, beta: warning, status: info}
go: [api, pkg/apis]
goLocation: primary
validate: {paths: [config/samples], crds: [config/crd], fieldValidation: warn, missingCRD: error}
test: {paths: [api], crds: [config/crd], cover: {min: {rules: 100, all: 60}, ignore: [{crd: "*.example.com", path: spec.legacy.**, reason: goes away}]}}
convert: {policy: idiomatic, unknownFields: root, missingTypes: infer, unapprovedAPI: yes, upgradeInPlace: true, keepStatus: on}
`

func TestReadConfig(t *testing.T) {
	t.Parallel()
	all, off, info, warning, failure := lint.All, lint.Off, lint.Info, lint.Warning, lint.Error
	want := &lint.Config{
		Path: ".crdlift.yaml", Preset: lint.All,
		Rules:     map[string]lint.Severity{"schema-float": lint.Error, "names-category-all": lint.Off, "schema-type-missing": lint.Off},
		Overrides: []lint.Override{{Paths: []string{"config/legacy/**"}, Preset: &all, Rules: map[string]lint.Severity{"schema-float": lint.Off}}},
		Exclude:   []string{"vendor"},
		Roles: lint.RoleSettings{Set: []lint.RoleSetting{
			{Role: lint.RoleTest, Glob: "e2e/**"}, {Role: lint.RoleTest, Glob: "*.test.example.com"}, {Role: lint.RoleSource, Glob: "./config/crd"},
		}},
		Ignores: []lint.Ignore{{
			Rule: "schema-*", CRD: "*.example.com", Path: "spec.versions[*].schema.**", File: "config/**", Reason: "generated: #12",
		}},
		KubernetesVersion: lint.KubernetesVersion{Major: 1, Minor: 30}, FailOn: lint.Warning, MinSeverity: lint.Warning, Baseline: ".crdlift-baseline.yaml",
		Compatibility: lint.Compatibility{Alpha: &off, Beta: &warning, Status: &info},
		Go:            lint.GoTypes{Folders: []string{"api", "pkg/apis"}}, GoLocation: lint.GoPrimary,
		Validate: lint.Validate{Paths: []string{"config/samples"}, CRDs: []string{"config/crd"}, Unknown: &warning, Missing: &failure},
		Test: lint.Test{Paths: []string{"api"}, CRDs: []string{"config/crd"}, Cover: lint.Cover{
			Min: map[string]int{"rules": 100, "all": 60}, Ignore: []lint.Ignore{{CRD: "*.example.com", Path: "spec.legacy.**", Reason: "goes away"}},
		}},
		Convert: policy.Options{Policy: "idiomatic", UnknownFields: "root", MissingTypes: "infer", UnapprovedAPI: true, UpgradeInPlace: true, KeepStatus: true},
	}
	if diff := cmp.Diff(want, mustRead(t, ".crdlift.yaml", fullConfig), sameConfig); diff != "" {
		t.Error(diff)
	}
	for name, empty := range map[string]string{
		"nothing": "", "comments": "# later\n", "a marker": "---\n", "null": "null\n", "JSON": "{}", "keys alone": "rules:\nexclude:\n",
		"a byte order mark": "\ufeff# here\n", "an empty document behind": "---\n# here\n---\n",
	} {
		if diff := cmp.Diff(&lint.Config{Path: "x"}, mustRead(t, "x", empty), sameConfig); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// invalidConfigs are files that are rejected, with the error. Those without a schema mark are rejected by the JSON
// Schema too.
var invalidConfigs = []struct {
	name, text, want string
	schemaTakes      bool // it knows neither rules nor text
}{
	{"unknown key", "presett: strict", `x:1:1: unknown key "presett" (did you mean "preset"?); known here: extends, preset, rules, overrides, paths, exclude, roles, ignore, kubernetesVersion, failOn, minSeverity, baseline, compatibility, go, goLocation, apply, fieldManager, validate, test, convert`, false},
	{"unknown key far from all", "colour: red", `x:1:1: unknown key "colour"; known here: extends, preset, rules, overrides, paths, exclude, roles, ignore, kubernetesVersion, failOn, minSeverity, baseline, compatibility, go, goLocation, apply, fieldManager, validate, test, convert`, false},
	{"wrong preset", "preset: recomended", `x:1:9: preset cannot be "recomended" (did you mean "recommended"?); it is one of recommended, all`, false},
	{"preset below rules", "rules: {preset: all}", "x:1:9: there is no rule \"preset\"; `crdlift explain` lists them", false},
	{"glob below rules", "rules:\n  printer-column-*: error", "x:2:3: rules takes no globs such as \"printer-column-*\": name each rule", true},
	{"unknown rule", "rules:\n  schema-flaot: error", "x:2:3: there is no rule \"schema-flaot\" (did you mean \"schema-float\"?); `crdlift explain` lists them", true},
	{"wrong severity", "rules: {schema-float: fatal}", `x:1:23: schema-float cannot be "fatal"; it is one of off, info, warning, error`, false},
	{"true is no severity", "rules: {schema-float: on}", `x:1:23: schema-float cannot be "on"; it is one of off, info, warning, error`, false},
	{"rules in a list", "rules: [schema-float]", `x:1:8: rules must be a mapping, not a list`, false},
	{"a key twice", "failOn: info\nfailOn: error", `x:2:1: "failOn" is repeated here`, true},
	{"a merge key", "convert: &c {policy: exact}\n<<: *c", `x:2:1: merge keys are not read here; write the entries out`, true},
	{"a list as a key", "[a]: b", `x:1:1: a key must be a name, not a list`, true},
	{"override without paths", "overrides: [{preset: all}]", `x:1:14: the override has no paths: it needs globs of the files it is for`, false},
	{"override of nothing", "overrides: [{paths: [a]}]", `x:1:14: the override changes nothing: it needs a preset or rules`, false},
	{"bad glob", `exclude: ["a/[b"]`, `x:1:11: a glob of exclude is not valid: "a/[b" has an unbalanced bracket`, true},
	{"glob of a million globs", `exclude: ["` + strings.Repeat("{a,{b,c},d,e,\\\\,f,g,h,i,j}", 6) + `"]`, `x:1:11: a glob of exclude has braces that expand to more than 1000 globs; write several`, true},
	{"roles by another word", `roles: none`, `x:1:8: roles must be globs by role, or off, not a string`, false},
	{"roles on", `roles: true`, `x:1:8: roles must be globs by role, or off, not the boolean true`, false},
	{"roles in a list", `roles: [test]`, `x:1:8: roles must be a mapping, not a list`, false},
	{"unknown role", `roles: {tests: [e2e]}`, `x:1:9: there is no role "tests" (did you mean "test"?); the roles are source, patch, built, chart, bundle, old, sample, docs, test, foreign, product`, false},
	{"role off", `roles: {off: [e2e]}`, `x:1:9: there is no role "off"; the roles are source, patch, built, chart, bundle, old, sample, docs, test, foreign, product`, false},
	{"a role without a list", `roles: {test: e2e}`, `x:1:15: test must be a list, not a string`, false},
	{"a role of a bad glob", `roles: {test: ["a[b"]}`, `x:1:16: a glob of test is not valid: "a[b" has an unbalanced bracket`, true},
	{"a role of nothing", `roles: {test: [""]}`, `x:1:16: a glob of test is empty`, false},
	{"a role of files elsewhere", `roles: {source: [../api]}`, `x:1:18: "../api" does not lie below the folder of the configuration; move the configuration up`, true},
	{"two roles for a glob", `roles: {source: [api], test: [api]}`, `x:1:31: "api" has the role source above; it can only have one`, true},
	{"exclude without a list", `exclude: vendor`, `x:1:10: exclude must be a list, not a string`, false},
	{"ignore without a reason", `ignore: [{rule: schema-float}]`, `x:1:11: the ignore has no reason: say why, for those who find it later`, false},
	{"ignore with a blank reason", `ignore: [{rule: schema-float, reason: " "}]`, `x:1:39: reason is empty`, false},
	{"ignore of everything", `ignore: [{reason: because}]`, `x:1:11: the ignore hides everything: it needs a rule, crd, path or file`, false},
	{"ignore of no rule", `ignore: [{rule: shcema-*, reason: because}]`, "x:1:17: no rule matches \"shcema-*\"; `crdlift explain` lists them", true},
	{"wrong version", `kubernetesVersion: latest`, `x:1:20: kubernetesVersion: "latest" is not a Kubernetes version such as 1.27`, false},
	{"version in a list", `kubernetesVersion: [1.27]`, `x:1:20: kubernetesVersion must be a version such as "1.27", not a list`, false},
	{"fail on off", `failOn: off`, `x:1:9: failOn cannot be "off"; it is one of info, warning, error, never`, false},
	{"fail on an abbreviation", `failOn: warn`, `x:1:9: failOn cannot be "warn" (did you mean "warning"?); it is one of info, warning, error, never`, false},
	{"baseline as a number", `baseline: 12`, `x:1:11: baseline must be a string, not the number 12`, false},
	{"wrong stability", `compatibility: {gamma: off}`, `x:1:17: unknown key "gamma"; known here: alpha, beta, stable, status`, false},
	{"wrong severity of alpha", `compatibility: {alpha: none}`, `x:1:24: alpha cannot be "none"; it is one of off, info, warning, error`, false},
	{"Go types in a folder that is no list", `go: api`, `x:1:5: go cannot be "api"; it is one of auto, off`, false},
	{"Go types nowhere", `go: []`, `x:1:5: go names no folder`, false},
	{"Go types elsewhere", `go: [../api]`, `x:1:6: "../api" does not lie below the folder of the configuration; name it on the command line with --go`, true},
	{"wrong location", `goLocation: both`, `x:1:13: goLocation cannot be "both"; it is one of related, primary`, false},
	{"a share of an unknown kind", `test: {cover: {min: {rule: 100}}}`, `x:1:22: unknown key "rule" (did you mean "rules"?); known here: rules, transitions, defaults, bounds, enums, patterns, formats, required, all`, false},
	{"a share above all", `test: {cover: {min: {rules: 101}}}`, `x:1:29: rules must be a percentage, a number from 0 to 100, not the number 101`, false},
	{"a share below none", `test: {cover: {min: {rules: -1}}}`, `x:1:29: rules must be a percentage, a number from 0 to 100, not the number -1`, false},
	{"a share with a sign", `test: {cover: {min: {rules: 50%}}}`, `x:1:29: rules must be a percentage, a number from 0 to 100, not a string`, false},
	{"untested without a reason", `test: {cover: {ignore: [{path: spec.a}]}}`, `x:1:26: the ignore has no reason: say why no test is needed, for those who find it later`, false},
	{"untested by an unknown key", `test: {cover: {ignore: [{pth: spec.a}]}}`, `x:1:26: unknown key "pth" (did you mean "path"?); known here: crd, path, reason`, false},
	{"untested altogether", `test: {cover: {ignore: [{reason: later}]}}`, `x:1:26: the ignore leaves out everything: it needs a crd or path`, false},
	{"untested by a rule", `test: {cover: {ignore: [{rule: schema-float, reason: later}]}}`, `x:1:26: unknown key "rule"; known here: crd, path, reason`, false},
	{"suites elsewhere", `test: {paths: [../api]}`, `x:1:16: "../api" does not lie below the folder of the configuration; name it on the command line`, true},
	{"wrong policy", `convert: {policy: idiomatik}`, `x:1:19: policy cannot be "idiomatik" (did you mean "idiomatic"?); it is one of exact, idiomatic`, false},
	{"flag as a string", `convert: {keepStatus: "true"}`, `x:1:23: keepStatus must be true or false, not a string`, false},
	{"key in the wrong case", `convert: {unapprovedApi: true}`, `x:1:11: unknown key "unapprovedApi" (did you mean "unapprovedAPI"?); known here: policy, unknownFields, missingTypes, unapprovedAPI, upgradeInPlace, keepStatus, onLoss, withVersionField`, false},
	{"a list", `- preset: all`, `x:1:1: the file must be a mapping, not a list`, false},
	{"two documents", "preset: all\n---\npreset: all", `x:3:1: a second document; the file may only have one`, true},
	{"no YAML", "preset: [strict", `x:1:1: a [ is open here that lacks its ], or a comma is missing`, true},
	{"all at once", "preset: none\nrules: {nothing: error}\ncolour: red\nfailOn: 3", strings.Join([]string{
		`x:1:9: preset cannot be "none"; it is one of recommended, all`,
		"x:2:9: there is no rule \"nothing\"; `crdlift explain` lists them",
		`x:3:1: unknown key "colour"; known here: extends, preset, rules, overrides, paths, exclude, roles, ignore, kubernetesVersion, failOn, minSeverity, baseline, compatibility, go, goLocation, apply, fieldManager, validate, test, convert`,
		`x:4:9: failOn cannot be "3"; it is one of info, warning, error, never`,
	}, "\n"), false},
}

// TestUnknownKubernetes says nothing where the build does not tell which Kubernetes judges, as that of this test.
func TestUnknownKubernetes(t *testing.T) {
	t.Parallel()
	if said := UnknownKubernetes(&lint.Config{KubernetesVersion: lint.KubernetesVersion{Major: 1, Minor: 999}}); said != "" {
		t.Errorf("got %q", said)
	}
}

func TestReadConfigRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range invalidConfigs {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c, err := Read("x", []byte(test.text), toyRules)
			if err == nil || c != nil {
				t.Fatalf("got %v without an error", c)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSeverityByPrecedence(t *testing.T) {
	t.Parallel()
	c := mustRead(t, "repo/.crdlift.yaml", `
preset: recommended
rules: {schema-float: info}
overrides:
  - {paths: ["config/**"], preset: all, rules: {schema-type-missing: warning}}
  - {paths: ["config/legacy/**"], preset: recommended, rules: {schema-float: off, schema-type-missing: info}}
`)
	all := lint.All
	withFlags := *c
	withFlags.CommandLine = lint.Override{Preset: &all, Rules: map[string]lint.Severity{"schema-float": lint.Error}}
	for _, test := range []struct {
		story    string
		config   *lint.Config
		file, id string
		want     lint.Severity
	}{
		{"a rule of the preset has its own severity", c, "repo/config/a.yaml", "names-category-all", lint.Info},
		{"a rule of no preset that runs is off", c, "repo/a.yaml", "schema-description-missing", lint.Off},
		{"the file's rules win over the rule", c, "repo/a.yaml", "schema-float", lint.Info},
		{"an override's preset replaces the file's", c, "repo/config/a.yaml", "schema-description-missing", lint.Info},
		{"an override's preset leaves the file's rules alone", c, "repo/config/a.yaml", "schema-float", lint.Info},
		{"of two overrides the later wins", c, "repo/config/legacy/a.yaml", "schema-type-missing", lint.Info},
		{"of two presets, too", c, "repo/config/legacy/a.yaml", "names-category-all", lint.Off},
		{"an override can switch off", c, "repo/config/legacy/a.yaml", "schema-float", lint.Off},
		{"a flag wins over all", &withFlags, "repo/config/legacy/a.yaml", "schema-float", lint.Error},
		{"a flag's preset, too", &withFlags, "repo/config/legacy/a.yaml", "names-category-all", lint.Info},
		{"paths are relative to the configuration", c, "config/a.yaml", "schema-type-missing", lint.Error},
	} {
		if got := Severity(ForFile(test.config, test.file), toyRules.ByID(test.id)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.story, got, test.want)
		}
	}
	if len(c.Rules) != 1 {
		t.Error("the configuration for a file changed the configuration")
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	absolute, err := filepath.Abs("repo/vendor/a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		glob, path string
		want       bool
	}{
		{"vendor/**", "repo/vendor/x/a.yaml", true},
		{"vendor/**", "vendor/x/a.yaml", false},
		{"vendor", "repo/vendor/x/a.yaml", true},
		{"vendor/", "repo/vendor/a.yaml", true},
		{"./vendor", "repo/vendor/a.yaml", true},
		{"vendor", "repo/./x/../vendor/a.yaml", true},
		{"vendor", absolute, true},
		{"vendor", "repo/x/vendor/a.yaml", false},
		{"**/vendor", "repo/x/vendor/a.yaml", true},
		{"a.yaml", "repo/a.yaml", true},
		{"a.yaml", "repo/x/a.yaml", false},
		{"*.yaml", "repo/x/a.yaml", false},
		{"x/*", "repo/x/y/a.yaml", false},
		{"**/*.{yaml,yml}", "repo/x/a.yml", true},
		{"../other/**", "other/a.yaml", true},
	} {
		c := &lint.Config{Path: "repo/.crdlift.yaml", Exclude: []string{"nothing", test.glob}}
		if got := ExcludedBy(c, test.path) != ""; got != test.want {
			t.Errorf("%s excludes %s: %v", test.glob, test.path, got)
		}
	}
	if ExcludedBy(&lint.Config{}, "a.yaml") != "" {
		t.Error("excluded without a reason")
	}
}

func TestMatchPath(t *testing.T) {
	t.Parallel()
	const path = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a.b/c]"
	for glob, want := range map[string]bool{
		path: true, "**": true, "spec.versions[*].schema.**": true, "spec.versions.0.schema.**": true,
		"spec.versions[*].schema": false, "spec.versions[1].**": false, "**.properties[a.b/c]": true, "**.properties[a*]": true,
		"**.properties[?.b/c]": true, "**.properties[*]": true, "*": false, "": false, "**.properties[{a,b}]": false,
		`**.properties\[a.b/c]`: false,
	} {
		if got := MatchPath(glob, path); got != want {
			t.Errorf("%q matches: %v", glob, got)
		}
	}
	if !MatchPath("spec.versions[*].schema.**", "spec.versions[0].schema") || !MatchPath("**", "") {
		t.Error("** stands for no step, too")
	}
}

func TestFindConfig(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"repo/.git", "repo/a/b", "repo/other/.git", "repo/folder/" + Name} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{Name, "repo/" + Name, "repo/a/.git"} {
		if err := os.WriteFile(filepath.Join(root, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"repo":           "repo/" + Name, // in the root of a repository, and no further
		"repo/folder":    "repo/" + Name, // a folder of that name is none
		"repo/other":     "",             // another repository
		"repo/a/b":       "",             // a worktree, whose .git is a file
		"repo/a/missing": "",
		".":              Name,
	} {
		got, err := Find(filepath.Join(root, dir))
		if want != "" {
			want = filepath.Join(root, want)
		}
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", dir, got, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "repo/other/.crdlift.yml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(filepath.Join(root, "repo/other")); err == nil || !strings.HasSuffix(err.Error(), ".crdlift.yml is not read; rename it to .crdlift.yaml") {
		t.Errorf("a name that is not read: %v", err)
	}
}

func TestConfigYAML(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(`preset: recommended
# rules: each rule's own severity
# overrides: none
# paths: none
# exclude: none
# roles: as crdlift roles shows
# ignore: none
# kubernetesVersion: the newest that crdlift knows
# failOn: error
# minSeverity: info
# baseline: none
# compatibility: alpha info, beta error, stable error, status warning
# go: auto
# goLocation: by the format
# apply: any, and auto for what comes from a cluster
# fieldManager: the one that managedFields show
# validate: paths and crds of the command line, fieldValidation strict, missingCRD ignore
# test: paths as above, crds that suites name or the repository has, cover without a minimum
convert:
  # policy: exact
  # unknownFields: by the policy
  # missingTypes: by the policy
  unapprovedAPI: false
  upgradeInPlace: false
  keepStatus: false
  # onLoss: report
  withVersionField: false
`, string(YAML(&lint.Config{}))); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", fullConfig} {
		c := mustRead(t, "x", text)
		if diff := cmp.Diff(c, mustRead(t, "x", string(YAML(c))), sameConfig); diff != "" {
			t.Errorf("read back: %s\n%s", diff, YAML(c))
		}
	}
	all := lint.All
	c := mustRead(t, "x", fullConfig)
	c.CommandLine = lint.Override{Preset: &all, Rules: map[string]lint.Severity{"schema-float": lint.Info}}
	again := mustRead(t, "x", string(YAML(c)))
	for _, file := range []string{"a.yaml", "config/legacy/a.yaml", "../b.yaml"} {
		for _, r := range toyRules {
			if got, want := Severity(ForFile(again, file), r), Severity(ForFile(c, file), r); got != want {
				t.Errorf("%s of %s: read back %s, was %s", r.ID, file, got, want)
			}
		}
	}
}

// TestRoles: the word off is one for YAML 1.1 as well, a glob counts once, and each has its place.
func TestRoles(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"roles: off", "roles: false", `roles: "off"`} {
		c := mustRead(t, "x", text)
		if again := mustRead(t, "x", string(YAML(c))); !c.Roles.Off || !again.Roles.Off {
			t.Errorf("%s: %+v, and read back %+v", text, c.Roles, again.Roles)
		}
	}
	c := mustRead(t, "repo/x", "roles:\n  test:\n    - e2e/**\n    - e2e/**\n    - \"*.example.com\"\n  old:\n  source: [&a api, *a]\n")
	var got []string
	for _, s := range c.Roles.Set {
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s", s.At.Pos.File, s.At.Pos.Line, s.At.Pos.Column, s.Role, s.Glob))
	}
	if diff := cmp.Diff([]string{"repo/x:3:7 test e2e/**", "repo/x:5:7 test *.example.com", "repo/x:7:12 source api"}, got); diff != "" {
		t.Error(diff)
	}
	const want = "roles:\n  test:\n    - e2e/**\n    - \"*.example.com\"\n  source:\n    - api\n"
	if diff := cmp.Diff(want, string(RolesYAML(c.Roles))); diff != "" {
		t.Error(diff)
	}
}

func TestBaselinePath(t *testing.T) {
	t.Parallel()
	absolute, err := filepath.Abs("b")
	if err != nil {
		t.Fatal(err)
	}
	absolute = filepath.ToSlash(absolute) // on Windows, /b is not
	for _, test := range [][3]string{{"../.crdlift.yaml", "b.yaml", "../b.yaml"}, {"", "b.yaml", "b.yaml"}, {"x", "", ""}, {"a/x", absolute, absolute}} {
		c := &lint.Config{Path: test[0], Baseline: test[1]}
		if got := filepath.ToSlash(BaselinePath(c)); got != test[2] {
			t.Errorf("%v: got %s", test, got)
		}
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add(fullConfig)
	for _, test := range invalidConfigs {
		f.Add(test.text)
	}
	for _, part := range []string{"paths: [a]", "crds: [a]", "cover: {min: {all: 0}}", "cover: {ignore: [{path: spec.a, reason: later}]}"} {
		f.Add("test: {" + part + "}")
	}
	f.Add("&a {rules: *a}")
	f.Add("roles: off")
	f.Add("roles: {test: [&a \"*.example.com\", *a], source: [api]}")
	f.Add("overrides: [&a {paths: [a], rules: &b {schema-float: off}}, *a]\nrules: *b")
	f.Add("{\"ignore\": [{\"reason\": \"\\ud800\", \"crd\": \"\\u0085\"}]}")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Read("x", []byte(text), toyRules)
		if err != nil {
			return
		}
		_ = ExcludedBy(c, "a/b.yaml")
		_ = ForFile(c, "a/b.yaml")
		again, err := Read("x", YAML(c), toyRules)
		if err != nil {
			t.Fatalf("cannot be read back: %v\n%s", err, YAML(c))
		}
		if diff := cmp.Diff(c, again, sameConfig); diff != "" {
			t.Errorf("read back: %s", diff)
		}
	})
}
