package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// References are the custom resources of the workspace that set the field at a position, in a CRD or in one of them. Of what is no
// field, they are all of the kind.
func (s *server) References(_ context.Context, params *protocol.ReferenceParams) (all []protocol.Location, _ error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil {
		return nil, nil
	}
	at := s.spotAt(snap, params.Position)
	switch {
	case at == nil:
		return nil, nil
	case params.Context.IncludeDeclaration && at.crd == nil:
		all = append(all, protocol.Location{URI: snap.uri, Range: snap.offsetRange(at.node.KeyStart, at.node.KeyEnd)})
	case params.Context.IncludeDeclaration:
		all = s.declarations(snap, at)
	}
	for _, file := range s.diagnostics.list(func(file *fileDiagnostics) bool { return file.hasObjectsOf(at.kinds()) }) {
		in := s.snapshot(file.uri)
		if in == nil || in.mapper == nil {
			continue
		}
		for _, o := range resources(skeleton.All(in.text)...) {
			kind := kindOf(o)
			if kind.Group != at.Group || !slices.Contains(at.kinds(), kind.Kind) || len(at.keys) > 0 && kind.Version != at.Version {
				continue
			}
			keys := at.keys
			if len(keys) == 0 {
				keys = []string{"properties", "kind"}
			}
			for _, n := range below(o, keys) {
				all = append(all, protocol.Location{URI: file.uri, Range: in.offsetRange(n.KeyStart, n.KeyEnd)})
			}
		}
	}
	return all, nil
}

// below are the values that keys lead to from a schema.
func below(n *skeleton.Node, keys []string) (all []*skeleton.Node) {
	switch {
	case n == nil:
	case len(keys) == 0:
		all = []*skeleton.Node{n}
	case keys[0] == "properties":
		all = below(n.Child(keys[1]), keys[2:])
	default:
		for _, c := range n.Children {
			all = append(all, below(c, keys[1:])...)
		}
	}
	return all
}
