package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// inGoNow are the diagnostics of a document in Go.
func (s *server) inGoNow(snap *snapshot) []*diagnostic {
	s.diagnostics.publishing.Lock()
	defer s.diagnostics.publishing.Unlock()
	return s.goDiagnostics(snap)
}

// markerActions write the markers that findings at a range need, in a manifest as in Go: as `crdlift lint --fix-go` does.
func (s *server) markerActions(snap *snapshot, found []*diagnostic, params *protocol.CodeActionParams) (all []*protocol.CodeAction) {
	if snap.isGo() {
		found = s.inGoNow(snap)
	}
	offered := map[string]bool{}
	for _, d := range near(found, params.Range) {
		if !isRequested(params, kindFix) || !d.InGo() || !d.Origin.Writable() {
			continue
		}
		title := markersTitle(d.Origin)
		if offered[title] {
			continue
		}
		offered[title] = true
		data := actionData{URI: snap.uri, Version: snap.version, Kind: actionMarkers, Rule: d.Rule.ID, Position: d.protocol.Range.Start}
		all = append(all, s.action(d, kindFix, title+mark(d.Origin.Safe), data))
	}
	return all
}

// markersTitle says which markers an action writes, and where.
func markersTitle(o *lint.Origin) string {
	title := report.Changes(o.Mark)
	if len(o.Drop) == 0 {
		title = "write " + title
	}
	title = text.Capital(title) + " above " + o.Symbol
	if more := len(o.Others); more > 0 {
		title += " and in " + text.Count(more, "other place")
	}
	return title
}

// writeMarkers writes the markers that a finding needs, in the documents as they are typed; nil where that cannot be done.
func (s *server) writeMarkers(data *actionData, snap *snapshot) (c *documentChange) {
	p, found := s.project(snap.uri), s.inGoNow(snap)
	if !snap.isGo() {
		found, _ = s.diagnostics.published(snap)
	}
	i := slices.IndexFunc(found, func(d *diagnostic) bool { return d.Rule.ID == data.Rule && d.protocol.Range.Start == data.Position })
	if i < 0 {
		return nil
	}
	o := found[i].Origin
	if !snap.isGo() {
		o = s.goPlaces()(p, o)
	}
	if o == nil {
		return nil
	}
	plan := gofix.PlanFor([][]lint.Mark{o.Marks()}, func(path string) (of gotypes.Source, ok bool) {
		if snap := s.snapshot(s.fileAt(p, path)); snap != nil && snap.mapper != nil {
			return gotypes.Source{Path: path, Text: snap.text}, true
		}
		return of, false
	})
	if err := plan.Refused[0]; err != nil {
		s.logf("%s: the markers are not written: %v", o.Pos.File, err)
	}
	for _, f := range plan.Files {
		one := changeAll(s.snapshot(s.fileAt(p, f.Shown)), f.After)
		if c == nil {
			c = one
			c.label, c.description = "Markers in Go", "The manifests change when "+cmp.Or(o.Generator, "controller-gen")+" runs again."
		} else {
			c.also = append(c.also, one)
		}
	}
	return c
}
