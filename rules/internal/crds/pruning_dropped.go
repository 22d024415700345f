package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// droppedRules are about objects whose undeclared fields are dropped where hardly anybody is told: server-side apply takes any
// field of an object that declares none, and any below one that keeps unknown fields (parseObject of
// k8s.io/kube-openapi/pkg/schemaconv), and the API server prunes them afterwards, whatever fieldValidation asks for.
var droppedRules = []*engine.Rule{
	Check(lint.Warning, "schema-properties-missing", "objects that declare no fields, so that everything written to them is dropped", bareObjects),
	{
		ID: "schema-preserve-unknown-partly", Was: []string{"schema-preserve-unknown-root"},
		Summary: "objects that keep unknown fields, but not those of objects that they declare", Severity: lint.Info, Preset: lint.All, Run: partlyOpen,
	},
}

// bareObjects reports objects that declare nothing. Most are Go structs without fields, such as the members of a union, of which the
// empty object is all there is to write: only who asks is told of one unless it was meant to hold more.
func bareObjects(p *engine.Pass) {
	if !prunes(p) {
		return
	}
	all := asked(p)
	for _, metadata := range []bool{true, false} { // which are mended in different ways
		together(p, func(s *crd.Schema) *engine.Finding {
			switch {
			case (s.Name == "metadata") != metadata || !isBare(s):
				return nil
			case holdsMore(s):
				return reportBare(p, s)
			case all:
				return reportBare(p, s).AtMost(lint.Info)
			}
			return nil
		})
	}
}

// isBare reports whether a schema is of an object all of whose fields are pruned. The root is none: it has metadata, besides which
// server-side apply rejects what it does not declare.
func isBare(s *crd.Schema) bool {
	if s.Parent == nil || s.Type() != "object" || s.InJunctor() || marked(s) || s.Flag(EmbeddedKey) { // the server rejects embedded resources without fields
		return false
	}
	most, bounded := numberAt(s, "maxProperties")
	return s.Get("additionalProperties") == nil && len(crd.Entries(s.Get("properties"))) == 0 && !isObjectMeta(s) && (!bounded || most > 0)
}

// marked reports whether the unknown fields of an object are kept. The mark of a list is one of its items, too (skipPrune).
func marked(s *crd.Schema) bool {
	return s.KeepsUnknown() || s.Via == "items" && marked(s.Parent)
}

// isObjectMeta reports whether a schema is of the metadata that the API server reads itself, and never prunes.
func isObjectMeta(s *crd.Schema) bool {
	return s.Via == "properties" && s.Name == "metadata" && hasObjectMeta(s.Parent)
}

// holdsMore reports whether an object that declares nothing was meant to hold something that users write, which they do not write in
// the status: metadata of a template, an item or the value of a map, and what stands in an object that keeps everything else. Hardly
// anybody labels the claim of an ephemeral volume, and the author of a CRD that has pods did not write the type Volume.
func holdsMore(s *crd.Schema) bool {
	if crd.Within(s.FieldPath(), "status") || strings.HasSuffix(s.FieldPath(), ".ephemeral.volumeClaimTemplate.metadata") {
		return false
	}
	return s.Via != "properties" || s.Name == "metadata" || s.Parent.Within((*crd.Schema).KeepsUnknown)
}

func reportBare(p *engine.Pass, s *crd.Schema) *engine.Finding {
	if s.Name != "metadata" {
		return keeping(p.Reportf(s.Place, "%s declares no fields: server-side apply silently drops all in it; declare them or use %s", words.FieldName(s), PreserveKey))
	}
	const format = "%s declares no fields: server-side apply silently drops labels and annotations; %s"
	if g, _ := p.CRD.Generator(p.Document().Header()); g.FromGo() {
		f := p.Reportf(s.Place, format, words.FieldName(s), "run controller-gen crd:generateEmbeddedObjectMeta=true")
		f.Remedy = []lint.Change{} // no marker does it
		return f
	}
	return keeping(p.Reportf(s.Place, format, words.FieldName(s), "declare them"))
}

// keeping adds the fix that keeps all fields of the object that a finding is about.
func keeping(f *engine.Finding) *engine.Finding {
	f.Fix = editing("write "+PreserveKey+": true", false, []string{f.At.Path}, func(s *crd.Schema) bool {
		layout.Set(s.Node, PreserveKey, layout.Bool(true))
		return true
	})
	return f
}

// partlyOpen reports objects that keep unknown fields, but declare objects that do not. Those that declare nothing are told of by
// schema-properties-missing.
func partlyOpen(p *engine.Pass) {
	if !prunes(p) {
		return
	}
	eachSchema(p, func(s *crd.Schema) {
		if !s.KeepsUnknown() {
			return
		}
		var closed []string
		for _, e := range crd.Entries(s.Get("properties")) {
			if field := s.Property(e.Name); !isObjectMeta(field) && closes(objectIn(field)) {
				closed = append(closed, e.Name)
			}
		}
		if len(closed) > 0 {
			p.Reportf(s.KeyOf(PreserveKey), "%s keeps unknown fields, but server-side apply drops those of %s; set x-kubernetes-preserve-unknown-fields there",
				words.FieldName(s), text.Names(closed))
		}
	})
}

// closes reports whether an object declares fields, and others are pruned.
func closes(s *crd.Schema) bool {
	return s != nil && len(crd.Entries(s.Get("properties"))) > 0 && !marked(s)
}

// objectIn is the object that a schema describes, or that the items of its lists or the values of its maps are; nil where there is none.
func objectIn(s *crd.Schema) *crd.Schema {
	for s != nil {
		switch values := s.AdditionalProperties(); {
		case s.Type() == "array":
			s = s.Items()
		case s.Type() == "object" && values != nil:
			s = values
		case s.Type() == "object":
			return s
		default:
			return nil
		}
	}
	return nil
}
