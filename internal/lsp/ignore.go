package lsp

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The places where a finding can be ignored.
const (
	inComment       = "comment"
	inConfiguration = "configuration"
)

// ignorable reports whether a finding can be ignored. One about ignores is mended, as is one because of which no comment is read, and what
// is no rule has no name to ignore.
func ignorable(d *diagnostic) bool {
	about := []*lint.Rule{suppress.ReasonRule, suppress.UnknownRule, suppress.UnusedRule, engine.SyntaxRule.Value()}
	return rules.ByID(d.Rule.ID) != nil && !slices.ContainsFunc(about, func(r *lint.Rule) bool { return r.ID == d.Rule.ID })
}

// ignoreAction is the action that ignores a finding, with a reason that the client asks for if it can.
func (s *server) ignoreAction(snap *snapshot, d *diagnostic, data actionData) *protocol.CodeAction {
	action := s.action(d, kindFix, "Ignore "+d.Rule.ID+" here", data)
	if ignoredIn(snap, &d.Finding) == inConfiguration {
		action.Title = "Ignore " + d.Rule.ID + " here, in " + config.Name
	}
	if s.capabilities.prompt {
		action.Data = nil
		arguments := ignoreArguments{URI: snap.uri, Rule: data.Rule, Position: data.Position, Kind: ignoredIn(snap, &d.Finding)}
		action.Command = protocol.Command{Title: action.Title, Command: commandPrompt, Arguments: []protocol.LSPAny{encode(arguments)}}
	}
	return action
}

// ignoredIn is where a finding can be ignored so that it stays so: JSON has no comments, and generators and templates drop them.
func ignoredIn(snap *snapshot, f *lint.Finding) string {
	document := f.Document
	switch split := manifest.Split(snap.path, snap.text); {
	case !snap.uri.IsFile():
		return inComment
	case f.Origin != nil, template.Recognise(snap.path, snap.text) != template.None:
		return inConfiguration
	case document < len(split.Documents) && bytes.HasPrefix(bytes.TrimSpace(split.Documents[document].Text()), []byte("{")):
		return inConfiguration
	}
	return inComment
}

// ignore is the change that ignores a finding for a reason, "" for one that the user still has to give; nil where that cannot be
// done.
func (s *server) ignore(ctx context.Context, data *actionData, snap *snapshot, reason string) *documentChange {
	all, _ := s.publishedNow(ctx, snap) // roles that become known meanwhile publish anew
	i := slices.IndexFunc(all, func(d *diagnostic) bool { return d.Rule.ID == data.Rule && d.protocol.Range.Start == data.Position })
	if i < 0 {
		return nil
	}
	if d := all[i]; ignoredIn(snap, &d.Finding) == inComment {
		return s.ignoreByComment(snap, d, reason)
	}
	return s.ignoreByConfiguration(snap, all[i], reason)
}

// ignoreByComment writes a comment: on a line of its own above the one that the finding is on, or at the end of that. Which of
// them the linter honours depends on what is written there, so that it is asked.
func (s *server) ignoreByComment(snap *snapshot, d *diagnostic, reason string) *documentChange {
	start := snap.lineOffset(d.Pos.Line, 1)
	line := lines.Text(snap.text[start:])
	indent := string(line[:lines.Indentation(line)])
	comment := fmt.Sprintf("# crdlift:ignore %s -- ", d.Rule.ID)
	for _, c := range []diff.Edit{
		{Start: start, End: start, New: indent + comment + placeholder + lines.Break(snap.text[start:])},
		{Start: start + len(line), End: start + len(line), New: " " + comment + placeholder},
	} {
		after := slices.Concat(snap.text[:c.Start], []byte(c.New), snap.text[c.End:])
		if s.isIgnored(snap, d, after) {
			written, snippet := s.reason(reason)
			c.New = strings.Replace(c.New, placeholder, written, 1)
			if snippet {
				c.New = strings.Replace(strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(c.New), placeholder, "${1:"+placeholder+"}", 1)
			}
			return &documentChange{snapshot: snap, snippet: snippet, edits: []protocol.TextEdit{{Range: snap.offsetRange(c.Start, c.End), NewText: c.New}}}
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
	return placeholder, s.capabilities.snippets && s.capabilities.documentChanges
}

// isIgnored reports whether a finding is ignored in a text, in which nothing else is new but that the reason is missing.
func (s *server) isIgnored(snap *snapshot, d *diagnostic, after []byte) bool {
	judge := s.judge(s.project(snap.uri))
	look := func(text []byte) (ignored bool, others int) {
		for _, f := range judge.Report(judge.File(snap.path, text)).Findings {
			ignored = ignored || f.Rule.ID == d.Rule.ID && f.Message == d.Message && f.IgnoredBy == lint.ByComment
			if f.Ignored == "" && f.Rule.ID != suppress.ReasonRule.ID {
				others++
			}
		}
		return ignored, others
	}
	_, before := look(snap.text)
	ignored, others := look(after)
	return ignored && others < before
}

// ignoreByConfiguration adds an entry to the configuration, which is made if there is none.
func (s *server) ignoreByConfiguration(snap *snapshot, d *diagnostic, reason string) *documentChange {
	p := s.project(snap.uri)
	path := filepath.FromSlash(p.config.Path)
	if path == "" {
		path = filepath.Join(p.dir, config.Name)
	}
	doc := uri.File(path)
	file := s.snapshot(doc)
	create := file == nil
	if create {
		file = &snapshot{uri: doc, path: filepath.ToSlash(path), mapper: newMapper(nil, s.capabilities.encoding)}
	}
	if file.mapper == nil || create && !s.capabilities.createFile {
		return nil
	}
	written, _ := s.reason(reason)
	entry := lint.Ignore{Rule: d.Rule.ID, CRD: d.Resource, Path: d.Path, File: config.Relative(path, snap.path), Reason: written}
	after, err := config.AddIgnore(file.path, file.text, entry)
	if err != nil {
		s.logf("%s: the ignore cannot be added: %v", doc, err)
		return nil
	}
	c := changeAll(file, after)
	c.createFile = create
	return c
}

// ignoreArguments are those of commandPrompt and then, with the reason, of commandIgnore.
type ignoreArguments struct {
	URI      uri.URI           `json:"uri"`
	Rule     string            `json:"rule"`
	Position protocol.Position `json:"position"`
	Kind     string            `json:"kind"`
	Reason   string            `json:"reason,omitempty"`
}
