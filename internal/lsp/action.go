package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The kinds of actions.
const (
	kindFix     = protocol.CodeActionKindQuickFix
	kindFixAll  = protocol.CodeActionKindSourceFixAll + ".crdlift"
	kindConvert = protocol.CodeActionKindRefactorRewrite + ".crdlift"
)

// The kinds of action data.
const (
	actionFix     = "fix"  // one finding
	actionFixRule = "rule" // all findings of a rule
	actionFixAll  = "all"  // all findings that have a safe fix
	actionIgnore  = "ignore"
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

// The commands. The client has the first, if it can ask for a text, and the server the others.
const (
	commandPrompt = "crdlift.ignoreWithReason"
	commandIgnore = "crdlift.ignore"
	commandNotes  = "crdlift.notes"
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
