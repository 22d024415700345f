package lsp

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// publishProject publishes the diagnostics of a project, which may depend on all of its files: those of the file that was judged in
// any case, and those of the others where they have changed.
func (s *server) publishProject(p *project, fresh uri.URI) {
	s.diagnostics.publishing.Lock()
	defer s.diagnostics.publishing.Unlock()
	if p.generation != s.projects.now.Load() {
		return // its files wait to be judged again
	}
	files := s.diagnostics.list(func(f *fileDiagnostics) bool { return f.project == p })
	roles, known := s.rolesOf(p)
	found := s.findings(p, files, roles)
	if !known {
		p.inGo = nil // of copies as well
	}
	s.publishGoFiles()
	for _, file := range files {
		all := found[file.path]
		changed := file.uri == fresh || fingerprint(all) != s.diagnostics.fingerprints[file.uri] && s.overlays.isCurrent(file.snapshot)
		if changed && (known || file.open) {
			s.publishFile(file, all)
		}
		if !file.open {
			file.mapper = nil // so that memory does not grow with the workspace
		}
	}
	if p.config.Path != "" {
		s.publishConfiguration(p, found[p.config.Path], fresh)
	}
}

// publishNothing publishes that a file has no diagnostics any more.
func (s *server) publishNothing(doc uri.URI) {
	s.diagnostics.publishing.Lock()
	defer s.diagnostics.publishing.Unlock()
	s.diagnostics.note(doc, nil)
	s.publish(doc, nil, nil)
}

// publishInterval is the shortest time between two times that a project is published because of files that are not open. It is
// longer where there are so many files that this takes long.
const publishInterval = 200 * time.Millisecond

// publishSoon publishes a project when some more of its files are judged: to put all of them together takes time.
func (s *server) publishSoon(p *project) {
	if !p.publishPending.CompareAndSwap(false, true) {
		return
	}
	s.spawn(func(ctx context.Context) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(publishInterval, 12*time.Duration(p.publishTook.Load()))):
		}
		p.publishPending.Store(false)
		begun := time.Now()
		s.publishProject(p, "")
		p.publishTook.Store(int64(time.Since(begun)))
	})
}

// findings are those of a project, by their files. What is ignored, or below the severity to report, is left out, and of files that
// are not open what `crdlift lint` leaves out of a folder.
func (s *server) findings(p *project, files []*fileDiagnostics, roles *projectRoles) map[string][]diagnostic {
	var judgements []*rules.Judgement
	for _, file := range files {
		if !file.judgement.IsSilent() {
			judgements = append(judgements, file.judgement.Copy())
		}
	}
	judge := s.judge(p)
	all := judge.Report(judgements...)
	found := map[string][]diagnostic{}
	if roles != nil {
		closed := closedRoles{roles, map[string]bool{}}
		for _, file := range files {
			if closed.open[file.path] = file.open; file.open && file.judgement.CRDs.CRDs > 0 {
				found[file.path] = roles.hints(judge.Linter.Report(file.judgement.CRDs.Copy()).Defined, file.mapper)
			}
		}
		suppress.Fold(all, closed)
	}
	all.Findings = append(all.Findings, judge.Tests(judgements...).Findings...)
	all.AtLeast(cmp.Or(p.config.MinSeverity, lint.Info))
	p.inGo = nil
	for _, f := range all.Findings {
		if report.ShownInGo(f) {
			p.inGo = append(p.inGo, f)
		}
		if f.Ignored == "" {
			found[f.Pos.File] = append(found[f.Pos.File], diagnostic{Finding: *f})
		}
	}
	return found
}

// publishFile publishes the diagnostics of a file.
func (s *server) publishFile(file *fileDiagnostics, all []diagnostic) {
	mapper := file.mapper
	if mapper == nil && len(all) > 0 { // it is not open, and was let go of
		if snap := s.snapshot(file.uri); snap != nil {
			mapper = snap.mapper
		}
	}
	if mapper == nil {
		mapper = newMapper(nil, s.capabilities.encoding)
	}
	before := s.diagnostics.fingerprints[file.uri]
	s.diagnostics.note(file.uri, all)
	slices.SortStableFunc(all, func(a, b diagnostic) int { return a.Compare(&b.Finding) })
	file.published, file.isPublished = nil, true
	for _, f := range all {
		f.protocol = s.protocolDiagnostic(file, mapper, &f.Finding)
		file.published = append(file.published, &f)
	}
	if file.open || len(all) > 0 || before != "" {
		s.publish(file.uri, file.snapshot, file.published)
	}
}

// publish sends the diagnostics of a file to the client, none for one that is gone.
func (s *server) publish(doc uri.URI, snap *snapshot, all []*diagnostic) {
	params := &protocol.PublishDiagnosticsParams{URI: doc, Diagnostics: []protocol.Diagnostic{}}
	if snap != nil && snap.open && s.capabilities.versionSupport {
		params.Version = protocol.NewOptional(snap.version)
	}
	for _, d := range all {
		params.Diagnostics = append(params.Diagnostics, d.protocol)
	}
	_ = s.client.PublishDiagnostics(s.background, params) // fails only if the connection does
}

// publishConfiguration publishes the diagnostics of a configuration.
func (s *server) publishConfiguration(p *project, found []diagnostic, fresh uri.URI) {
	doc := uri.File(filepath.FromSlash(p.config.Path))
	snap := s.snapshot(doc)
	if snap == nil || snap.mapper == nil {
		return
	}
	for _, err := range p.errs {
		found = append(found, configurationError(p, err))
	}
	if doc == fresh || fingerprint(found) != s.diagnostics.fingerprints[doc] {
		s.publishFile(&fileDiagnostics{snapshot: snap, project: p}, found)
	}
}

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
	lint.Off: protocol.DiagnosticSeverityHint, // of what is no finding
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
	if at, is := err.(*lint.FileError); is && at.Path == p.config.Path { // else it is in a file that is extended
		f.Message = at.Message
		f.Pos = lint.Point(p.config.Path, at.Line, at.Column)
	}
	return diagnostic{Finding: f}
}
