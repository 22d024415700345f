package lsp

import (
	"bytes"
	"context"

	"go.lsp.dev/protocol"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/skeleton"
)

// References are the custom resources of the workspace that set the field at a position, in a CRD or in one of them. Of what is no
// field, they are all of the kind.
func (s *server) References(_ context.Context, params *protocol.ReferenceParams) ([]protocol.Location, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil {
		return nil, nil
	}
	at := s.spotAt(snap, params.Position)
	if at == nil {
		return nil, nil
	}
	all := []protocol.Location{}
	add := func(l protocol.Location) { all = append(all, l) }
	if at.isCRD() {
		id, keys := at.declares()
		if len(keys) == 0 {
			id.Version = ""
		}
		if params.Context.IncludeDeclaration {
			add(protocol.Location{URI: snap.uri, Range: snap.offsetRange(at.node.KeyStart, at.node.KeyEnd)})
		}
		s.setters(id, keys, add)
		return all, nil
	}
	d, keys, _ := s.inCRD(snap, at)
	if d == nil {
		return nil, nil
	}
	if params.Context.IncludeDeclaration {
		s.declarations(snap, at, add)
	}
	s.setters(at.GroupVersionKind, keys, add)
	return all, nil
}

// setters are where custom resources set what keys lead to from the schema of a version, "" for any.
func (s *server) setters(id schema.GroupVersionKind, keys []string, add func(protocol.Location)) {
	for _, file := range s.diagnostics.list() {
		if !file.hasObjectsOf([]string{id.Kind}) {
			continue
		}
		snap := s.snapshot(file.uri)
		if snap == nil || snap.mapper == nil || !bytes.Contains(snap.text, []byte(id.Kind)) {
			continue
		}
		for o := range objectsIn(snap) {
			if o.Group != id.Group || o.Kind != id.Kind || id.Version != "" && o.Version != id.Version {
				continue
			}
			below(o.top, keys, func(n *skeleton.Node) {
				if n == o.top {
					n = n.Child("kind")
				}
				add(protocol.Location{URI: file.uri, Range: snap.offsetRange(o.base+n.KeyStart, o.base+n.KeyEnd)})
			})
		}
	}
}

// below are the values that keys lead to from a schema.
func below(n *skeleton.Node, keys []string, found func(*skeleton.Node)) {
	switch {
	case n == nil:
	case len(keys) == 0:
		found(n)
	case keys[0] == "properties":
		below(n.Child(keys[1]), keys[2:], found)
	default:
		for _, c := range n.Children {
			below(c, keys[1:], found)
		}
	}
}
