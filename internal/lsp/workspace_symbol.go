package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/rules"
)

// Symbols are the kinds that the CRDs of the workspace define, each once: where it comes from. A query has letters of a kind or one of its
// other names, in their order, as the client filters them again.
func (s *server) Symbols(_ context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	var kinds []*objects.Definition
	s.catalogue.use(func(o *rules.Objects) { kinds = objects.Held(o.Definitions()).Catalogue().Kinds() })
	all := protocol.SymbolInformationSlice{}
	for _, d := range kinds {
		names := append([]string{d.Hub.Spec.Names.Kind, d.Name}, d.Hub.Spec.Names.ShortNames...)
		if !isAmong(params.Query, names) {
			continue
		}
		one := protocol.SymbolInformation{}
		one.Name, one.Kind, one.ContainerName = d.Hub.Spec.Names.Kind, protocol.SymbolKindClass, &d.Hub.Spec.Group
		s.locate(uri.File(filepath.FromSlash(d.Path)), d.Where(), func(l protocol.Location) {
			one.Location = l
			all = append(all, one)
		})
	}
	return all, nil
}

// isAmong reports whether one of some names has the letters of a query in their order, be they small or capital.
func isAmong(query string, names []string) bool {
	for _, name := range names {
		rest := []rune(strings.ToLower(query))
		for _, r := range strings.ToLower(name) {
			if len(rest) > 0 && rest[0] == r {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return true
		}
	}
	return false
}
