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
	var all []misfit
	for _, pair := range listedUnconverted(p) {
		other, storage := pair[0], pair[1]
		eachMisfit(storage.Root(), other.Root(), false, func(stored, there *crd.Schema) {
			all = append(all, misfit{stored, there, storage.Name, other.Name})
		})
	}
	for _, alike := range ordered.Grouped(all, func(m misfit) bool { return m.there == nil }) {
		engine.Together(Mapped(ordered.Grouped(alike, misfit.kind), func(same []misfit) *engine.Finding { return reportMisfit(p, same) }))
	}
}

// A misfit is a field of the storage version whose values do not fit another version.
type misfit struct {
	stored, there  *crd.Schema // there is nil where the other version does not have the field
	storage, other string      // the names of the versions
}

// kind is what the versions have in common that one finding is about.
func (m misfit) kind() [2]string {
	if m.there == nil {
		return [2]string{m.stored.Path}
	}
	return [2]string{m.stored.Path, typeWord(m.there)}
}

// reportMisfit reports a field that other versions lack, or in which it has one other type.
func reportMisfit(p *engine.Pass, same []misfit) (f *engine.Finding) {
	m, others := same[0], Mapped(same, func(m misfit) string { return m.other })
	field, storage, names := text.Path(m.stored.FieldPath()), text.Value(m.storage), text.Names(others)
	if m.there == nil {
		f = p.Reportf(m.stored.Place, "%s has a default in %s and is missing in %s: server-side apply at %s fails for objects written there; declare it or use a webhook",
			field, storage, names, storage)
	} else {
		f = p.Reportf(m.stored.At("type"), "%s is %s in %s and %s in %s: server-side apply fails on a value of the other type; use one type or a webhook",
			field, typeWord(m.stored), storage, typeWord(m.there), names)
		for _, m := range same {
			p.Also(f, m.there.At("type"), "as in "+m.other)
		}
	}
	f.Versions = append([]string{m.storage}, others...)
	f.PatchedBy = &NoWebhook
	return f
}

// eachMisfit visits the fields of the storage version that misfit another one: with a default where the other one does not have them,
// or with values of another type. Open is true inside of what keeps unknown fields in the other version, where server-side apply takes
// any undeclared field.
func eachMisfit(stored, there *crd.Schema, open bool, visit func(stored, there *crd.Schema)) {
	if stored == nil || there == nil {
		return
	}
	if !fits(stored, there) || !fits(there, stored) {
		visit(stored, there)
		return
	}
	open = open || there.KeepsUnknown()
	for _, e := range crd.Entries(stored.Get("properties")) {
		field := stored.Property(e.Name)
		if hasObjectMeta(stored) && objectFields[e.Name] != nil {
			continue
		}
		below, undeclared := descend(there, pathStep{member: e.Name})
		switch {
		case below != nil:
			eachMisfit(field, below, open, visit)
		case !open && !undeclared && len(crd.Entries(there.Get("properties"))) > 0 && field.Get("default") != nil:
			visit(field, nil)
		}
	}
	eachMisfit(stored.Items(), there.Items(), open, visit)
	eachMisfit(stored.AdditionalProperties(), there.AdditionalProperties(), open, visit)
}

// fits reports whether server-side apply takes, at one version, the values that another one allows. It takes any scalar for a string
// that has a format (convertPrimitive of k8s.io/kube-openapi/pkg/schemaconv), and anything for what has no type.
func fits(values, version *crd.Schema) bool {
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
