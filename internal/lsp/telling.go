package lsp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A desk has the files that are judged, and what was published of them.
type desk struct {
	mu    sync.Mutex
	files map[uri.URI]*judged

	telling sync.Mutex         // held while something is published
	shown   map[uri.URI]string // what was published of files and configurations, where that is anything, as fingerprint has it
}

// A told is a finding that was published.
type told struct {
	lint.Finding
	diagnostic protocol.Diagnostic
	object     bool // it is about a custom resource
}

func (d *desk) put(one *judged) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[uri.URI]*judged{}
	}
	d.files[one.at] = one
}

// drop takes a file away and returns it; nil for one that is not there.
func (d *desk) drop(at uri.URI) *judged {
	d.mu.Lock()
	defer d.mu.Unlock()
	one := d.files[at]
	delete(d.files, at)
	return one
}

// list are the files, in the order of their names.
func (d *desk) list() (all []*judged) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range slices.Sorted(maps.Keys(d.files)) {
		all = append(all, d.files[at])
	}
	return all
}

// setErrors notes the errors of a configuration.
func (d *desk) setErrors(p *project, errs []error) {
	d.telling.Lock()
	defer d.telling.Unlock()
	p.errs = errs
}

// tell publishes what there is to say of the files of a project, which may depend on all of them: of the file that was judged in
// any case, and of the others where it has changed.
func (s *server) tell(p *project, fresh uri.URI) {
	s.desk.telling.Lock()
	defer s.desk.telling.Unlock()
	if p.gone.Load() {
		return // its files wait to be judged again
	}
	var files []*judged
	for _, one := range s.desk.list() {
		if one.project == p {
			files = append(files, one)
		}
	}
	found := s.findings(p, files)
	for _, one := range files {
		all := found[one.path]
		if one.at == fresh || fingerprint(all) != s.desk.shown[one.at] && s.buffers.isNewest(one.edition) {
			s.show(one, all)
		}
		if !one.open {
			one.sheet = nil // so that memory does not grow with the workspace
		}
	}
	if p.config.Path != "" {
		s.tellConfiguration(p, found[p.config.Path], fresh)
	}
}

// tellNothing publishes that there is nothing to say of a file any more.
func (s *server) tellNothing(at uri.URI) {
	s.desk.telling.Lock()
	defer s.desk.telling.Unlock()
	s.desk.note(at, nil)
	s.publish(at, nil, nil)
}

// tellInterval is the shortest time between two times that a project is told of because of files that are not open. With many
// files to tell of, it is as long as most of that takes.
const tellInterval = 200 * time.Millisecond

// tellSoon tells of a project when some more of its files are judged: to put all of them together takes time.
func (s *server) tellSoon(p *project) {
	if !p.waits.CompareAndSwap(false, true) {
		return
	}
	s.spawn(func(ctx context.Context) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(tellInterval, 4*time.Duration(p.took.Load()))):
		}
		p.waits.Store(false)
		begun := time.Now()
		s.tell(p, "")
		p.took.Store(int64(time.Since(begun)))
	})
}

// findings are those of a project, by their files. What is ignored, or below the severity to report, is left out.
func (s *server) findings(p *project, files []*judged) map[string][]told {
	var crds, objects []*rules.FileReport
	for _, one := range files {
		if !one.crds.IsSilent() {
			crds = append(crds, one.crds.Copy())
		}
		if !one.objects.IsSilent() {
			objects = append(objects, one.objects.Copy())
		}
	}
	reports := []*lint.Report{p.linter.Report(crds...), nil}
	s.catalogue.use(func(by *rules.Objects) { reports[1] = p.byObjects(by).Report(objects...) })
	type place struct {
		rule string
		pos  lint.Position
	}
	said := map[place]bool{} // about CRDs: what does not parse is said by both
	found := map[string][]told{}
	for i, r := range reports {
		r.AtLeast(cmp.Or(p.config.MinSeverity, lint.Info))
		for _, f := range r.Findings {
			at := place{f.Rule.ID, f.Pos}
			if f.Ignored == "" && (i == 0 || !said[at]) {
				said[at] = true
				found[f.Pos.File] = append(found[f.Pos.File], told{Finding: *f, object: i == 1})
			}
		}
	}
	return found
}

// fingerprint is a text that differs where what is shown of findings does.
func fingerprint(all []told) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintln(&b, f.Rule.ID, f.Severity, f.Pos, f.Message, f.Related, f.Fix != nil, f.Origin != nil)
	}
	return b.String()
}

// show publishes the findings of a file.
func (s *server) show(one *judged, all []told) {
	sheet := one.sheet
	if sheet == nil && len(all) > 0 { // it is not open, and was let go of
		if e := s.edition(one.at); e != nil {
			sheet = e.sheet
		}
	}
	if sheet == nil {
		sheet = newSheet(nil, s.can.unit)
	}
	slices.SortStableFunc(all, func(a, b told) int { return a.Compare(&b.Finding) })
	one.told, one.isTold = nil, true
	for _, f := range all {
		f.diagnostic = s.diagnostic(one, sheet, &f.Finding)
		one.told = append(one.told, &f)
	}
	before := s.desk.shown[one.at]
	s.desk.note(one.at, all)
	if one.open || len(all) > 0 || before != "" {
		s.publish(one.at, one.edition, one.told)
	}
}

// note remembers what is published of a file.
func (d *desk) note(at uri.URI, all []told) {
	if d.shown == nil {
		d.shown = map[uri.URI]string{}
	}
	if d.shown[at] = fingerprint(all); len(all) == 0 {
		delete(d.shown, at)
	}
}

// publish sends the diagnostics of a file, none for one that is gone.
func (s *server) publish(at uri.URI, e *edition, all []*told) {
	params := &protocol.PublishDiagnosticsParams{URI: at, Diagnostics: []protocol.Diagnostic{}}
	if e != nil && e.open && s.can.versions {
		params.Version = protocol.NewOptional(e.version)
	}
	for _, f := range all {
		params.Diagnostics = append(params.Diagnostics, f.diagnostic)
	}
	_ = s.client.PublishDiagnostics(s.background, params) // fails only if the connection does
}

// tellConfiguration publishes what there is to say of a configuration.
func (s *server) tellConfiguration(p *project, found []told, fresh uri.URI) {
	at := uri.File(filepath.FromSlash(p.config.Path))
	e := s.edition(at)
	if e == nil || e.sheet == nil {
		return
	}
	for _, err := range p.errs {
		found = append(found, configurationError(p, err))
	}
	if at == fresh || fingerprint(found) != s.desk.shown[at] {
		s.show(&judged{edition: e, project: p}, found)
	}
}

// toldOf is what was published of a text; known is false for one that was not judged yet.
func (d *desk) toldOf(e *edition) (all []*told, known bool) {
	d.telling.Lock()
	defer d.telling.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	one := d.files[e.at]
	if one == nil || !one.isTold || !one.open || one.sheet != e.sheet {
		return nil, false
	}
	return one.told, true
}
