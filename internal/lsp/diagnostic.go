package lsp

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// protocolDiagnostic is a finding as the client shows it.
func (s *server) protocolDiagnostic(file *fileDiagnostics, mapper *mapper, f *lint.Finding) protocol.Diagnostic {
	d := protocol.Diagnostic{
		Range: mapper.findingRange(f.Pos), Severity: severities[f.Severity], Code: protocol.String(f.Rule.ID),
		Source: protocol.NewOptional("crdlift"), Message: protocol.String(file.project.message(f)),
	}
	if s.capabilities.codeDescription && rules.ByID(f.Rule.ID) != nil {
		d.CodeDescription.Href = uri.URI(report.RulePage(f.Rule.ID))
	}
	if tag, has := tags[f.Rule.ID]; has && slices.Contains(s.capabilities.tags, tag) {
		d.Tags = protocol.NewDiagnosticTags(tag)
	}
	if s.capabilities.relatedInformation {
		d.RelatedInformation = s.related(file, mapper, f)
	}
	return d
}

var severities = map[lint.Severity]protocol.DiagnosticSeverity{
	lint.Error: protocol.DiagnosticSeverityError, lint.Warning: protocol.DiagnosticSeverityWarning, lint.Info: protocol.DiagnosticSeverityInformation,
}

// tags are those of rules: about what is deprecated, and about what has no effect, or goes without a trace.
var tags = map[string]protocol.DiagnosticTag{
	"deprecated-api-version": protocol.DiagnosticTagDeprecated, "object-version-deprecated": protocol.DiagnosticTagDeprecated,
	"unknown-field": protocol.DiagnosticTagUnnecessary, "object-unknown-field": protocol.DiagnosticTagUnnecessary,
	"object-null-dropped": protocol.DiagnosticTagUnnecessary, "object-status-dropped": protocol.DiagnosticTagUnnecessary,
	"status-in-manifest": protocol.DiagnosticTagUnnecessary, "metadata-server-fields": protocol.DiagnosticTagUnnecessary,
	"object-server-fields": protocol.DiagnosticTagUnnecessary, "preserve-unknown-fields-redundant": protocol.DiagnosticTagUnnecessary,
	"ignore-unused": protocol.DiagnosticTagUnnecessary, "server-field-stub": protocol.DiagnosticTagUnnecessary,
	"empty-stanza": protocol.DiagnosticTagUnnecessary,
}

// related are the other places of a finding, and last those in Go types that it has to be fixed at.
func (s *server) related(file *fileDiagnostics, own *mapper, f *lint.Finding) (all []protocol.DiagnosticRelatedInformation) {
	add := func(pos lint.Position, message string) {
		doc := s.fileAt(file.project, pos.File)
		mapper := own
		if doc != file.uri {
			snap := s.snapshot(doc)
			if snap == nil || snap.mapper == nil {
				return
			}
			mapper = snap.mapper
		}
		all = append(all, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: doc, Range: mapper.findingRange(pos)}, Message: file.project.shorten(message),
		})
	}
	for _, r := range f.Related {
		if r.Pos.File != "" {
			add(r.Pos, r.Message)
		}
	}
	if f.Origin == nil || f.Origin.InModule {
		return all
	}
	for _, m := range f.Origin.Marks() {
		message := m.Symbol + " is declared here"
		if m.Changes() {
			message += ": " + report.Changes(m)
		}
		add(m.Pos, message)
	}
	return all
}

// fileAt is the document of a path that the linter knows.
func (s *server) fileAt(p *project, path string) uri.URI {
	if filepath.IsAbs(filepath.FromSlash(path)) {
		return uri.File(filepath.FromSlash(path))
	}
	for _, doc := range s.overlays.list() {
		if !doc.IsFile() && pathOf(doc) == path {
			return doc
		}
	}
	return uri.File(filepath.Join(p.dir, filepath.FromSlash(path)))
}

// message is the message of a finding. Where values of a cluster are hidden, there is no option here that shows them.
func (p *project) message(f *lint.Finding) string {
	return p.shorten(strings.ReplaceAll(cmp.Or(f.Brief, f.Message), mask.Withheld, "the rest is not shown, since it may have values of a cluster"))
}

// shorten names the files of a message as they are named in the project.
func (p *project) shorten(message string) string {
	if p.dir == "" || p.dir == filepath.Dir(p.dir) { // the root is in every path
		return message
	}
	return strings.ReplaceAll(message, strings.TrimSuffix(filepath.ToSlash(p.dir), "/")+"/", "")
}

// configurationRule stands for the errors of configuration files, which are not those of a rule.
var configurationRule = &lint.Rule{ID: "configuration"}

// configurationError is an error of a configuration as a finding.
func configurationError(p *project, err error) diagnostic {
	f := lint.Finding{Rule: configurationRule, Severity: lint.Error, Message: err.Error()}
	f.Pos = lint.Point(p.config.Path, 1, 1)
	if at, is := err.(*lint.FileError); is {
		f.Message = at.Message
		f.Pos = lint.Point(p.config.Path, at.Line, at.Column)
	}
	return diagnostic{Finding: f}
}
