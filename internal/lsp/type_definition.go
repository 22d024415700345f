package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// TypeDefinition leads to Go: from a part of a custom resource to what declares it there, and from one of a CRD to its type.
func (s *server) TypeDefinition(_ context.Context, params *protocol.TypeDefinitionParams) (protocol.DefinitionResult, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil {
		return nil, nil
	}
	var all []protocol.Location
	add := func(l protocol.Location) { all = append(all, l) }
	switch at := s.spotAt(snap, params.Position); {
	case at == nil:
	case at.isCRD():
		id, keys := at.declares()
		field, kind := s.goDeclaration(snap.path, id, keys)
		if kind.File == "" {
			kind = field
		}
		s.locate(snap.uri, kind, add)
	default:
		if d, keys, _ := s.inCRD(snap, at); d != nil {
			field, _ := s.goDeclaration(d.Path, at.GroupVersionKind, keys)
			s.locate(snap.uri, field, add)
		}
	}
	return protocol.LocationSlice(all), nil
}
