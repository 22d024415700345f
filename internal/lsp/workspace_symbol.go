package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Symbols are the kinds that the CRDs of the workspace define, each once: where it comes from. A query is a part of its name. No file is
// read again for them.
func (s *server) Symbols(_ context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	var kinds []lint.CRD
	s.catalogue.use(func(o *rules.Objects) {
		kinds = objects.Held(o.Definitions()).Catalogue().Told(func(*objects.Definition) *objects.Definition { return nil })
	})
	all := protocol.SymbolInformationSlice{}
	for _, c := range kinds {
		if !strings.Contains(strings.ToLower(c.Kind+" "+c.Name), strings.ToLower(params.Query)) {
			continue
		}
		begin := protocol.Position{Line: uint32(c.Line - 1)}
		all = append(all, protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: c.Kind, Kind: protocol.SymbolKindClass, ContainerName: &c.Group},
			Location:              protocol.Location{URI: s.fileAt(&project{}, c.File), Range: protocol.Range{Start: begin, End: begin}},
		})
	}
	return all, nil
}
