// Package goplace says where Go types declare what a path of a manifest, or of a custom resource, leads to.
package goplace

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A query is a path of the command line.
type query struct {
	shown   string
	version string   // the only one that it is about; "" for all
	keys    []string // of the schema, if the path names them
	fields  []string // of the custom resource otherwise; none for the struct of the kind
	// absent is true for one that begins like a path in the manifest, which has no such version.
	absent bool
}

// readPath reads a path for a CRD. One with an index at spec.versions is a path in the manifest if the manifest has
// it: in a custom resource, [*] is for the items of a list.
func readPath(c *crd.CRD, text string) query {
	steps := crd.Steps(strings.TrimPrefix(text, "."))
	out := query{shown: text, fields: steps}
	if len(steps) < 3 || steps[0] != "spec" {
		return out
	}
	root := 2 // of spec.validation.openAPIV3Schema
	if steps[1] == "versions" && crd.IsIndex(steps[2]) {
		if _, complete := c.Resolve(steps); !complete && !crd.InSchema(text) {
			out.absent = true
			return out
		}
		for _, v := range c.Versions() {
			if strconv.Itoa(v.Index) == steps[2] {
				out.version = v.Name
			}
		}
		root, out.fields = 4, nil
	}
	if len(steps) > root && steps[root] == "openAPIV3Schema" {
		out.keys, out.fields = steps[root+1:], nil
	}
	return out
}

// in returns the place of the path in the struct of a kind.
func (q query) in(kind *gotypes.Kind) gotypes.Place {
	at := kind.At(q.keys...)
	for _, name := range q.fields {
		at = step(at, name)
	}
	return at
}

// step follows one step of a path of a custom resource: a field, an item of a list, or a key of a map.
func step(at gotypes.Place, name string) gotypes.Place {
	field := at.At("properties", name)
	ways := []gotypes.Place{field, at.At("additionalProperties")}
	if name == "*" || name == "" || crd.IsIndex(name) {
		ways = []gotypes.Place{at.At("items"), at.At("additionalProperties"), field}
	}
	for _, way := range ways {
		if way.Outcome != gotypes.Missing {
			return way
		}
	}
	return field
}

// A Report is places as JSON; docs/schema/where.json describes it. The version changes when a member changes its
// meaning or goes, not when one is added.
type Report struct {
	Version int      `json:"version"`
	Places  []*Place `json:"places"`
}

// A Place is where Go declares the path in one version.
type Place struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Path    string `json:"path,omitempty"`
	// Outcome is one of the words below.
	Outcome string `json:"outcome"`
	// Declaration is what the path leads to or, if it does not lead to the end, the last on the way; nil where none is found.
	Declaration *goDeclaration  `json:"declaration,omitempty"`
	Elements    []string        `json:"elements,omitempty"` // keywords that lead from it to the path
	Type        *goDeclaration  `json:"type,omitempty"`     // that it is of
	Others      []goDeclaration `json:"others,omitempty"`   // of the same field, or of the same kind
	Foreign     *foreignType    `json:"foreign,omitempty"`
	// Module declares the kind, if the repository does not; files are relative to its folder then.
	Module *foreignModule `json:"module,omitempty"`

	lacks string // what is missing where, in words
}

// The outcomes of looking for a place.
const (
	exact      = "exact"
	foreign    = "foreign"    // another module declares it, or a type of one has it
	missing    = "missing"    // the type has no such field
	unknown    = "unknown"    // the type writes its own JSON, or is not understood
	undeclared = "undeclared" // there is no struct for the version
	several    = "several"    // there are several, and they differ
)

type goDeclaration struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Symbol string `json:"symbol"`
	At     string `json:"at"` // field, type or kind
}

type foreignType struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Module  string `json:"module,omitempty"`
	Version string `json:"version,omitempty"`
}

type foreignModule struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

func declarationOf(pos lint.Position, symbol string, at lint.Declaration) *goDeclaration {
	return &goDeclaration{pos.File, pos.Line, pos.Column, symbol, string(at)}
}

func declarationOfField(f *gotypes.Field) *goDeclaration {
	return declarationOf(f.Pos, f.Symbol, lint.FieldDeclaration)
}

// Find looks for a path in the versions of a CRD that may have it. The gaps are what was not read, and may have what was not found.
func Find(types *vicinity.GoTypes, manifest string, c *crd.CRD, asked string) (places []*Place, gaps []gotypes.Gap) {
	path := readPath(c, asked)
	for _, v := range c.Versions() {
		if path.version != "" && path.version != v.Name {
			continue
		}
		spec := crd.Get(c.Node, "spec")
		id := schema.GroupVersionKind{Group: crd.StringAt(spec, "group"), Version: v.Name, Kind: crd.StringAt(spec, "names", "kind")}
		found := types.Find(manifest, id)
		at := placeIn(types, manifest, found, id, path)
		if at.Outcome == undeclared {
			gaps = append(gaps, found.Gaps...)
		} else {
			gaps = append(gaps, found.Near...)
		}
		places = append(places, at)
	}
	return places, gaps
}

// Declaration is where the repository of a manifest declares what keys lead to from the schema of a version, and the type of that; zero
// for what is not found.
func Declaration(types *vicinity.GoTypes, manifest string, id schema.GroupVersionKind, keys []string) (field, of lint.Position) {
	at := placeIn(types, manifest, types.Find(manifest, id), id, query{keys: keys})
	if at.Declaration == nil || at.Module != nil {
		return field, of
	}
	if at.Type != nil {
		of = at.Type.position()
	}
	return at.Declaration.position(), of
}

func (d *goDeclaration) position() lint.Position { return lint.Point(d.File, d.Line, d.Column) }

// placeIn returns the place of the path in a version of a manifest.
func placeIn(types *vicinity.GoTypes, manifest string, found gotypes.Answer, id schema.GroupVersionKind, asked query) *Place {
	out := &Place{Group: id.Group, Version: id.Version, Kind: id.Kind, Path: asked.shown, Outcome: undeclared}
	for _, pos := range found.Several {
		out.Outcome, out.Others = several, append(out.Others, *declarationOf(pos, id.Kind, lint.KindDeclaration))
	}
	kind := found.Kind
	if required, m := types.FindRequired(manifest, id, found); required != nil {
		kind, out.Module = required, &foreignModule{m.Path, m.Version}
	}
	if kind == nil {
		return out
	}
	at := asked.in(kind)
	out.Outcome = map[gotypes.Outcome]string{
		gotypes.Exact: exact, gotypes.Outside: foreign, gotypes.Missing: missing, gotypes.Unknown: unknown,
	}[at.Outcome]
	if at.Outcome == gotypes.Missing {
		out.lacks = lacks(at, kind)
		if asked.absent {
			out.lacks += ", nor has the manifest " + asked.shown
		}
		return out
	}
	if out.Outcome == exact && out.Module != nil {
		out.Outcome = foreign
	}
	out.Declaration = declarationOf(kind.Pos, kind.Name, lint.KindDeclaration)
	if at.Field != nil {
		out.Declaration, out.Elements = declarationOfField(at.Field), at.Elements
	}
	if at.Type != nil && at.Field != nil {
		out.Type = declarationOf(at.Type.Pos, at.Type.Name, lint.TypeDeclaration)
	}
	for _, f := range at.Others {
		out.Others = append(out.Others, *declarationOfField(f))
	}
	if f := at.Foreign; f != nil {
		out.Foreign = &foreignType{f.Package, f.Name, f.Module, f.Version}
	}
	return out
}

// lacks says which part of a path is missing at the place before it.
func lacks(at gotypes.Place, kind *gotypes.Kind) string {
	name := at.Rest[min(1, len(at.Rest)-1)] // of a property, or items
	where := placeName(at, kind)
	at.Outcome, at.Rest = gotypes.Exact, nil
	switch items := at.At("items"); {
	case name == "items" || name == "" || name == "*":
		return where + " is not a list"
	case items.Outcome != gotypes.Missing:
		return fmt.Sprintf("%s is a list, so [*] is missing before .%s", where, name)
	}
	return fmt.Sprintf("%s has no field %q", where, name)
}

// placeName is what declares a place, with where it does.
func placeName(at gotypes.Place, kind *gotypes.Kind) string {
	pos, name := kind.Pos, kind.Name
	switch {
	case at.Type != nil:
		pos, name = at.Type.Pos, at.Type.Name
	case at.Field != nil:
		pos, name = at.Field.Pos, at.Field.Symbol
	}
	return fmt.Sprintf("%s (%s:%d)", name, pos.File, pos.Line)
}

// Lines describe a place that was found, one declaration each, as editors take them.
func (p *Place) Lines() (all []string) {
	if p.Declaration == nil {
		return nil
	}
	in := ""
	if p.Module != nil {
		in = fmt.Sprintf("declared in %s %s: ", p.Module.Path, p.Module.Version)
	}
	line := func(d *goDeclaration, before, after string) {
		all = append(all, in+fmt.Sprintf("%s:%d:%d: %s%s %s (%s)%s", d.File, d.Line, d.Column, before, d.At, d.Symbol, p.Version, after))
	}
	after := ""
	if len(p.Elements) > 0 {
		after = ", its " + strings.ReplaceAll(strings.Join(p.Elements, ", their "), "additionalProperties", "values")
	}
	switch {
	case p.Foreign != nil:
		after += ": " + p.Foreign.sentence()
	case p.Outcome == unknown:
		after += ": its type writes its own JSON, or is not understood"
	}
	line(p.Declaration, "", after)
	for _, other := range p.Others {
		line(&other, "also ", "")
	}
	if p.Type != nil {
		line(p.Type, "", "")
	}
	return all
}

// Sentence says why there is no place.
func (p *Place) Sentence() string {
	id := fmt.Sprintf("%s/%s %s", p.Group, p.Version, p.Kind)
	switch p.Outcome {
	case several:
		var places []string
		for _, other := range p.Others {
			places = append(places, fmt.Sprintf("%s:%d", other.File, other.Line))
		}
		return id + " is declared in several places, and they differ: " + text.And(places) + "; name one of their folders"
	case missing:
		if p.Module != nil {
			return fmt.Sprintf("%s, declared in %s %s: %s; correct the path", id, p.Module.Path, p.Module.Version, p.lacks)
		}
		return id + ": " + p.lacks + "; correct the path"
	}
	return "no Go type declares " + id + " here; name the folder that declares it"
}

// sentence says that the type is declared elsewhere.
func (f *foreignType) sentence() string {
	return fmt.Sprintf("%s.%s is a type of %s", path.Base(f.Package), f.Name, strings.TrimSpace(cmp.Or(f.Module, f.Package)+" "+f.Version))
}
