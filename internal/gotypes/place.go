package gotypes

import (
	"go/ast"
	"slices"
)

// An Outcome is how far a path could be followed.
type Outcome int

const (
	Exact   Outcome = iota // to its end, or to a keyword of the schema there
	Outside                // into a type that another module declares
	Missing                // to a type that has nothing of that name
	Unknown                // to a type that is not understood
)

// A Place is where Go declares what a schema has at a path or, unless the Outcome is Exact, at the part of the path that
// could be followed.
type Place struct {
	Outcome Outcome
	// Field is the last field of the repository on the way, nil if the path ends before the first. Its own schema is the
	// one at the path if Outcome is Exact and Elements is empty.
	Field *Field
	// Others declare the same member in structs that are inlined into one another. Controller-gen merges them all.
	Others []*Field
	// Elements lead from the field to the place: "items" or "additionalProperties".
	Elements []string
	// Type is the type of the repository that declares what is here: of several, which are declared by one another, the
	// last. It is nil for literals such as []string, basic types, and types of other modules.
	Type *Type
	// Foreign is the type of another module at the place or, if the Outcome is Outside, on the way to it.
	Foreign *Foreign
	// Rest is the part of the path that was not followed. If Outcome is Exact, it begins with a keyword.
	Rest []string
	// Doc is the description that controller-gen writes here. DocKnown is false where another module has it.
	Doc      string
	DocKnown bool

	kind *Kind
	res  resolution
	list resolution // what the last of Elements led from
	// owner is how fields of a struct here are called.
	owner string
}

// At follows a path in the schema of the kind: its keys, such as "properties", "spec", "properties", "rules", "items",
// "maxLength". It stops at the first keyword other than properties, items and additionalProperties.
func (k *Kind) At(path ...string) Place { return k.root().At(path...) }

// root is the place of the whole schema.
func (k *Kind) root() Place {
	p := Place{Type: k.Type, kind: k, owner: k.Name, res: resolution{value: value{expr: k.expr, file: k.File}, names: []*Type{k.Type}}}
	p.describe(nil)
	return p
}

// At goes on from a place, as Kind.At does from the beginning.
func (p Place) At(path ...string) Place {
	p.kind.repository.mu.Lock()
	defer p.kind.repository.mu.Unlock()
	p.Elements = slices.Clip(p.Elements)
	for len(path) > 0 && p.Outcome == Exact && len(p.Rest) == 0 {
		n := p.step(path)
		if n == 0 {
			break
		}
		path = path[n:]
	}
	p.Rest = slices.Concat(p.Rest, path)
	return p
}

// step follows the first elements of a path and returns how many. It returns 0 at keywords of the schema here, and where
// the Outcome is no longer Exact.
func (p *Place) step(path []string) int {
	keyword := path[0]
	property := keyword == "properties" && len(path) > 1
	switch {
	case !property && keyword != "items" && keyword != "additionalProperties":
		return 0
	case p.res.foreign != nil:
		p.Outcome = Outside
		return 0
	case p.res.expr == nil || slices.ContainsFunc(p.res.names, (*Type).opaque):
		p.Outcome = Unknown
		return 0
	}
	if property {
		return p.enter(path[1])
	}
	var element ast.Expr
	switch e := p.res.expr.(type) {
	case *ast.ArrayType:
		element = e.Elt
	case *ast.MapType:
		element = e.Value
	}
	if _, array := p.res.expr.(*ast.ArrayType); element == nil || array != (keyword == "items") {
		p.lack()
		return 0
	}
	p.Elements, p.list = append(p.Elements, keyword), p.res
	p.move(value{element, p.res.file, p.res.args})
	p.describe(nil)
	return 1
}

// enter goes on to a member of the struct here.
func (p *Place) enter(name string) int {
	body, ok := p.res.expr.(*ast.StructType)
	if !ok {
		p.lack()
		return 0
	}
	root := p.Field == nil
	all := p.kind.repository.membersOf(body, p.res.value, p.owner, root)
	at, described, others := all.named(name)
	if at.Field == nil {
		p.absent(name, all)
		return 0
	}
	p.move(described.value)
	p.describe(described.Field)
	if root && name == "metadata" { // controller-gen writes nothing but its type
		p.Doc, p.DocKnown = "", true
	}
	p.Field, p.Others, p.Elements, p.owner = at.Field, others, nil, at.Symbol
	p.move(at.value)
	return 2
}

// absent says why a struct does not declare a member: it may be one of a type of another module that is inlined.
func (p *Place) absent(name string, all *members) {
	var candidates []inlinedType
	for _, i := range all.foreign {
		if i.mayHave(name) {
			candidates = append(candidates, i)
		}
	}
	switch {
	case all.unknown || len(candidates) > 1:
		p.Outcome = Unknown
	case len(candidates) == 1:
		p.Outcome, p.Field, p.Others, p.Elements, p.Type, p.Foreign = Outside, candidates[0].field, nil, nil, nil, candidates[0].of
	default:
		p.lack()
	}
}

// lack records that the type here has nothing of the next name, unless markers say that its schema is not made from it.
func (p *Place) lack() {
	p.Outcome = Missing
	if _, open := p.res.expr.(*ast.InterfaceType); open || p.overridden() {
		p.Outcome = Unknown
	}
}

// overridden reports whether controller-gen takes the schema here from elsewhere than the fields of the type.
func (p *Place) overridden() bool {
	return slices.ContainsFunc(p.res.names, (*Type).opaque) ||
		p.Field != nil && len(p.Elements) == 0 && slices.ContainsFunc(p.Field.Markers, overrides)
}

// overrides reports whether controller-gen takes the schema of a type from a marker.
func overrides(m Marker) bool {
	return m.Name() == typeMarker || m.Name() == "kubebuilder:validation:Schemaless"
}

// typeMarker names the one of them that may stand above a type, too.
const typeMarker = "kubebuilder:validation:Type"

// move makes a type expression the one that the place is about.
func (p *Place) move(v value) {
	p.res = p.kind.repository.resolve(v)
	p.owner = p.res.owner(p.owner)
	p.Type, p.Foreign = nil, p.res.foreign
	if n := len(p.res.names); n > 0 && p.Foreign == nil {
		p.Type = p.res.names[n-1]
	}
}

// describe determines the description: that of a field, or else of the first of the types it is of.
func (p *Place) describe(f *Field) {
	p.Doc, p.DocKnown = "", true
	if f != nil {
		p.Doc = f.Doc
	}
	for _, t := range p.res.names {
		if p.Doc != "" || t.opaque() {
			return
		}
		p.Doc = t.Doc
	}
	p.DocKnown = p.Doc != "" || p.res.foreign == nil && p.res.expr != nil
}

// Types are those of the repository that declare what is here, each by the next; the last is Type.
func (p Place) Types() []*Type { return p.res.names }

// Members returns the fields that a struct at the place has as JSON members, the nearest of each name, and whether these
// are all. If the place is not a struct, there are no names, and these are not all.
func (p Place) Members() (fields []*Field, complete bool) {
	r := p.kind.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	body, ok := p.res.expr.(*ast.StructType)
	if !ok || p.Outcome != Exact || p.overridden() {
		return nil, false
	}
	all := r.membersOf(body, p.res.value, p.owner, true)
	seen := map[string]bool{}
	for _, m := range all.all {
		if !seen[m.JSON] {
			seen[m.JSON] = true
			nearest, _, _ := all.named(m.JSON)
			fields = append(fields, nearest.Field)
		}
	}
	complete = !all.unknown && !slices.ContainsFunc(all.foreign, func(i inlinedType) bool { return i.mayHave("") })
	return fields, complete
}

// opaque reports whether controller-gen does not look into a type, because its own code writes its JSON.
func (t *Type) opaque() bool {
	methods := t.File.pkg.methods
	return methods[t.Name+".MarshalText"] && !methods[t.Name+".MarshalJSON"] ||
		methods[t.Name+".MarshalJSON"] && slices.ContainsFunc(t.Markers, func(m Marker) bool { return m.Name() == typeMarker })
}
