package apiserver

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/report"
)

var update = flag.Bool("update", false, "write docs/reference/errors.md")

const intro = `# Errors of the API server

Look up a part of the message with which the API server rejects a CustomResourceDefinition, and find the rule of crdlift
that reports it. ` + "`crdlift explain RULE`" + ` says what to do.

The first row that matches counts; an empty cell matches any message. Fields are those of the server's message: the server
reports a schema that all versions share at ` + "`spec.validation`" + `; crdlift reports it where it is written.
`

// TestPage holds docs/reference/errors.md against the table.
func TestPage(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(intro)
	var last section
	var cells []string // of the row that is not written yet
	end := func() {
		if cells != nil {
			fmt.Fprintf(&page, "| %s |\n", strings.ReplaceAll(strings.Join(cells, " | "), "|  |", "| |"))
		}
		cells = nil
	}
	for _, r := range rows {
		if r.section != last {
			end()
			last = r.section
			fmt.Fprintf(&page, "\n## %s\n\n| Field | Error | Message has | Rule |\n|---|---|---|---|\n", r.section)
		}
		message := strings.NewReplacer("`…", "`", "…`", "`").Replace(readable(r.text, ""))
		next := []string{readable(r.field, "any"), kindsOf(r.types), message, fmt.Sprintf("[%s](%s)", r.rule, report.RulePage(r.rule))}
		switch { // rows that differ in one cell are one
		case cells != nil && slices.Equal(cells[1:], next[1:]):
			cells[0] += ", " + next[0]
		case cells != nil && slices.Equal(cells[:2], next[:2]) && cells[3] == next[3]:
			cells[2] += ", " + next[2]
		default:
			end()
			cells = next
		}
	}
	end()
	path := filepath.Join("..", "..", "docs", "reference", "errors.md")
	if *update {
		if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(bytes.ReplaceAll(is, []byte("\r\n"), []byte("\n")), page.Bytes()) {
		t.Error("docs/reference/errors.md is not up to date: go test ./internal/apiserver -update", err)
	}
}

// kindsOf are the types of a row as the server writes them.
func kindsOf(types string) string {
	var kinds []string
	for name := range strings.SplitSeq(types, "|") {
		kind := field.ErrorType("FieldValue" + name)
		if name == "InternalError" {
			kind = field.ErrorTypeInternal
		}
		kinds = append(kinds, kind.String())
	}
	return strings.Join(slices.Compact(kinds), ", ") // two types read alike
}

// readable returns a regular expression of the table for people, with … for any text.
func readable(expression, all string) string {
	if expression == "" || expression == "." {
		return all
	}
	var alternatives []string
	for _, one := range alternative.FindAllString(expression, -1) {
		if one == "^$" {
			alternatives = append(alternatives, "none")
			continue
		}
		start, end := "…", "…"
		if strings.HasPrefix(one, "^") {
			start = ""
		}
		if strings.HasSuffix(one, "$") {
			end = ""
		}
		one = strings.Trim(one, "^$")
		one = strings.NewReplacer(`\[\d+\]`, "[*]", `(\..*)?`, "…", ".*", "…", `\w+`, "…", `\`, "", "|", `\|`).Replace(one)
		alternatives = append(alternatives, "`"+start+one+end+"`")
	}
	return strings.Join(alternatives, ", ")
}

// alternative matches one alternative between bars outside of parentheses.
var alternative = regexp.MustCompile(`(?:[^|(]|\([^)]*\))+`)

// TestNames wants the name of every row to be that of its variable, and no name twice.
func TestNames(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "rows.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var declared []Row
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Values != nil && v.Names[0].Name != "Unknown" {
			declared = append(declared, Row(v.Names[0].Name))
		}
		return true
	})
	if names := Rows(); !slices.Equal(names, declared) {
		t.Errorf("the rows are %q, their variables %q", names, declared)
	}
	seen := map[Row]bool{Unknown: true}
	for _, r := range rows {
		if seen[r.name] {
			t.Errorf("there are two rows %q", r.name)
		}
		seen[r.name] = true
	}
}
