// Package words checks that what people read uses the words that CONTRIBUTING.md lists, and none of those that they replace.
package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// replaced are expressions that are not used any more, and what is written for them. CONTRIBUTING.md has the same list for people.
var replaced = []struct{ old, write string }{
	{`refus(?:e|es|ed|ing|als?)`, "reject"},
	{`mend(?:s|ed|ing)?`, "fix"},
	{`judg(?:e|es|ed|ing|ements?)`, "check, validate; a verdict"},
	{`stand-ins?|stands? in for|stood in for`, "placeholder, replaces"},
	{`pass(?:es|ed|ing)? over`, "skip"},
	{`told`, "report, say"},
	{`for ever`, "forever"},
	{`in silence`, "silently"},
	{`old(?:er)? sides?`, "the earlier version"},
	{`anew`, "again, from scratch"},
	{`beside`, "next to"},
	{`whoever|whom`, "the client, the user, the controller that"},
	{`(?:is|are|was) none`, "no, nothing"},
	{`(?:that|those) of which|thereof|therein`, "name the thing again"},
	{`(?:cannot|can not) say`, "does not know, is unknown"},
	{`nothing but`, "only"},
	{`carr(?:y|ies|ied|ying)`, "migrate, move, copy"},
	{`makes? of`, "does with"},
	{`(?:servers?|v1|v1beta1|kubectl|controller-gen|nobody) (?:do not |does not )?takes?`, "accept"},
	{`(?:webhooks?|servers?) answers?|(?:the|an|its|this|each) answers?`, "response; respond, return"},
	{`looked at`, "checked, read"},
	{`of equal meaning|of the same meaning`, "equivalent"},
}

// TestWords looks for them in the documentation, the pages of rules, the texts of the program and the comments of exported names.
// CRDLIFT_WORDS, a folder, leaves all others out.
func TestWords(t *testing.T) {
	t.Parallel()
	var expressions []*regexp.Regexp
	for _, r := range replaced {
		expressions = append(expressions, regexp.MustCompile(`(?i)(?:^|[^\w.-])(`+r.old+`)(?:$|[^\w-])`))
	}
	read := 0
	root := filepath.Join("..", "..")
	within := filepath.Join(root, filepath.FromSlash(os.Getenv("CRDLIFT_WORDS")))
	err := filepath.WalkDir(within, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(entry.Name(), ".") && name != ".github" || skipped[name] || entry.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !isRead(name) {
			return nil
		}
		read++
		found, err := passages(path)
		for _, p := range found {
			for i, e := range expressions {
				for _, m := range e.FindAllStringSubmatch(p.text, -1) {
					t.Errorf("%s:%d: %q: write %s", name, p.line, m[1], replaced[i].write)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if read == 0 {
		t.Errorf("%s has no text to read", within)
	}
}

// TestWordList checks that CONTRIBUTING.md names what to write for each of them.
func TestWordList(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range replaced {
		if !strings.Contains(string(text), "| "+r.write+" |") {
			t.Errorf("CONTRIBUTING.md does not list %q", r.write)
		}
	}
}

// skipped are folders without texts for users.
var skipped = map[string]bool{"test": true, "build": true, "dist": true, "internal/testing": true, "docs/internals": true}

// isRead reports whether a file has texts that people read.
func isRead(name string) bool {
	switch {
	case name == "CHANGELOG.md" || name == "CONTRIBUTING.md": // what was, and the list
		return false
	case strings.HasSuffix(name, ".go"):
		return !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "testdata/")
	case strings.Contains(name, "testdata/"):
		return strings.HasPrefix(name, "rules/") && strings.HasSuffix(name, "/page.md")
	}
	return strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "internal/cli/help/") || name == "action.yml" || name == ".pre-commit-hooks.yaml"
}

type passage struct {
	line int
	text string
}

// passages are the texts of a file: of Go the strings of several words and the comments of exported names, else the lines, without
// code and the keys of YAML.
func passages(path string) (all []passage, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".go") {
		return goPassages(path, text)
	}
	inCode := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		if !inCode && !key.MatchString(line) {
			all = append(all, passage{i + 1, withoutCode.ReplaceAllString(line, "``")})
		}
	}
	return all, nil
}

// key is a line of YAML with a name that exists, such as one of an output of the action.
var key = regexp.MustCompile(`^ +[a-z-]+:$`)

var withoutCode = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)")

func goPassages(path string, text []byte) (all []passage, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	add := func(pos token.Pos, text string) {
		for i, line := range strings.Split(text, "\n") {
			all = append(all, passage{files.Position(pos).Line + i, line})
		}
	}
	comment := func(name string, group *ast.CommentGroup) {
		if group != nil && ast.IsExported(name) {
			add(group.Pos(), regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(group.Text(), "``")) // names stay
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && strings.Contains(s, " ") {
				add(n.Pos(), withoutCode.ReplaceAllString(s, "``"))
			}
		case *ast.FuncDecl:
			if n.Recv == nil || isExportedType(n.Recv.List[0].Type) {
				comment(n.Name.Name, n.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					comment(spec.Name.Name, n.Doc)
					comment(spec.Name.Name, spec.Doc)
				case *ast.ValueSpec:
					comment(spec.Names[0].Name, n.Doc)
					comment(spec.Names[0].Name, spec.Doc)
				}
			}
		case *ast.ImportSpec:
			return false
		}
		return true
	})
	return all, nil
}

func isExportedType(receiver ast.Expr) bool {
	switch r := receiver.(type) {
	case *ast.StarExpr:
		return isExportedType(r.X)
	case *ast.IndexExpr:
		return isExportedType(r.X)
	case *ast.Ident:
		return r.IsExported()
	}
	return false
}

// TestPassages reads a program and a page that have the same word in each place: it counts in what people read, and not in code.
func TestPassages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "package a\n\n// Exported mends.\nfunc Exported() {}\n\n// own mends.\nfunc own() {}\n", "3"},
		{"b.go", "package b\n\nvar (\n\tkey  = \"mends\"\n\ttext = \"crdlift mends it\"\n\tcode = \"run `git mends` now\"\n)\n", "5"},
		{"c.go", "package c\n\ntype Mends int\n\n// Mends stays, as it is a name.\nfunc (Mends) Mends() {}\n", ""},
		{"d.md", "It mends `mends`.\n\n```sh\ncrdlift mends\n```\n\n[link](mends.md)\n", "1"},
		{"e.yml", "outputs:\n  mends:\n    description: What mends it.\n", "3"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := passages(path)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, p := range found {
			if strings.Contains(strings.ToLower(p.text), "mends") {
				lines = append(lines, strconv.Itoa(p.line))
			}
		}
		if got := strings.Join(lines, ","); got != c.want {
			t.Errorf("%s: the word is found in lines %q, want %q", c.name, got, c.want)
		}
	}
}
