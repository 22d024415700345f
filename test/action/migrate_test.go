package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMigrate finds custom resources that are not at a version, and writes nothing.
func TestMigrate(t *testing.T) {
	t.Parallel()
	beta := strings.Replace(sample("beta", never), "example.com/v1", "example.com/v1beta1", 1)
	both := crd("crons", schedule)
	_, version, _ := strings.Cut(both, "  versions:\n")
	both += strings.NewReplacer("name: v1", "name: v1beta1", "storage: true", "storage: false").Replace(version)
	files := map[string]string{
		"api/crd/crons.yaml":        both,
		"api/samples/beta.yaml":     beta,
		"api/samples/good.yaml":     sample("good", never),
		"api/samples/misspelt.yaml": strings.Replace(sample("misspelt", misspelt), "example.com/v1", "example.com/v1beta1", 1),
		"-beta.yaml":                beta,
		"good/crd.yaml":             both,
		"good/sample.yaml":          sample("good", never),
	}
	for _, c := range []struct {
		name           string
		env            []string
		exit           int
		stdout, output []string
		lacks          string
	}{
		{"a folder with its CRDs", []string{"CRDLIFT_PATHS=api", "CRDLIFT_TO=v1"}, 1, []string{"::warning file=api/samples/misspelt.yaml,line=5,"}, []string{"carried=2\n", "errors=0\n", "findings=1\n"}, "good.yaml"},
		{"CRDs elsewhere", []string{"CRDLIFT_PATHS=samples/beta.yaml", "CRDLIFT_CRDS=crd", "CRDLIFT_WORKING_DIRECTORY=api", "CRDLIFT_TO=example.com/v1"}, 1, nil, []string{"carried=1\n"}, "::error"},
		{"the storage version", []string{"CRDLIFT_PATHS=api/samples/beta.yaml", "CRDLIFT_CRDS=api/crd", "CRDLIFT_TO=storage", "CRDLIFT_FAIL_ON=never"}, 1, nil, []string{"carried=1\n", "findings=0\n"}, ""},
		{"a file like a flag", []string{"CRDLIFT_PATHS=-beta.yaml", "CRDLIFT_CRDS=api/crd", "CRDLIFT_TO=v1"}, 1, nil, []string{"carried=1\n"}, ""},
		{"nothing to do", []string{"CRDLIFT_PATHS=good", "CRDLIFT_TO=v1"}, 0, nil, []string{"carried=0\n", "findings=0\n"}, "::error"},
		{"no version", []string{"CRDLIFT_PATHS=api"}, 2, nil, nil, "::error file"},
		{"no such version", []string{"CRDLIFT_PATHS=api", "CRDLIFT_TO=$(touch pwned)"}, 2, nil, nil, "::error file"},
		{"no such flag", []string{"CRDLIFT_PATHS=api", "CRDLIFT_TO=v1", "CRDLIFT_ARGS=--wite"}, 2, nil, nil, "::error file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t, files)
			got := lint(t, dir, c.env, "CRDLIFT_COMMAND=migrate")
			got.want(t, c.exit, got.stdout, c.stdout...)
			got.want(t, c.exit, got.output, c.output...)
			if c.lacks != "" && strings.Contains(got.stdout, c.lacks) {
				t.Errorf("there is %q:\n%s", c.lacks, got)
			}
			if now, err := os.ReadFile(filepath.Join(dir, "api/samples/beta.yaml")); err != nil || string(now) != beta {
				t.Errorf("the file has changed: %v\n%s", err, now)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a shell has run it")
			}
		})
	}
}
