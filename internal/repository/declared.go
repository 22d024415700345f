package repository

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"path"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A declaration is that of a kind in the code of the tree.
type declaration struct {
	because Reason
	byTests bool // only in folders of tests
}

// Evidence is what weighs on the role of a CRD beside the names of files.
type evidence struct {
	*folders
	outputs  outputs
	last     map[string]string       // the last of bundles that are siblings
	declared map[string]*declaration // by kind and group
	groups   map[string]bool         // that declare kinds
	domains  map[string]bool         // of these
	types    map[string]bool         // the kinds that Go types are called like, in any group
	listed   map[string]Reason       // the files that kustomizations list as resources
	patches  map[string]Reason       // the files that they patch CRDs with

	kustomizations map[string]*kustomization // by folder
}

func key(group, kind string) string { return kind + "." + group }

// wanted are the kinds that are looked for, and their groups.
type wanted map[string]map[string]bool

// collect reads the files of the tree that may say something.
func (e *evidence) collect(t Tree, docs []*Document) {
	e.outputs = outputs{tree: e.folders, into: map[string]*output{}, made: map[string]Reason{}, copied: map[string]Reason{}}
	e.types, e.domains, e.last = map[string]bool{}, map[string]bool{}, map[string]string{}
	e.groups, e.listed, e.patches = map[string]bool{}, map[string]Reason{}, map[string]Reason{}
	e.kustomizations = map[string]*kustomization{}
	kinds := wanted{}
	for _, d := range docs {
		if kinds[d.Kind] == nil {
			kinds[d.Kind] = map[string]bool{}
		}
		kinds[d.Kind][d.Group] = true
		e.crds[d.File] = true
		for dir := range upwards(d.File) {
			e.crds[dir] = true
		}
	}
	if len(docs) == 0 {
		for _, file := range e.files {
			if isBuildFile(file) {
				e.outputs.read(file, t.Read(file))
			}
		}
		return
	}
	named := map[string]map[string]bool{} // by folder, what its Go code may name as a group
	var types []goType
	for _, file := range e.files {
		switch base := path.Base(file); {
		case isBuildFile(file):
			e.outputs.read(file, t.Read(file))
		case base == "PROJECT":
			e.readProject(file, t.Read(file))
		case base == "kustomization.yaml", base == "kustomization.yml", base == "Kustomization":
			e.readKustomization(file, t)
		case strings.HasSuffix(base, ".go"):
			types = e.readGo(file, t, kinds, named, types)
		case strings.HasSuffix(base, ".rs"), strings.HasSuffix(base, ".java"), strings.HasSuffix(base, ".kt"):
			e.readOther(file, t.Read(file), kinds)
		}
	}
	for _, g := range types {
		e.types[g.kind] = true
		g.declare(e, named)
	}
	e.outputs.addScaffolds()
	for _, d := range docs {
		if out, known := e.outputs.of(d.File), e.declared[key(d.Group, d.Kind)]; out != nil && known != nil && !known.byTests {
			out.declared = true
		}
	}
}

// declare notes the declaration of a kind. One outside of tests counts for more.
func (e *evidence) declare(group, kind, file string, line int) {
	old := e.declared[key(group, kind)]
	if old != nil && !old.byTests {
		return
	}
	_, byTests := e.test(file)
	if old != nil && byTests {
		return
	}
	e.declared[key(group, kind)] = &declaration{Reason{Text: "declares " + kind, File: file, Line: line}, byTests}
	if !byTests {
		e.groups[group], e.domains[domain(group)] = true, true
	}
}

// A goType is a struct of a Go file that may be a kind of some groups.
type goType struct {
	file, kind string
	line       int
	groups     map[string]bool
}

var (
	goStruct = text.Pattern(`(?m)^[ \t]*(?:type[ \t]+)?(\w+)\s+struct\s*\{\s*(?://[^\n]*\n\s*)*(?:\w+\.)?\z`)
	goGroup  = text.Pattern(`groupName=\S+|"[^"\s]*"`)
	goTests  = text.Pattern(`"(testing|github\.com/onsi/ginkgo[^"]*|github\.com/stretchr/testify[^"]*)"`)
)

// readGo looks for kinds, the groups that packages name, generators and tests in a Go file.
func (e *evidence) readGo(file string, t Tree, kinds wanted, named map[string]map[string]bool, types []goType) []goType {
	dir, base := path.Dir(file), path.Base(file)
	if strings.HasSuffix(base, "_test.go") {
		if _, known := e.packages[dir]; !known {
			e.packages[dir] = "all Go code in " + dir + " is of tests"
		}
		return types
	}
	src := t.Read(file)
	if imports, _, _ := bytes.Cut(src, []byte("\n)")); goTests().Match(imports) {
		e.packages[dir] = fmt.Sprintf("the Go code in %s imports %s", dir, goTests().FindSubmatch(imports)[1])
	} else if why := e.packages[dir]; why == "" || strings.HasPrefix(why, "all") {
		e.packages[dir] = ""
	}
	if bytes.Contains(src, []byte("//go:generate")) {
		e.outputs.read(file, src)
	}
	for line := range bytes.Lines(src) {
		if !bytes.Contains(line, []byte("roup")) {
			continue
		}
		for _, m := range goGroup().FindAll(line, -1) {
			if named[dir] == nil {
				named[dir] = map[string]bool{}
			}
			named[dir][strings.Trim(strings.TrimPrefix(string(m), "groupName="), `"`)] = true
		}
	}
	line, counted := 1, 0
	for at := range indexes(src, "TypeMeta") {
		if m := goStruct().FindSubmatchIndex(src[max(0, at-mostBefore):at]); m != nil {
			begin := max(0, at-mostBefore) + m[2]
			if kind := string(src[begin : begin+m[3]-m[2]]); kinds[kind] != nil {
				line, counted = line+bytes.Count(src[counted:begin], []byte("\n")), begin
				types = append(types, goType{file, kind, line, kinds[kind]})
			}
		}
	}
	return types
}

// mostBefore is how many bytes there are at most between the name of a kind and its first field: a comment may be there.
const mostBefore = 400

// indexes are the places of a word in a text.
func indexes(src []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(word) {
			next := bytes.Index(src[at:], []byte(word))
			if next < 0 || !yield(at+next) {
				return
			}
			at += next
		}
	}
}

// declare notes a kind if its package, or the one above it, names one of its groups.
func (g goType) declare(e *evidence, named map[string]map[string]bool) {
	dir := path.Dir(g.file)
	for group := range g.groups {
		if named[dir][group] || named[path.Dir(dir)][group] {
			e.declare(group, g.kind, g.file, g.line)
		}
	}
}

// readOther looks for kinds in Rust and Java, which name group and kind beside the type, or by a constant of their own.
func (e *evidence) readOther(file string, src []byte, kinds wanted) {
	isRust := strings.HasSuffix(file, ".rs")
	if !isRust && !bytes.Contains(src, []byte("@Group")) && !bytes.Contains(src, []byte("CustomResource")) || isRust && !bytes.Contains(src, []byte("group")) {
		return
	}
	for kind, groups := range kinds {
		at := declaredAt(src, kind, isRust)
		if at < 0 {
			continue
		}
		for group := range groups {
			if !isRust || bytes.Contains(src, []byte(`group = "`+group+`"`)) {
				e.declare(group, kind, file, 1+bytes.Count(src[:at], []byte("\n")))
			}
		}
	}
}

func declaredAt(src []byte, kind string, isRust bool) int {
	words := []string{"class " + kind + " "}
	if isRust {
		words = []string{`"` + kind + `"`, "struct " + kind + "Spec", "struct " + kind + " "}
	}
	for _, word := range words {
		if at := bytes.Index(src, []byte(word)); at >= 0 {
			return at
		}
	}
	return -1
}

// readProject reads the kinds that a PROJECT has.
func (e *evidence) readProject(file string, src []byte) {
	var project struct {
		Domain    string
		Resources []struct {
			Group, Kind, Domain string
			External            bool
		}
	}
	readYAML(src, &project)
	for _, r := range project.Resources {
		if r.External {
			continue
		}
		group := strings.Trim(r.Group+"."+cmp.Or(r.Domain, project.Domain), ".")
		e.declare(group, r.Kind, file, 1+bytes.Count(src[:max(0, bytes.Index(src, []byte("kind: "+r.Kind)))], []byte("\n")))
	}
}
