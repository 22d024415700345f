package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/text"
)

// DocumentSymbol is the outline of a document: of CRDs the versions with their properties, and of other objects what is written. The
// text need not parse.
func (s *server) DocumentSymbol(_ context.Context, params *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil || len(snap.text) > maxSize || isConfiguration(snap.uri) {
		return nil, nil
	}
	all := protocol.DocumentSymbolSlice{}
	for o := range objectsIn(snap) {
		out := outline{snap, o.base}
		if o.isCRD() {
			all = append(all, out.crd(o))
		} else {
			name := strings.TrimSuffix(o.Kind+"/"+textAt(o.top, "metadata", "name"), "/")
			all = append(all, out.symbol(o.top, name, textAt(o.top, "apiVersion"), protocol.SymbolKindObject, out.values(o.top, outlineDepth)))
		}
	}
	if s.capabilities.symbolTree {
		return all, nil
	}
	return flat(nil, snap, "", all), nil
}

// outlineDepth is how many levels of an object an outline has: what is further in is short, or a list of data.
const outlineDepth = 6

// An outline makes the symbols of an object.
type outline struct {
	*snapshot
	base int // of the offsets of its nodes
}

// symbol is that of a value with its key.
func (o outline) symbol(n *skeleton.Node, name, detail string, kind protocol.SymbolKind, children []protocol.DocumentSymbol) protocol.DocumentSymbol {
	start, end := n.Start, n.End
	if n.KeyEnd > 0 {
		start, end = n.KeyStart, n.KeyEnd
	}
	whole := protocol.Range{Start: o.offsetPosition(o.base + start), End: o.offsetPosition(o.base + max(end, n.End))}
	out := protocol.DocumentSymbol{Name: cmp.Or(strings.TrimSpace(name), "-"), Kind: kind, Range: whole, SelectionRange: whole, Children: children}
	if n.KeyEnd > 0 {
		out.SelectionRange.End = o.offsetPosition(o.base + end)
	} else {
		out.SelectionRange.End = whole.Start
	}
	if detail != "" {
		out.Detail = &detail
	}
	return out
}

// crd is the symbol of a CRD.
func (o outline) crd(at *spot) protocol.DocumentSymbol {
	spec := at.top.Child("spec")
	var all []protocol.DocumentSymbol
	if root := spec.At("validation", "openAPIV3Schema"); root != nil {
		all = append(all, o.symbol(spec.Child("validation"), "validation", "", protocol.SymbolKindNamespace, o.properties(root)))
	}
	if versions := spec.Child("versions"); versions != nil {
		for _, v := range versions.Children {
			var is []string
			for _, flag := range []string{"served", "storage", "deprecated"} {
				if textAt(v, flag) == "true" {
					is = append(is, flag)
				}
			}
			all = append(all, o.symbol(v, textAt(v, "name"), strings.Join(is, ", "), protocol.SymbolKindNamespace, o.properties(v.At("schema", "openAPIV3Schema"))))
		}
	}
	return o.symbol(at.top, cmp.Or(textAt(spec, "names", "kind"), textAt(at.top, "metadata", "name")), textAt(spec, "group"), protocol.SymbolKindClass, all)
}

// properties are the symbols of the properties of a schema or, of a list or a map, of its items or values.
func (o outline) properties(of *skeleton.Node) (all []protocol.DocumentSymbol) {
	for of != nil && of.Child("properties") == nil {
		of = cmp.Or(of.Child("items"), of.Child("additionalProperties"))
	}
	properties := of.Child("properties")
	if properties == nil {
		return nil
	}
	for _, p := range properties.Children {
		detail := typeOf(p)
		if required := of.Child("required"); required != nil && slices.ContainsFunc(required.Children, func(n *skeleton.Node) bool { return n.Text == p.Key }) {
			detail = strings.TrimPrefix(detail+", required", ", ")
		}
		all = append(all, o.symbol(p, p.Key, detail, cmp.Or(schemaKinds[textAt(p, "type")], protocol.SymbolKindField), o.properties(p)))
	}
	return all
}

var schemaKinds = map[string]protocol.SymbolKind{
	"object": protocol.SymbolKindObject, "array": protocol.SymbolKindArray, "string": protocol.SymbolKindString,
	"integer": protocol.SymbolKindNumber, "number": protocol.SymbolKindNumber, "boolean": protocol.SymbolKindBoolean,
}

// typeOf is the type of a schema, as kubectl explain writes it.
func typeOf(n *skeleton.Node) string {
	switch values := n.Child("additionalProperties"); {
	case textAt(n, "x-kubernetes-int-or-string") == "true":
		return "int-or-string"
	case n.Child("items") != nil:
		return "[]" + typeOf(n.Child("items"))
	case values != nil && values.Kind == skeleton.Mapping:
		return "map[string]" + typeOf(values)
	}
	return textAt(n, "type")
}

// values are the symbols of what is written in a value, some levels of it.
func (o outline) values(of *skeleton.Node, depth int) (all []protocol.DocumentSymbol) {
	if depth == 0 {
		return nil
	}
	for _, n := range of.Children {
		name, detail := n.Key, ""
		if of.Kind == skeleton.Sequence {
			name = cmp.Or(textAt(n, "name"), textAt(n, "key"), textAt(n, "type"), n.Text)
		} else {
			detail = n.Text
		}
		kind := protocol.SymbolKindString
		switch n.Kind {
		case skeleton.Mapping:
			kind = protocol.SymbolKindObject
		case skeleton.Sequence:
			kind = protocol.SymbolKindArray
		}
		all = append(all, o.symbol(n, text.Description(name), text.Description(detail), kind, o.values(n, depth-1)))
	}
	return all
}

// flat are symbols without their tree, for clients that take none.
func flat(out protocol.SymbolInformationSlice, snap *snapshot, container string, all []protocol.DocumentSymbol) protocol.SymbolInformationSlice {
	for _, one := range all {
		information := protocol.SymbolInformation{Location: protocol.Location{URI: snap.uri, Range: one.Range}}
		information.Name, information.Kind = one.Name, one.Kind
		if container != "" {
			information.ContainerName = &container
		}
		out = flat(append(out, information), snap, one.Name, one.Children)
	}
	return out
}
