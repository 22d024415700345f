package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// A hostileCase is malicious input. docs/internals/robustness.md lists the program's results.
type hostileCase struct {
	what  string   // for the table
	args  []string // FILE stands for the file, GOOD for one that is in order, OLD for what FILE was before, DIR for the folder; or the file follows
	stdin bool     // it is not a file
	file  string   // its name
	text  func() string
	old   func() string
	heavy bool // megabytes or thousands: left out with -short
}

const (
	crdHead = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, listKind: WidgetList, singular: widget}
`
	crdVersion = `  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
`
)

// many writes a line for each of n numbers.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// bomb returns a CRD whose aliases expand to billions of nodes.
func bomb() string {
	var b strings.Builder
	b.WriteString(crdHead + crdVersion + "          p0: &p0 {type: string}\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "          p%d: &p%d {type: object, properties: {", i, i)
		for j := range 9 {
			fmt.Fprintf(&b, "k%d: *p%d, ", j, i-1)
		}
		b.WriteString("}}\n")
	}
	return b.String()
}

// anyOf nests two branches in each other: 2^depth of them.
func anyOf(depth int) string {
	if depth == 0 {
		return "{type: object}"
	}
	inner := anyOf(depth - 1)
	return "{anyOf: [" + inner + "," + inner + "]}"
}

func nested(open, inside, end string, n int) func() string {
	return func() string { return strings.Repeat(open, n) + inside + strings.Repeat(end, n) + "\n" }
}

func stairs() string {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// chain is a CRD each of whose properties merges the one before.
func chain(n int) func() string {
	return func() string {
		var b strings.Builder
		b.WriteString(crdHead + crdVersion + "          p0: &p0 {type: string}\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "          p%d: &p%d {<<: *p%d, description: d}\n", i, i, i-1)
		}
		return b.String()
	}
}

func content(s string) func() string { return func() string { return s } }

// named makes a text that does not parse one that could hold a CRD.
func named(text func() string) func() string {
	return func() string { return strings.Replace(text(), "\n", " # "+crd.Kind+"\n", 1) }
}

const typeless = "          p%d:\n            description: hello\n"

var hostileCases = []hostileCase{
	{what: "alias bomb in a CRD", file: "bomb.yaml", text: bomb},
	{what: "alias bomb, converted", args: []string{"convert", "--check"}, file: "bomb.yaml", text: bomb},
	{what: "a chain of 4,000 merge keys", file: "merged.yaml", text: chain(4000)},
	{what: "a chain of 4,000 merge keys behind what has no JSON", file: "merged.yaml", text: func() string {
		return strings.Replace(chain(4000)(), "spec:\n", "spec:\n  scope: !!binary '!'\n", 1)
	}},
	{what: "an alias inside its own anchor", file: "self.yaml", text: content(crdHead + strings.TrimSuffix(crdVersion, "\n") + " &p\n          a: {type: object, properties: *p}\n")},
	{what: "flow collections nested 10,000 deep", file: "flow.yaml", text: nested("[", "", "]", 10_000)},
	{what: "flow collections nested 100,000 deep", file: "flow.yaml", text: named(nested("[", "", "]", 100_000))},
	{what: "blocks nested 10,000 deep", file: "block.yaml", text: stairs, heavy: true},
	{what: "lists nested 100,000 deep", file: "lists.yaml", text: named(nested("- ", "x", "", 100_000))},
	{what: "JSON nested 10,000 deep", file: "deep.json", text: nested(`{"a":`, "1", "}", 10_000)},
	{what: "JSON nested 100,000 deep", file: "deep.json", text: nested(`{"CustomResourceDefinition":`, "1", "}", 100_000)},
	{what: "a schema nested 1,000 deep", file: "schema.yaml", text: func() string {
		return crdHead + strings.TrimSuffix(crdVersion, "\n") + " " + nested("{a: {type: object, properties: ", "{}", "}}", 1000)()
	}, heavy: true},
	{what: "a schema nested 900 deep, without a type throughout", file: "schema.yaml", text: func() string {
		return crdHead + strings.TrimSuffix(crdVersion, "\n") + " " + nested("{a: {properties: ", "{}", "}}", 900)()
	}, heavy: true},
	{what: "a scalar of 100 MB, above --max-file-size", file: "large.yaml", text: func() string { return "a: " + strings.Repeat("x", 100<<20) + "\n" }, heavy: true},
	{what: "a scalar of 60 MB", file: "large.yaml", text: func() string { return "a: " + strings.Repeat("x", 60<<20) + "\n" }, heavy: true},
	{what: "50,000 documents", file: "documents.yaml", text: func() string { return many(50_000, "---\na: %d\n") }, heavy: true},
	{what: "50,000 documents that do not parse", file: "documents.yaml", text: func() string { return strings.Repeat("---\na: [\n", 50_000) }, heavy: true},
	{what: "50,000 JSON values", file: "documents.json", text: func() string { return many(50_000, "{\"a\": %d}\n") }, heavy: true},
	{what: "1,000,000 empty documents", file: "empty.yaml", text: func() string { return strings.Repeat("---\n", 1_000_000) }, heavy: true},
	{what: "NUL bytes", file: "nul.yaml", text: named(content("a: b\x00c\n"))},
	{what: "UTF-16", file: "utf16.yaml", text: content("\xff\xfe" + strings.ReplaceAll("kind: CustomResourceDefinition\n", "", "\x00")[1:])},
	{what: "bytes that are not UTF-8", file: "latin1.yaml", text: named(content("a: caf\xe9\n"))},
	{what: "half a surrogate pair in JSON", file: "surrogate.json", text: content(`{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "\ud800"}}`)},
	{what: "an empty file", file: "empty.yaml", text: content("")},
	{what: "4,000 versions", file: "versions.yaml", text: func() string {
		return crdHead + "  versions:\n" + many(4000, "  - {name: v%d, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n")
	}, heavy: true},
	{what: "1,000 versions that share a schema of 2,000 properties", file: "shared.yaml", text: func() string {
		head := strings.Replace(crdHead, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1", 1)
		return head + "  preserveUnknownFields: false\n  versions:\n" + many(1000, "  - {name: v%d, served: true, storage: false}\n") +
			"  - {name: stored, served: true, storage: true}\n  validation:\n    openAPIV3Schema:\n      type: object\n      properties:\n" +
			many(2000, "        p%d: {type: string}\n")
	}, heavy: true},
	{what: "16,000 properties", file: "properties.yaml", text: properties(16_000, "string"), heavy: true},
	{what: "4,000 printer columns", file: "columns.yaml", text: func() string {
		return crdHead + crdVersion + "    additionalPrinterColumns:\n" + many(4000, "    - {name: C%[1]d, type: string, jsonPath: .spec.x%[1]d}\n")
	}, heavy: true},
	{what: "1,000 CEL rules", file: "cel.yaml", text: func() string {
		return crdHead + crdVersion + "          a: {type: string}\n        x-kubernetes-validations:\n" + many(1000, "        - {rule: 'size(self.a) > %d', message: m}\n")
	}, heavy: true},
	{what: "a CEL rule of 20,000 terms", file: "cel.yaml", text: func() string {
		return crdHead + crdVersion + "          a: {type: string}\n        x-kubernetes-validations:\n        - {rule: '" + strings.Repeat("1+", 20_000) + "1 > 0', message: m}\n"
	}},
	{what: "a CEL rule in 5,000 parentheses", file: "cel.yaml", text: func() string {
		return crdHead + crdVersion + "          a: {type: string}\n        x-kubernetes-validations:\n        - {rule: '" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " > 0', message: m}\n"
	}},
	{what: "anyOf nested to 4,096 branches", file: "anyof.yaml", text: func() string { return crdHead + crdVersion + "          a: " + anyOf(12) + "\n" }, heavy: true},
	{what: "an enum of 100,000 values", file: "enum.yaml", text: enum("e%d,"), heavy: true},
	{what: "a pattern that backtracking takes for ever for", file: "pattern.yaml", text: func() string {
		return crdHead + crdVersion + "          a: {type: string, pattern: '^(a+)+$', default: '" + strings.Repeat("a", 50_000) + "!'}\n"
	}},
	{what: "a pattern that unfolds to a million states", file: "pattern.yaml", text: content(crdHead + crdVersion + "          a: {type: string, pattern: '((a{0,100}){0,100}){0,100}', default: aaa}\n")},
	{what: "4,000 selectable fields that lead nowhere", file: "selectable.yaml", text: func() string {
		return crdHead + crdVersion + "          a: {type: string}\n    selectableFields:\n" + many(4000, "    - {jsonPath: .spec.x%d}\n")
	}, heavy: true},
	{what: "2,000 schemas without a type, all repaired", args: []string{"lint", "--diff", "--unsafe-fixes"}, file: "typeless.yaml",
		text: func() string { return crdHead + crdVersion + many(2000, typeless) }, heavy: true},
	{what: "4,000 fixes in JSON output", args: []string{"lint", "--output", "json"}, file: "typeless.yaml",
		text: func() string { return crdHead + crdVersion + many(4000, typeless) }, heavy: true},
}

// TestHostileInput feeds the whole program with each: it ends with an answer and an exit code, without a panic.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	hostileCases := slices.Concat(hostileCases, hostileAround, hostileCompared, hostileTemplates, hostileSuites)
	var heavy []string
	for _, c := range hostileCases {
		if c.heavy {
			heavy = append(heavy, c.what)
		}
	}
	heavy = corpus.Turn(t, heavy)
	rows := make([]string, len(hostileCases))
	t.Run("cases", func(t *testing.T) {
		page := read(t, robustness)
		for i, c := range hostileCases {
			if c.heavy && !slices.Contains(heavy, c.what) { // as it was in its turn
				rows[i] = regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(c.what) + ` \|.*$`).FindString(page)
				continue
			}
			t.Run(strings.ReplaceAll(c.what, " ", "_"), func(t *testing.T) {
				if c.heavy && testing.Short() {
					t.Skip("heavy")
				}
				t.Parallel()
				rows[i] = c.run(t)
			})
		}
	})
	if !testing.Short() {
		checkTable(t, rows)
	}
}

// run returns the row of the table.
func (c hostileCase) run(t *testing.T) string {
	dir := t.TempDir()
	path, stdin := filepath.Join(dir, c.file), c.text()
	if !c.stdin {
		if err := os.WriteFile(path, []byte(stdin), 0o600); err != nil {
			t.Fatal(err)
		}
		stdin = ""
	}
	good := filepath.Join(dir, "good.yaml")
	if err := os.WriteFile(good, []byte(crdHead+crdVersion+"          a: {type: string}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old-"+c.file)
	if c.old != nil {
		if err := os.WriteFile(old, []byte(c.old()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := c.args
	if args == nil {
		args = []string{"lint", "--output", "short"}
	}
	command := strings.NewReplacer("FILE", c.file, "GOOD", "good.yaml", "DIR", ".").Replace(strings.Join(args, " "))
	if !c.stdin && !slices.Contains(args, "FILE") && !slices.Contains(args, "DIR") {
		args = append(args[:len(args):len(args)], "FILE")
	}
	places := map[string]string{"FILE": path, "GOOD": good, "OLD": old, "DIR": dir}
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = cmp.Or(places[a], a)
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(args, strings.NewReader(stdin), &stdout, &stderr)
	said := strings.ReplaceAll(stdout.String()+stderr.String(), dir+string(filepath.Separator), "")
	for _, bad := range []string{"please report", "goroutine ", "fault of crdlift"} {
		if at := strings.Index(said, bad); at >= 0 {
			t.Errorf("it says %q", said[max(0, at-200):min(len(said), at+200)])
		}
	}
	if code != 0 && said == "" {
		t.Errorf("exit code %d without a word", code)
	}
	if c.stdin {
		stdout.Reset() // the items of a ResourceList; what is said of them comes as text, too
	}
	return fmt.Sprintf("| %s | `%s` | %d | %s |", c.what, command, code, firstWords(stdout.String(), stderr.String(), dir))
}

// firstWords is the first finding or, without one, the summary, short enough for a table.
func firstWords(stdout, stderr, dir string) string {
	lines := strings.Split(strings.TrimRight(stderr, "\n"), "\n")
	first, _, _ := strings.Cut(stdout, "\n")
	if !strings.Contains(first, ": ") || strings.HasPrefix(first, "---") {
		first = lines[0]
	}
	first = strings.ReplaceAll(first, dir+string(filepath.Separator), "")
	if r := []rune(first); len(r) > 160 {
		first = string(r[:160]) + "…"
	}
	return "`" + strings.ReplaceAll(first, "|", `\|`) + "`"
}

var robustness = filepath.Join("docs", "internals", "robustness.md")

const tableStart, tableEnd = "<!-- measured: go test . -run Hostile -update -->\n", "<!-- end -->\n"

// checkTable keeps the page what the program does.
func checkTable(t *testing.T, rows []string) {
	t.Helper()
	replaceTable(t, tableStart, "\n| input | command | exit code | first message |\n|---|---|---|---|\n"+strings.Join(rows, "\n")+"\n\n")
}

// replaceTable keeps what is behind a line of docs/internals/robustness.md, up to the end of the table, or writes it anew.
func replaceTable(t *testing.T, start, table string) {
	t.Helper()
	src, err := os.ReadFile(robustness)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(src), start)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", robustness)
	}
	want := before + start + table + tableEnd + after
	if want == string(src) {
		return
	}
	if !*update {
		t.Errorf("%s is out of date; with -update, this test writes it anew:\n%s", robustness, table)
	} else if err := os.WriteFile(robustness, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
