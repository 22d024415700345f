package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var columnRules = []*engine.Rule{
	following([]string{"v1beta1-field-in-v1"}, refusal("printer-column-required", "printer columns without a name, a type or a path",
		func(p *engine.Pass, r engine.Refusal) {
			column := columnAt(p.CRD, r)
			field := crd.LastField(r.Field)
			if field == "JSONPath" {
				field = p.CRD.ColumnPathField()
			}
			message := fmt.Sprintf("printer column %s has no %s", column.label, field)
			switch {
			case field == "type":
				message += "; it is one of " + columnTypes
			case field == p.CRD.ColumnPathField():
				other, version := "JSONPath", "v1beta1"
				if field == other {
					other, version = "jsonPath", "v1"
				}
				if k, _ := crd.Lookup(column.at.Node, other); k != nil {
					at := column.at.KeyOf(other)
					p.Refusef(at, "%s; %s is how %s spells it", message, other, version).
						Fix = &engine.Fix{Title: fmt.Sprintf("write %s as %s", other, field), Safe: true, Apply: func(c *crd.CRD) bool {
						return respell(field)(c, at.Path)
					}}
					return
				}
				message += "; write where the value is, such as .spec.size"
			}
			p.Refuse(r.At, message)
		})),
	refusal("printer-column-type-invalid", "printer columns of a type that there is not", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "printer column %s has type %s; it is one of %s", columnAt(p.CRD, r).label, text.Quoted(r.BadValue), columnTypes).
			Fix = respelling(r, []string{r.At.Path}, "boolean", "date", "integer", "number", "string")
	}),
	refusal("printer-column-format-invalid", "printer columns of a format that there is not", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "printer column %s has format %s; it is byte, date, date-time, double, float, int32, int64 or password",
			columnAt(p.CRD, r).label, text.Quoted(r.BadValue)).
			Fix = respelling(r, []string{r.At.Path}, "byte", "date", "date-time", "double", "float", "int32", "int64", "password")
	}),
	refusal("printer-column-jsonpath-invalid", "paths of printer columns that do not begin with a dot",
		func(p *engine.Pass, r engine.Refusal) {
			f := p.Refusef(r.At, "path %s of printer column %s does not begin with a dot", text.Quoted(crd.StringAt(r.At.Node)), columnAt(p.CRD, r).label)
			if meant := dotted(crd.StringAt(r.At.Node)); meant != "" {
				f.Fix = &engine.Fix{Title: "write " + meant, Safe: true, Apply: func(c *crd.CRD) bool { return setColumnPath(c, r.At.Path, meant) }}
			}
		}),
}

const columnTypes = "boolean, date, integer, number and string"

// A printerColumn is one column of a version that kubectl prints.
type printerColumn struct {
	at    crd.Place
	label text.Text // its name in quotes, or its index in brackets
}

// columnAt is the column that an error of the API server is about.
func columnAt(c *crd.CRD, r engine.Refusal) printerColumn {
	steps := crd.Steps(r.At.Path)
	if i := slices.Index(steps, "additionalPrinterColumns"); i >= 0 && i+1 < len(steps) {
		at, _ := c.Resolve(steps[:i+2])
		return columnFrom(at, steps[i+1])
	}
	return columnFrom(r.At, "")
}

// columnFrom is the column at a place, with its index in the list.
func columnFrom(at crd.Place, index string) printerColumn {
	if name := crd.StringAt(at.Node, "name"); name != "" {
		return printerColumn{at, text.Quoted(name)}
	}
	return printerColumn{at, text.Sprintf("[%s]", index)}
}

// dotted is the path that one without a dot in front was meant to be; "" when that is not plain.
func dotted(path string) string {
	inner := strings.TrimSpace(path)
	if strings.HasPrefix(inner, "{") && strings.HasSuffix(inner, "}") {
		inner = strings.TrimSpace(inner[1 : len(inner)-1])
	}
	inner = strings.TrimPrefix(inner, "$")
	if inner == "" || strings.ContainsAny(inner, "{}$ ") {
		return ""
	}
	if inner[0] != '.' {
		inner = "." + inner
	}
	if parsePath(inner) != nil || len(inner) < 2 || strings.HasPrefix(inner, ".[") {
		return ""
	}
	return inner
}

// parsePath parses a column's path as the API server does (tableconvertor.New).
func parsePath(path string) error {
	return jsonpath.New("column").Parse("{" + path + "}")
}

// setColumnPath writes another path at the place of a column's.
func setColumnPath(c *crd.CRD, at, path string) bool {
	place, complete := c.Resolve(crd.Steps(at))
	n := crd.Deref(place.Node)
	if !complete || n.Kind != yaml.ScalarNode || n.Value == path {
		return false
	}
	replacement := layout.String(path)
	n.Value, n.Tag, n.Style = replacement.Value, replacement.Tag, replacement.Style
	return true
}
