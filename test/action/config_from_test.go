package action

import (
	"os"
	"strings"
	"testing"
)

// greenwash are ways in which a pull request that does something wrong could turn its own check green: the files that it writes besides.
var greenwash = []struct {
	name  string
	wrong string // what it makes of config/crd/crons.yaml
	files map[string]string
	env   []string
}{
	{"a comment on the document", lacking, map[string]string{"config/crd/crons.yaml": "# crdlift:ignore field-removed -- mine\n" + lacking}, nil},
	{"a comment in its place", lacking, map[string]string{
		"config/crd/crons.yaml": strings.Replace(lacking, "properties:\n              schedule", "properties: # crdlift:ignore field-removed -- mine\n              schedule", 1),
	}, nil},
	{"a wider comment", unlimited, map[string]string{"config/crd/crons.yaml": "# crdlift:ignore schema-float -- mine\n" + unlimited}, nil},
	{"exclude", lacking, map[string]string{".crdlift.yaml": ofPolicy + "exclude: [config/crd/crons.yaml]\n"}, nil},
	{"ignore", lacking, map[string]string{".crdlift.yaml": ofPolicy + "ignore: [{crd: crons.example.com, reason: mine}]\n"}, nil},
	{"a severity", lacking, map[string]string{".crdlift.yaml": ofPolicy + "rules: {field-removed: off}\n"}, nil},
	{"an override", lacking, map[string]string{".crdlift.yaml": ofPolicy + "overrides: [{paths: [config], rules: {field-removed: info}}]\n"}, nil},
	{"compatibility", lacking, map[string]string{".crdlift.yaml": ofPolicy + "compatibility: {stable: info}\n"}, nil},
	{"failOn", lacking, map[string]string{".crdlift.yaml": ofPolicy + "failOn: never\n"}, nil},
	{"preset", tooMuch, map[string]string{".crdlift.yaml": "preset: recommended\n"}, nil},
	{"roles", lacking, map[string]string{".crdlift.yaml": ofPolicy + "roles: {test: [config/**]}\n"}, nil},
	{"a configuration that is gone", unlimited, map[string]string{".crdlift.yaml": ""}, nil},
	{"a configuration that is moved", unlimited, map[string]string{".crdlift.yaml": "", "docs/.crdlift.yaml": ofPolicy}, nil},
	{"a nearer configuration", lacking, map[string]string{"config/.crdlift.yaml": "failOn: never\n"}, []string{"CRDLIFT_WORKING_DIRECTORY=config/crd"}},
	{"a file that is extended", lacking, map[string]string{"policy/shared.yaml": "rules: {field-removed: off}\n"}, nil},
	{"the baseline", lacking, map[string]string{"known.yaml": knownDrop}, nil},
	{"a baseline of the arguments", lacking, map[string]string{"known.yaml": knownDrop}, []string{"CRDLIFT_ARGS=--baseline=known.yaml"}},
	{".gitignore", lacking, map[string]string{".gitignore": "crons.yaml\n"}, nil},
	{".gitignore of a folder", lacking, map[string]string{"config/.gitignore": "crd/\n"}, nil},
	{"a folder that nobody looks into", lacking, map[string]string{"config/crd/crons.yaml": "", "vendor/crons.yaml": lacking}, nil},
	{"a folder outside of the paths", lacking, map[string]string{"config/crd/crons.yaml": "", "app/crons.yaml": lacking}, []string{"CRDLIFT_PATHS=config"}},
	{"the evidence of a patch", untouched, map[string]string{
		"app/kustomization.yaml": "resources: [other.yaml]\npatches: [{path: known.yaml, target: {name: nobody}}]\n",
		"app/known.yaml":         refused, "app/other.yaml": strings.Replace(refused, "0123456789", "", 1),
	}, []string{"CRDLIFT_COMMAND=validate", "CRDLIFT_AGAINST=none", "CRDLIFT_ARGS=--only=object-constraint"}},
	{"the evidence of a test", lacking, map[string]string{"kuttl-test.yaml": "apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [config]\n"}, nil},
	{"the evidence of a test of an XRD", untouched, map[string]string{
		"kuttl-test.yaml": "apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [config/stores]\n", "config/stores/stores.yaml": ofXRD,
	}, nil},
	{"the evidence of a test of objects", untouched, map[string]string{
		"kuttl-test.yaml": "apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [app]\n", "app/cron.yaml": refused,
	}, []string{"CRDLIFT_COMMAND=validate", "CRDLIFT_AGAINST=none", "CRDLIFT_ARGS=--only=object-constraint"}},
	{"a comment in an object", untouched, map[string]string{"app/cron.yaml": "# crdlift:ignore object-constraint -- mine\n" + refused},
		[]string{"CRDLIFT_COMMAND=validate", "CRDLIFT_AGAINST=none", "CRDLIFT_ARGS=--only=object-constraint"}},
	{"only breaking changes", lacking, map[string]string{".crdlift.yaml": ofPolicy + "failOn: never\n"}, []string{"CRDLIFT_COMMAND=breaking"}},
}

var (
	untouched = crd("crons", schedule, suspend, measured)
	lacking   = crd("crons", schedule, measured)
	unlimited = crd("crons", schedule, suspend, measured, "share: {type: number, description: Of all.}")
	tooMuch   = crd("crons", schedule, suspend, measured, "more: {type: string}")
)

const (
	measured  = "load: {type: number, description: Measured.} # crdlift:ignore schema-float -- never compared"
	ofPolicy  = "extends: policy/shared.yaml\nbaseline: known.yaml\n"
	knownDrop = "version: 1\nfiles: [{path: config/crd/crons.yaml, findings: [{rule: field-removed, resource: crons.example.com, " +
		"path: 'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[suspend]'}]}]\n"
	ofXRD = "apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nmetadata: {name: stores.example.com}\n" +
		"spec:\n  group: example.com\n  names: {kind: Store, plural: stores}\n  versions:\n  - name: v1\n    served: true\n    referenceable: true\n" +
		"    schema: {openAPIV3Schema: {type: object, description: A store., properties: {spec: {type: object, description: What it is., properties: {share: {type: number, description: Of all.}}}}}}\n"
	refused = "apiVersion: example.com/v1\nkind: Crons\nmetadata: {name: a}\nspec: {schedule: " + "'" + "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" + "'}\n"
)

func TestConfigFromBase(t *testing.T) {
	t.Parallel()
	needs(t, "bash", "git")
	p := project{origin: t.TempDir()}
	put := func(files map[string]string) string {
		for name, text := range files {
			path := write(t, p.origin, name, text)
			if text == "" {
				os.Remove(path)
			}
		}
		git(t, p.origin, "add", "--all", "--force")
		git(t, p.origin, "commit", "--quiet", "--allow-empty", "--message", "x")
		return git(t, p.origin, "rev-parse", "HEAD")
	}
	git(t, p.origin, "init", "--quiet", "--initial-branch=main")
	p.base = put(map[string]string{
		".crdlift.yaml": ofPolicy, "policy/shared.yaml": "preset: all\nfailOn: warning\nrules: {schema-description-missing: warning, schema-float: error}\n",
		"known.yaml": "version: 1\nfiles: []\n", "config/crd/crons.yaml": untouched, "app/known.yaml": strings.Replace(refused, "0123456789", "0", 1), "config/other/others.yaml": crd("others", schedule, suspend),
	})
	// check runs the action on a pull request, and returns its exit codes with the configuration of the head and of the base.
	check := func(t *testing.T, env []string, all ...map[string]string) (head, base step) {
		git(t, p.origin, "switch", "--quiet", "--detach", "main")
		for _, files := range all {
			p.head = put(files)
		}
		git(t, p.origin, "switch", "--quiet", "--detach", "main")
		git(t, p.origin, "merge", "--quiet", "--no-ff", "--message=merge", p.head)
		p.merge = git(t, p.origin, "rev-parse", "HEAD")
		git(t, p.origin, "update-ref", "refs/pull/1/merge", p.merge)
		dir := p.checkout(t, p.merge, 1)
		env = append(p.pullRequest(t, "pull_request"), env...)
		return lint(t, dir, env), lint(t, dir, env, "CRDLIFT_CONFIG_FROM=base")
	}
	for _, c := range greenwash {
		t.Run(c.name, func(t *testing.T) {
			head, base := check(t, c.env, map[string]string{"config/crd/crons.yaml": c.wrong}, c.files)
			if head.exit != 0 {
				t.Errorf("it does not turn the check green:\n%s", head)
			}
			if base.exit != 1 {
				t.Errorf("it turns the check green with the configuration of the base: exit code %d\n%s", base.exit, base)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		for _, wrong := range []string{lacking, unlimited, tooMuch} {
			head, base := check(t, nil, map[string]string{"config/crd/crons.yaml": wrong})
			head.want(t, 1, head.output, "findings=1\n")
			base.want(t, 1, base.output, "findings=1\n")
		}
	})
	t.Run("other inputs and events", func(t *testing.T) {
		git(t, p.origin, "switch", "--quiet", "--detach", "main")
		dir := p.checkout(t, put(map[string]string{"config/crd/crons.yaml": unlimited, ".crdlift.yaml": "failOn: never\n"}), 1)
		for _, c := range []struct {
			from, event, says string
			exit              int
		}{
			{"head", "push", "checked 2 CRDs", 0},
			{"base", "push", "checked 2 CRDs", 0}, // it is in the branch already
			{"base", "merge_group", "the base of this merge_group cannot be fetched", 2},
			{"main", "push", "the configuration and the baseline are those of git:", 1},
			{"git:" + p.base, "push", "the configuration and the baseline are those of git:" + p.base, 1},
			{"path:config", "push", "config-from must be base, head or a git revision; it is 'path:config'", 2},
			{"nowhere", "push", "there is no revision, folder or file 'git:nowhere'", 2},
		} {
			got := lint(t, dir, event(t, c.event, "refs/heads/main", p.base, "{}"), "CRDLIFT_AGAINST=none", "CRDLIFT_NEW_ONLY=false", "CRDLIFT_CONFIG_FROM="+c.from)
			got.want(t, c.exit, got.stdout+got.stderr, c.says)
		}
		bare := t.TempDir()
		write(t, bare, "crons.yaml", untouched)
		got := lint(t, bare, p.pullRequest(t, "pull_request"), "CRDLIFT_CONFIG_FROM=base")
		got.want(t, 2, got.stderr, "config-from: base finds no repository to read the configuration from")
	})
	t.Run("what is right", func(t *testing.T) {
		moved := strings.Replace(untouched, "description: What is wanted.", "description: What is wanted, and when.", 1)
		head, base := check(t, []string{"CRDLIFT_NEW_ONLY=false"}, map[string]string{"config/crd/crons.yaml": "", "config/crd/jobs.yaml": "# Moved.\n\n" + moved, "testdata/wrong.yaml": tooMuch})
		head.want(t, 0, head.summary, "checked")
		base.want(t, 0, base.summary, "checked")
	})
}
