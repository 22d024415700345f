package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is a custom resource of crd("crons").
func sample(name string, fields ...string) string {
	return "apiVersion: example.com/v1\nkind: Crons\nmetadata: {name: " + name + ", namespace: default}\nspec:\n  " +
		strings.Join(fields, "\n  ") + "\n"
}

const (
	never    = `schedule: never`
	misspelt = `shedule: never`
	fixed    = "schedule: {type: string, maxLength: 99, description: When., x-kubernetes-validations: [{rule: self == oldSelf, message: it is for ever}]}"
)

// TestValidate judges custom resources, by CRDs that are anywhere.
func TestValidate(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"api/crd/crons.yaml":         crd("crons", schedule),
		"api/samples/good.yaml":      sample("good", never),
		"api/samples/misspelt.yaml":  sample("misspelt", misspelt),
		"api/samples/long.yaml":      sample("long", "schedule: "+strings.Repeat("1", 100)+"s"),
		"api/.crdlift.yaml":          "rules:\n  object-constraint: warning\n",
		"good/with space/crons.yaml": crd("crons", schedule),
		"good/sample.yaml":           sample("good", never),
		"others/sample.yaml":         strings.Replace(sample("other", never), "example.com", "other.example.org", 1),
	}
	const unknown = "::error file=api/samples/misspelt.yaml,line=5,"
	for _, c := range []struct {
		name           string
		env            []string
		exit           int
		stdout, output []string
		lacks          string
	}{
		{"a folder with its CRDs", []string{"CRDLIFT_PATHS=api"}, 1, []string{unknown, "::error file=api/samples/long.yaml"}, []string{"objects=3\n", "refused=2\n", "errors=2\n"}, "good.yaml"},
		{"nothing wrong", []string{"CRDLIFT_PATHS=good"}, 0, nil, []string{"objects=1\n", "refused=0\n", "findings=0\n"}, "::error"},
		{"CRDs elsewhere", []string{"CRDLIFT_PATHS=api/samples", "CRDLIFT_CRDS=\n  good/with space\n"}, 1, []string{unknown}, []string{"objects=3\n", "refused=2\n"}, ""},
		{"CRDs beside the folder to work in", []string{"CRDLIFT_WORKING_DIRECTORY=api/samples", "CRDLIFT_CRDS=../crd"}, 1, []string{unknown, "::warning file=api/samples/long.yaml"}, []string{"errors=1\n"}, ""},
		{"CRDs of a commit", []string{"CRDLIFT_PATHS=api/samples", "CRDLIFT_CRDS=git:HEAD:api/crd"}, 1, []string{unknown}, []string{"objects=3\n"}, ""},
		{"CRDs of no commit", []string{"CRDLIFT_PATHS=api/samples", "CRDLIFT_CRDS=git:v9:api/crd"}, 2, nil, nil, "::error file"},
		{"the CRDs of the repository", []string{"CRDLIFT_PATHS=api/samples"}, 1, []string{unknown}, []string{"objects=3\n", "refused=2\n"}, ""},
		{"no CRDs", []string{"CRDLIFT_PATHS=others"}, 2, nil, nil, "::error file"},
		{"CRDs of others", []string{"CRDLIFT_PATHS=others\ngood", "CRDLIFT_ARGS=--missing-crd=error"}, 1, []string{"::error file=others/sample.yaml"}, []string{"objects=1\n"}, ""},
		{"warnings about fields", []string{"CRDLIFT_PATHS=api", "CRDLIFT_FIELD_VALIDATION=warn"}, 1, []string{"::warning file=api/samples/misspelt.yaml,line=5,"}, []string{"refused=1\n", "errors=1\n"}, unknown},
		{"no such way", []string{"CRDLIFT_PATHS=api", "CRDLIFT_APPLY=$(touch pwned)"}, 2, nil, nil, "::error file"},
		{"a way", []string{"CRDLIFT_PATHS=good", "CRDLIFT_APPLY=server-side"}, 0, nil, []string{"objects=1\n"}, "::error"},
		{"no such validation", []string{"CRDLIFT_PATHS=api", "CRDLIFT_FIELD_VALIDATION=$(touch pwned)"}, 2, nil, nil, "::error file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t, files)
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "--quiet", "--message=all")
			got := lint(t, dir, c.env, "CRDLIFT_COMMAND=validate")
			got.want(t, c.exit, got.stdout, c.stdout...)
			got.want(t, c.exit, got.output, c.output...)
			if c.lacks != "" && strings.Contains(got.stdout, c.lacks) {
				t.Errorf("there is %q:\n%s", c.lacks, got)
			}
		})
	}
}

// TestValidateSummary tells in the summary of the step what is wrong.
func TestValidateSummary(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"crd.yaml": crd("crons", schedule), "sample.yaml": sample("a", misspelt)})
	got := lint(t, dir, []string{"CRDLIFT_COMMAND=validate"})
	got.want(t, 1, got.summary, "## crdlift", "sample.yaml", "object-unknown-field")
}

// TestOldObjects compares custom resources with those of the base of a pull request, in a shallow checkout.
func TestOldObjects(t *testing.T) {
	t.Parallel()
	needs(t, "bash", "git")
	p := project{origin: t.TempDir()}
	git(t, p.origin, "init", "--quiet", "--initial-branch=main")
	write(t, p.origin, "config/crd.yaml", crd("crons", fixed))
	commit := func(schedule string) string {
		write(t, p.origin, "config/sample.yaml", sample("a", schedule))
		git(t, p.origin, "add", "-A")
		git(t, p.origin, "commit", "--quiet", "--message", schedule)
		return git(t, p.origin, "rev-parse", "HEAD")
	}
	p.base = commit(never)
	git(t, p.origin, "switch", "--quiet", "--create=feature")
	p.head = commit("schedule: always")
	git(t, p.origin, "switch", "--quiet", "--detach", "main")
	git(t, p.origin, "merge", "--quiet", "--no-ff", "--message=merge", "feature")
	p.merge = git(t, p.origin, "rev-parse", "HEAD")
	git(t, p.origin, "update-ref", "refs/pull/1/merge", p.merge)
	git(t, p.origin, "switch", "--quiet", "main")

	checkout := p.checkout(t, p.merge, 1)
	validate := append(p.pullRequest(t, "pull_request"), "CRDLIFT_COMMAND=validate")
	got := lint(t, checkout, validate, "CRDLIFT_OLD_OBJECTS=auto")
	got.want(t, 1, got.stdout, "::error file=config/sample.yaml,line=5,", "it is for ever", "title=object-rule::")
	got.want(t, 1, got.output, "refused=1\n")
	got = lint(t, checkout, validate)
	got.want(t, 0, got.output, "objects=1\n", "refused=0\n")

	gone := event(t, "pull_request", "refs/pull/1/merge", p.head, `{"pull_request":{"base":{"sha":"1234567812345678123456781234567812345678"}}}`)
	got = lint(t, checkout, gone, "CRDLIFT_COMMAND=validate", "CRDLIFT_OLD_OBJECTS=auto")
	got.want(t, 2, got.stderr, "old-objects: none")
}

// TestReplaced says on a pull request what becomes of custom resources that exist, in a shallow checkout: the CRDs of the base
// are replaced by those of the pull request, which also has a kind that is new.
func TestReplaced(t *testing.T) {
	t.Parallel()
	needs(t, "bash", "git")
	p := project{origin: t.TempDir()}
	git(t, p.origin, "init", "--quiet", "--initial-branch=main")
	commit := func(fields ...string) string {
		write(t, p.origin, "crd/crons.yaml", crd("crons", fields...))
		write(t, p.origin, "samples/a.yaml", sample("a", never, "suspend: true"))
		git(t, p.origin, "add", "-A")
		git(t, p.origin, "commit", "--quiet", "--message", strings.Join(fields, " "))
		return git(t, p.origin, "rev-parse", "HEAD")
	}
	p.base = commit(schedule, suspend)
	git(t, p.origin, "switch", "--quiet", "--create=feature")
	write(t, p.origin, "crd/dogs.yaml", crd("dogs", suspend))
	write(t, p.origin, "samples/b.yaml", strings.Replace(sample("b", "suspend: true"), "Crons", "Dogs", 1))
	p.head = commit(strings.Replace(schedule, "99", "3", 1))
	git(t, p.origin, "switch", "--quiet", "--detach", "main")
	git(t, p.origin, "merge", "--quiet", "--no-ff", "--message=merge", "feature")
	p.merge = git(t, p.origin, "rev-parse", "HEAD")
	git(t, p.origin, "update-ref", "refs/pull/1/merge", p.merge)
	git(t, p.origin, "switch", "--quiet", "main")

	const lost, refused = "title=object-field-lost::", "title=object-refused-when-changed::"
	checkout := p.checkout(t, p.merge, 1)
	validate := append(p.pullRequest(t, "pull_request"), "CRDLIFT_COMMAND=validate", "CRDLIFT_PATHS=samples", "CRDLIFT_CRDS=crd")
	got := lint(t, checkout, validate, "CRDLIFT_ARGS=--on=create\n--list=list.tsv")
	got.want(t, 1, got.stdout, "::error file=samples/a.yaml,line=5,", "title=object-constraint::", "::warning file=samples/a.yaml,line=6,", lost, refused)
	got.want(t, 1, got.output, "objects=2\n", "refused=1\n", "findings=4\n", "errors=2\n")
	got.want(t, 1, got.summary, "object-field-lost")
	if list, err := os.ReadFile(filepath.Join(checkout, "list.tsv")); err != nil || !strings.Contains(string(list), "refused\texample.com/v1\tCrons") {
		t.Errorf("the list is not that of the creates: %v\n%s", err, list)
	}
	for _, off := range []string{"CRDLIFT_AGAINST=none", "GITHUB_EVENT_NAME=schedule"} {
		if got := lint(t, checkout, validate, off); strings.Contains(got.stdout, lost) || !strings.Contains(got.stdout, "title=object-constraint::") {
			t.Errorf("with %s:\n%s", off, got)
		}
	}
	got = lint(t, checkout, validate, "CRDLIFT_AGAINST="+p.base)
	got.want(t, 1, got.stdout, lost, refused)
}
