package release

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// A workflow is one of GitHub, as far as the tests read it.
type workflow struct {
	On   map[string]struct{ Inputs map[string]any }
	Jobs map[string]struct {
		If          string
		Env         map[string]string
		Permissions map[string]string
		Steps       []workflowStep
	}
}

type workflowStep struct {
	Name, Uses, Run string
	Env, With       map[string]string
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	var w workflow
	decode(t, repository(".github", "workflows", name), &w, func(text []byte, to any, _ ...yaml.JSONOpt) error {
		return yaml.Unmarshal([]byte(strings.Replace(string(text), "\non:\n", "\n\"on\":\n", 1)), to)
	})
	return w
}

// TestPublishExtension runs the step that publishes the extension, with an npx that writes down its arguments: what lacks its token is
// skipped, and the step says so.
func TestPublishExtension(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("releases are made on Linux")
	}
	job := readWorkflow(t, "release.yml").Jobs["extension"]
	if job.If != "${{ !contains(github.ref_name, '-') }}" {
		t.Errorf("pre-releases: %s", job.If)
	}
	publish := job.Steps[len(job.Steps)-1]
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "npx"), []byte("#!/bin/sh\necho \"npx $*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	const marketplace, openVSX = "npx vsce publish --packagePath ../../build/crdlift.vsix", "publish ../../build/crdlift.vsix\n"
	for tokens, want := range map[string][]string{
		"":                        {"in the Visual Studio Marketplace, because the secret VSCE_PAT", "at Open VSX, because the secret OVSX_PAT"},
		"VSCE_PAT=a":              {marketplace, "at Open VSX, because the secret OVSX_PAT"},
		"OVSX_PAT=a":              {"in the Visual Studio Marketplace, because the secret VSCE_PAT", openVSX},
		"VSCE_PAT=a   OVSX_PAT=a": {marketplace, openVSX},
	} {
		cmd := exec.Command("bash", "-eu", "-o", "pipefail", "-c", publish.Run)
		cmd.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "VSCE_PAT=", "OVSX_PAT="}, strings.Fields(tokens)...)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "\n") != 2 {
			t.Errorf("%q: %v\n%s", tokens, err, out)
		}
		for _, text := range want {
			if !strings.Contains(string(out), text) {
				t.Errorf("%q: no %q in\n%s", tokens, text, out)
			}
		}
	}
	for name := range publish.Env {
		if publish.Env[name] != "${{ secrets."+name+" }}" {
			t.Errorf("%s is %s", name, publish.Env[name])
		}
	}
}

// TestProvenance keeps the attestation to the files that the checksums have, and to a job that may attest.
func TestProvenance(t *testing.T) {
	t.Parallel()
	job := readWorkflow(t, "release.yml").Jobs["programs"]
	release := slices.IndexFunc(job.Steps, func(s workflowStep) bool { return strings.HasPrefix(s.Uses, "goreleaser/") })
	attest := slices.IndexFunc(job.Steps, func(s workflowStep) bool { return strings.HasPrefix(s.Uses, "actions/attest-build-provenance@") })
	if release < 0 || attest < release || job.Steps[attest].With["subject-checksums"] != "dist/checksums.txt" ||
		job.Permissions["attestations"] != "write" || job.Permissions["id-token"] != "write" {
		t.Errorf("step %d, with %v, of %d", attest, job.Steps, release)
	}
}

// TestTokens wants each secret of the release in the table of packaging/README.md, and nothing published where its token is missing.
func TestTokens(t *testing.T) {
	t.Parallel()
	page, release := text(t, repository("packaging", "README.md")), text(t, repository(".github", "workflows", "release.yml"))
	for _, secret := range regexp.MustCompile(`secrets\.(\w+)`).FindAllStringSubmatch(release, -1) {
		if !strings.Contains(page, "| `"+secret[1]+"`") {
			t.Errorf("packaging/README.md does not say what %s is for", secret[1])
		}
	}
	var config map[string]any
	decode(t, repository(".goreleaser.yaml"), &config, func(text []byte, to any, _ ...yaml.JSONOpt) error { return yaml.Unmarshal(text, to) })
	ifSet := regexp.MustCompile(`^\{\{ if isEnvSet "(\w+)" \}\}auto\{\{ else \}\}true\{\{ end \}\}$`)
	for _, pipe := range []string{"homebrew_casks", "krews", "scoops", "winget", "nix"} {
		for _, one := range config[pipe].([]any) {
			skip, _ := one.(map[string]any)["skip_upload"].(string)
			token := ifSet.FindStringSubmatch(skip)
			if skip != "true" && (token == nil || !strings.Contains(release, token[1]+": ${{ secrets."+token[1]+" }}")) {
				t.Errorf("%s is published: %s", pipe, skip)
			}
		}
	}
}

// TestPinned wants everything that the workflows and the image are made of named by what it contains.
func TestPinned(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(repository(".github", "workflows", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	pinned := regexp.MustCompile(`^(\./|\S+@[0-9a-f]{40} # v\d|crdlift/crdlift@v\d+\.\d+\.\d+$)`)
	for _, file := range files {
		for _, uses := range regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`).FindAllStringSubmatch(text(t, file), -1) {
			if !pinned.MatchString(uses[1]) {
				t.Errorf("%s: %s is not pinned by its commit", file, uses[1])
			}
		}
	}
	for _, from := range regexp.MustCompile(`(?m)^FROM (.*)$`).FindAllStringSubmatch(text(t, repository("Dockerfile")), -1) {
		if !regexp.MustCompile(`@sha256:[0-9a-f]{64}( |$)`).MatchString(from[1]) {
			t.Errorf("%s is not pinned by its digest", from[1])
		}
	}
}

// TestReusableWorkflow keeps the workflow for other repositories to inputs that the action has, and the release to its tag.
func TestReusableWorkflow(t *testing.T) {
	t.Parallel()
	w := readWorkflow(t, "lint.yml")
	inputs := w.On["workflow_call"].Inputs
	var action struct{ Inputs map[string]any }
	decode(t, repository("action.yml"), &action, func(text []byte, to any, _ ...yaml.JSONOpt) error { return yaml.Unmarshal(text, to) })
	steps := w.Jobs["crdlift"].Steps
	step := steps[len(steps)-1]
	if len(step.With) != len(inputs) {
		t.Errorf("%d inputs, and %d of the action are set", len(inputs), len(step.With))
	}
	page := text(t, repository("docs", "guides", "ci.md"))
	_, section, _ := strings.Cut(page, "\n## Reusable workflow\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for name := range inputs {
		if action.Inputs[name] == nil || step.With[name] != "${{ inputs."+name+" }}" || !strings.Contains(section, "`"+name+"`") {
			t.Errorf("%s: the action gets %s; the page says\n%s", name, step.With[name], section)
		}
	}
	tag := strings.TrimPrefix(step.Uses, "crdlift/crdlift@")
	for _, check := range readWorkflow(t, "release.yml").Jobs["programs"].Steps {
		if !strings.HasPrefix(check.Name, "The reusable workflow") {
			continue
		}
		for version, same := range map[string]bool{tag: true, tag + "-rc.1": false, "v9.9.9": false} {
			cmd := exec.Command("bash", "-e", "-c", check.Run)
			cmd.Dir = repository()
			cmd.Env = append(os.Environ(), "TAG="+version)
			if err := cmd.Run(); (err == nil) != same {
				t.Errorf("%s for a workflow of %s: %v", version, tag, err)
			}
		}
		return
	}
	t.Error("no step of the release compares the tags")
}

// TestSchemaStore holds the entries for SchemaStore against the schemas that they name.
func TestSchemaStore(t *testing.T) {
	t.Parallel()
	var entries []struct {
		Name, Description, URL string
		FileMatch              []string
	}
	strict := func(text []byte, to any, _ ...yaml.JSONOpt) error { return yaml.UnmarshalStrict(text, to) }
	decode(t, repository("packaging", "schemastore", "catalog-entries.json"), &entries, strict)
	for _, entry := range entries {
		var schema struct {
			ID     string `json:"$id"`
			Schema string `json:"$schema"`
		}
		if err := json.Unmarshal([]byte(text(t, repository("docs", "schema", path.Base(entry.URL)))), &schema); err != nil {
			t.Fatal(err)
		}
		if entry.URL != schema.ID || schema.Schema != "http://json-schema.org/draft-07/schema#" {
			t.Errorf("%s is at %s, its schema at %s, of %s", entry.Name, entry.URL, schema.ID, schema.Schema)
		}
		// What SchemaStore's own check of its catalog asks for.
		if entry.Name == "" || entry.Description == "" || strings.Contains(strings.ToLower(entry.Description), "schema") || len(entry.FileMatch) == 0 {
			t.Errorf("%+v", entry)
		}
	}
	if want := []string{".crdlift.yaml"}; !slices.Equal(entries[0].FileMatch, want) {
		t.Errorf("the configuration is called %q", entries[0].FileMatch)
	}
	if want := []string{"*.crdtest.yaml", "*.crdtest.yml", "*.crdtest.json"}; !slices.Equal(entries[1].FileMatch, want) {
		t.Errorf("suites are called %q", entries[1].FileMatch)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(src), "\r\n", "\n")
}
