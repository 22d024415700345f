package lsp

import (
	"bytes"
	"context"
	"regexp"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/rules"
)

// Completion offers what may be written at a position: in a configuration its keys, their values and rules, and in a manifest
// the rules that a comment ignores.
func (s *server) Completion(_ context.Context, params *protocol.CompletionParams) (protocol.CompletionResult, error) {
	e := s.buffers.edition(params.TextDocument.URI)
	if e == nil || e.sheet == nil {
		return nil, nil
	}
	at, found := e.sheet.offset(params.Position)
	switch {
	case !found:
		return nil, nil
	case isConfiguration(e.at):
		return s.completeConfiguration(e, at), nil
	}
	return s.completeIgnore(e, at), nil
}

func (s *server) completeConfiguration(e *edition, at int) (items protocol.CompletionItemSlice) {
	spot := config.SpotAt(e.sheet.text, at)
	if spot == nil {
		return nil
	}
	span := e.sheet.span(spot.Start, spot.End)
	kind := protocol.CompletionItemKindEnumMember
	if spot.IsKey {
		kind = protocol.CompletionItemKindProperty
	}
	for _, w := range spot.Words() {
		item := completion(kind, span, w.Text, w.Insert)
		if w.Doc != "" {
			item.Documentation = s.markup(s.can.itemMarkdown, w.Doc)
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

// naming is a comment up to where it names a rule.
var naming = regexp.MustCompile(`#+\s*crdlift:\s*ignore\s+([a-z0-9-]+[\s,]+)*([a-z0-9-]*)$`)

// restOfID is what of an id follows the cursor.
var restOfID = regexp.MustCompile(`^[a-z0-9-]*`)

// completeIgnore offers rules in a comment that ignores some, those with findings in the document first.
func (s *server) completeIgnore(e *edition, at int) (items protocol.CompletionItemSlice) {
	before := e.sheet.text[lines.Start(e.sheet.text, at):at]
	m := naming.FindSubmatchIndex(before)
	if m == nil || bytes.Contains(before[m[0]:], []byte("--")) {
		return nil
	}
	found, _ := s.desk.toldOf(e)
	end := at + len(restOfID.Find(e.sheet.text[at:]))
	span := e.sheet.span(at-len(before)+m[4], end)
	for _, rule := range rules.All() {
		item := s.ruleItem(rule.ID, span, rule.ID)
		if slices.ContainsFunc(found, func(f *told) bool { return f.Rule.ID == rule.ID }) {
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
	item.Documentation = s.markup(s.can.itemMarkdown, "Reports "+rule.Summary+".")
	return item
}

func completion(kind protocol.CompletionItemKind, span protocol.Range, label, insert string) protocol.CompletionItem {
	return protocol.CompletionItem{Label: label, Kind: kind, TextEdit: &protocol.TextEdit{Range: span, NewText: insert}}
}
