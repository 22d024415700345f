package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/rules"
)

// notRun are the documented commands that TestDocs does not run, by how they begin, and why.
var notRun = map[string]string{
	"crdlift webhook test ": "needs a webhook; the stories webhook-*.txtar run one",
	"make ":                 "works on the clone; CI runs the targets",
	".ci/run":               "works on the clone; it is what CI runs",
	"go test ":              "works on the clone",
	"go tool ":              "works on a module that has the tool",
	"go mod init ":          "makes a module of its own",
	"go get ":               "needs the network",
	"go run golang.":        "needs the network",
	"go install ":           "needs the network",
	"curl ":                 "needs a published release",
	"brew ":                 "needs Homebrew and a published release",
	"kubectl krew ":         "needs krew and a published release; test/release has krew install a snapshot by its manifest",
	"kubectl crdlift ":      "needs kubectl and the plugin",
	"mise ":                 "needs mise and a published release",
	"pre-commit ":           "needs pre-commit and a clone; test/precommit runs the hooks in the real one",
	"kustomize build ":      "needs kustomize; test/kustomize runs the real one",
	"helm ":                 "needs helm",
	"kubectl get crd foos.example.com -o yaml | crdlift webhook test": "needs a webhook",
	"docker ":    "needs docker and a published image",
	"git clone ": "needs the network",
	"cosign ":    "needs cosign and a published release",
	"sha256sum ": "needs a published release",
	"gh ":        "needs the GitHub CLI and a published release",
	"sudo ":      "needs a published release; test/release unpacks the packages of a snapshot",
	"scoop ":     "needs Windows",
	"winget ":    "needs Windows",
	"nix-env ":   "needs nix and a published release; test/release evaluates the file of a snapshot",
}

// TestDocs runs the commands of the pages in a folder that has the files they talk about. No exit code may be 2: that is
// a flag that does not exist, a file that is not there, or a revision that git does not know.
func TestDocs(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("the commands are for bash")
	}
	used := map[string]bool{}
	ran := 0
	for _, page := range pages(t) {
		if page == firstSteps { // whose commands belong together
			continue
		}
		for _, block := range blocks(t, page) {
			dir := ""
			for _, command := range block {
				if why := reason(command); why != "" {
					used[why] = true
					continue
				}
				if dir == "" {
					dir = scratch(t)
				}
				run(t, dir, page, command)
				ran++
			}
		}
	}
	if ran == 0 {
		t.Error("there is no command in the documentation")
	}
	for prefix := range notRun {
		if !used[prefix] {
			t.Errorf("no page has a command %q; remove it from the list", prefix)
		}
	}
}

// TestDocsInline tries the flags of commands that stand in a sentence: with --help, they are read, and nothing is done.
func TestDocsInline(t *testing.T) {
	t.Parallel()
	span := regexp.MustCompile("(?s)`crdlift ([^`]*)`")
	for _, page := range pages(t) {
		text := regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(read(t, page), "")
		for _, m := range span.FindAllStringSubmatch(text, -1) {
			args := strings.Fields(m[1])
			if strings.ContainsAny(m[1], "[]|<>…") {
				continue // a synopsis
			}
			var stderr bytes.Buffer
			if code := cli.Run(append(args, "--help"), strings.NewReader(""), io.Discard, &stderr); code != 0 {
				t.Errorf("%s: crdlift %s: exit code %d\n%s", page, strings.Join(args, " "), code, &stderr)
			}
		}
	}
}

// TestDocsFlags looks up the flags of commands that stand in a sentence without the program's name, such as `lint --fix`.
func TestDocsFlags(t *testing.T) {
	t.Parallel()
	span := regexp.MustCompile("`(lint|validate|audit|test|serve|schema|sample|breaking|convert|plan|report|init|roles|webhook test|migrate|explain|config|fn|lsp) ([^`]*--[^`]*)`")
	flag := regexp.MustCompile(`(?:^|\s)--([a-z-]+)`)
	for _, page := range append(pages(t), "SECURITY.md", "CHANGELOG.md") {
		if filepath.Base(page) == "old-flags.md" { // of which TestOldFlags says more
			continue
		}
		for _, m := range span.FindAllStringSubmatch(read(t, page), -1) {
			command, _, err := cli.Commands().Find(strings.Fields(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range flag.FindAllStringSubmatch(m[2], -1) {
				if command.Flags().Lookup(name[1]) == nil && command.InheritedFlags().Lookup(name[1]) == nil {
					t.Errorf("%s: crdlift %s has no flag --%s", page, m[1], name[1])
				}
			}
		}
	}
}

// TestDocsLinks checks that the targets of the pages' links into the repository exist, headings included, and that links
// to pages of rules name them as they are called today.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	headings := map[string][]string{}
	prose := map[string]string{}
	linked := append(pages(t), "SECURITY.md", "CHANGELOG.md", "ROADMAP.md", "ADOPTERS.md", "CODE_OF_CONDUCT.md", filepath.Join("rules", "README.md"), filepath.Join("packaging", "README.md"))
	code := regexp.MustCompile("(?ms)^```.*?^```$")
	for _, page := range linked {
		prose[page] = code.ReplaceAllString(read(t, page), "")
		for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(prose[page], -1) {
			headings[page] = append(headings[page], anchor(m[1]))
		}
	}
	for _, page := range linked {
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(prose[page], -1) {
			if id, ok := strings.CutPrefix(m[1], report.RulePage("")); ok && rules.Page(id) == "" {
				t.Errorf("%s links to %s, and there is no such rule", page, m[1])
			}
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if heading != "" && !slices.Contains(headings[to], heading) {
				t.Errorf("%s links to %s, and there is no such heading", page, m[1])
			}
		}
	}
}

// anchor is what GitHub makes of a heading for links to it.
func anchor(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(kept, " ", "-")
}

// pages are those whose commands have to work.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("docs", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	return append(found, "README.md", "CONTRIBUTING.md", filepath.Join("examples", "README.md"))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

var (
	fence  = regexp.MustCompile("(?ms)^ *```(sh|shell|bash|console|yaml)\n(.*?)^ *```$")
	inYAML = regexp.MustCompile(`^\s*(?:- )?(?:run: )?(crdlift .*)$`)
)

// blocks are the commands of a page, by code block: the lines of a script, what stands after a $ in the picture of a
// terminal, and what workflows run.
func blocks(t *testing.T, page string) [][]string {
	t.Helper()
	var all [][]string
	for _, m := range fence.FindAllStringSubmatch(read(t, page), -1) {
		var commands []string
		for line := range strings.SplitSeq(strings.ReplaceAll(m[2], "\\\n", " "), "\n") {
			switch m[1] {
			case "console":
				command, typed := strings.CutPrefix(line, "$ ")
				if !typed {
					continue
				}
				line = command
			case "yaml":
				found := inYAML.FindStringSubmatch(line)
				if found == nil {
					continue
				}
				line = found[1]
			}
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				commands = append(commands, line)
			}
		}
		all = append(all, commands)
	}
	return all
}

// reason is the entry of notRun that excuses a command, or "".
func reason(command string) string {
	for prefix := range notRun {
		if strings.HasPrefix(command, prefix) {
			return prefix
		}
	}
	return ""
}

// run runs a command in dir, and returns what it prints. The clone is somewhere else: `go run .` stands for the program.
func run(t *testing.T, dir, page, command string) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", "set -o pipefail; fpath=(. .); "+strings.ReplaceAll(command, "go run . ", "crdlift "))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "PATH="+filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GITHUB_BASE_REF=main", "CI_MERGE_REQUEST_DIFF_BASE_SHA=HEAD~1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // there is something to report
	}
	if err != nil {
		t.Errorf("%s: %s: %v\n%s", page, command, err, out)
	}
	return string(out)
}

// scratch makes a repository with the files and revisions that the pages talk about, and stand-ins for programs that may
// not be there: a kubectl that prints a dump, and a jq that reads to the end.
func scratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("examples")); err != nil {
		t.Fatal(err)
	}
	for name, text := range scratchFiles(t) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".config", "fish", "completions"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "--message", "one"}, {"tag", "v1.2.0"},
		{"commit", "--quiet", "--allow-empty", "--message", "two"}, {"update-ref", "refs/remotes/origin/main", "HEAD~1"},
	} {
		git := exec.Command("git", slices.Concat([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args)...)
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// scratchFiles are the files that the pages talk about, by name.
func scratchFiles(t *testing.T) map[string]string {
	t.Helper()
	v1, v1beta1 := read(t, filepath.Join("examples", "lint", "backups.yaml")), read(t, filepath.Join("examples", "convert", "crontabs.yaml"))
	database, sample := read(t, filepath.Join("examples", "validate", "crd", "databases.yaml")), read(t, filepath.Join("examples", "validate", "samples", "orders.yaml"))
	crds := v1beta1 + "---\n" + database
	return map[string]string{
		"bin/kubectl":              "#!/bin/sh\ncase $2 in crd*) cat \"$HOME/bin/crds\" ;; *) cat \"$HOME/bin/objects\" ;; esac\n",
		"bin/crds":                 crds,
		"bin/objects":              "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(strings.Replace(sample, "metadata:\n", "metadata:\n  managedFields: [{manager: helm, operation: Apply}]\n", 1)), "\n", "\n  "),
		"bin/make":                 "#!/bin/sh\n",
		"bin/jq":                   "#!/bin/sh\ncat > /dev/null\n",
		".gitignore":               "bin\n",
		"crd.yaml":                 v1beta1,
		"crds.yaml":                crds,
		"dump.yaml":                crds,
		"config/crd/crontabs.yaml": v1beta1,
		"config/crd/backups.yaml":  v1,
		// of kubebuilder's layout
		"config/crd/bases/backups.yaml": v1,
		"config/crd/kustomization.yaml": "resources: [backups.yaml]\n",
		// of validate: samples, a chart, and manifests that are deployed
		"config/crd/bases/databases.yaml":     database,
		"config/samples/orders.yaml":          sample,
		"bundle/manifests/databases.yaml":     database,
		"charts/operator/crds/databases.yaml": database,
		"deploy/orders.yaml":                  sample,
		"config/crd/tests/db.crdtest.yaml":    "crdtest: v1\ncases:\n- name: orders\n  object:\n    " + strings.ReplaceAll(sample, "\n", "\n    "),
		"clusters/orders.yaml":                sample,
	}
}
