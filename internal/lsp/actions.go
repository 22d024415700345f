package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The kinds of actions.
const (
	kindFix     = protocol.CodeActionKindQuickFix
	kindFixAll  = protocol.CodeActionKindSourceFixAll + ".crdlift"
	kindConvert = protocol.CodeActionKindRefactorRewrite + ".crdlift"
)

// What actions do.
const (
	doFix     = "fix"  // one finding
	doRule    = "rule" // all findings of a rule
	doAll     = "all"  // all findings that have a safe fix
	doIgnore  = "ignore"
	doConvert = "convert"
)

// An order is what an action is to do. The client keeps it until somebody chooses the action.
type order struct {
	URI      uri.URI           `json:"uri"`
	Version  int32             `json:"version"`
	Do       string            `json:"do"`
	Rule     string            `json:"rule,omitempty"`
	Position protocol.Position `json:"position,omitzero"`
	Message  string            `json:"message,omitempty"`
	Unsafe   bool              `json:"unsafe,omitempty"`
}

// CodeAction offers what can be done at a range.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	e, one, err := s.current(ctx, params.TextDocument.URI)
	if e == nil || err != nil {
		return nil, err
	}
	var all []*protocol.CodeAction
	if one != nil {
		all = s.quickFixes(e, one, params)
	}
	if wants(params, kindConvert) && s.judges(e) {
		if action := s.conversionAction(e, params.Range.Start); action != nil {
			all = append(all, action)
		}
	}
	out := []protocol.CommandOrCodeAction{}
	for _, action := range all {
		if len(action.Data) > 0 && !s.can.resolve {
			if err := s.complete(ctx, action); err != nil {
				continue // what cannot be done is not offered
			}
			action.Data = nil
		}
		out = append(out, action)
	}
	if !s.buffers.isNewest(e) {
		return nil, protocol.ErrContentModified
	}
	return out, nil
}

// CodeActionResolve makes the edits of an action that was chosen.
func (s *server) CodeActionResolve(ctx context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	if len(action.Data) == 0 {
		return action, nil
	}
	return action, s.complete(ctx, action)
}

// wants reports whether the client asks for actions of a kind: for all, for it, or for one that it belongs to.
func wants(params *protocol.CodeActionParams, kind protocol.CodeActionKind) bool {
	return len(params.Context.Only) == 0 || slices.ContainsFunc(params.Context.Only, func(only protocol.CodeActionKind) bool {
		return only == "" || kind == only || strings.HasPrefix(string(kind), string(only)+".")
	})
}

// quickFixes are the actions on the findings at a range, and on all of the document.
func (s *server) quickFixes(e *edition, told []*told, params *protocol.CodeActionParams) (all []*protocol.CodeAction) {
	fixes, safe := map[string]int{}, 0
	for _, f := range told {
		if f.fixable() {
			fixes[f.Rule.ID]++
		}
		if f.fixable() && f.Fix.Safe {
			safe++
		}
	}
	ruled := map[string]bool{}
	var files []*protocol.CodeAction // those on more than one finding
	for _, f := range told {
		if !wants(params, kindFix) || !meet(f.diagnostic.Range, params.Range) {
			continue
		}
		do := order{URI: e.at, Version: e.version, Rule: f.Rule.ID, Position: f.diagnostic.Range.Start, Message: f.Message}
		if f.fixable() {
			all = append(all, s.action(f, kindFix, sentence(f.Fix.Title)+mark(f.Fix.Safe), do.to(doFix)))
			if fixes[f.Rule.ID] > 1 && !ruled[f.Rule.ID] {
				ruled[f.Rule.ID] = true
				do.Unsafe = !f.Fix.Safe
				files = append(files, s.action(f, kindFix, "Fix all "+f.Rule.ID+" problems in this file"+mark(f.Fix.Safe), do.to(doRule)))
			}
		}
		if ignorable(f) {
			all = append(all, s.ignoreAction(e, f, do.to(doIgnore)))
		}
	}
	if safe > 0 && wants(params, kindFixAll) {
		kind := kindFixAll
		files = append(files, &protocol.CodeAction{
			Title: "Fix all safe problems in this file", Kind: &kind, Data: order{URI: e.at, Version: e.version, Do: doAll}.data(),
		})
	}
	return append(all, files...)
}

// action is an action on a finding.
func (s *server) action(f *told, kind protocol.CodeActionKind, title string, do order) *protocol.CodeAction {
	action := &protocol.CodeAction{Title: title, Kind: &kind, Data: do.data(), Diagnostics: []protocol.Diagnostic{f.diagnostic}}
	if f.fixable() && f.Fix.Safe && do.Do == doFix {
		yes := true
		action.IsPreferred = &yes
	}
	return action
}

// complete makes the edits of an action.
func (s *server) complete(ctx context.Context, action *protocol.CodeAction) error {
	var do order
	if err := json.Unmarshal(action.Data, &do); err != nil {
		return err
	}
	e := s.buffers.edition(do.URI)
	if e == nil || e.sheet == nil || e.version != do.Version {
		return protocol.ErrContentModified
	}
	c := s.carryOut(&do, e)
	switch {
	case ctx.Err() != nil:
		return protocol.ErrRequestCancelled
	case !s.buffers.isNewest(e):
		return protocol.ErrContentModified
	case c == nil || len(c.edits) == 0:
		return errNothing
	}
	action.Edit = s.workspaceEdit(c)
	return nil
}

// carryOut is the change that an order makes; nil where there is nothing to change.
func (s *server) carryOut(do *order, e *edition) *change {
	switch do.Do {
	case doFix:
		return s.fix(do, e)
	case doRule:
		c := becomesAll(e, s.fixed(e, do.Unsafe, func(f *lint.Finding) bool { return f.Rule.ID == do.Rule }))
		return c.unsafe(do.Unsafe)
	case doAll:
		return becomesAll(e, s.fixed(e, false, nil))
	case doIgnore:
		return s.ignore(do, e, "")
	case doConvert:
		return s.converted(e, do.Position).change
	}
	return nil
}

// fix makes the fix of one finding.
func (s *server) fix(do *order, e *edition) *change {
	for _, linter := range s.linters(e) {
		same := func(f *lint.Finding) bool {
			return f.Rule.ID == do.Rule && f.Message == do.Message && e.sheet.place(f.Pos).Start == do.Position
		}
		var found *lint.Fix
		linter(func(l *rules.Linter) {
			l.Edits, l.Fixes = true, same
			for _, f := range l.File(e.path, e.sheet.text).Findings {
				if same(f) && f.Fix != nil && found == nil {
					found = f.Fix
				}
			}
		})
		if found != nil {
			return fixedBy(e, found.Edits).unsafe(!found.Safe)
		}
	}
	return nil
}

// fixed is a text after fixes, those of custom resources last.
func (s *server) fixed(e *edition, unsafe bool, which func(*lint.Finding) bool) []byte {
	text := e.sheet.text
	for _, linter := range s.linters(e) {
		linter(func(l *rules.Linter) {
			l.Fixes = which
			text = l.Fix(e.path, text, unsafe).Output
		})
	}
	return text
}

// linters call functions with the linters of a document: that of CRDs, and that of custom resources.
func (s *server) linters(e *edition) []func(use func(*rules.Linter)) {
	p := s.project(e.at)
	return []func(func(*rules.Linter)){
		func(use func(*rules.Linter)) {
			crds := p.linter
			use(&crds)
		},
		func(use func(*rules.Linter)) {
			s.catalogue.use(func(by *rules.Objects) { use(p.byObjects(by)) })
		},
	}
}

// unsafe has a person look at the change, if it may not be what is meant.
func (c *change) unsafe(it bool) *change {
	if it {
		c.ask, c.more = "Unsafe fixes", "The result may not mean what is meant; look at it before it is applied."
	}
	return c
}

// fixable reports whether a finding can be fixed here. What is generated from Go types has to be fixed there.
func (f *told) fixable() bool { return f.Fix != nil && !f.Finding.InGo() }

func (o order) to(do string) order {
	o.Do = do
	return o
}

func (o order) data() protocol.LSPAny {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // it has text and numbers only
	}
	return data
}

// mark is what the title of an action ends in that has to be looked at.
func mark(safe bool) string {
	if safe {
		return ""
	}
	return " (unsafe)"
}

// sentence begins a text with a capital letter.
func sentence(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// meet reports whether two ranges have a place in common, be it the end of one and the beginning of the other.
func meet(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
