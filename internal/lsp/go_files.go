package lsp

import (
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// isGo reports whether a document is Go, of which all is left to gopls but what concerns the CRDs that are generated from it.
func (s *snapshot) isGo() bool { return s.language == "go" || strings.HasSuffix(s.path, ".go") }

// answersOnGo are the requests about documents in Go that are answered. What gopls answers as well, editors would show twice.
var answersOnGo = []string{protocol.MethodTextDocumentCompletion, protocol.MethodTextDocumentHover, protocol.MethodTextDocumentCodeAction}

// leavesToGopls reports whether a request has no answer because it is about a document in Go.
func (s *server) leavesToGopls(r *jsonrpc2.Request) bool {
	var about struct{ TextDocument struct{ URI uri.URI } }
	if !strings.HasPrefix(r.Method(), "textDocument/") || slices.Contains(answersOnGo, r.Method()) || json.Unmarshal(r.Params(), &about) != nil {
		return false
	}
	snap := s.overlays.snapshot(about.TextDocument.URI)
	return snap != nil && snap.isGo()
}

// publishGoFiles publishes the diagnostics of the open documents in Go that have others now. Publishing is held.
func (s *server) publishGoFiles() {
	for _, doc := range s.overlays.list() {
		if snap := s.overlays.snapshot(doc); snap != nil && snap.isGo() {
			s.publishGo(snap)
		}
	}
}

// publishGo is publishGoFiles for one, which may be closed now.
func (s *server) publishGo(snap *snapshot) {
	var all []diagnostic
	var shown []*diagnostic
	if snap.open && snap.mapper != nil {
		shown = s.goDiagnostics(snap)
	}
	for _, d := range shown {
		all = append(all, *d)
	}
	if fingerprint(all) != s.diagnostics.fingerprints[snap.uri] && s.overlays.isCurrent(snap) {
		s.diagnostics.note(snap.uri, all)
		s.publish(snap.uri, snap, shown)
	}
}

const (
	markerIgnored = "marker-ignored"
	maxManifests  = 10 // that a diagnostic in Go names
)

// goDiagnostics are the findings that have to be fixed in a document in Go, those of one change of markers together, and those about
// markers that controller-gen ignores, by the text as it is typed. Publishing is held.
func (s *server) goDiagnostics(snap *snapshot) (all []*diagnostic) {
	type change struct {
		pos           lint.Position
		rule, markers string
		severity      lint.Severity
	}
	generator, ignored := "", map[string]bool{} // what the configuration ignores of markers
	where := s.goPlaces()
	s.projects.now.Load().byConfig.Range(func(_, one any) bool {
		p := one.(*project)
		isHere := map[string]bool{} // by the paths of files
		here := slices.DeleteFunc(slices.Clone(p.inGo), func(f *lint.Finding) bool {
			file := f.Origin.Pos.File
			if _, known := isHere[file]; !known {
				isHere[file] = s.fileAt(p, file) == snap.uri
			}
			return !isHere[file] || f.Ignored != "" && f.Rule.ID != markerIgnored
		})
		for _, same := range ordered.Grouped(here, func(f *lint.Finding) change {
			return change{f.Origin.Pos, f.Rule.ID, report.Changes(f.Origin.Mark), f.Severity}
		}) {
			f := *same[0]
			_, generator, _ = strings.Cut(f.Origin.Generator, " ")
			if f.Rule.ID == markerIgnored { // found below, too
				isActive := func(f *lint.Finding) bool { return f.Ignored == "" }
				ignored[report.Changes(f.Origin.Mark)] = !slices.ContainsFunc(same, isActive)
				continue
			}
			if f.Origin = where(p, f.Origin); f.Origin == nil {
				continue
			}
			f.Message, f.Pos, f.Related = p.message(&f), f.Origin.Pos, nil
			if f.Origin.Changes() {
				f.Message += "; Go: " + report.Changes(f.Origin.Mark)
			}
			f.Brief = f.Message
			for _, other := range same[:min(len(same), maxManifests)] {
				f.Related = append(f.Related, lint.Related{Pos: other.Pos, Message: "what is generated from it"})
			}
			all = append(all, s.goDiagnostic(snap, p, f))
		}
		return true
	})
	p, rule := s.project(snap.uri), rules.ByID(markerIgnored)
	severity := config.Severity(config.ForFile(p.config, snap.path), rule)
	if p.config.Go.Off || severity == lint.Off || severity < p.config.MinSeverity {
		return all
	}
	newest, _ := version.ParseGeneric(generator) // nil where none is known
	for _, fault := range complete.MarkerFaults(snap.text, newest) {
		f := lint.Finding{Rule: rule, Severity: severity}
		message := fault.Why.Sentence(fault.Text, fault.Symbol)
		f.Message, f.Brief, f.Pos = message.String(), message.Brief(), snap.linterPosition(fault.Start, fault.End)
		mark := lint.Mark{Symbol: fault.Symbol, Pos: snap.linterPosition(fault.Decl, fault.Decl+len(lastName(fault.Symbol)))}
		mark = origin.Corrected(mark, lint.Marker{Text: fault.Text, Pos: f.Pos}, fault.Why)
		if f.Origin = (&lint.Origin{Mark: mark, Confidence: lint.ExactOrigin, Safe: true}); !ignored[report.Changes(mark)] {
			all = append(all, s.goDiagnostic(snap, p, f))
		}
	}
	return all
}

// goDiagnostic is a finding at a place of a document in Go.
func (s *server) goDiagnostic(snap *snapshot, p *project, f lint.Finding) *diagnostic {
	shown := f
	shown.Origin = nil // which is here
	return &diagnostic{f, s.protocolDiagnostic(&fileDiagnostics{snapshot: snap, project: p}, snap.mapper, &shown)}
}

// linterPosition is a part of a text as the linter has it.
func (s *snapshot) linterPosition(start, end int) (p lint.Position) {
	p.File = s.path
	p.Line, p.Column = s.columns.Position(start)
	p.EndLine, p.EndColumn = s.columns.Position(end)
	return p
}

// lastName is the name of a field or type in that of a declaration.
func lastName(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }

// goPlaces returns a function that says where the declarations of an origin are, by their names, as the files are typed. It returns nil where
// one is not there any more, or where the markers are changed already: manifests are as they were until controller-gen runs.
func (s *server) goPlaces() func(p *project, o *lint.Origin) *lint.Origin {
	type file struct {
		*snapshot
		markers  []complete.GoMarker
		declared map[string]int
	}
	files := map[uri.URI]file{}
	return func(p *project, o *lint.Origin) *lint.Origin {
		now, marks, written := *o, o.Marks(), o.Writable()
		for i := range marks {
			m := &marks[i]
			doc := s.fileAt(p, m.Pos.File)
			f, known := files[doc]
			if !known {
				if f.snapshot = s.snapshot(doc); f.snapshot != nil && f.mapper != nil {
					f.markers, f.declared = complete.GoMarkers(f.text)
				}
				files[doc] = f
			}
			at, has := f.declared[m.Symbol]
			if !has {
				return nil
			}
			m.Pos = f.linterPosition(at, at+len(lastName(m.Symbol)))
			isThere := func(change lint.Marker) bool {
				return slices.ContainsFunc(f.markers, func(m complete.GoMarker) bool { return m.Decl == at && m.Text == change.Text })
			}
			isMissing := func(change lint.Marker) bool { return !isThere(change) }
			written = written && !slices.ContainsFunc(m.Add, isMissing) && !slices.ContainsFunc(m.Drop, isThere)
		}
		if written {
			return nil
		}
		now.Mark, now.Others = marks[0], marks[1:]
		return &now
	}
}
