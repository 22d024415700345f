package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/kustomize"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A build is the CRDs that kustomizations make.
type build struct {
	files   map[string]*kustomize.File // by the files that they are written in, as messages name these
	sources map[string][]string        // the files that those were built from
	spots   map[*lint.Finding]kustomize.Spot
	about   map[*lint.Finding]bool // the findings about what is built, where these files are judged as they are, too; else nil
}

func newBuild() build {
	return build{files: map[string]*kustomize.File{}, sources: map[string][]string{}, spots: map[*lint.Finding]kustomize.Spot{}}
}

// add adds a file that was built, by the path that messages name.
func (b *build) add(path string, file *kustomize.File) {
	b.files[path] = file
	for _, source := range file.Sources() {
		b.sources[path] = append(b.sources[path], Shown(source))
	}
}

// has reports whether a finding is about what is built, and not about a file as it is or the configuration.
func (b *build) has(f *lint.Finding) bool {
	return b.files[f.Pos.File] != nil && (b.about == nil || b.about[f])
}

// SourcesOf are the files that one was built from; none where it was not built.
func (b *build) SourcesOf(path string) []string {
	if b == nil {
		return nil
	}
	return b.sources[path]
}

// spot returns the source of a finding's subject.
func (b *build) spot(f *lint.Finding) kustomize.Spot {
	at, known := b.spots[f]
	if !known {
		at = b.files[f.Pos.File].Locate(f.Document, f.Path, f.Pos.Line, f.Pos.Column, f.Message)
		b.spots[f] = at
	}
	return at
}

// Shown is the file of that place.
func (b *build) Shown(f *lint.Finding) string {
	if b.files[f.Pos.File] == nil { // built as it is
		return f.Pos.File
	}
	return Shown(b.spot(f).File.Path)
}

// ToSources moves findings in CRDs that were built to their sources. It drops fixes: their edits would be those of a
// file that does not exist.
func (b *build) ToSources(all *lint.Report) {
	if b == nil {
		return
	}
	for _, f := range all.Findings {
		if !b.has(f) {
			continue
		}
		at := b.spot(f)
		path, source := Shown(at.File.Path), at.File.SourceAt(at.File.Range(at.Start, at.End))
		source.Pos.File = path
		if path != f.Pos.File {
			if all.CRDs > 1 {
				all.Crowded[path] = true // the text there may belong to any of them
			}
			changedAt(f, source.Pos)
		}
		f.Document, f.Fix, f.Related = at.Document, nil, nil
		f.Pos, f.Excerpt, f.From = source.Pos, source.Excerpt, source.From
		if at.Loss != nil {
			sayAlso(f, "; "+taken(at.Loss))
		}
	}
	nth := map[string]int{}
	for i, file := range all.Files {
		nth[file] = i - len(all.Files) // before those of no file
	}
	slices.SortStableFunc(all.Findings, func(a, b *lint.Finding) int {
		return cmp.Or(nth[a.Pos.File]-nth[b.Pos.File], a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
}

// changedAt says of a finding that a kustomization wrote what it is about, so that no marker mends it.
func changedAt(f *lint.Finding, step lint.Position) {
	f.Remedy = slices.Clone(f.Remedy) // others may share it
	for i := range f.Remedy {
		f.Remedy[i].Markers = nil
	}
	switch o := f.Origin; {
	case o == nil:
	case o.InModule: // whose place is nobody's to correct
		f.Origin = nil
	default:
		f.Origin = &lint.Origin{Mark: lint.Mark{Pos: o.Pos, Symbol: o.Symbol, At: o.At}, Confidence: lint.LaterOrigin, Generator: o.Generator, Step: step}
	}
}

// taken says what a patch takes away, and how to keep it.
func taken(l *kustomize.Loss) string {
	said := fmt.Sprintf("%s has %s, but this patch %s", Shown(l.File), l.Path, l.Does)
	if l.Instead != "" {
		said += "; write a JSON patch (RFC 6902) instead, with " + l.Instead
	}
	return text.OneLine(said)
}

// sayAlso adds to a message, alone and with those of other versions.
func sayAlso(f *lint.Finding, more string) {
	f.Message += more
	if f.Brief != "" {
		f.Brief += more
	}
	if about := f.About; about != nil {
		f.About = func(versions, items []string) (message, brief string) {
			message, brief = about(versions, items)
			return message + more, brief + more
		}
	}
}
