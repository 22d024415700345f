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
	at := s.spotAt(snap, params.Position)
	if at == nil {
		return nil, nil
	}
	pos, kind := s.goDeclaration(snap, at)
	if at.crd == nil && kind.File != "" {
		pos = kind
	}
	return protocol.LocationSlice(s.locate(snap, pos)), nil
}
