//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
	schema := "{type: object, properties: {" + q + ": {type: " + q + "}, b: {type: string, pattern: " + q + ", default: 3, format: " + q + "}}}"
	spec := "{group: " + q + ", scope: " + q + ", names: {kind: " + q + ", plural: " + q + "}, " + q + ": 1"
	columns := "additionalPrinterColumns: [{name: " + q + ", type: " + q + ", jsonPath: " + q + "}]"
	cel := "x-kubernetes-validations: [{rule: " + q + "}]"
	for name, text := range map[string]string{
		"v1": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + q + ", labels: {" + q + ": " + q + "}}\nspec: " + spec +
			", versions: [{name: " + q + ", served: true, storage: true, " + columns + ", schema: {openAPIV3Schema: " + strings.TrimSuffix(schema, "}") + ", " + cel + "}}}]}\n",
		"v1beta1": "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: " + q + "}\nspec: " + spec +
			", version: " + q + ", " + strings.ReplaceAll(columns, "jsonPath", "JSONPath") + ", validation: {openAPIV3Schema: " + schema + "}}\n# crdlift:ignore \u202eno-such -- \u2028x\n",
		"broken": "a: [" + q + "\n",
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
			{"lint", "--preset", "all", "--unsafe-fixes", "--diff", path}, {"lint", "--against", path, path}, {"lint", path + odd}, {"lint", "--rule", odd, path},
			{"lint", "--baseline", path, path}, {"lint", "--config", path, path}, {"convert", "--output-dir", path, path}, {"plan", path, path}, {"explain", odd}, {odd}, {"lint", "--" + odd}}
		for _, format := range report.Names() {
			calls = append(calls, []string{"lint", "--preset", "all", "--output", format, path}, []string{"convert", "--check", "--output", format, path})
		}
		for _, args := range calls {
			code, stdout, stderr := inProcess(args...)
			if name != "broken" && len(args) == 2 && !strings.Contains(stdout+stderr, `\x1b[2J`) {
				t.Errorf("%s: %.60q: nothing is said of what is odd: %s%s", name, args, stdout, stderr)
			}
			if args[0] == "convert" && !strings.HasPrefix(args[1], "--") || strings.Contains(strings.Join(args, " "), "--diff") || strings.Contains(strings.Join(args, " "), "--to") {
				stdout = "" // text of the file, which goes on as it is
			}
			for i, line := range strings.Split(stdout+stderr, "\n") {
				line = strings.ReplaceAll(line, "\t", "")
				command := strings.HasPrefix(strings.TrimSpace(line), "::") || strings.HasPrefix(line, "##[")
				if strings.Contains(strings.Join(args, " "), "--output github") {
					command = strings.HasPrefix(strings.TrimSpace(line), "::set-output") || strings.HasPrefix(line, "##[") || strings.HasPrefix(line, "::error::")
				}
				if report.Harmless(line) != line || command {
					t.Errorf("%s: %.60q: exit code %d: line %d: %.300q", name, args, code, i+1, line)
				}
			}
		}
	}
}
