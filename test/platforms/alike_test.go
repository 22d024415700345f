package platforms

import (
	"maps"
	"strings"
	"testing"
)

// crlf gives a text the line ends of Windows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// TestAlike runs the program here and for another platform, with the same arguments on the same files: exit code, output
// and every byte of every file have to be the same.
func TestAlike(t *testing.T) {
	lint, old := example(t, "lint", "backups.yaml"), example(t, "convert", "crontabs.yaml")
	files := map[string]string{
		"crds/lint.yaml":            lint,
		"crds/crlf.yaml":            crlf(lint),
		"crds/bom.yaml":             "\ufeff" + lint,
		"old/crontabs.yaml":         old,
		"old/crlf.yaml":             crlf(old),
		"old/no-end.yaml":           strings.TrimSuffix(crlf(old), "\r\n"),
		"breaking/old/a.yaml":       example(t, "breaking", "old", "backups.yaml"),
		"breaking/new/a.yaml":       example(t, "breaking", "new", "backups.yaml"),
		"validate/crd.yaml":         example(t, "validate", "crd", "databases.yaml"),
		"validate/samples.yaml":     example(t, "validate", "samples", "orders.yaml"),
		"größe 世界/a file.yaml":      lint,
		"configured/.crdlift.yaml":  "exclude: ['skipped/**', '*.tmp.yaml']\nrules:\n  pattern-unanchored: off\n",
		"configured/skipped/a.yaml": lint, "configured/b.tmp.yaml": lint, "configured/c.yaml": lint,
		"reports/one/a.json": `{"version": 1, "findings": [{"rule": "scope-invalid", "severity": "error", "message": "m", "file": "a.yaml", "line": 1}]}`,
		"reports/two.json":   crlf("\ufeff{\n\"version\": 1, \"plans\": []}\n"),
		"ignored/.gitignore": "/a.yaml\n", "ignored/a.yaml": lint, "ignored/sub/b.yaml": lint,
	}
	for name, r := range map[string]run{
		"lint":               {args: []string{"lint", "crds"}},
		"lint colours":       {args: []string{"lint", "crds"}, env: []string{"FORCE_COLOR=1"}},
		"lint no colours":    {args: []string{"lint", "crds"}, env: []string{"FORCE_COLOR=1", "NO_COLOR=1"}},
		"lint json":          {args: []string{"lint", "--output", "json", "crds", "größe 世界"}},
		"lint sarif":         {args: []string{"lint", "--output", "sarif=out.sarif", "--output", "github", "crds"}},
		"lint fix":           {args: []string{"lint", "--fix", "crds"}},
		"lint diff":          {args: []string{"lint", "--diff", "crds"}},
		"lint stdin":         {args: []string{"lint", "-"}, stdin: crlf(lint)},
		"lint ignores":       {args: []string{"lint", "--output", "short", "ignored"}},
		"lint configuration": {args: []string{"lint", "--config", "configured/.crdlift.yaml", "--output", "short", "configured"}},
		"lint nothing":       {args: []string{"lint", "nowhere"}},
		"lint usage":         {args: []string{"lint", "--nothing-like-it"}},
		"baseline":           {args: []string{"lint", "--write-baseline", "baseline.yaml", "crds"}},
		"breaking":           {args: []string{"breaking", "--against", "breaking/old", "breaking/new"}},
		"validate":           {args: []string{"validate", "validate"}},
		"convert":            {args: []string{"convert", "--write", "old"}},
		"convert diff":       {args: []string{"convert", "--diff", "old"}},
		"convert folder":     {args: []string{"convert", "--output-dir", "out/new", "old"}},
		"convert stdin":      {args: []string{"convert", "-"}, stdin: crlf(old)},
		"lint page":          {args: []string{"lint", "--output", "html=out.html", "crds", "größe 世界"}},
		"breaking page":      {args: []string{"breaking", "--against", "breaking/old", "--output", "html", "breaking/new"}},
		"plan":               {args: []string{"plan", "breaking/old", "breaking/new"}},
		"report":             {args: []string{"report", "reports", "--output", "html=out.html", "--output", "text"}},
		"explain":            {args: []string{"explain", "scope-invalid"}},
		"help":               {args: []string{"--help"}},
	} {
		for _, m := range []*machine{windows, arm} {
			t.Run(name+" "+m.name, func(t *testing.T) {
				t.Parallel()
				m.ready(t)
				here, there := r, r
				here.dir, there.dir = folder(t, files), folder(t, files)
				want, got := native.run(t, here), m.run(t, there)
				if m == windows {
					got.stderr = asHere.Replace(got.stderr)
				}
				if got != want {
					t.Errorf("exit code %d, want %d\n%s%s\n-- want --\n%s%s", got.code, want.code, got.stdout, got.stderr, want.stdout, want.stderr)
				}
				if is, want := content(t, there.dir), content(t, here.dir); !maps.Equal(is, want) {
					for name := range want {
						if is[name] != want[name] {
							t.Errorf("%s is\n%q, want\n%q", name, is[name], want[name])
						}
					}
					for name := range is {
						if _, wanted := want[name]; !wanted {
							t.Errorf("%s is left", name)
						}
					}
				}
			})
		}
	}
}

// asHere has the words of this system for what another says.
var asHere = strings.NewReplacer("File not found.", "no such file or directory", "The system cannot find the file specified.", "no such file or directory")
