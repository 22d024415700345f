package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The commands. The client has the first, if it can ask for a text, and the server the others.
const (
	commandPrompt = "crdlift.ignoreWithReason"
	commandIgnore = "crdlift.ignore"
	commandNotes  = "crdlift.notes"
)

// The places where a finding can be ignored.
const (
	inComment       = "comment"
	inConfiguration = "configuration"
)

// errNothing is the error for an action that has nothing to change.
var errNothing = jsonrpc2.NewError(jsonrpc2.InvalidParams, "there is nothing to change: the action cannot be carried out in this text")

// An ignoring is what the client is told to ask for, and then says with the reason.
type ignoring struct {
	URI      uri.URI           `json:"uri"`
	Rule     string            `json:"rule"`
	Position protocol.Position `json:"position"`
	Kind     string            `json:"kind"`
	Reason   string            `json:"reason,omitempty"`
}

// ignorable reports whether a finding can be ignored. One about ignores is mended, and what is no rule has no name to ignore.
func ignorable(f *told) bool {
	about := []*lint.Rule{suppress.ReasonRule, suppress.UnknownRule, suppress.UnusedRule}
	return rules.ByID(f.Rule.ID) != nil && !slices.ContainsFunc(about, func(r *lint.Rule) bool { return r.ID == f.Rule.ID })
}

// ignoreAction is the action that ignores a finding, with a reason that the client asks for if it can.
func (s *server) ignoreAction(e *edition, f *told, do order) *protocol.CodeAction {
	action := s.action(f, kindFix, "Ignore "+f.Rule.ID+" here", do)
	if ignoredIn(e, &f.Finding) == inConfiguration {
		action.Title = "Ignore " + f.Rule.ID + " here, in " + config.Name
	}
	if s.can.prompt {
		action.Data = nil
		arguments, err := json.Marshal(ignoring{URI: e.at, Rule: do.Rule, Position: do.Position, Kind: ignoredIn(e, &f.Finding)})
		if err != nil {
			panic(err) // it has text and numbers only
		}
		action.Command = protocol.Command{Title: action.Title, Command: commandPrompt, Arguments: []protocol.LSPAny{arguments}}
	}
	return action
}

// ignoredIn is where a finding can be ignored so that it stays so: JSON has no comments, and generators and templates drop them.
func ignoredIn(e *edition, f *lint.Finding) string {
	document := f.Document
	switch split := manifest.Split(e.path, e.sheet.text); {
	case !e.at.IsFile():
		return inComment
	case f.Origin != nil, template.Recognise(e.path, e.sheet.text) != template.None:
		return inConfiguration
	case document < len(split.Documents) && bytes.HasPrefix(bytes.TrimSpace(split.Documents[document].Text()), []byte("{")):
		return inConfiguration
	}
	return inComment
}

// ExecuteCommand carries out what the client has asked the user about.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	if len(params.Arguments) != 1 {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, params.Command+" takes one argument")
	}
	switch params.Command {
	case commandIgnore:
		return nil, s.ignoreFor(ctx, params.Arguments[0])
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
	var it ignoring
	if err := json.Unmarshal(argument, &it); err != nil {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if it.Reason = text.OneLine(it.Reason); it.Reason == "" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, "an ignore needs a reason")
	}
	e, _, err := s.current(ctx, it.URI)
	if err != nil || e == nil {
		return protocol.ErrContentModified
	}
	c := s.ignore(&order{URI: it.URI, Version: e.version, Rule: it.Rule, Position: it.Position}, e, it.Reason)
	if c == nil {
		return errNothing
	}
	_, err = s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Edit: *s.workspaceEdit(c)})
	return err
}

// ignore is the change that ignores a finding for a reason, "" for one that the user still has to give; nil where that cannot be
// done.
func (s *server) ignore(do *order, e *edition, reason string) *change {
	all, _ := s.desk.toldOf(e)
	i := slices.IndexFunc(all, func(f *told) bool { return f.Rule.ID == do.Rule && f.diagnostic.Range.Start == do.Position })
	if i < 0 {
		return nil
	}
	if f := all[i]; ignoredIn(e, &f.Finding) == inComment {
		return s.ignoreByComment(e, f, reason)
	}
	return s.ignoreByConfiguration(e, all[i], reason)
}

// ignoreByComment writes a comment: on a line of its own above the one that the finding is on, or at the end of that. Which of
// them the linter honours depends on what is written there, so that it is asked.
func (s *server) ignoreByComment(e *edition, f *told, reason string) *change {
	start := e.sheet.at(f.Pos.Line, 1)
	line := lines.Text(e.sheet.text[start:])
	indent := string(line[:lines.Indentation(line)])
	ending := "\n"
	if bytes.HasPrefix(e.sheet.text[start+len(line):], []byte("\r\n")) {
		ending = "\r\n"
	}
	written := fmt.Sprintf("# crdlift:ignore %s -- ", f.Rule.ID)
	for _, c := range []diff.Edit{
		{Start: start, End: start, New: indent + written + placeholder + ending},
		{Start: start + len(line), End: start + len(line), New: " " + written + placeholder},
	} {
		after := slices.Concat(e.sheet.text[:c.Start], []byte(c.New), e.sheet.text[c.End:])
		if s.isIgnored(e, f, after) {
			said, snippet := s.reason(reason)
			c.New = strings.Replace(c.New, placeholder, said, 1)
			if snippet {
				c.New = strings.Replace(strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(c.New), placeholder, "${1:"+placeholder+"}", 1)
			}
			return &change{edition: e, snippet: snippet, edits: []protocol.TextEdit{{Range: e.sheet.span(c.Start, c.End), NewText: c.New}}}
		}
	}
	return nil
}

// placeholder stands for a reason that the user has to give. The linter takes it for none.
const placeholder = suppress.Placeholder

// reason is what to write for a reason, and whether as a snippet.
func (s *server) reason(given string) (written string, snippet bool) {
	if given != "" {
		return given, false
	}
	return placeholder, s.can.snippets && s.can.documentChanges
}

// isIgnored reports whether a finding is ignored in a text, in which nothing else is new but that the reason is missing.
func (s *server) isIgnored(e *edition, f *told, after []byte) bool {
	ignored, others := false, 0
	linter := s.linters(e)[0]
	if f.object {
		linter = s.linters(e)[1]
	}
	linter(func(l *rules.Linter) {
		before := l.Report(l.File(e.path, e.sheet.text))
		now := l.Report(l.File(e.path, after))
		for _, g := range now.Findings {
			if g.Rule.ID == f.Rule.ID && g.Message == f.Message && g.IgnoredBy == lint.ByComment {
				ignored = true
			}
			if g.Ignored == "" && g.Rule.ID != suppress.ReasonRule.ID {
				others++
			}
		}
		for _, g := range before.Findings {
			if g.Ignored == "" && g.Rule.ID != suppress.ReasonRule.ID {
				others--
			}
		}
	})
	return ignored && others < 0
}

// ignoreByConfiguration adds an entry to the configuration, which is made if there is none.
func (s *server) ignoreByConfiguration(e *edition, f *told, reason string) *change {
	p := s.project(e.at)
	path := filepath.FromSlash(p.config.Path)
	if path == "" {
		path = filepath.Join(p.dir, config.Name)
	}
	at := uri.File(path)
	file := s.edition(at)
	create := file == nil
	if create {
		file = &edition{at: at, path: filepath.ToSlash(path), sheet: newSheet(nil, s.can.unit)}
	}
	if file.sheet == nil || create && !s.can.create {
		return nil
	}
	said, _ := s.reason(reason)
	entry := lint.Ignore{Rule: f.Rule.ID, CRD: f.Resource, Path: f.Path, File: config.Relative(path, e.path), Reason: said}
	after, err := config.AddIgnore(file.path, file.sheet.text, entry)
	if err != nil {
		s.logf("%s: the ignore cannot be added: %v", at, err)
		return nil
	}
	c := becomesAll(file, after)
	c.create = create
	return c
}
