package lsp

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// Completion offers what may be written at a position: in a configuration its keys, their values and rules, in a manifest what the
// CRDs of the workspace say, and in a comment there the rules that it ignores.
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
	}
	if items := s.completeIgnore(snap, at); items != nil && !snap.isGo() {
		return items, nil
	}
	return s.completeManifest(snap, at), nil
}

// completeManifest offers what the CRDs of the workspace let somebody write and, in Go, markers.
func (s *server) completeManifest(snap *snapshot, at int) (items protocol.CompletionItemSlice) {
	if !s.explainsFields(snap) {
		return nil
	}
	add := func(all []complete.Item) {
		for i, it := range complete.Sorted(all) {
			items = append(items, s.item(snap, it, i))
		}
	}
	if snap.isGo() {
		add(complete.Markers(snap.text, at))
		return items
	}
	s.withText(snap, func(t *complete.Text) { add(t.At(at)) })
	return items
}

// explainsFields reports whether the fields of a text are completed and explained here.
func (s *server) explainsFields(snap *snapshot) bool {
	return len(snap.text) <= maxSize && s.projects.now.Load().settings.Fields != fieldsOff
}

// withText calls a function with a text and the CRDs with which its objects are checked.
func (s *server) withText(snap *snapshot, do func(*complete.Text)) {
	s.catalogue.use(func(by *rules.Objects) {
		do(&complete.Text{Path: snap.path, Source: snap.text, CRDs: objects.Held(by.Definitions()).Catalogue()})
	})
}

// itemKinds are the kinds of items in the protocol's words.
var itemKinds = map[complete.Kind]protocol.CompletionItemKind{
	complete.Field: protocol.CompletionItemKindField, complete.Keyword: protocol.CompletionItemKindProperty, complete.Value: protocol.CompletionItemKindValue,
	complete.Choice: protocol.CompletionItemKindEnumMember, complete.Type: protocol.CompletionItemKindClass, complete.Marker: protocol.CompletionItemKindKeyword,
}

// item is an item in the protocol's words, the nth of its list. A snippet is written relative to the indentation of its line, which
// clients add to each of its lines; a text is written as it is.
func (s *server) item(snap *snapshot, it complete.Item, nth int) protocol.CompletionItem {
	mode, format := protocol.InsertTextModeAsIs, protocol.InsertTextFormatPlainText
	if it.Snippet != "" && s.capabilities.itemSnippets {
		it.Insert, mode, format = it.Snippet, protocol.InsertTextModeAdjustIndentation, protocol.InsertTextFormatSnippet
	}
	item := completion(itemKinds[it.Kind], snap.offsetRange(it.Start, it.End), it.Label, it.Insert)
	item.SortText, item.InsertTextFormat = protocol.NewOptional(fmt.Sprintf("%04d", nth)), format
	if slices.Contains(s.capabilities.itemModes, mode) {
		item.InsertTextMode = mode
	}
	if it.Detail != "" {
		item.Detail = protocol.NewOptional(it.Detail)
	}
	if it.Doc != "" {
		item.Documentation = s.markup(s.capabilities.itemMarkdown, it.Doc)
	}
	switch {
	case !it.Deprecated:
	case slices.Contains(s.capabilities.itemTags, protocol.CompletionItemTagDeprecated):
		item.Tags = []protocol.CompletionItemTag{protocol.CompletionItemTagDeprecated}
	case s.capabilities.itemDeprecated:
		//lint:ignore SA1019 clients that know no tags strike it through by this
		item.Deprecated = protocol.NewOptional(true)
	}
	return item
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
