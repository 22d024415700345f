package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// besideSchema follows the name of a keyword.
const besideSchema = " is beside openAPIV3Schema, where it is not a field; indent it under openAPIV3Schema"

// misplacedTogether are the fields of one mapping that belong to one other, by the path of the first: the indentation of
// several lines is one mistake.
func misplacedTogether(unknown []crd.UnknownField) map[string][]crd.UnknownField {
	together := map[string][]crd.UnknownField{}
	for _, fields := range Grouped(unknown, func(u crd.UnknownField) [2]string { return [2]string{u.Beside(""), u.Home.Holder()} }) {
		fields = slices.DeleteFunc(fields, func(u crd.UnknownField) bool { return u.Home.Path == "" })
		if len(fields) > 0 {
			together[fields[0].Place.Path] = fields
		}
	}
	return together
}

// reportAstray reports fields that the API has, but in another mapping.
func reportAstray(p *engine.Pass, fields []crd.UnknownField) {
	var names, from, to []string
	for _, u := range fields {
		names = append(names, u.Name())
		from = append(from, u.Place.Path)
		to = append(to, u.Home.Path)
	}
	first, listed := fields[0], text.And(names)
	f := refuseStrictf(p, first, "%s", astray(p.CRD.Version, first, listed, len(names) > 1))
	if p.CRD.Version == crd.V1beta1 {
		f.AtMost(lint.Warning)
	}
	f.Fix = moving(fmt.Sprintf("move %s to %s", listed, homeName(first.Home)), from, to)
}

// astray says where fields belong.
func astray(v crd.Version, u crd.UnknownField, names string, several bool) string {
	areNot, field, they, belong := "is not a keyword", "field "+text.Quoted(names).String(), "it", "belongs"
	if several {
		areNot, field, they, belong = "are not keywords", "fields "+names, "they", "belong"
	}
	switch {
	case u.Home.Up == 3:
		return fmt.Sprintf("%s is listed under properties, whose keys are fields of the resource; move it to %s", names, homeName(u.Home))
	case u.LooksLikeProperty() && u.Home.Up == 0:
		return fmt.Sprintf("%s %s of a schema; if a field of the resource is meant, indent it under properties", names, areNot)
	case inWrapper(u) && crd.IsSchemaField(u.Name()):
		return names + besideSchema
	}
	how := levels(u.Home.Up)
	if strings.HasSuffix(u.Home.Path, "]") {
		how = ", as an entry"
	}
	return fmt.Sprintf("%s has no %s here; %s %s to %s%s", v, field, they, belong, homeName(u.Home), how)
}

// levels says how far away a home is.
func levels(up int) string {
	switch up {
	case 1:
		return ", one level up"
	case 2:
		return ", two levels up"
	case -1:
		return ", one level down"
	}
	return ""
}

// homeName names the mapping or list that fields belong to.
func homeName(h crd.Home) string {
	switch holder := h.Holder(); {
	case holder == "":
		return "the top level"
	case strings.HasSuffix(holder, ".properties"):
		return "properties"
	default:
		return holder
	}
}
