package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// unappliable reports what keeps objects from being applied server-side. The field managers of an object each name the version they
// wrote it at, and an apply reads the object as stored by the schema of each of them (reconcileManagedFieldsWithSchemaChanges of
// k8s.io/apimachinery/pkg/util/managedfields/internal): what does not fit one is answered with the status 500, whatever is applied.
// Fields without a default are no more than a risk as long as nobody writes them, and conversion-none-schema-differs tells of those.
func unappliable(p *engine.Pass) {
	ReportMisfits(p, slices.DeleteFunc(Misfits(p), func(m Misfit) bool { return m.there == nil && !m.Filled }), func(*engine.Finding, Misfit) {})
}

// A Misfit is a field of a version whose values do not fit another version.
type Misfit struct {
	Field          *crd.Schema
	there          *crd.Schema // nil where the other version does not have the field
	Version, other string      // their names
	Filled         bool        // by a default, in whatever is read from etcd
}

// Misfits are the fields that keep objects from being applied while nothing converts: those of the storage version, and those that
// another version has and the storage version lacks, with which objects that were written at the storage version cannot be applied.
func Misfits(p *engine.Pass) (all []Misfit) {
	for _, pair := range listedUnconverted(p) {
		other, storage := pair[0], pair[1]
		eachMisfit(storage.Root(), other.Root(), false, func(field, there *crd.Schema) {
			all = append(all, Misfit{field, there, storage.Name, other.Name, there == nil && field.Get("default") != nil})
		})
		if !other.Served {
			continue
		}
		eachMisfit(other.Root(), storage.Root(), false, func(field, there *crd.Schema) {
			if there == nil { // the first walk found the types
				all = append(all, Misfit{field, nil, other.Name, storage.Name, false})
			}
		})
	}
	return all
}

// ReportMisfits reports misfits, one finding of a field for all versions that it misfits alike. Those with the same fix belong
// together. Complete adds what the rule has to say besides.
func ReportMisfits(p *engine.Pass, all []Misfit, complete func(*engine.Finding, Misfit)) {
	for _, alike := range ordered.Grouped(all, func(m Misfit) [2]bool { return [2]bool{m.there == nil, m.Filled} }) {
		engine.Together(Mapped(ordered.Grouped(alike, Misfit.kind), func(same []Misfit) *engine.Finding {
			f := reportMisfit(p, same)
			complete(f, same[0])
			return f
		}))
	}
}

// kind is what the versions have in common that one finding is about.
func (m Misfit) kind() [2]string {
	if m.there == nil {
		return [2]string{m.Field.Path}
	}
	return [2]string{m.Field.Path, typeWord(m.there)}
}

// reportMisfit reports a field that other versions lack, or in which it has one other type.
func reportMisfit(p *engine.Pass, same []Misfit) (f *engine.Finding) {
	m, others := same[0], Mapped(same, func(m Misfit) string { return m.other })
	field, version, names := text.Path(m.Field.FieldPath()), text.Value(m.Version), text.Names(others)
	lack := text.Verb(len(others), "lacks", "lack")
	switch {
	case m.Filled:
		f = p.Reportf(m.Field.Place, "%s %s %s, which %s defaults, so server-side apply at %s fails on objects of %s; add the field there, or use a webhook",
			names, lack, field, version, version, names)
	case m.there == nil:
		f = p.Reportf(m.Field.Place, "%s %s %s of %s, so server-side apply of that field fails on objects of %s; add the field there, or use a webhook",
			names, lack, field, version, names)
	default:
		f = p.Reportf(m.Field.At("type"), "%s is %s in %s and %s in %s: server-side apply fails on a value of the other type; use one type or a webhook",
			field, typeWord(m.Field), version, typeWord(m.there), names)
		for _, m := range same {
			p.Also(f, m.there.At("type"), "as in "+m.other)
		}
	}
	f.Versions = append([]string{m.Version}, others...)
	f.PatchedBy = &NoWebhook
	return f
}

// eachMisfit visits the fields of a version that misfit another one, which does not have them or has values of another type there.
// Open is true inside of what keeps unknown fields in the other version, where server-side apply takes any undeclared field.
func eachMisfit(has, there *crd.Schema, open bool, visit func(has, there *crd.Schema)) {
	if has == nil || there == nil {
		return
	}
	if !Fits(has, there) || !Fits(there, has) {
		visit(has, there)
		return
	}
	open = open || there.KeepsUnknown()
	for _, e := range crd.Entries(has.Get("properties")) {
		field := has.Property(e.Name)
		if hasObjectMeta(has) && objectFields[e.Name] != nil {
			continue
		}
		below, undeclared := descend(there, pathStep{member: e.Name})
		switch {
		case below != nil:
			eachMisfit(field, below, open, visit)
		case !open && !undeclared && len(crd.Entries(there.Get("properties"))) > 0:
			visit(field, nil)
		}
	}
	eachMisfit(has.Items(), there.Items(), open, visit)
	eachMisfit(has.AdditionalProperties(), there.AdditionalProperties(), open, visit)
}

// Fits reports whether server-side apply takes, at one version, the values that another one allows. It takes any scalar for a string
// that has a format (convertPrimitive of k8s.io/kube-openapi/pkg/schemaconv), and anything for what has no type.
func Fits(values, version *crd.Schema) bool {
	types, takes := []string{smdType(values)}, smdType(version)
	if values.Flag(intOrStringKey) {
		types = []string{"number", "string"}
	}
	if takes == "string" && !slices.Contains([]string{"", "byte"}, version.Text("format")) {
		takes = "" // but for lists and objects, which such a string does not fit, either
	}
	return takes == "" || !slices.ContainsFunc(types, func(typ string) bool { return typ != "" && typ != takes })
}

// smdType is the type of a schema as server-side apply tells types apart; "" for any.
func smdType(s *crd.Schema) string {
	switch {
	case s.Flag(intOrStringKey), !IsType(s.Type()): // what does not exist is told by schema-type-invalid
		return ""
	case s.Type() == "integer":
		return "number"
	}
	return s.Type()
}

// typeWord is the type of a schema in a message.
func typeWord(s *crd.Schema) string {
	if s.Flag(intOrStringKey) {
		return "an integer or string"
	}
	return words.Article(s.Type())
}
