package gotypes

import (
	"go/ast"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// A Field is a field of a struct of the repository.
type Field struct {
	JSON    string        // the name of its member; "" if its members count as those of the struct
	Symbol  string        // such as WidgetStatus.Conditions
	Pos     lint.Position // of the name, or the type if it is embedded; markers go on a line of their own above it
	Doc     string        // as controller-gen writes it
	Markers []Marker
	File    *File
	Options []string // of its tag, such as omitempty

	expr ast.Expr
}

// A member is a field as a member of a struct.
type member struct {
	*Field
	value
	depth int // of structs that count as part of the struct
}

// members are those of a struct, in the order in which controller-gen merges them: of members with one name it keeps
// the text of the first.
type members struct {
	all     []member
	foreign []inlinedType // what may have more
	unknown bool          // something else may have more
	seen    map[*ast.StructType]bool
}

// An inlinedType is a type of another module whose members count as those of the struct.
type inlinedType struct {
	field *Field
	of    *Foreign
}

// mayHave reports whether a member may be one of an inlined type.
func (i inlinedType) mayHave(name string) bool {
	return i.of.Package != metav1 || i.of.Name != "TypeMeta" || name == "kind" || name == "apiVersion"
}

// A body is a struct as membersOf looks at it.
type body struct {
	*ast.StructType
	root bool
}

// membersOf returns the members of a struct, which are not to be changed. Controller-gen treats the struct of a kind apart,
// as its root: elsewhere what is inlined comes first. Members are kept, but for those of generic types.
func (r *repository) membersOf(of *ast.StructType, v value, owner string, root bool) *members {
	m := r.members[body{of, root}]
	if m == nil || v.args != nil {
		m = r.findMembers(of, v, owner, root)
		if v.args == nil {
			r.members[body{of, root}] = m
		}
	}
	return m
}

func (r *repository) findMembers(body *ast.StructType, v value, owner string, root bool) *members {
	m := &members{seen: map[*ast.StructType]bool{}}
	own := r.collect(m, body, v, owner, 0)
	if root {
		m.all = append(own, m.all...)
	} else {
		m.all = append(m.all, own...)
	}
	return m
}

// collect adds the members that are inlined into a struct, and returns its own.
func (r *repository) collect(m *members, body *ast.StructType, v value, owner string, depth int) (own []member) {
	m.seen[body] = true
	for _, f := range r.fieldsOf(body, v.file, owner) {
		at := member{f, value{f.expr, v.file, v.args}, depth}
		if f.JSON != "" {
			own = append(own, at)
			continue
		}
		res := r.resolve(at.value)
		inner, isStruct := res.expr.(*ast.StructType)
		switch {
		case res.foreign != nil:
			m.foreign = append(m.foreign, inlinedType{f, res.foreign})
		case !isStruct:
			m.unknown = true
		case !m.seen[inner]:
			inlined := r.collect(m, inner, res.value, res.owner(f.Symbol), depth+1)
			m.all = append(m.all, inlined...)
		}
	}
	return own
}

// owner returns how fields of a resolved struct are called: after the type that declares it, or, if none does, after the
// field.
func (res resolution) owner(field string) string {
	if n := len(res.names); n > 0 {
		return res.names[n-1].Name
	}
	return field
}

// named returns the members with a name: the nearest to the struct, as encoding/json does, and the one whose text
// controller-gen takes.
func (m *members) named(name string) (nearest, described member, others []*Field) {
	for _, at := range m.all {
		if at.JSON != name {
			continue
		}
		if described.Field == nil {
			described, nearest = at, at
			continue
		}
		if at.depth < nearest.depth {
			at, nearest = nearest, at
		}
		others = append(others, at.Field)
	}
	return nearest, described, others
}

// fieldsOf returns the fields of a struct that are part of its JSON.
func (r *repository) fieldsOf(body *ast.StructType, f *File, owner string) []*Field {
	fields, known := r.fields[body]
	if known {
		return fields
	}
	for field, markers := range f.marked(body) {
		name, options, inline, ok := jsonName(field)
		if !ok {
			continue
		}
		for _, label := range labels(field) {
			if inline {
				name = ""
			}
			fields = append(fields, &Field{
				JSON: name, Symbol: owner + "." + label.Name, Pos: f.span(label.Pos(), label.End()),
				Doc: description(field.Doc), Markers: markers, File: f, Options: options, expr: field.Type,
			})
		}
	}
	r.fields[body] = fields
	return fields
}

// marked returns the fields of a struct with their markers.
func (f *File) marked(body *ast.StructType) iter.Seq2[*ast.Field, []Marker] {
	return func(yield func(*ast.Field, []Marker) bool) {
		last := body.Fields.Opening
		for _, field := range body.Fields.List {
			if !yield(field, f.markers(f.detached(last, field.Pos(), field.Doc), field.Doc)) {
				return
			}
			last = field.End()
		}
	}
}

// labels returns the names of a field: that of its type if it is embedded.
func labels(field *ast.Field) []*ast.Ident {
	if len(field.Names) == 0 {
		return []*ast.Ident{typeName(field.Type)}
	}
	return field.Names
}

// jsonName returns the name of a field's member, the options of its tag, and whether the members of its type take its
// place. Fields without a name in JSON are inlined even if they are not embedded: controller-gen does so. Fields without a
// tag are not part of the JSON of a Kubernetes object, unless they are embedded.
func jsonName(field *ast.Field) (name string, options []string, inline, ok bool) {
	var tag string
	if field.Tag != nil {
		tag, _ = strconv.Unquote(field.Tag.Value)
	}
	tag, tagged := reflect.StructTag(tag).Lookup("json")
	if !tagged {
		return "", nil, true, len(field.Names) == 0
	}
	if tag == "-" {
		return "", nil, false, false
	}
	name, rest, _ := strings.Cut(tag, ",")
	options = strings.Split(rest, ",")
	return name, options, name == "" || slices.Contains(options, "inline"), true
}
