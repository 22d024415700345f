package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	ofPolicy  = "extends: policy/shared.yaml\nbaseline: known.yaml\n"
	noneKnown = "version: 1\nfiles: []\n"
)

// greenwash are ways in which a pull request that drops a field could turn its own check green: the files that it writes besides, "" for
// one that it removes.
var greenwash = map[string]map[string]string{
	"a comment":                  {"config/crd/crons.yaml": "# crdlift:ignore field-removed -- mine\n" + crd("crons", schedule)},
	"a comment in its place":     {"config/crd/crons.yaml": strings.Replace(crd("crons", schedule), "properties:\n              schedule", "properties: # crdlift:ignore field-removed -- mine\n              schedule", 1)},
	"exclude":                    {".crdlift.yaml": ofPolicy + "exclude: [config/crd/crons.yaml]\n"},
	"ignore":                     {".crdlift.yaml": ofPolicy + "ignore: [{crd: crons.example.com, reason: mine}]\n"},
	"a severity":                 {".crdlift.yaml": ofPolicy + "rules: {field-removed: off}\n"},
	"an override":                {".crdlift.yaml": ofPolicy + "overrides: [{paths: [config], rules: {field-removed: warning}}]\n"},
	"compatibility":              {".crdlift.yaml": ofPolicy + "compatibility: {stable: warning}\n"},
	"failOn":                     {".crdlift.yaml": ofPolicy + "failOn: never\n"},
	"roles":                      {".crdlift.yaml": ofPolicy + "roles: {test: [config/**]}\n"},
	"a configuration of its own": {".crdlift.yaml": "rules: {field-removed: off}\n"},
	"the file that is extended":  {"policy/shared.yaml": "rules: {field-removed: off}\n"},
	"the baseline":               {"known.yaml": "version: 1\nfiles: [{path: config/crd/crons.yaml, findings: [{rule: field-removed, resource: crons.example.com, path: 'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[suspend]'}]}]\n"},
	".gitignore":                 {".gitignore": "crons.yaml\n"},
	"evidence of a test":         {"kuttl-test.yaml": "apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [config]\n"},
}

func TestConfigFromBase(t *testing.T) {
	t.Parallel()
	needs(t, "bash", "git")
	origin := t.TempDir()
	git(t, origin, "init", "--quiet", "--initial-branch=main")
	write(t, origin, ".crdlift.yaml", ofPolicy)
	write(t, origin, "policy/shared.yaml", "minSeverity: warning\n")
	write(t, origin, "known.yaml", noneKnown)
	write(t, origin, "config/crd/crons.yaml", crd("crons", schedule, suspend))
	write(t, origin, "config/crd/others.yaml", crd("others", schedule, suspend))
	commit := func() string {
		git(t, origin, "add", "--all", "--force")
		git(t, origin, "commit", "--quiet", "--message", "x")
		return git(t, origin, "rev-parse", "HEAD")
	}
	p := project{origin: origin, base: commit()}
	pull := func(t *testing.T, files map[string]string) string {
		git(t, origin, "switch", "--quiet", "--detach", "main")
		write(t, origin, "config/crd/crons.yaml", crd("crons", schedule))
		for name, text := range files {
			if text == "" {
				if err := os.Remove(filepath.Join(origin, name)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			write(t, origin, name, text)
		}
		head := commit()
		git(t, origin, "switch", "--quiet", "--detach", "main")
		git(t, origin, "merge", "--quiet", "--no-ff", "--message=merge", head)
		p.head, p.merge = head, git(t, origin, "rev-parse", "HEAD")
		git(t, origin, "update-ref", "refs/pull/1/merge", p.merge)
		return p.checkout(t, p.merge, 1)
	}
	greenwash["nothing"] = nil
	for name, files := range greenwash {
		t.Run(name, func(t *testing.T) {
			dir := pull(t, files)
			own := 0
			if files == nil {
				own = 1
			}
			for from, exit := range map[string]int{"head": own, "base": 1} {
				got := lint(t, dir, p.pullRequest(t, "pull_request"), "CRDLIFT_CONFIG_FROM="+from)
				if got.exit != exit {
					t.Errorf("%s: exit code %d, want %d\n%s", from, got.exit, exit, got)
				}
			}
		})
	}
}
