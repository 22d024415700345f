package request

import (
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

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
			cause := p.cause(List, err, "x-kubernetes-list-type")
			cause.Field, cause.Path = p.at.Index(i).String(), p.path.To(Index(i))
			r.refuse(cause)
		}
	})
}
