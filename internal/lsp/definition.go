package lsp

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Definition leads from a part of a custom resource to what declares it in the CRD, from a part of a CRD to what declares it in Go,
// and from a finding to the other places that it names.
func (s *server) Definition(ctx context.Context, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	snap, found, err := s.current(ctx, params.TextDocument.URI)
	if snap == nil || err != nil {
		return nil, err
	}
	var all []protocol.Location
	add := func(l protocol.Location) {
		if !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	if at := s.spotAt(snap, params.Position); at != nil {
		s.declarations(snap, at, add)
	}
	file := &fileDiagnostics{snapshot: snap, project: s.project(snap.uri)}
	for _, d := range found {
		if overlap(d.protocol.Range, protocol.Range{Start: params.Position, End: params.Position}) {
			for _, r := range s.related(file, snap.mapper, &d.Finding) {
				add(r.Location)
			}
		}
	}
	return protocol.LocationSlice(all), nil
}

// declarations are what declares a part of an object.
func (s *server) declarations(snap *snapshot, at *spot, add func(protocol.Location)) {
	if at.isCRD() {
		id, keys := at.declares()
		field, _ := s.goDeclaration(snap.path, id, keys)
		s.locate(snap.uri, field, add)
		return
	}
	if d, _, place := s.inCRD(snap, at); d != nil {
		pos, found := d.Position(place)
		if !found {
			pos = d.Where()
		}
		s.locate(snap.uri, pos, add)
	}
}

// crdOf is the CRD of a custom resource, one with its version if there is any; nil where there is none.
func (s *server) crdOf(snap *snapshot, at *spot) (d *objects.Definition) {
	s.catalogue.use(func(o *rules.Objects) {
		for _, one := range objects.Held(o.Definitions()).Catalogue().Of(at.Group, at.Kind, snap.path) {
			if one.Unread() == "" && (d == nil || d.Version(at.Version) == nil && one.Version(at.Version) != nil) {
				d = one
			}
		}
	})
	return d
}

// inCRD is the CRD of a custom resource, with what declares a part of the resource there: a key, and the keys that lead to its value
// from the schema of the version. Of what is not declared, it is what declares the value around it.
func (s *server) inCRD(snap *snapshot, at *spot) (d *objects.Definition, keys []string, place *yaml.Node) {
	if d = s.crdOf(snap, at); d == nil {
		return nil, nil, nil
	}
	place = crd.Get(d.Tree().Node, "spec", "names", "kind")
	if len(at.path) == 1 && at.path[0].Key == "apiVersion" {
		for _, v := range d.Tree().Versions() {
			if v.Name == at.Version {
				place = crd.Get(v.At.Node, "name")
			}
		}
	}
	declared, _ := d.Schema(at.Version, at.path)
	switch {
	case declared == nil || declared.Parent == nil:
	case declared.Via == "properties":
		place, _ = crd.Lookup(declared.Parent.Value(declared.Via), declared.Name)
	default:
		place, _ = crd.Lookup(declared.Parent.Node, declared.Via)
	}
	if declared != nil {
		keys = schemaKeys(crd.Steps(declared.Path))
	}
	return d, keys, place
}

// goDeclaration is where Go declares what keys lead to from the schema of a version, and the type of that; zero where it is not known.
func (s *server) goDeclaration(manifest string, id schema.GroupVersionKind, keys []string) (field, kind lint.Position) {
	if types := s.project(uri.File(filepath.FromSlash(manifest))).linter.Go; types != nil {
		return types.Declaration(manifest, id, keys...)
	}
	return lint.Position{}, lint.Position{}
}

// locate adds the place of a position that is known beside a document.
func (s *server) locate(beside uri.URI, pos lint.Position, add func(protocol.Location)) {
	if pos.File == "" {
		return
	}
	doc := s.fileAt(s.project(beside), pos.File)
	if snap := s.snapshot(doc); snap != nil && snap.mapper != nil {
		add(protocol.Location{URI: doc, Range: snap.findingRange(pos)})
	}
}

// A spot is a part of an API object that a position is at.
type spot struct {
	schema.GroupVersionKind
	top, node *skeleton.Node
	base      int // of the offsets of nodes
	path      request.Path
}

// spotAt is the part of an object at a position, the innermost that is a CRD or of a kind that one defines; nil for what is in none.
// The text need not parse.
func (s *server) spotAt(snap *snapshot, at protocol.Position) *spot {
	offset, _ := snap.positionOffset(at)
	for _, one := range skeleton.Of(snap.text, offset).Spots(snap.text, offset) {
		node := cmp.Or(one.Written, one.In)
		var path request.Path
		for n := node; n != nil; n = n.Parent {
			if out := objectAt(n); out != nil && (out.isCRD() || s.crdOf(snap, out) != nil) {
				slices.Reverse(path)
				out.node, out.path = node, path
				return out
			}
			switch {
			case n.Parent == nil:
			case n.Parent.Kind == skeleton.Sequence:
				path = append(path, request.Index(max(0, slices.Index(n.Parent.Children, n))))
			default:
				path = append(path, request.Key(n.Key))
			}
		}
	}
	return nil
}

// objectsIn are the objects of a text, which need not parse.
func objectsIn(snap *snapshot) iter.Seq[*spot] {
	return func(yield func(*spot) bool) {
		for _, d := range manifest.Split(snap.path, snap.text).Documents {
			text := documentText(d)
			if !eachObject(skeleton.Of(text, len(text)), d.Start, yield) {
				return
			}
		}
	}
}

// documentText is the text of a document without what ends it.
func documentText(d *manifest.Document) []byte {
	return bytes.TrimSuffix(bytes.TrimRight(d.Text(), " \t\r\n"), []byte("\n..."))
}

// eachObject calls a function with the object at a node, or with those of a list, until it returns false.
func eachObject(n *skeleton.Node, base int, yield func(*spot) bool) bool {
	if isList(n) {
		return !slices.ContainsFunc(n.Child("items").Children, func(item *skeleton.Node) bool { return !eachObject(item, base, yield) })
	}
	o := objectAt(n)
	if o == nil {
		return true
	}
	o.base = base
	return yield(o)
}

// isList reports whether a value is a list of objects.
func isList(n *skeleton.Node) bool {
	return strings.HasSuffix(textAt(n, "kind"), "List") && n.Child("spec") == nil && n.Child("items") != nil
}

// objectAt is the object that is written at a node; nil where it is none.
func objectAt(n *skeleton.Node) *spot {
	version, kind := textAt(n, "apiVersion"), textAt(n, "kind")
	if version == "" || kind == "" {
		return nil
	}
	return &spot{GroupVersionKind: schema.FromAPIVersionAndKind(version, kind), top: n, node: n}
}

// textAt is the text at a path of keys; "" where there is none.
func textAt(n *skeleton.Node, keys ...string) string {
	if n = n.At(keys...); n == nil {
		return ""
	}
	return n.Text
}

func (at *spot) isCRD() bool { return at.Group == crd.Group && at.Kind == crd.Kind }

// declares is the version of the kind whose schema a part of a CRD is in, the first for what is in none, and the keys that lead there.
func (at *spot) declares() (id schema.GroupVersionKind, keys []string) {
	spec := at.top.Child("spec")
	id = schema.GroupVersionKind{Group: textAt(spec, "group"), Version: textAt(spec, "version"), Kind: textAt(spec, "names", "kind")}
	nth := 0
	if len(at.path) > 2 && at.path[1].Key == "versions" {
		nth = max(0, at.path[2].Index)
	}
	if all := spec.Child("versions"); all != nil && nth < len(all.Children) {
		id.Version = textAt(all.Children[nth], "name")
	}
	var steps []string
	for _, step := range at.path {
		if step.IsIndex() {
			steps = append(steps, "0")
		} else {
			steps = append(steps, step.Key)
		}
	}
	return id, schemaKeys(steps)
}

// schemaKeys are the keys of a path of a CRD that lead from the schema of a version to the one of a value; none for a path that is
// in no schema.
func schemaKeys(path []string) (keys []string) {
	root := slices.Index(path, "openAPIV3Schema")
	if root < 0 {
		return nil
	}
	for path = path[root+1:]; len(path) > 0; {
		switch key := path[0]; {
		case key == "items" || key == "additionalProperties":
			keys, path = append(keys, key), path[1:]
		case key == "properties" && len(path) > 1:
			keys, path = append(keys, path[:2]...), path[2:]
		case crd.IsJunctor(key): // more about the same value
			if path = path[1:]; key != "not" && len(path) > 0 {
				path = path[1:]
			}
		default:
			return keys
		}
	}
	return keys
}
