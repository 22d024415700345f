package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/run"
)

// wrongLines are command lines that ask for what cannot be done, with what standard input has, and with what is said: the cause, and
// what to do. An argument <nothing> is empty.
var wrongLines = []struct{ line, stdin, cause, remedy string }{
	{"lnit", "", `unknown command "lnit"`, "did you mean 'lint' or 'init'?"},
	{"version", "", `unknown command "version"`, "did you mean '--version'?"},
	{"help lnit", "", `unknown command "lnit"`, "did you mean 'lint' or 'init'?"},
	{"--verbose lint crd.yaml", "", "unknown flag: --verbose", "'crdlift test', 'crdlift serve' and 'crdlift convert' have this flag"},
	{"completion tcsh", "", `there is no completion for "tcsh"`, "name one of bash, zsh, fish, powershell"},
	{"lint --onlly scope-invalid crd.yaml", "", "unknown flag: --onlly", "did you mean '--only'?"},
	{"lint -x crd.yaml", "", "unknown shorthand flag: 'x'", "run 'crdlift lint --help'"},
	{"lint -f crd.yaml", "", "unknown shorthand flag: 'f'", "write paths without a flag"},
	{"lint -R crd.yaml", "", "unknown shorthand flag: 'R'", "folders are searched"},
	{"lint --format json crd.yaml", "", "unknown flag: --format", "--output FORMAT"},
	{"lint --json crd.yaml", "", "unknown flag: --json", "--output json"},
	{"lint --exclude vendor crd.yaml", "", "unknown flag: --exclude", "'exclude' in .crdlift.yaml"},
	{"lint --ignore scope-invalid crd.yaml", "", "unknown flag: --ignore", "--rule RULE=off"},
	{"lint --crds crd.yaml users.yaml", "", "unknown flag: --crds", "'crdlift validate', 'crdlift audit', 'crdlift test', 'crdlift serve' and 'crdlift migrate' have this flag"},
	{"lint --against HEAD crd.yaml", "", "unknown flag: --against", "'crdlift breaking' have this flag"},
	{"lint --write crd.yaml", "", "unknown flag: --write", "'crdlift convert'"},
	{"breaking --new-only HEAD crd.yaml", "", "unknown flag: --new-only", "'crdlift lint' has this flag"},
	{"validate --kustomize k", "", "unknown flag: --kustomize", "'crdlift lint'"},
	{"lint --only", "", "flag needs an argument: --only", "run 'crdlift lint --help'"},
	{"lint --fix=perhaps crd.yaml", "", `--fix cannot be "perhaps"`, "true or false"},
	{"lint --preset everything crd.yaml", "", `--preset cannot be "everything"`, "it is one of recommended, all"},
	{"lint --fail-on errors crd.yaml", "", `--fail-on cannot be "errors"`, `did you mean "error"?`},
	{"lint --kubernetes-version latest crd.yaml", "", `"latest" is not a Kubernetes version`, "such as 1.27"},
	{"lint --max-file-size huge crd.yaml", "", `--max-file-size cannot be "huge"`, "a size such as 64MiB"},
	{"lint --max-file-size 9 crd.yaml", "", "crd.yaml: larger than", "raise the limit"},
	{"lint --only scope-invald crd.yaml", "", `there is no rule "scope-invald"`, "did you mean 'scope-invalid'?"},
	{"lint --only scoop-* crd.yaml", "", `no rule matches "scoop-*"`, "run 'crdlift explain' to list the rules"},
	{"lint --only scope-[ crd.yaml", "", "has an unbalanced bracket", "run 'crdlift explain' to list the rules"},
	{"lint --only object-type crd.yaml", "", "about custom resources, which 'crdlift lint' does not check", "run 'crdlift validate' for it"},
	{"lint --only webhook-slow crd.yaml", "", "about conversions, which 'crdlift lint' does not check", "run 'crdlift webhook test' for it"},
	{"lint --only field-removed crd.yaml", "", "compares with an earlier version", "--new-only"},
	{"lint --only manifest-stale --go off crd.yaml", "", "Go types, which are switched off", "--go auto"},
	{"lint --rule scope-invalid crd.yaml", "", "--rule scope-invalid", "write RULE=SEVERITY"},
	{"lint --rule scope-invalid=fatal crd.yaml", "", `"fatal" is not one of`, "off, info, warning, error"},
	{"lint --rule no-such=off crd.yaml", "", `there is no rule "no-such"`, "run 'crdlift explain' to list the rules"},
	{"lint -o xml crd.yaml", "", `--output cannot be "xml"`, "it is one of text, short"},
	{"lint -o json -o sarif crd.yaml", "", "json and sarif cannot both go to standard output", "--output sarif=PATH"},
	{"lint -o json=- crd.yaml", "", "- is not a file name", "write --output json, which goes to standard output"},
	{"lint -o json= crd.yaml", "", "has no file name", "--output json="},
	{"lint -o json=crd.yaml crd.yaml", "", "would replace the input", "name another file"},
	{"lint -o json=crd.yaml k", "", "would replace", "name another file"},
	{"lint -o json=out.json -o sarif=./out.json crd.yaml", "", "writes the same file as --output json=out.json", "give each --output its own file"},
	{"lint -o json=nowhere/out.json crd.yaml", "", `because the folder "nowhere" does not exist`, "create it first"},
	{"lint -o json=empty crd.yaml", "", "--output json=empty is a folder", "name a file in it"},
	{"lint --write-baseline crd.yaml crd.yaml", "", "would replace the input", "name another file"},
	{"lint --write-baseline notes.txt crd.yaml", "", "would replace a file that is not a baseline", "name another file, or remove it first"},
	{"lint --write-baseline empty crd.yaml", "", "--write-baseline empty is a folder", "name a file in it"},
	{"lint --write-baseline b.yaml --baseline b.yaml crd.yaml", "", "cannot be used together", "a new baseline has all findings"},
	{"lint --write-baseline b.yaml --fix crd.yaml", "", "cannot be used with --fix", "fix first, then write the baseline"},
	{"lint --baseline missing.yaml crd.yaml", "", "baseline: missing.yaml: ", "write one with 'crdlift lint --write-baseline missing.yaml'"},
	{"lint --baseline crd.yaml crd.yaml", "", "this is not a baseline", "--write-baseline FILE"},
	{"lint --baseline - crd.yaml", "", "a baseline must be a file", "./- is a file of that name"},
	{"lint --config missing.yaml crd.yaml", "", "configuration: missing.yaml: ", "--config off"},
	{"lint --config empty crd.yaml", "", "configuration: empty: ", "--config off"},
	{"lint --config unknown-key.yaml crd.yaml", "", `unknown-key.yaml:1:1: unknown key "rulez"`, `did you mean "rules"?`},
	{"lint --config wrong-value.yaml crd.yaml", "", `wrong-value.yaml:1:9: failOn cannot be "often"`, "it is one of info, warning, error, never"},
	{"lint --config wrong-rule.yaml crd.yaml", "", `wrong-rule.yaml:1:9: there is no rule "no-such-rule"`, "`crdlift explain` lists them"},
	{"lint --config broken.yaml crd.yaml", "", "broken.yaml:2:1: ", "a bracket is never closed"},
	{"lint <nothing>", "", "one of the arguments is empty", "a variable that is not set"},
	{"lint crd.yml", "", "crd.yml: ", "did you mean crd.yaml?"},
	{"lint nowhere/crd.yaml", "", "nowhere/crd.yaml: ", `the folder "nowhere" does not exist`},
	{"lint empty", "", "there are no manifests in empty", "--allow-empty"},
	{"lint nothing-like-it.yaml", "", "nothing-like-it.yaml: no such file or directory", "; correct the path"},
	{"lint nowhere/crd.yaml", "", `nowhere/crd.yaml: no such file or directory, as the folder "nowhere" does not exist`, "; correct the path"},
	{"validate empty", "", "there are no manifests in empty", "--allow-empty"},
	{"validate --crds crd.yaml empty", "", "there are no manifests in empty", "--allow-empty"},
	{"lint notes.txt", "", "notes.txt: no CustomResourceDefinition in 1 file", "--allow-empty"},
	{"lint broken.yaml", "", "broken.yaml:2:1: does not parse", "a bracket is never closed"},
	{"lint users.yaml", "", "no CustomResourceDefinition", "'crdlift validate' checks"},
	{"lint - crd.yaml", "", "standard input (-) cannot be combined with other paths", "leave out the other paths"},
	{"lint -", "spec: [", "<stdin>:1:1: does not parse", "a bracket is never closed"},
	{"lint --new-only - -", "", "standard input can be read only once", "name a file or a folder"},
	{"lint --new-only v9 crd.yaml", "", `there is no revision "v9"`, "'git tag' list what there is"},
	{"lint --new-only path:missing crd.yaml", "", "path:missing is not a file or folder", "git:REVISION"},
	{"lint --new-only main..main crd.yaml", "", `"main..main" is a range of git revisions`, "name the older one, main"},
	{"lint --new-only HEAD:missing crd.yaml", "", `HEAD has no manifests at "missing"`, "git ls-tree"},
	{"lint --new-only empty crd.yaml", "", "there is nothing to compare with (there are no manifests in empty", "--allow-empty"},
	{"lint --exact crd.yaml", "", "--exact needs", "--new-only"},
	{"lint --unsafe-fixes crd.yaml", "", "--unsafe-fixes needs", "--fix, --fix-go or --diff"},
	{"lint --diff -o json crd.yaml", "", "standard output is used for the diff", "--output FORMAT=PATH"},
	{"lint --fix-go --go off crd.yaml", "", "--fix-go cannot be used with --go off", "--go auto"},
	{"lint --go crd.yaml crd.yaml", "", "Go types: crd.yaml is not a folder", "name the folder that the types are in"},
	{"lint --go missing crd.yaml", "", "the Go types cannot be read: missing: ", "name the folder that the types are in"},
	{"lint --cache crd.yaml crd.yaml", "", "--cache crd.yaml: not a folder", "name a folder"},
	{"lint --kustomize k --fix", "", "--kustomize cannot be used with --fix", "fix the bases"},
	{"lint --kustomize k crd.yaml", "", "--kustomize replaces PATH", "the kustomization names the files"},
	{"lint --kustomize empty", "", "kustomize cannot build it", "kustomization.yaml"},
	{"breaking --exact crd.yaml", "", "--exact needs --against", "where HEAD branched off the main branch"},
	{"breaking --require crd.yaml --against HEAD crd.yaml", "", "--require and --against cannot be used together", "run crdlift breaking once for each"},
	{"breaking --require crd.yaml --exact crd.yaml", "", "--require cannot be used with --apply, --field-manager or --exact", "replace earlier ones"},
	{"breaking --require crd.yaml --apply server-side crd.yaml", "", "--require cannot be used with --apply", "replace earlier ones"},
	{"breaking --require crd.yaml --field-manager me crd.yaml", "", "--require cannot be used with --apply", "replace earlier ones"},
	{"breaking --require nowhere.yaml crd.yaml", "", `"nowhere.yaml" is not a file or folder`, "git"},
	{"breaking --require notes.txt crd.yaml", "", "notes.txt", "--allow-empty"},
	{"breaking --require - -", "", "standard input can be read only once", "name a file or a folder"},
	{"breaking --require crd.yaml --only field-removed crd.yaml", "", "is about what changes, and not about what is needed", "without --require"},
	{"breaking --against HEAD --only requirement-missing crd.yaml", "", "compares with the CRDs of --require, and none are named", "--require"},
	{"lint --only requirement-missing crd.yaml", "", "compares with the CRDs of --require, and none are named", "'crdlift breaking --require'"},
	{"validate --only requirement-missing crd.yaml", "", "about changes, which 'crdlift validate' does not check", "run 'crdlift breaking' for it"},
	{"lint --require crd.yaml crd.yaml", "", "unknown flag: --require", "'crdlift breaking' has this flag"},
	{"breaking --against broken.yaml crd.yaml", "", "there is nothing to compare with (broken.yaml:2:1: does not parse", "a bracket is never closed"},
	{"breaking --only scope-invalid --against HEAD crd.yaml", "", "which 'crdlift breaking' does not check", "run 'crdlift lint' for it"},
	{"breaking --against crd.yaml -o markdown=crd.yaml k", "", "would replace the earlier version", "name another file"},
	{"validate crd.yaml", "", "there are only CRDs", "'crdlift lint' checks CRDs"},
	{"validate gadgets.yaml", "", "no CRD defines the objects, such as Gadget", "name their CRDs with --crds"},
	{"validate --crds missing users.yaml", "", `"missing" is not a file, a folder or a git revision`, "such as config/crd/bases"},
	{"validate --crds - -", "", "standard input can be read only once", "name a file"},
	{"validate --only scope-invalid crd.yaml users.yaml", "", "which 'crdlift validate' does not check", "run 'crdlift lint' for it"},
	{"validate --as served crd.yaml users.yaml", "", "--as needs --diff", "what the diff shows"},
	{"validate --diff --as served=v9 crd.yaml users.yaml", "", `no CRD has the version "v9"`, "name one of these: v1"},
	{"validate --on delete crd.yaml users.yaml", "", `--on cannot be "delete"`, "it is one of create, update"},
	{"validate --against HEAD --on create crd.yaml users.yaml", "", "--against cannot be used with", "a second time without --against"},
	{"validate --against users.yaml crd.yaml users.yaml", "", "no CustomResourceDefinition in 1 file", "--allow-empty"},
	{"validate --limit many crd.yaml users.yaml", "", `--limit cannot be "many"`, "a whole number"},
	{"validate --limit -1 crd.yaml users.yaml", "", "--limit cannot be negative", "use 0 to show all places"},
	{"validate --list - -o json crd.yaml users.yaml", "", "standard output is used for the list", "--output FORMAT=PATH"},
	{"validate --list nowhere/l.tsv crd.yaml users.yaml", "", "--list nowhere/l.tsv cannot be written", `the folder "nowhere" does not exist`},
	{"validate --old-objects empty crd.yaml users.yaml", "", "nothing to compare with", "--allow-empty"},
	{"validate --fix -", "", "--fix of standard input prints values", "--show-values always"},
	{"schema", "", "'crdlift schema' needs CRDs", "run 'crdlift schema --help'"},
	{"schema --format kustomize-openapi --strict crd.yaml", "", "--format kustomize-openapi cannot be used with --strict or --output-dir", "write its one file with > FILE"},
	{"schema missing.yaml", "", `"missing.yaml" is not a file, a folder or a git revision`, "such as config/crd/bases"},
	{"schema notes.txt", "", `there is no CRD in "notes.txt"`, "'crdlift lint' says what there is"},
	{"sample", "", "'crdlift sample' needs a KIND", "run 'crdlift sample --help'"},
	{"sample Nothing", "", `defines "Nothing"`, "name the file or the folder of its CRD"},
	{"sample --size large crd.yaml", "", `--size cannot be "large"`, "it is one of both, smallest, fullest"},
	{"convert", "", "nothing to convert", "name files or folders"},
	{"convert --to v2 old.yaml", "", `--to cannot be "v2"`, "it is one of v1, v1beta1"},
	{"convert old.yaml crd.yaml", "", "only a single file can go to standard output", "use --write to rewrite files in place"},
	{"convert -w -", "", "standard input (-) cannot be combined with", "standard output"},
	{"convert --check -w old.yaml", "", "--write and --check cannot be used together", "use one of them"},
	{"convert --output-dir crd.yaml old.yaml", "", "crd.yaml is not a folder", "name a folder"},
	{"convert --output-dir . old.yaml", "", "--output-dir would replace the input", "use --write"},
	{"convert -o json old.yaml", "", "standard output is used for the converted manifest", "--output FORMAT=PATH"},
	{"plan crd.yaml", "", "'crdlift plan' needs OLD and NEW", "run 'crdlift plan --help'"},
	{"plan crd.yaml users.yaml", "", "users.yaml: no CustomResourceDefinition", "'crdlift validate' checks"},
	{"plan crd.yaml broken.yaml", "", "broken.yaml:2:1: does not parse", "a bracket is never closed"},
	{"report", "", "no report is named", "--output json=FILE wrote"},
	{"report othr.json", "", "othr.json: ", "did you mean other.json?"},
	{"report other.json", "", "is not a report of crdlift", "write one with --output json of another command"},
	{"report crd.yaml", "", "crd.yaml: is not JSON", "write one with --output json of another command"},
	{"report empty", "", "empty has no *.json files", "write one with --output json=FILE of another command"},
	{"where", "", "'crdlift where' needs a MANIFEST", "run 'crdlift where --help'"},
	{"where empty spec", "", "empty is a folder", "'crdlift where' needs one file"},
	{"where --go off crd.yaml spec", "", "'crdlift where' needs Go types, so it cannot be used with --go off", "--go auto"},
	{"explain scope-invald", "", `there is no rule "scope-invald"`, "did you mean 'scope-invalid'?"},
	{"explain scope-invalid default-invalid", "", "name one rule, or one topic", "run 'crdlift explain' to list the rules"},
	{"config crd.yaml", "", `unexpected argument "crd.yaml"`, "run 'crdlift config --help'"},
	{"init here", "", `unexpected argument "here"`, "run 'crdlift init --help'"},
	{"init -d --config off", "", "unknown flag: --config", "have this flag"},
	{"roles nowhere", "", "nowhere: ", "no such file"},
	{"roles k ..", "", ".. is outside of the repository", "run crdlift in the repository"},
	{"roles --set k", "", "--set k: write ROLE=GLOB", "test=e2e/**"},
	{"roles --set tests=k", "", `there is no role "tests"`, `did you mean "test"?`},
	{"roles --set test=../k", "", `"../k" does not lie below the folder of the configuration`, "move the configuration up"},
	{"roles --set test=[k", "", "a glob of test is not valid", "unbalanced bracket"},
	{"roles --role tests", "", `--role cannot be "tests"`, `did you mean "test"?`},
	{"roles -o yaml", "", `--output cannot be "yaml"`, "it is one of text, json"},
	{"fn", "", "there is no ResourceList on standard input", "crdlift fn --print-config"},
	{"webhook tset crd.yaml", "", `unexpected argument "tset"`, "did you mean 'crdlift webhook test'?"},
	{"webhook", "", "does nothing by itself", "run 'crdlift webhook test'"},
	{"webhook test", "", "name the CRDs to test", "files, folders, or - for standard input"},
	{"webhook test crd.yaml", "", "nothing was tested", "name CRDs with several versions"},
	{"webhook test crd.yaml --url ftp://127.0.0.1", "", "--url ftp://127.0.0.1", "write https://HOST:PORT/PATH"},
	{"webhook test crd.yaml --url https://192.0.2.1/", "", "is not an address of this machine", "--allow-remote"},
	{"webhook test crd.yaml --connect localhost", "", "--connect localhost", "write HOST:PORT"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --timeout soon", "", `--timeout cannot be "soon"`, "a time such as 30s"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --seed -1", "", `--seed cannot be "-1"`, "a whole number, and not negative"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --count 0", "", "--count 0 needs", "--samples"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --skip nothing", "", `--skip cannot be "nothing"`, "it is one of pairs"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --version-pair v1", "", "--version-pair v1", "write FROM:TO"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --skip edits --only webhook-edit-lost", "", "has no findings with --skip edits", "leave out one of the two"},
	{"webhook test crd.yaml -- true", "", "a command needs", "--url or --connect"},
	{"webhook test crd.yaml --url http://127.0.0.1:1 --samples user.yaml", "", "--samples: user.yaml: ", "did you mean users.yaml?"},
}

// wrongFolder has what wrongLines name.
var wrongFolder = map[string]string{
	"crd.yaml": wrongCRD, "k/crd.yaml": wrongCRD, "k/kustomization.yaml": "resources: [crd.yaml]\n",
	"old.yaml":         strings.Replace(strings.Replace(wrongCRD, "/v1\n", "/v1beta1\n", 1), "    schema:", "  validation:", 1),
	"users.yaml":       "apiVersion: example.com/v1\nkind: User\nmetadata: {name: a}\nspec: {a: b}\n",
	"gadgets.yaml":     "apiVersion: example.org/v1\nkind: Gadget\nmetadata: {name: a}\n",
	"broken.yaml":      "a: b\nspec: [\n",
	"notes.txt":        "kind: Note\n",
	"other.json":       `{"a": 1}`,
	"unknown-key.yaml": "rulez: {}\n", "wrong-value.yaml": "failOn: often\n", "wrong-rule.yaml": "rules: {no-such-rule: off}\n",
}

const wrongCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: users.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: User, listKind: UserList, plural: users, singular: user}
  preserveUnknownFields: false
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}
`

// TestWrongLines: each ends with 2, says why and what to do, and changes nothing.
func TestWrongLines(t *testing.T) {
	if len(wrongLines) < 74 {
		t.Errorf("only %d command lines", len(wrongLines))
	}
	t.Chdir(t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	if err := os.MkdirAll("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range wrongFolder {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	for _, c := range wrongLines {
		args := strings.Fields(c.line)
		for i, arg := range args {
			args[i] = strings.TrimPrefix(arg, "<nothing>")
		}
		var stdout, stderr bytes.Buffer
		code := Run(args, strings.NewReader(c.stdin), &stdout, &stderr)
		said := stderr.String()
		if code != run.ExitTrouble || !strings.HasPrefix(said, "crdlift: ") && !strings.Contains(said, "\ncrdlift: ") {
			t.Errorf("crdlift %s: exit code %d, and it says %q", c.line, code, said)
		}
		for _, part := range []string{c.cause, c.remedy} {
			if !strings.Contains(said, part) {
				t.Errorf("crdlift %s: %q is not in %q", c.line, part, said)
			}
		}
	}
	if out, err := exec.Command("git", "status", "--porcelain").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("files were written: %v\n%s", err, out)
	}
}
