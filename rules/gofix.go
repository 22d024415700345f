package rules

import (
	"errors"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/goplace"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// GoFixes are what fixes findings in Go types once the generator has run again. Nothing has been written.
type GoFixes struct {
	Files    []GoFile           // those that change
	Findings []*lint.Finding    // those that the markers are for
	Left     []lint.WithheldFix // those whose markers cannot be written
	Unsafe   int                // how many more are fixed by unsafe changes, which were not asked for
	Open     int                // how many have markers whose value a person has to choose
	TooNew   int                // how many have markers that the generator of the manifest does not know
	ByHand   int                // how many have a fix that is to be made in the Go types, without a marker for it
	Manual   int                // how many have markers that a person has to decide on
}

// A GoFile is a Go file with its markers changed.
type GoFile struct {
	Path          string // as positions have it
	Before, After []byte
	root, at      string // of the repository and the file, absolute
}

// Fix makes the changes of markers that findings have in their origins: the safe ones, and the unsafe ones too when asked.
func (g *GoTypes) Fix(findings []*lint.Finding, unsafe bool) *GoFixes {
	out := &GoFixes{}
	var chosen []*lint.Finding
	var marks [][]lint.Mark
	for _, f := range findings {
		switch {
		case f.Ignored != "" || !f.InGo():
		case !f.Origin.Changes():
			if f.Fix != nil && f.Origin.Program == "" {
				out.ByHand++
			}
		case !f.Origin.Writable():
			out.countUnwritable(f.Origin)
		case !f.Origin.Safe && !unsafe:
			out.Unsafe++
		default:
			chosen, marks = append(chosen, f), append(marks, f.Origin.Marks())
		}
	}
	plan := gofix.PlanFor(marks, g.found.Index.Source)
	for i, err := range plan.Refused {
		if err == nil {
			out.Findings = append(out.Findings, chosen[i])
		} else {
			out.Left = append(out.Left, lint.WithheldFix{Finding: chosen[i], Why: err.Error()})
		}
	}
	if out.Unsafe > 0 { // some of them may be rejected
		out.Unsafe = max(0, len(g.Fix(findings, true).Findings)-len(out.Findings))
	}
	for _, f := range plan.Files {
		out.Files = append(out.Files, GoFile{f.Shown, f.Text, f.After, f.Root, f.Path})
	}
	return out
}

// Done tells the findings that the files are written: their manifests are older than the Go types now.
func (g *GoFixes) Done() {
	for _, f := range g.Findings {
		o := f.Origin
		for _, m := range o.Marks() {
			o.Written += max(len(m.Add), len(m.Drop))
		}
		o.Mark, o.Others, o.Edits, o.Confidence = lint.Mark{Pos: o.Pos, Symbol: o.Symbol, At: o.At}, nil, nil, lint.StaleOrigin
	}
}

// countUnwritable counts a finding whose markers no program can write.
func (g *GoFixes) countUnwritable(o *lint.Origin) {
	for _, mark := range o.Marks() {
		if len(mark.Correct) > 0 {
			g.Open++
			return
		}
		for _, m := range mark.Add {
			switch {
			case m.Open:
				g.Open++
				return
			case m.Needs != "":
				g.TooNew++
				return
			}
		}
	}
	if o.Manual || o.Partial {
		g.Manual++
	}
}

var errLink = errors.New("a symbolic link leads there; left alone")

// Location returns the absolute path to write the file at. It fails if a symbolic link of the repository is on the way: what
// it leads to may be anywhere.
func (f GoFile) Location() (string, error) {
	root, err := filepath.EvalSymlinks(f.root)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(f.root, f.at)
	if err != nil {
		return "", err
	}
	at := filepath.Join(root, below)
	if real, err := filepath.EvalSymlinks(at); err != nil {
		return "", err
	} else if real != at {
		return "", errLink
	}
	return at, nil
}

// maxGoEditWork bounds the bytes of Go files that are read, written and proven to make the edits of the findings of one
// manifest. Each set of markers takes its whole file; 16 MiB take about two seconds.
const maxGoEditWork = 16 << 20

// edits returns the changes of markers as text; none where one of them cannot be written. It returns as well how many
// bytes of Go files it looked at.
func (g *GoTypes) edits(marks []lint.Mark) (edits []lint.FileEdit, read int) {
	plan := gofix.PlanFor([][]lint.Mark{marks}, g.found.Index.Source)
	for _, m := range marks {
		if file, ok := g.found.Index.Source(m.Pos.File); ok {
			read += len(file.Text)
		}
	}
	for _, f := range plan.Files {
		table := lines.TableOf(f.Text)
		for _, e := range diff.Edits(f.Text, f.After) {
			t := lint.TextEdit{Text: e.New}
			t.Line, t.Column = table.Position(e.Start)
			t.EndLine, t.EndColumn = table.Position(e.End)
			edits = append(edits, lint.FileEdit{File: f.Shown, TextEdit: t})
		}
	}
	return edits, read
}

// GoTypes are the Go types that manifests are generated from. Nothing is read before a finding asks for it, and then it is
// kept: one value is for one run.
type GoTypes struct{ found *vicinity.GoTypes }

// FindGoTypes looks for Go types in folders and below them or, if not found there, around each manifest: in its module and then
// outwards to the root of the git repository. Paths are relative to a working directory, an absolute path.
func FindGoTypes(dir string, folders ...string) *GoTypes {
	return &GoTypes{&vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits), Folders: folders}}
}

// UseModuleCache makes a search around manifests go on in the modules that they require, where the repository does not declare
// their kinds and Go has downloaded these into a folder, an absolute path. Those in a vendor folder are looked in anyway.
func (g *GoTypes) UseModuleCache(folder string) { g.found.Index.UseModuleCache(folder) }

// Declaration is where Go declares what keys lead to from the schema of a version, properties and spec say, and the type of that;
// zero for what is not found in the repository of the manifest.
func (g *GoTypes) Declaration(manifest string, id schema.GroupVersionKind, keys ...string) (field, of lint.Position) {
	return goplace.Declaration(g.found, manifest, id, keys)
}

// Notes returns why findings of a run have no place in Go types although these may be there, in a line for each reason.
func (g *GoTypes) Notes() []string { return g.found.Notes() }
