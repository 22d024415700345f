//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/text"

	"github.com/crdlift/crdlift/internal/report"
)

// odd is what no terminal may get: it clears the screen, sets a title, turns the writing direction, begins a workflow
// command on a line of its own.
const odd = "\x1b[2J\x1b]0;title\x07\u009b31m\u202edrow\r\n::set-output name=x::y\n##[error]z\x7f"

// TestInjection puts it wherever a manifest has names, and in file names, and looks at every output.
func TestInjection(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := strconv.QuoteToASCII(odd) // escapes of Go are escapes of YAML here
	q = strings.NewReplacer(`\x1b`, `\e`, `\u009b`, `\x9b`).Replace(q)
	schema := "{type: object, properties: {" + q + ": {nullable: true}, b: {type: " + q + "}, c: {type: string, pattern: " + q + ", default: 3, format: " + q + "}}}"
	spec := "{group: " + q + ", scope: " + q + ", names: {kind: " + q + ", plural: " + q + "}, " + q + ": 1"
	columns := "additionalPrinterColumns: [{name: " + q + ", type: " + q + ", jsonPath: " + q + "}]"
	cel := "x-kubernetes-validations: [{rule: " + q + "}]"
	for name, text := range map[string]string{
		"v1": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + q + ", labels: {" + q + ": " + q + "}}\nspec: " + spec +
			", versions: [{name: " + q + ", served: true, storage: true, " + columns + ", schema: {openAPIV3Schema: " + strings.TrimSuffix(schema, "}") + ", " + cel + "}}}]}\n",
		"v1beta1": "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: " + q + "}\nspec: " + spec +
			", version: " + q + ", " + strings.ReplaceAll(columns, "jsonPath", "JSONPath") + ", validation: {openAPIV3Schema: " + schema + "}}\n# crdlift:ignore \u202eno-such -- \u200bx\n",
		"broken": "kind: CustomResourceDefinition\na: [" + q + "\n",
	} {
		folder := filepath.Join(dir, name+strings.ReplaceAll(odd, "/", ""))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, "a\x1b[31m\n::error::b.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		calls := [][]string{{"convert", path}, {"convert", "--diff", path}, {"convert", "--check", path}, {"convert", "--to", "v1beta1", "--verbose", path},
			{"lint", "--preset", "all", "--unsafe-fixes", "--diff", path}, {"breaking", "--against", path, path}, {"lint", path + odd}, {"lint", "--rule", odd, path},
			{"lint", "--baseline", path, path}, {"lint", "--config", path, path}, {"convert", "--output-dir", path, path}, {"plan", path, path}, {"explain", odd}, {odd}, {"lint", "--" + odd}}
		for _, format := range report.Formats() {
			calls = append(calls, []string{"lint", "--preset", "all", "--output", format, path}, []string{"convert", "--check", "--output", format, path})
		}
		for _, args := range calls {
			code, stdout, stderr := inProcess(args...)
			if name != "broken" && len(args) == 2 && !strings.Contains(stdout+stderr, `\x1b[2J`) {
				t.Errorf("%s: %.60q: nothing is said of what is odd: %s%s", name, args, stdout, stderr)
			}
			if code == 0 && name == "broken" && args[0] == "lint" {
				t.Errorf("%.60q: exit code 0", args)
			}
			if args[0] == "convert" && !strings.HasPrefix(args[1], "--") || strings.Contains(strings.Join(args, " "), "--diff") || strings.Contains(strings.Join(args, " "), "--to") {
				stdout = "" // text of the file, which goes on as it is
			}
			checkHarmless(t, args, stdout+stderr)
		}
	}
}

// checkHarmless looks for what a terminal or the runner of GitHub Actions would obey, but for commands that the format
// consists of.
func checkHarmless(t *testing.T, args []string, out string) {
	t.Helper()
	annotation := regexp.MustCompile(`^::(error|warning|notice) (file=|title=crdlift::GitHub shows )`)
	for i, line := range strings.Split(out, "\n") {
		plain := strings.ReplaceAll(line, "\t", "")
		if strings.Contains(strings.Join(args, " "), "--output github") && annotation.MatchString(plain) {
			plain = strings.TrimPrefix(plain, "::")
		}
		if text.Harmless(plain) != plain || strings.HasPrefix(strings.TrimSpace(plain), "::") || strings.Contains(plain, "##[") {
			t.Errorf("%.60q: line %d: %.300q", args, i+1, line)
		}
	}
}

// TestInjectionAround puts it into all else that has a say: names of files in the working directory, the configuration, a
// baseline, a ResourceList, both sides of a plan.
func TestInjectionAround(t *testing.T) {
	t.Parallel()
	const name = "::set-output name=x::y ##[error]\x1b[31m\n::add-mask::z.yaml"
	q := strings.NewReplacer(`\x1b`, `\e`, `\u009b`, `\x9b`).Replace(strconv.QuoteToASCII(odd))
	one := crdHead + crdVersion + "          a: {type: string}\n"
	files := map[string]string{
		"new/" + name:    one + "  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n",
		"old/" + name:    strings.Replace(one, "kind: Widget,", `kind: "Widget `+strings.Repeat("w ", 9)+strings.Repeat("::error::w ", 30)+`##[error]",`, 1),
		name:             one,
		"broken" + name:  "kind: CustomResourceDefinition\na: [",
		"good.yaml":      one,
		"ignores.config": "ignore:\n- {crd: " + q + ", reason: " + q + "}\nexclude: [" + q + "]\nbaseline: " + q + "\n",
		"wrong.config":   q + ": " + q + "\npreset: " + q + "\nrules: {" + q + ": " + q + "}\nignore: [{rule: " + q + "}]\n",
		"baseline":       "version: 1\n" + q + ": 3\nfiles: [{path: " + q + ", " + q + ": 3}]\n",
		"known":          "version: 1\nfiles: [{path: " + q + ", findings: [{rule: " + q + ", path: " + q + "}]}]\n",
		"list": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n" +
			"  metadata: {name: " + q + ", annotations: {config.kubernetes.io/path: " + q + "}}\n  spec: {group: " + q + "}\n",
		"wronglist": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {apiVersion: v1, kind: ConfigMap, data: {" + q + ": " + q + "}}\nitems: []\n",
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	calls := []struct {
		code  int
		args  []string
		stdin string
	}{
		{0, []string{"plan", "old", "new"}, ""},
		{0, []string{"plan", "--format", "markdown", "old", "new"}, ""},
		{0, []string{"plan", "old", "good.yaml"}, ""},
		{1, []string{"convert", "--check", "."}, ""},
		{1, []string{"lint", "--new-only", "old", "new"}, ""},
		{0, []string{"lint", "--config", "ignores.config", "--baseline", "known", "good.yaml"}, ""},
		{2, []string{"lint", "--config", "ignores.config", "good.yaml"}, ""},
		{0, []string{"config", "--config", "ignores.config"}, ""},
		{2, []string{"config", "--config", "wrong.config"}, ""},
		{2, []string{"lint", "--baseline", "baseline", "good.yaml"}, ""},
		{2, []string{"fn"}, files["wronglist"]},
		{1, []string{"fn"}, files["list"]},
	}
	for _, format := range report.Formats() {
		calls = append(calls, struct {
			code  int
			args  []string
			stdin string
		}{1, []string{"lint", "--output", format, "."}, ""})
	}
	for _, c := range calls {
		cmd := process(c.args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.stdin)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if code := exitCode(cmd.Run()); code != c.code {
			t.Errorf("%q: exit code %d: %s%s", c.args, code, &stdout, &stderr)
		}
		if c.args[0] == "fn" {
			stdout.Reset() // the items, and results in the same form
		}
		checkHarmless(t, c.args, stdout.String()+stderr.String())
	}
}
