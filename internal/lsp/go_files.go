package lsp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/diff"
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

// noteInGo keeps the findings of a project that have to be fixed in Go files, by these, as the output for GitHub places them.
func (s *server) noteInGo(p *project, findings []*lint.Finding) {
	p.inGo = map[uri.URI][]*lint.Finding{}
	for _, f := range findings {
		if f.InGo() && f.Origin.Program == "" {
			doc := s.fileAt(p, f.Origin.Pos.File)
			p.inGo[doc] = append(p.inGo[doc], f)
		}
	}
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
	if snap.open && snap.mapper != nil {
		all = s.goDiagnostics(snap)
	}
	if fingerprint(all) == s.diagnostics.fingerprints[snap.uri] || !s.overlays.isCurrent(snap) {
		return
	}
	s.diagnostics.note(snap.uri, all)
	var shown []*diagnostic
	for _, d := range all {
		shown = append(shown, &d)
	}
	s.publish(snap.uri, snap, shown)
}

const (
	markerIgnored = "marker-ignored"
	maxManifests  = 10 // that a diagnostic in Go names
)

// goDiagnostics are the findings that have to be fixed in a document in Go, those of one change of markers together, and those about
// markers that controller-gen ignores, by the text as it is typed. Publishing is held.
func (s *server) goDiagnostics(snap *snapshot) (all []diagnostic) {
	type change struct {
		pos           lint.Position
		rule, markers string
		severity      lint.Severity
	}
	written, now := complete.GoMarkers(snap.text), s.lineNow()
	generator, ignored := "", map[string]bool{} // what the configuration ignores of markers
	s.projects.now.Load().byConfig.Range(func(_, one any) bool {
		p := one.(*project)
		for _, same := range ordered.Grouped(p.inGo[snap.uri], func(f *lint.Finding) change {
			return change{f.Origin.Pos, f.Rule.ID, report.Changes(f.Origin.Mark), f.Severity}
		}) {
			f := *same[0]
			_, generator, _ = strings.Cut(f.Origin.Generator, " ")
			if f.Rule.ID == markerIgnored { // found below, too
				ignored[report.Changes(f.Origin.Mark)] = f.Ignored != ""
				continue
			}
			if f.Origin = s.originNow(p, f.Origin, now); f.Ignored != "" || f.Origin == nil || isWritten(snap, f.Origin.Mark, written) {
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
	at, err := version.ParseGeneric(generator)
	if err != nil {
		at = nil
	}
	for _, fault := range complete.MarkerFaults(snap.text, at) {
		f := lint.Finding{Rule: rule, Severity: severity}
		f.Pos = snap.linterPosition(fault.Start, fault.End)
		message := fault.Why.Sentence(fault.Text, fault.Symbol)
		f.Message, f.Brief = message.String(), message.Brief()
		name := fault.Symbol[strings.LastIndexByte(fault.Symbol, '.')+1:]
		mark := lint.Mark{Symbol: fault.Symbol, Pos: snap.linterPosition(fault.Decl, fault.Decl+len(name))}
		f.Origin = &lint.Origin{Confidence: lint.ExactOrigin, Safe: true, Mark: origin.Corrected(mark, lint.Marker{Text: fault.Text, Pos: f.Pos}, fault.Why)}
		if !ignored[report.Changes(f.Origin.Mark)] {
			all = append(all, s.goDiagnostic(snap, p, f))
		}
	}
	return all
}

// goDiagnostic is a finding at a place of a document in Go.
func (s *server) goDiagnostic(snap *snapshot, p *project, f lint.Finding) diagnostic {
	shown := f
	shown.Origin = nil // which is here
	return diagnostic{f, s.protocolDiagnostic(&fileDiagnostics{snapshot: snap, project: p}, snap.mapper, &shown)}
}

// linterPosition is a part of a text as the linter has it.
func (s *snapshot) linterPosition(start, end int) (p lint.Position) {
	p.File = s.path
	p.Line, p.Column = s.columns.Position(start)
	p.EndLine, p.EndColumn = s.columns.Position(end)
	return p
}

// isWritten reports whether markers are changed in the text already. The manifests are as they were until controller-gen runs.
func isWritten(snap *snapshot, m lint.Mark, written []complete.GoMarker) bool {
	has := map[string]bool{}
	for _, w := range written {
		if line, _ := snap.columns.Position(w.Decl); line == m.Pos.Line {
			has[w.Text] = true
		}
	}
	isThere := func(m lint.Marker) bool { return has[m.Text] }
	isMissing := func(m lint.Marker) bool { return !has[m.Text] }
	return m.Writable() && !slices.ContainsFunc(m.Add, isMissing) && !slices.ContainsFunc(m.Drop, isThere)
}

// lineNow returns a function that says at which line of a document a line is that its file has; 0 where it is another one now.
func (s *server) lineNow() func(doc uri.URI, line int) int {
	type texts struct {
		disk  *mapper
		edits []diff.Edit
	}
	known := map[uri.URI]texts{}
	return func(doc uri.URI, line int) int {
		of, has := known[doc]
		if !has {
			disk, err := readFile(doc)
			if snap := s.overlays.snapshot(doc); err == nil && snap != nil && snap.mapper != nil {
				of = texts{newMapper(disk, s.capabilities.encoding), diff.Edits(disk, snap.text)}
			}
			known[doc] = of
		}
		now := line
		for _, e := range of.edits {
			switch at := of.disk.lineOffset(line, 1); {
			case e.End <= at:
				now += strings.Count(e.New, "\n") - bytes.Count(of.disk.text[e.Start:e.End], []byte("\n"))
			case e.Start <= at:
				return 0
			}
		}
		return now
	}
}

// originNow is an origin by the documents as they are typed; nil where a line of it has changed.
func (s *server) originNow(p *project, o *lint.Origin, now func(uri.URI, int) int) *lint.Origin {
	out, marks := *o, o.Marks()
	for i := range marks {
		pos := &marks[i].Pos
		doc := s.fileAt(p, pos.File)
		if pos.Line = now(doc, pos.Line); pos.Line == 0 {
			return nil
		}
		pos.File, pos.EndLine = pathOf(doc), pos.Line
	}
	out.Mark, out.Others = marks[0], marks[1:]
	return &out
}
