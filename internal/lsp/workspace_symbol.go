package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/rules"
)

// Symbols are the kinds that the CRDs of the workspace define, each once: where it comes from. A query is a part of one of its names.
func (s *server) Symbols(_ context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	var kinds []*objects.Definition
	s.catalogue.use(func(o *rules.Objects) { kinds = objects.Held(o.Definitions()).Catalogue().Kinds() })
	all := protocol.SymbolInformationSlice{}
	for _, d := range kinds {
		names := append([]string{d.Hub.Spec.Names.Kind, d.Name}, d.Hub.Spec.Names.ShortNames...)
		if !strings.Contains(strings.ToLower(strings.Join(names, " ")), strings.ToLower(params.Query)) {
			continue
		}
		for _, at := range s.locate(&snapshot{}, d.Where()) {
			all = append(all, protocol.SymbolInformation{Location: at, BaseSymbolInformation: protocol.BaseSymbolInformation{
				Name: d.Hub.Spec.Names.Kind, Kind: protocol.SymbolKindClass, ContainerName: &d.Hub.Spec.Group,
			}})
		}
	}
	return all, nil
}
