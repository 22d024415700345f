package gotypes

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/diff"
)

var update = flag.Bool("update", false, "write the expected answers anew")

// TestStories asks for places in small repositories. A file want has the questions, each with the answer after it:
//
//	path/of/manifest.yaml example.com/v1 Widget
//	  spec.rules[].name
//	    api/v1/types.go:20:2 Rule.Name
//
// In a path, [] stands for items, {} for additionalProperties and * for the members of the struct there. The module cache
// is the folder .cache.
func TestStories(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := txtar.Write(archive, dir); err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
			if i < 0 {
				t.Fatal("the story asks nothing")
			}
			want := string(archive.Files[i].Data)
			x := New(dir, DefaultLimits)
			x.UseModuleCache(filepath.Join(dir, ".cache"))
			got := answers(x, want)
			if got == want {
				return
			}
			if !*update {
				t.Errorf("answers differ:\n%s", diff.Unified("want", "got", []byte(want), []byte(got)))
				return
			}
			archive.Files[i].Data = []byte(got)
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// answers returns the questions in a text with the answers of an index.
func answers(x *Index, questions string) string {
	var all strings.Builder
	var kind *Kind
	for line := range strings.Lines(questions) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			fmt.Fprintln(&all, line)
		case !strings.HasPrefix(line, " "):
			fmt.Fprintln(&all, line)
			words := strings.Fields(line)
			group, version, _ := strings.Cut(words[1], "/")
			id := schema.GroupVersionKind{Group: group, Version: version, Kind: words[2]}
			found := x.Find(words[0], id)
			kind = found.Kind
			if found.Undeclared() {
				var m Module
				if kind, m = x.FindRequired(words[0], id); kind != nil {
					fmt.Fprintf(&all, "    in %s %s: %s:%d\n", m.Path, m.Version, kind.Pos.File, kind.Pos.Line)
				}
			}
			if kind == nil {
				fmt.Fprintln(&all, "    not declared")
			}
			if kind != nil {
				for _, m := range kind.Package().Markers {
					fmt.Fprintf(&all, "    package %s:%d:%d %s\n", m.Pos.File, m.Pos.Line, m.Pos.Column, m.Text)
				}
			}
			for _, at := range found.Several {
				fmt.Fprintf(&all, "    or %s:%d:%d\n", at.File, at.Line, at.Column)
			}
			for _, gap := range found.Gaps {
				fmt.Fprintf(&all, "    not read: %s: %s\n", gap.Path, gap.Reason)
			}
		case !strings.HasPrefix(line, "    ") && kind != nil:
			fmt.Fprintln(&all, line)
			path, list := strings.CutSuffix(strings.TrimSpace(line), "*")
			answer(&all, kind.At(schemaPath(path)...), list)
		}
	}
	return all.String()
}

// schemaPath returns the keys of a schema for a path of members.
func schemaPath(path string) (keys []string) {
	for part := range strings.SplitSeq(path, ".") {
		name, keyword, _ := strings.Cut(part, "/")
		name, elements, _ := strings.Cut(strings.NewReplacer("[]", " [", "{}", " {").Replace(name), " ")
		if name != "" {
			keys = append(keys, "properties", name)
		}
		for _, element := range strings.Fields(elements) {
			keys = append(keys, map[string]string{"[": "items", "{": "additionalProperties"}[element])
		}
		if keyword != "" {
			keys = append(keys, keyword)
		}
	}
	return keys
}

func answer(all *strings.Builder, p Place, list bool) {
	print := func(format string, args ...any) { fmt.Fprintf(all, "    "+format+"\n", args...) }
	if p.Field != nil {
		print("%s:%d:%d-%d %s%s", p.Field.Pos.File, p.Field.Pos.Line, p.Field.Pos.Column, p.Field.Pos.EndColumn, p.Field.Symbol, strings.Join(slices.Concat([]string{""}, p.Elements), "/"))
	}
	for _, f := range p.Others {
		print("also %s:%d:%d %s", f.Pos.File, f.Pos.Line, f.Pos.Column, f.Symbol)
	}
	if p.Type != nil {
		print("type %s:%d:%d %s", p.Type.Pos.File, p.Type.Pos.Line, p.Type.Pos.Column, p.Type.Name)
	}
	if p.Foreign != nil {
		print("foreign %s.%s of %s %s", p.Foreign.Package, p.Foreign.Name, p.Foreign.Module, p.Foreign.Version)
	}
	if p.Outcome != Exact {
		print("%s: %s", [...]string{"exact", "outside", "missing", "unknown"}[p.Outcome], strings.Join(p.Rest, "/"))
		return
	}
	if len(p.Rest) > 0 {
		print("keyword %s", strings.Join(p.Rest, "/"))
	}
	if !p.DocKnown {
		print("doc unknown")
	} else if p.Doc != "" {
		print("doc %q", p.Doc)
	}
	markers := []Marker{}
	if p.Type != nil {
		markers = slices.Concat(p.Type.Markers, markers)
	}
	if p.Field != nil {
		markers = slices.Concat(p.Field.Markers, markers)
	}
	for _, m := range markers {
		print("marker %d:%d %s", m.Pos.Line, m.Pos.Column, m.Text)
	}
	c, above := p.TypedCarrier(), "nowhere"
	switch {
	case c.Field != nil:
		above = c.Field.Symbol
	case c.Type != nil:
		above = "type " + c.Type.Name
	}
	if c.Items {
		above += ", for items"
	}
	if p.Field != nil && (c.Field != p.Field || c.Items) {
		print("typed markers: %s", above)
	}
	if list {
		fields, complete := p.Members()
		for _, f := range fields {
			print("member %s: %s", f.JSON, f.Symbol)
		}
		if !complete {
			print("and perhaps others")
		}
	}
}
