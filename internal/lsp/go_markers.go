package lsp

import (
	"cmp"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// inGoNow are the diagnostics of a document in Go.
func (s *server) inGoNow(snap *snapshot) (all []*diagnostic) {
	s.diagnostics.publishing.Lock()
	defer s.diagnostics.publishing.Unlock()
	for _, d := range s.goDiagnostics(snap) {
		all = append(all, &d)
	}
	return all
}

// markerActions write the markers that findings on the lines of a range need, in a manifest as in Go: as `crdlift lint --fix-go` does.
func (s *server) markerActions(snap *snapshot, found []*diagnostic, params *protocol.CodeActionParams) (all []*protocol.CodeAction) {
	if snap.isGo() {
		found = s.inGoNow(snap)
	}
	offered := map[string]bool{}
	for _, d := range found {
		at := d.protocol.Range
		if at.End.Line < params.Range.Start.Line || at.Start.Line > params.Range.End.Line || !isRequested(params, kindFix) || !d.InGo() || !d.Origin.Writable() {
			continue
		}
		title := markersTitle(d.Origin)
		if d.Origin.Program != "" || offered[title] {
			continue
		}
		offered[title] = true
		data := actionData{URI: snap.uri, Version: snap.version, Kind: actionMarkers, Rule: d.Rule.ID, Position: at.Start, Message: d.Message}
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
	i := slices.IndexFunc(found, func(d *diagnostic) bool {
		return d.Rule.ID == data.Rule && d.protocol.Range.Start == data.Position && d.Message == data.Message
	})
	if i < 0 {
		return nil
	}
	o := found[i].Origin
	if !snap.isGo() {
		o = s.originNow(p, o, s.lineNow())
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

// completeMarkers offers markers of controller-gen in a comment.
func (s *server) completeMarkers(snap *snapshot, at int) (items protocol.CompletionItemSlice) {
	for _, one := range complete.Markers(snap.text, at) {
		kind := protocol.CompletionItemKindKeyword
		if one.Kind == complete.Choice {
			kind = protocol.CompletionItemKindEnumMember
		}
		item := completion(kind, snap.offsetRange(one.Start, one.End), one.Label, one.Insert)
		item.SortText = protocol.NewOptional(fmt.Sprintf("%02d%s", one.Rank, one.Label))
		if one.Snippet != "" && s.capabilities.itemSnippets {
			item.InsertTextFormat = protocol.InsertTextFormatSnippet
			item.TextEdit = &protocol.TextEdit{Range: snap.offsetRange(one.Start, one.End), NewText: one.Snippet}
		}
		if one.Detail != "" {
			item.Detail = protocol.NewOptional(one.Detail)
		}
		if one.Doc != "" {
			item.Documentation = s.markup(s.capabilities.itemMarkdown, one.Doc)
		}
		items = append(items, item)
	}
	return items
}

// hoverMarker explains a marker of controller-gen. What else is in a document in Go, gopls does.
func (s *server) hoverMarker(snap *snapshot, at protocol.Position) *protocol.Hover {
	offset, found := snap.positionOffset(at)
	if !found {
		return nil
	}
	note := complete.MarkerNote(snap.text, offset)
	if note == nil {
		return nil
	}
	span := snap.offsetRange(note.Start, note.End)
	return &protocol.Hover{Contents: s.markup(s.capabilities.hoverMarkdown, note.Text), Range: &span}
}
