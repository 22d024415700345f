package lsp

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// CodeAction offers what can be done at a range.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	snap, found, err := s.current(ctx, params.TextDocument.URI)
	if snap == nil || err != nil {
		return nil, err
	}
	all, ignores := s.quickFixes(snap, found, params)
	all = append(s.markerActions(snap, found, params), all...)
	if isRequested(params, kindConvert) && s.isDiagnosed(snap) {
		if action := s.conversionAction(snap, params.Range.Start); action != nil {
			all = append(all, action)
		}
	}
	if s.isDiagnosed(snap) {
		all = append(all, s.objectActions(snap, params)...)
	}
	all = append(all, ignores...) // who mends a finding need not ignore it
	out := []protocol.CommandOrCodeAction{}
	for _, action := range all {
		if len(action.Data) > 0 && !s.capabilities.resolveEdit {
			if err := s.resolveAction(ctx, action); err != nil {
				continue // what cannot be done is not offered
			}
			action.Data = nil
		}
		out = append(out, action)
	}
	if !s.overlays.isCurrent(snap) {
		return nil, protocol.ErrContentModified
	}
	return out, nil
}

// CodeActionResolve makes the edits of an action that was chosen.
func (s *server) CodeActionResolve(ctx context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	if len(action.Data) == 0 {
		return action, nil
	}
	return action, s.resolveAction(ctx, action)
}

// isRequested reports whether the client asks for actions of a kind: for all, for it, or for one that it belongs to.
func isRequested(params *protocol.CodeActionParams, kind protocol.CodeActionKind) bool {
	return len(params.Context.Only) == 0 || slices.ContainsFunc(params.Context.Only, func(only protocol.CodeActionKind) bool {
		return only == "" || kind == only || strings.HasPrefix(string(kind), string(only)+".")
	})
}

// near are the diagnostics at a range or, where there are none, those in its lines: a cursor is rarely on the very word.
func near(found []*diagnostic, at protocol.Range) (all []*diagnostic) {
	lines := at
	lines.Start.Character, lines.End.Character = 0, math.MaxUint32
	for _, where := range []protocol.Range{at, lines} {
		for _, d := range found {
			if overlap(d.protocol.Range, where) {
				all = append(all, d)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// quickFixes are the actions on the diagnostics at a range and on all of the document, and those that ignore these diagnostics.
func (s *server) quickFixes(snap *snapshot, found []*diagnostic, params *protocol.CodeActionParams) (all, ignores []*protocol.CodeAction) {
	fixes, safe := map[string]int{}, 0
	for _, d := range found {
		if d.fixable() {
			fixes[d.Rule.ID]++
		}
		if d.fixable() && d.Fix.Safe {
			safe++
		}
	}
	ruled := map[string]bool{}
	var files []*protocol.CodeAction // those on more than one finding
	for _, d := range near(found, params.Range) {
		if !isRequested(params, kindFix) {
			continue
		}
		data := actionData{URI: snap.uri, Version: snap.version, Rule: d.Rule.ID, Position: d.protocol.Range.Start, Message: d.Message}
		if d.fixable() {
			all = append(all, s.action(d, kindFix, text.Capital(d.Fix.Title)+mark(d.Fix.Safe), data.as(actionFix)))
			if fixes[d.Rule.ID] > 1 && !ruled[d.Rule.ID] {
				ruled[d.Rule.ID] = true
				data.Unsafe = !d.Fix.Safe
				files = append(files, s.action(d, kindFix, "Fix all "+d.Rule.ID+" problems in this file"+mark(d.Fix.Safe), data.as(actionFixRule)))
			}
		}
		if ignorable(d) {
			ignores = append(ignores, s.ignoreAction(snap, d, data.as(actionIgnore)))
		}
	}
	if safe > 0 && isRequested(params, kindFixAll) {
		kind := kindFixAll
		files = append(files, &protocol.CodeAction{
			Title: "Fix all safe problems in this file", Kind: &kind, Data: encode(actionData{URI: snap.uri, Version: snap.version, Kind: actionFixAll}),
		})
	}
	return append(all, files...), ignores
}

// errNoChange is the error for an action that has nothing to change.
var errNoChange = jsonrpc2.NewError(jsonrpc2.InvalidParams, "there is nothing to change: the action does not apply to this text")

// resolveAction makes the edits of an action.
func (s *server) resolveAction(ctx context.Context, action *protocol.CodeAction) error {
	var data actionData
	if err := json.Unmarshal(action.Data, &data); err != nil {
		return err
	}
	snap := s.overlays.snapshot(data.URI)
	if snap == nil || snap.mapper == nil || snap.version != data.Version {
		return protocol.ErrContentModified
	}
	c := s.makeChange(ctx, &data, snap)
	switch {
	case ctx.Err() != nil:
		return protocol.ErrRequestCancelled
	case !s.overlays.isCurrent(snap):
		return protocol.ErrContentModified
	case c == nil || len(c.edits) == 0:
		return errNoChange
	}
	action.Edit = s.workspaceEdit(c)
	return nil
}

// makeChange makes the change that the data of an action asks for; nil where there is nothing to change.
func (s *server) makeChange(ctx context.Context, data *actionData, snap *snapshot) *documentChange {
	switch data.Kind {
	case actionFix:
		return s.fix(data, snap)
	case actionFixRule:
		return s.fixAll(snap, data.Unsafe, func(f *lint.Finding) bool { return f.Rule.ID == data.Rule })
	case actionFixAll:
		return s.fixAll(snap, false, nil)
	case actionSample:
		return s.sample(snap, data.Position)
	case actionIgnore:
		return s.ignore(ctx, data, snap, "")
	case actionMarkers:
		return s.writeMarkers(data, snap)
	}
	return nil
}

// fix makes the fix of one finding.
func (s *server) fix(data *actionData, snap *snapshot) *documentChange {
	isIt := func(f *lint.Finding) bool {
		return f.Rule.ID == data.Rule && f.Message == data.Message && snap.findingRange(f.Pos).Start == data.Position
	}
	judge := s.judge(s.project(snap.uri))
	judge.Linter.Edits, judge.Linter.Fixes = true, isIt
	for _, f := range judge.File(snap.path, snap.text).Findings() {
		if f.Fix != nil && isIt(f) {
			return changeBy(snap, f.Fix.Edits).unsafe(!f.Fix.Safe)
		}
	}
	return nil
}

// fixAll makes the fixes of some findings, nil for all of them.
func (s *server) fixAll(snap *snapshot, unsafe bool, which func(*lint.Finding) bool) *documentChange {
	judge := s.judge(s.project(snap.uri))
	judge.Linter.Fixes = which
	return changeAll(snap, judge.Fix(snap.path, snap.text, unsafe)).unsafe(unsafe)
}

// unsafe has a person look at the change, if it may not be what is meant.
func (c *documentChange) unsafe(it bool) *documentChange {
	if it {
		c.label, c.description = "Unsafe fixes", "The fix guesses what is meant; check the result before you apply it."
	}
	return c
}

// mark is what the title of an action ends in that has to be looked at.
func mark(safe bool) string {
	if safe {
		return ""
	}
	return " (unsafe)"
}

// ExecuteCommand carries out what the client has asked the user about.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	if len(params.Arguments) != 1 {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, params.Command+" takes one argument")
	}
	switch params.Command {
	case commandIgnore:
		return nil, s.ignoreFor(ctx, params.Arguments[0])
	case commandStored:
		var at actionData
		if err := json.Unmarshal(params.Arguments[0], &at); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
		return s.showStored(ctx, at)
	case commandNotes:
		var notes []string
		if err := json.Unmarshal(params.Arguments[0], &notes); err != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
		}
		return nil, s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: strings.Join(notes, "\n")})
	}
	return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "there is no command "+params.Command)
}

// ignoreFor ignores a finding for a reason that the user gave.
func (s *server) ignoreFor(ctx context.Context, argument protocol.LSPAny) error {
	var it ignoreArguments
	if err := json.Unmarshal(argument, &it); err != nil {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if it.Reason = text.OneLine(it.Reason); it.Reason == "" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, "an ignore needs a reason")
	}
	snap, _, err := s.current(ctx, it.URI)
	if err != nil || snap == nil {
		return protocol.ErrContentModified
	}
	c := s.ignore(ctx, &actionData{URI: it.URI, Version: snap.version, Rule: it.Rule, Position: it.Position}, snap, it.Reason)
	if c == nil {
		return errNoChange
	}
	_, err = s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Edit: *s.workspaceEdit(c)})
	return err
}

// The kinds of actions.
const (
	kindFix     = protocol.CodeActionKindQuickFix
	kindFixAll  = protocol.CodeActionKindSourceFixAll + ".crdlift"
	kindConvert = protocol.CodeActionKindRefactorRewrite + ".crdlift"
	kindObject  = protocol.CodeActionKindRefactor + ".object.crdlift" // no rewrite: what runs those of a document runs none of these
)

// The kinds of action data.
const (
	actionFix     = "fix"  // one finding
	actionFixRule = "rule" // all findings of a rule
	actionFixAll  = "all"  // all findings that have a safe fix
	actionSample  = "sample"
	actionIgnore  = "ignore"
	actionMarkers = "markers" // in Go, for one finding
)

// An actionData says what an action is to do. The client keeps it until somebody chooses the action.
type actionData struct {
	URI      uri.URI           `json:"uri"`
	Version  int32             `json:"version"`
	Kind     string            `json:"do"`
	Rule     string            `json:"rule,omitempty"`
	Position protocol.Position `json:"position,omitzero"`
	Message  string            `json:"message,omitempty"`
	Unsafe   bool              `json:"unsafe,omitempty"`
}

// as is the data of another kind of action on the same finding.
func (a actionData) as(kind string) actionData {
	a.Kind = kind
	return a
}

// encode writes what has text and numbers only.
func encode(v any) protocol.LSPAny {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// The commands. The client has the first, if it can ask for a text, and the second, if it can show one, and the server the others.
const (
	commandPrompt = "crdlift.ignoreWithReason"
	commandShow   = "crdlift.showStored"
	commandIgnore = "crdlift.ignore"
	commandNotes  = "crdlift.notes"
	commandStored = "crdlift.stored"
)

// action is an action on a diagnostic.
func (s *server) action(d *diagnostic, kind protocol.CodeActionKind, title string, data actionData) *protocol.CodeAction {
	action := &protocol.CodeAction{Title: title, Kind: &kind, Data: encode(data), Diagnostics: []protocol.Diagnostic{d.protocol}}
	if d.fixable() && d.Fix.Safe && data.Kind == actionFix {
		yes := true
		action.IsPreferred = &yes
	}
	return action
}

// fixable reports whether a finding can be fixed here. What is generated from Go types has to be fixed there.
func (d *diagnostic) fixable() bool { return d.Fix != nil && !d.Finding.InGo() }
