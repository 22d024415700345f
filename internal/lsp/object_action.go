package lsp

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// objectActions are the actions on the custom resources of the document at a position, or of a template, and on a CRD there. They are made
// when somebody asks for actions, and not for the light bulb that some clients show wherever the cursor is.
func (s *server) objectActions(snap *snapshot, params *protocol.CodeActionParams) (all []*protocol.CodeAction) {
	if !isRequested(params, kindObject) || params.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic {
		return nil
	}
	part, _ := convertible(snap, params.Range.Start)
	kind, data := kindObject, actionData{URI: snap.uri, Version: snap.version, Kind: actionSample, Position: params.Range.Start}
	offer := func(title string, after []byte) {
		if c := changeTo(snap, part.Start, part.End, after); len(c.edits) > 0 {
			all = append(all, &protocol.CodeAction{Title: title, Kind: &kind, Edit: s.workspaceEdit(c)})
		}
	}
	if made := s.preview(snap, part, lint.As{Written: true}); made != nil {
		offer("Write the defaults the server adds", made.After)
		judge := s.judge(s.project(snap.uri))
		judge.Linter.Fixes = func(f *lint.Finding) bool { return slices.Contains(dropping, f.Rule.ID) }
		offer("Remove what the server drops", judge.Fix(snap.path, snap.text[part.Start:part.End], false))
	}
	if made := s.preview(snap, part, lint.As{Clear: true}); made != nil && made.Objects > 0 {
		show := &protocol.CodeAction{Title: "Show what the server stores", Kind: &kind}
		show.Command = protocol.Command{Title: show.Title, Command: commandStored, Arguments: []protocol.LSPAny{encode(data)}}
		if s.capabilities.show {
			show.Command.Command = commandShow
		}
		all = append(all, show)
	}
	if d := s.crdAt(snap, params.Range.Start); d != nil && s.capabilities.createFile && snap.uri.IsFile() && s.snapshot(sampleBeside(snap, d)) == nil {
		all = append(all, &protocol.CodeAction{Title: "Make a sample of this kind", Kind: &kind, Data: encode(data)})
	}
	return all
}

// dropping are the rules about what a server drops. Their safe fixes remove it; what may be misspelt has one that renames it, which a
// person has to choose.
var dropping = []string{"object-unknown-field", "object-null-dropped", "object-status-dropped", "object-server-fields"}

// preview is a part of a text whose custom resources have a form; nil where there are none.
func (s *server) preview(snap *snapshot, part *manifest.Document, as lint.As) (made *rules.Preview) {
	src := snap.text[part.Start:part.End]
	if !objects.MayHold(src) {
		return nil
	}
	linter := s.project(snap.uri).linter
	s.catalogue.use(func(o *rules.Objects) {
		linter.Go, linter.Objects = nil, o
		made = linter.PreviewAs(snap.path, src, as)
	})
	return made
}

// showStored shows what a server stores of the document at a position: a client that has a view for it is answered with the text, and
// for others it is a message, which all have.
func (s *server) showStored(ctx context.Context, at actionData) (protocol.LSPAny, error) {
	snap := s.overlays.snapshot(at.URI)
	if snap == nil || snap.mapper == nil {
		return nil, protocol.ErrContentModified
	}
	part, _ := convertible(snap, at.Position)
	made := s.preview(snap, part, lint.As{Clear: true})
	if made == nil || made.Objects == 0 {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "there is no custom resource")
	}
	if s.capabilities.show {
		return encode(string(made.After)), nil
	}
	message := "The server stores\n" + text.HarmlessLines(strings.ReplaceAll(string(bytes.TrimSpace(bytes.TrimPrefix(made.After, []byte("---")))), "\r\n", "\n"))
	return nil, s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: message})
}

// crdAt is the CRD at a position of a document, of several in a list the nearest above; nil for none, for one that a server rejects, and
// in its versions, where the actions are those on findings.
func (s *server) crdAt(snap *snapshot, at protocol.Position) (d *objects.Definition) {
	offset, _ := snap.positionOffset(at)
	for _, n := range resources(skeleton.Of(snap.text, offset)) {
		if !isCRD(n) || d != nil && n.Start > offset {
			continue
		}
		if versions := n.At("spec", "versions"); versions != nil && versions.Start <= offset && offset <= versions.End {
			return nil
		}
		id := spotInCRD(n, n, nil)
		s.catalogue.use(func(o *rules.Objects) {
			if all := objects.Held(o.Definitions()).Catalogue().Of(id.Group, id.Kind, snap.path); len(all) > 0 {
				d = all[0]
			}
		})
	}
	if d != nil {
		if server, _ := d.Server(); server == nil {
			return nil
		}
	}
	return d
}

// sampleBeside is the file of a sample of a CRD.
func sampleBeside(snap *snapshot, d *objects.Definition) uri.URI {
	return uri.File(filepath.Join(filepath.Dir(snap.uri.FsPath()), strings.ToLower(d.Hub.Spec.Names.Kind)+"-sample.yaml"))
}

// sample is the change that writes the smallest custom resource of the CRD at a position; nil where none is known, or its file is there.
func (s *server) sample(snap *snapshot, at protocol.Position) *documentChange {
	d := s.crdAt(snap, at)
	if d == nil {
		return nil
	}
	doc := sampleBeside(snap, d)
	server, _ := d.Server()
	object, found := sample.New(server, d.Storage(), 1).Smallest()
	if !found || s.snapshot(doc) != nil {
		return nil
	}
	c := changeAll(&snapshot{uri: doc, mapper: newMapper(nil, s.capabilities.encoding)}, sample.Print(object, d.Root(d.Storage())))
	c.createFile = true
	return c
}
