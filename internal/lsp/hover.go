package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/rules"
)

// Hover shows the pages of the rules that have findings at a position, and what the CRDs say about what is written there; in a
// configuration, what that is for. It does not wait for findings where there is something to say without them.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	if snap.mapper != nil && isConfiguration(snap.uri) {
		return s.hoverConfiguration(snap, params.Position), nil
	}
	note := s.noteAt(snap, params.Position)
	found, _ := s.diagnostics.published(snap)
	if note == nil {
		var err error
		if snap, found, err = s.current(ctx, params.TextDocument.URI); snap == nil || err != nil {
			return nil, err
		}
	}
	var pages, shown []string
	hover := &protocol.Hover{}
	for _, d := range found {
		at := d.protocol.Range
		if !overlap(at, protocol.Range{Start: params.Position, End: params.Position}) || slices.Contains(shown, d.Rule.ID) {
			continue
		}
		if text := rulePage(d.Rule.ID); text != "" {
			pages, shown = append(pages, text), append(shown, d.Rule.ID)
			hover.Range = &at
		}
	}
	if note != nil {
		at := snap.offsetRange(note.Start, note.End)
		pages, hover.Range = append(pages, note.Text), &at
	}
	if len(pages) == 0 {
		return nil, nil
	}
	if len(pages) > 1 {
		hover.Range = nil // there is none that is that of all
	}
	hover.Contents = s.markup(s.capabilities.hoverMarkdown, strings.Join(pages, "\n\n---\n\n"))
	return hover, nil
}

// noteAt is what the CRDs of the workspace say about what is written at a position; nil for nothing.
func (s *server) noteAt(snap *snapshot, position protocol.Position) (note *complete.Note) {
	if snap.mapper == nil || !s.explainsFields(snap) {
		return nil
	}
	at, found := snap.positionOffset(position)
	switch {
	case found && snap.isGo():
		return complete.MarkerNote(snap.text, at)
	case found:
		s.withText(snap, func(t *complete.Text) { note = t.NoteAt(at) })
	}
	return note
}

func (s *server) hoverConfiguration(snap *snapshot, at protocol.Position) *protocol.Hover {
	offset, found := snap.positionOffset(at)
	if !found {
		return nil
	}
	spot := config.SpotAt(snap.text, offset)
	if spot == nil || spot.Start == spot.End {
		return nil
	}
	written := string(snap.text[spot.Start:spot.End])
	text := spot.Doc(written)
	if spot.IsRule {
		text = cmp.Or(rulePage(written), text)
	}
	if text == "" {
		return nil
	}
	span := snap.offsetRange(spot.Start, spot.End)
	return &protocol.Hover{Contents: s.markup(s.capabilities.hoverMarkdown, text), Range: &span}
}

// rulePage is the page of a rule, in Markdown, without its example, which the site has; "" for what is no rule.
func rulePage(id string) string {
	rule := rules.ByID(id)
	if rule == nil {
		return ""
	}
	return fmt.Sprintf("**%s** ([page](%s))\n\nReports %s.\n\n%s", rule.ID, report.RulePage(rule.ID), rule.Summary, rules.Doc(rule.ID))
}

// markup is a text in Markdown or, for a client that does not understand it, without its marks.
func (s *server) markup(understood bool, text string) *protocol.MarkupContent {
	if understood {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: strings.NewReplacer("**", "", "`", "").Replace(text)}
}
