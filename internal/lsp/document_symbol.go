package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/text"
)

// DocumentSymbol is the outline of a document: of CRDs the versions with their properties, and of other objects what is written. The
// text need not parse.
func (s *server) DocumentSymbol(_ context.Context, params *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil || len(snap.text) > maxSize {
		return nil, nil
	}
	all := symbols{}
	for _, o := range resources(skeleton.All(snap.text)...) {
		if name := o.Said("metadata", "name"); isCRD(o) {
			spec := o.Child("spec")
			name = cmp.Or(spec.Said("names", "kind"), name)
			all = append(all, snap.symbol(o, name, spec.Said("group"), protocol.SymbolKindClass, snap.versions(spec)))
		} else {
			name = strings.TrimSuffix(o.Said("kind")+"/"+name, "/")
			all = append(all, snap.symbol(o, name, o.Said("apiVersion"), protocol.SymbolKindObject, snap.values(o, outlineDepth)))
		}
	}
	if s.capabilities.symbolTree {
		return protocol.DocumentSymbolSlice(all), nil
	}
	return flat(nil, snap.uri, "", all), nil
}

// symbols are those of a document, or the ones below another.
type symbols = []protocol.DocumentSymbol

// outlineDepth is how many levels of an object an outline has: what is further in is short, or a list of data.
const outlineDepth = 6

// symbol is that of a node, which is selected by its key or, if it has none, by where it begins.
func (s *snapshot) symbol(n *skeleton.Node, name, detail string, kind protocol.SymbolKind, children symbols) protocol.DocumentSymbol {
	start, end := n.KeyStart, n.KeyEnd
	if end == 0 {
		start, end = n.Start, n.Start
	}
	return protocol.DocumentSymbol{
		Name: cmp.Or(strings.TrimSpace(text.Description(name)), "-"), Detail: new(text.Description(detail)), Kind: kind, Children: children,
		Range: s.offsetRange(start, n.End), SelectionRange: s.offsetRange(start, end),
	}
}

// versions are the symbols of the versions of a CRD, and of the schema that they have in common.
func (s *snapshot) versions(spec *skeleton.Node) (all symbols) {
	if shared := spec.Child("validation"); shared != nil {
		all = append(all, s.symbol(shared, shared.Key, "", protocol.SymbolKindNamespace, s.properties(shared.Child("openAPIV3Schema"))))
	}
	for _, v := range childrenOf(spec.Child("versions")) {
		is := slices.DeleteFunc([]string{"served", "storage", "deprecated"}, func(flag string) bool { return v.Said(flag) != "true" })
		properties := s.properties(v.At("schema", "openAPIV3Schema"))
		all = append(all, s.symbol(v, v.Said("name"), strings.Join(is, ", "), protocol.SymbolKindNamespace, properties))
	}
	return all
}

// properties are the symbols of the properties of a schema or, of a list or a map, of its items or values.
func (s *snapshot) properties(of *skeleton.Node) (all symbols) {
	for of != nil && of.Child("properties") == nil {
		of = cmp.Or(of.Child("items"), of.Child("additionalProperties"))
	}
	required := childrenOf(of.Child("required"))
	for _, p := range childrenOf(of.Child("properties")) {
		detail := p.Said("type")
		if slices.ContainsFunc(required, func(n *skeleton.Node) bool { return n.Text == p.Key }) {
			detail = strings.TrimPrefix(detail+", required", ", ")
		}
		all = append(all, s.symbol(p, p.Key, detail, cmp.Or(schemaKinds[p.Said("type")], protocol.SymbolKindField), s.properties(p)))
	}
	return all
}

func childrenOf(n *skeleton.Node) []*skeleton.Node {
	if n == nil {
		return nil
	}
	return n.Children
}

var schemaKinds = map[string]protocol.SymbolKind{
	"object": protocol.SymbolKindObject, "array": protocol.SymbolKindArray, "string": protocol.SymbolKindString,
	"integer": protocol.SymbolKindNumber, "number": protocol.SymbolKindNumber, "boolean": protocol.SymbolKindBoolean,
}

// values are the symbols of what is written in a value, some levels of it.
func (s *snapshot) values(of *skeleton.Node, depth int) (all symbols) {
	if depth == 0 {
		return nil
	}
	kinds := map[skeleton.Kind]protocol.SymbolKind{skeleton.Mapping: protocol.SymbolKindObject, skeleton.Sequence: protocol.SymbolKindArray}
	for _, n := range of.Children {
		name, detail := n.Key, n.Text
		if of.Kind == skeleton.Sequence {
			name, detail = cmp.Or(n.Said("name"), n.Said("key"), n.Said("type"), n.Text), ""
		}
		all = append(all, s.symbol(n, name, detail, cmp.Or(kinds[n.Kind], protocol.SymbolKindString), s.values(n, depth-1)))
	}
	return all
}

// flat are symbols without their tree, for clients that take none.
func flat(out protocol.SymbolInformationSlice, doc uri.URI, container string, all symbols) protocol.SymbolInformationSlice {
	for _, one := range all {
		out = append(out, protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: one.Name, Kind: one.Kind, ContainerName: &container},
			Location:              protocol.Location{URI: doc, Range: one.Range},
		})
		out = flat(out, doc, one.Name, one.Children)
	}
	return out
}
