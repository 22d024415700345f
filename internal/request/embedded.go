package request

import (
	"context"
	"fmt"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// embeddedAlone is what upstream looks at of an embedded resource without what is in it.
var embeddedAlone = &structuralschema.Structural{Extensions: structuralschema.Extensions{XEmbeddedResource: true}}

// eachEmbedded visits the embedded resources of an object.
func (r *reading) eachEmbedded(visit func(place, Object)) {
	place{schema: r.version.structural, schemaPath: []string{}, value: r.object}.each(func(p place) {
		if resource, ok := p.value.(map[string]any); ok && p.schema.XEmbeddedResource {
			visit(p, resource)
		}
	})
}

// validateEmbedded checks apiVersion, kind and metadata of embedded resources.
func (r *reading) validateEmbedded() {
	if len(objectmeta.Validate(context.Background(), nil, r.object, r.version.trimmed.embedded, false)) == 0 {
		return
	}
	r.eachEmbedded(func(p place, resource Object) {
		var ofMeta field.ErrorList
		for _, err := range objectmeta.Validate(context.Background(), p.at, resource, embeddedAlone, false) {
			key, _, _ := strings.Cut(strings.TrimPrefix(err.Field, prefix(p.at)), ".")
			if key == "metadata" {
				ofMeta = append(ofMeta, err)
				continue
			}
			cause := p.cause(Embedded, err, embeddedKeyword)
			cause.Path = p.path.To(Key(key))
			r.refuse(cause)
		}
		if len(ofMeta) > 0 {
			for _, cause := range metadataCauses(Embedded, ofMeta, prefix(p.at)+"metadata", p.path.To(Key("metadata")), resource["metadata"]) {
				cause.SchemaPath, cause.Keyword = p.schemaPath, embeddedKeyword
				r.refuse(cause)
			}
		}
	})
}

const embeddedKeyword = "x-kubernetes-embedded-resource"

// prefix is what upstream's paths of members begin with.
func prefix(at *field.Path) string {
	if at == nil {
		return ""
	}
	return at.String() + "."
}

// cause is that of an error about the place itself.
func (p place) cause(stage Stage, err *field.Error, keyword string) Cause {
	return Cause{
		Stage: stage, Type: err.Type, Field: err.Field, Path: p.path, Missing: err.Type == field.ErrorTypeRequired,
		SchemaPath: p.schemaPath, Keyword: keyword, Rule: -1, Actual: -1, upstream: err,
	}
}

// refuseMistyped finds the embedded resources that decoding rejects. Upstream names the first in the order of its maps.
func (r *reading) refuseMistyped() {
	r.eachEmbedded(func(p place, resource Object) {
		for _, key := range []string{"apiVersion", "kind"} {
			if value, found := resource[key]; found {
				if _, ok := value.(string); !ok {
					r.refuseDecoding(p.path.To(Key(key)), value, p.schemaPath, field.Invalid(p.at.Child(key), value, "must be string"))
				}
			}
		}
		if _, found := resource["metadata"]; found {
			r.refuseMetadata(p.path.To(Key("metadata")), resource["metadata"], p.schemaPath)
		}
	})
}

// listErrors are upstream's about x-kubernetes-list-type, of a whole object.
func (v *Version) listErrors(o Object) field.ErrorList {
	return listtype.ValidateListSetsAndMaps(nil, v.trimmed.lists, o)
}

// validateLists checks the items of sets and maps.
func (r *reading) validateLists() {
	if len(r.version.listErrors(r.object)) == 0 {
		return
	}
	place{schema: r.version.structural, schemaPath: []string{}, value: r.object}.each(func(p place) {
		list, ok := p.value.([]any)
		if !ok || p.schema.XListType == nil {
			return
		}
		// the list alone, as the one member of an object
		const name = "list"
		alone := *p.schema
		alone.Items = nil
		s := &structuralschema.Structural{Properties: map[string]structuralschema.Structural{name: alone}}
		for _, err := range listtype.ValidateListSetsAndMaps(nil, s, Object{name: list}) {
			i := 0
			if _, scanned := fmt.Sscanf(err.Field, name+"[%d]", &i); scanned != nil {
				panic("upstream names no item of a list")
			}
			err.Field = p.at.Index(i).String()
			cause := p.cause(List, err, "x-kubernetes-list-type")
			cause.Path = p.path.To(Index(i))
			r.refuse(cause)
		}
	})
}
