package lsp

import (
	"bytes"
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// Completion offers what may be written at a position: in a configuration its keys, their values and rules, and in a manifest
// the rules that a comment ignores.
func (s *server) Completion(_ context.Context, params *protocol.CompletionParams) (protocol.CompletionResult, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil {
		return nil, nil
	}
	at, found := snap.positionOffset(params.Position)
	switch {
	case !found:
		return nil, nil
	case isConfiguration(snap.uri):
		return s.completeConfiguration(snap, at), nil
	case snap.isGo():
		return s.completeMarkers(snap, at), nil
	}
	return s.completeIgnore(snap, at), nil
}

func (s *server) completeConfiguration(snap *snapshot, at int) (items protocol.CompletionItemSlice) {
	spot := config.SpotAt(snap.text, at)
	if spot == nil {
		return nil
	}
	span := snap.offsetRange(spot.Start, spot.End)
	kind := protocol.CompletionItemKindEnumMember
	if spot.IsKey {
		kind = protocol.CompletionItemKindProperty
	}
	for _, w := range spot.Words() {
		item := completion(kind, span, w.Text, w.Insert)
		if w.Doc != "" {
			item.Documentation = s.markup(s.capabilities.itemMarkdown, w.Doc)
		}
		items = append(items, item)
	}
	if spot.IsRule {
		for _, rule := range rules.All() {
			items = append(items, s.ruleItem(rule.ID, span, spot.Key(rule.ID)))
		}
	}
	return items
}

// ignorePrefix is a comment up to where it names a rule.
var ignorePrefix = text.Pattern(`#+\s*crdlift:\s*ignore\s+([a-z0-9-]+[\s,]+)*([a-z0-9-]*)$`)

// restOfID is what of an id follows the cursor.
var restOfID = text.Pattern(`^[a-z0-9-]*`)

// completeIgnore offers rules in a comment that ignores some, those with findings in the document first.
func (s *server) completeIgnore(snap *snapshot, at int) (items protocol.CompletionItemSlice) {
	before := snap.text[lines.Start(snap.text, at):at]
	m := ignorePrefix().FindSubmatchIndex(before)
	if m == nil || bytes.Contains(before[m[0]:], []byte("--")) {
		return nil
	}
	found, _ := s.diagnostics.published(snap)
	end := at + len(restOfID().Find(snap.text[at:]))
	span := snap.offsetRange(at-len(before)+m[4], end)
	for _, rule := range rules.All() {
		item := s.ruleItem(rule.ID, span, rule.ID)
		if slices.ContainsFunc(found, func(d *diagnostic) bool { return d.Rule.ID == rule.ID }) {
			item.SortText = protocol.NewOptional(" " + rule.ID)
		}
		items = append(items, item)
	}
	return items
}

// ruleItem offers the id of a rule.
func (s *server) ruleItem(id string, span protocol.Range, insert string) protocol.CompletionItem {
	item := completion(protocol.CompletionItemKindConstant, span, id, insert)
	rule := rules.ByID(id)
	item.Detail = protocol.NewOptional(rule.Severity.String() + ", preset " + rule.Preset.String())
	item.Documentation = s.markup(s.capabilities.itemMarkdown, "Reports "+rule.Summary+".")
	return item
}

func completion(kind protocol.CompletionItemKind, span protocol.Range, label, insert string) protocol.CompletionItem {
	return protocol.CompletionItem{Label: label, Kind: kind, TextEdit: &protocol.TextEdit{Range: span, NewText: insert}}
}
