package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Definition leads from a part of a custom resource to what declares it in the CRD, from a part of a CRD to what declares it in Go,
// and from a finding to the other places that it names.
func (s *server) Definition(ctx context.Context, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	snap := s.overlays.snapshot(params.TextDocument.URI)
	if snap == nil || snap.mapper == nil {
		return nil, nil
	}
	all := s.declarations(snap, s.spotAt(snap, params.Position))
	found, known := s.diagnostics.published(snap)
	if !known && len(all) == 0 { // findings take longer
		var err error
		if snap, found, err = s.current(ctx, params.TextDocument.URI); snap == nil || err != nil {
			return nil, err
		}
	}
	file := &fileDiagnostics{snapshot: snap, project: s.project(snap.uri)}
	for _, d := range found {
		if !overlap(d.protocol.Range, protocol.Range{Start: params.Position, End: params.Position}) {
			continue
		}
		for _, r := range s.related(file, snap.mapper, &d.Finding) {
			all = append(all, r.Location)
		}
	}
	return protocol.LocationSlice(all), nil
}

// declarations are what declares a part of an object: in the CRD of a custom resource, or in Go.
func (s *server) declarations(snap *snapshot, at *spot) []protocol.Location {
	switch {
	case at == nil:
		return nil
	case at.crd == nil:
		field, _ := s.goDeclaration(snap, at)
		return s.locate(snap, field)
	}
	pos, found := at.crd.Position(at.key)
	if !found {
		pos = at.crd.Where()
	}
	return s.locate(snap, pos)
}

// goDeclaration is where Go declares a part of an object, and the type of that; zero where it is not known.
func (s *server) goDeclaration(snap *snapshot, at *spot) (field, kind lint.Position) {
	types, manifest := s.project(snap.uri).linter.Go, snap.path
	if types == nil {
		return field, kind
	}
	if at.crd != nil {
		manifest = at.crd.Path
	}
	return types.Declaration(manifest, at.GroupVersionKind, at.keys...)
}

// locate is the place of a position, as a document names it; none where that is not known.
func (s *server) locate(beside *snapshot, pos lint.Position) []protocol.Location {
	doc := s.fileAt(s.project(beside.uri), pos.File)
	if snap := s.snapshot(doc); snap != nil && snap.mapper != nil {
		return []protocol.Location{{URI: doc, Range: snap.findingRange(pos)}}
	}
	return nil
}

// A spot is a part of a CRD, or of a custom resource that one describes, that a position is at.
type spot struct {
	schema.GroupVersionKind // of the custom resource; of a CRD, with the version that the part is in, or the first

	claim string // the kind of the claims that Crossplane makes of an object of this kind; "" for none

	keys []string // that lead to what describes the part from the schema of the version
	node *skeleton.Node
	crd  *objects.Definition // of a custom resource; nil in a CRD
	key  *yaml.Node          // of it that declares the part or, if it is not declared, what is around it
}

// kinds are those of objects that have the part.
func (s *spot) kinds() []string {
	return slices.DeleteFunc([]string{s.Kind, s.claim}, func(kind string) bool { return kind == "" })
}

// spotAt is what a position is at; nil for nothing that has to do with a CRD. The text need not parse.
func (s *server) spotAt(snap *snapshot, at protocol.Position) *spot {
	offset, _ := snap.positionOffset(at)
	for _, one := range skeleton.Of(snap.text, offset).Spots(snap.text, offset) {
		node := cmp.Or(one.Written, one.In)
		var p *complete.Place
		s.catalogue.use(func(o *rules.Objects) {
			text := complete.Text{Path: snap.path, Source: snap.text, CRDs: objects.Held(o.Definitions()).Catalogue()}
			p = text.PlaceOf(node)
		})
		if p != nil {
			return spotOf(p, node)
		}
		var way []string
		for n := node; n != nil; n = n.Parent {
			if isCRD(n) {
				return spotInCRD(n, node, way)
			}
			way = slices.Insert(way, 0, n.Key)
		}
	}
	return nil
}

// spotOf is that of a place in a custom resource.
func spotOf(p *complete.Place, node *skeleton.Node) *spot {
	d := p.Definition
	out := &spot{GroupVersionKind: p.Version.GroupVersionKind(), node: node, crd: d, key: crd.Get(d.Tree().Node, "spec", "names", "kind")}
	switch declared, _ := d.Schema(out.Version, p.Steps); {
	case declared == nil || declared.Parent == nil:
	default:
		key, _ := crd.Lookup(declared.Parent.Node, declared.Via)
		if declared.Via == "properties" {
			key, _ = crd.Lookup(declared.Parent.Value(declared.Via), declared.Name)
		}
		if out.keys = schemaKeys(crd.Steps(declared.Path)); key == nil || key.Line > 0 { // else no author wrote it
			out.key = key
		}
	}
	return out
}

// spotInCRD is that of a node in a CRD, to which keys lead, "" for items.
func spotInCRD(top, node *skeleton.Node, way []string) *spot {
	spec := top.Child("spec")
	out := &spot{node: node, keys: schemaKeys(way)}
	out.Group, out.Version, out.Kind = spec.Said("group"), spec.Said("version"), spec.Said("names", "kind")
	out.claim = spec.Said("claimNames", "kind")
	if versions := spec.Child("versions"); versions != nil && len(versions.Children) > 0 {
		out.Version = versions.Children[0].Said("name")
		for n := node; n != top; n = n.Parent {
			if n.Parent == versions {
				out.Version = n.Said("name")
			}
		}
	}
	return out
}

// schemaKeys are the keys on a way through a CRD that lead from the schema of a version to one that describes a value; none on a way
// through no schema.
func schemaKeys(way []string) (keys []string) {
	way = way[slices.Index(way, "openAPIV3Schema")+1:]
	for len(way) > 0 {
		switch key := way[0]; {
		case key == "items" || key == "additionalProperties":
			keys, way = append(keys, key), way[1:]
		case key == "properties" && len(way) > 1:
			keys, way = append(keys, way[:2]...), way[2:]
		case key == "not", crd.IsJunctor(key) && len(way) == 1: // more about the same value
			way = way[1:]
		case crd.IsJunctor(key):
			way = way[2:]
		default:
			return keys
		}
	}
	return keys
}

// resources are the objects that are written at some nodes, those of lists included.
func resources(of ...*skeleton.Node) (all []*skeleton.Node) {
	for _, n := range of {
		switch items := n.Child("items"); {
		case items != nil && strings.HasSuffix(n.Said("kind"), "List") && n.Child("spec") == nil:
			all = append(all, resources(items.Children...)...)
		case n.Said("apiVersion") != "" && n.Said("kind") != "":
			all = append(all, n)
		}
	}
	return all
}

// kindOf is the kind of the object at a node; zero where there is none.
func kindOf(n *skeleton.Node) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(n.Said("apiVersion"), n.Said("kind"))
}

// isCRD reports whether the object at a node is a CRD, or one that Crossplane makes CRDs of.
func isCRD(n *skeleton.Node) bool {
	kind := kindOf(n).GroupKind()
	return kind == schema.GroupKind{Group: crd.Group, Kind: crd.Kind} || kind == schema.GroupKind{Group: xrd.Group, Kind: xrd.Kind}
}
