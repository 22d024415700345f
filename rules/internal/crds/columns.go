package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var Columns = []*engine.Rule{
	Following([]string{"v1beta1-field-in-v1"}, refusal("printer-column-required", "printer columns without a name, a type or a path",
		func(p *engine.Pass, r engine.Refusal) {
			column := columnAt(p.CRD, r)
			field := crd.LastField(r.Field)
			if field == "JSONPath" {
				field = p.CRD.ColumnPathField()
			}
			message := fmt.Sprintf("printer column %s has no %s", column.label, field)
			switch {
			case field == "name":
				message += "; write one, such as Size"
			case field == "type":
				message += "; write " + columnTypes
			case field == p.CRD.ColumnPathField():
				other, version := "JSONPath", "v1beta1"
				if field == other {
					other, version = "jsonPath", "v1"
				}
				if k, _ := crd.Lookup(column.at.Node, other); k != nil {
					at := column.at.KeyOf(other)
					p.Refusef(at, "%s; rename %s, as %s spells it", message, other, version).
						Fix = &engine.Fix{Title: fmt.Sprintf("write %s as %s", other, field), Safe: true, Apply: func(c *crd.CRD) bool {
						return respell(field)(c, at.Path)
					}}
					return
				}
				message += "; write where the value is, such as .spec.size"
			}
			p.Refuse(r.At, message)
		})),
	refusal("printer-column-type-invalid", "printer columns of an unknown type", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "printer column %s has the unknown type %s; write %s", columnAt(p.CRD, r).label, text.Quoted(r.BadValue), columnTypes).
			Fix = respelling(r, []string{r.At.Path}, "boolean", "date", "integer", "number", "string")
	}),
	refusal("printer-column-format-invalid", "printer columns of an unknown format", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "printer column %s has the unknown format %s; write byte, date, date-time, double, float, int32, int64 or password",
			columnAt(p.CRD, r).label, text.Quoted(r.BadValue)).
			Fix = respelling(r, []string{r.At.Path}, "byte", "date", "date-time", "double", "float", "int32", "int64", "password")
	}),
	refusal("printer-column-jsonpath-invalid", "paths of printer columns that do not begin with a dot",
		func(p *engine.Pass, r engine.Refusal) {
			f := p.Refusef(r.At, "path %s of printer column %s does not begin with a dot; write it like .spec.size", text.Quoted(crd.StringAt(r.At.Node)), columnAt(p.CRD, r).label)
			if meant := dotted(crd.StringAt(r.At.Node)); meant != "" {
				f.Fix = &engine.Fix{Title: "write " + meant, Safe: true, Apply: func(c *crd.CRD) bool { return setColumnPath(c, r.At.Path, meant) }}
			}
		}),
	Check(lint.Error, "printer-column-jsonpath-unparseable", "JSON paths of printer columns that do not parse", func(p *engine.Pass) {
		eachColumns(p.CRD, func(_ crd.APIVersion, columns []columnPath) {
			for i, c := range columns {
				if !strings.HasPrefix(c.path, ".") {
					continue // rejected
				}
				err := parsePath(c.path)
				if err == nil {
					continue
				}
				lost := text.Sprintf("this column")
				if rest := len(columns) - i - 1; rest > 0 {
					names := Mapped(columns[i+1:], func(c columnPath) string { return c.name })
					lost = text.Sprintf("this column and those after it (%s)", text.Names(names))
				}
				p.Reportf(c.pathAt, "path %s does not parse (\"%s\"); correct it to show %s", text.Quoted(c.path), text.Value(err), lost)
				return
			}
		})
	}),
	Check(lint.Warning, "printer-column-unresolved", "printer columns of fields that the schema does not declare", func(p *engine.Pass) {
		eachColumn(p.CRD, func(v crd.APIVersion, c columnPath) {
			if found := follow(p, v, c.steps); found.outcome == leadsNowhere {
				p.Reportf(c.pathAt, "column %s stays empty: the schema of version %s has no %s; correct jsonPath or declare the field", c.label, text.Quoted(v.Name), text.Path(found.stop))
			}
		})
	}),
	Check(lint.Warning, "printer-column-type-mismatch", "printer columns whose type does not fit the field", func(p *engine.Pass) {
		eachColumn(p.CRD, func(v crd.APIVersion, c columnPath) {
			found := follow(p, v, c.steps)
			if c.whole && found.outcome == leadsToField && found.typ != "" {
				if problem := cellProblem(c.typ, found); problem != "" {
					p.Reportf(c.at.At("type"), "column %s has type %s but %s is %s, so %s", c.label, c.typ, text.Path(c.path), describeDestination(found), problem)
				} else if c.typ == "date" && liesAhead(c.steps[len(c.steps)-1].member) {
					p.Reportf(c.at.At("type"), "column %s shows <invalid> while %s is in the future: type date shows the time since then; write type: string", c.label, text.Path(c.path))
				}
			}
		})
	}),
	{
		ID:       "printer-column-first-only",
		Summary:  "printer columns that show one of several values",
		Severity: lint.Info,
		Preset:   lint.All,
		Run: func(p *engine.Pass) {
			eachColumn(p.CRD, func(v crd.APIVersion, c columnPath) {
				if i := slices.IndexFunc(c.steps, func(s pathStep) bool { return s.several }); i >= 0 && !single(v, c.steps[:i]) {
					p.Reportf(c.pathAt, "column %s shows only the first of %s; show a status field that has all of them in one string", c.label, text.Path(c.path))
				}
			})
		},
	},
	{
		ID:       "printer-column-age-missing",
		FixesGo:  true,
		Summary:  "printer columns without the age",
		Severity: lint.Info,
		Preset:   lint.All,
		Run: func(p *engine.Pass) {
			eachColumns(p.CRD, func(v crd.APIVersion, columns []columnPath) {
				for _, c := range columns {
					if c.path == ".metadata.creationTimestamp" {
						return
					}
				}
				if otherSpelling(p.CRD, v, ".metadata.creationTimestamp") {
					return // v1beta1-field-in-v1 or v1-field-in-v1beta1 tells of it
				}
				f := p.Report(v.Columns, "no column shows the age, which kubectl adds only to CRDs without columns; add a column for .metadata.creationTimestamp")
				f.Remedy = []lint.Change{withAge(p.CRD, v.Columns)}
			})
		},
	},
	Check(lint.Warning, "printer-column-duplicate", "printer columns with the same name", func(p *engine.Pass) {
		eachColumns(p.CRD, func(_ crd.APIVersion, columns []columnPath) {
			seen := map[string]bool{}
			for _, c := range columns {
				name := strings.ToUpper(c.name)
				at := c.at.At("name")
				switch {
				case name == "":
				case name == "NAME" && wide(c.at) && !asked(p):
				case name == "NAME":
					p.Reportf(at, "kubectl already shows a column NAME; rename column %s", c.label)
				case seen[name]:
					p.Reportf(at, "there is a column %s already, and kubectl shows both as %s; rename one", c.label, text.Value(name))
				}
				seen[name] = true
			}
		})
	}),
}

const columnTypes = "boolean, date, integer, number or string"

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

// wide reports whether only kubectl get -o wide shows a column.
func wide(column crd.Place) bool {
	priority := crd.Get(column.Node, "priority")
	return priority != nil && priority.Value != "0"
}

type columnPath struct {
	printerColumn
	name, typ, path string
	pathAt          crd.Place
	steps           []pathStep // as far as they can be told without an object
	whole           bool       // steps are all of the path
}

func withAge(c *crd.CRD, columns crd.Place) lint.Change {
	parent, keyword := crd.Above(columns.Path)
	change := origin.ToSet(parent, keyword, columns.Node)
	all, _ := change.Value.([]any)
	change.Value = append(all, map[string]any{"name": "Age", "type": "date", c.ColumnPathField(): ".metadata.creationTimestamp"})
	return change
}

// eachColumns visits the printer columns of every version that has some, those that versions share once.
func eachColumns(c *crd.CRD, visit func(v crd.APIVersion, columns []columnPath)) {
	for _, v := range distinctVersions(c) {
		var columns []columnPath
		for i, at := range v.Columns.Items() {
			col := columnPath{printerColumn: columnFrom(at, fmt.Sprint(i)), name: crd.StringAt(at.Node, "name"), typ: crd.StringAt(at.Node, "type")}
			col.path, col.pathAt = crd.StringAt(at.Node, c.ColumnPathField()), at.At(c.ColumnPathField())
			columns = append(columns, col)
		}
		if len(columns) > 0 {
			visit(v, columns)
		}
	}
}

// eachColumn visits the printer columns whose path can be followed.
func eachColumn(c *crd.CRD, visit func(v crd.APIVersion, c columnPath)) {
	eachColumns(c, func(v crd.APIVersion, columns []columnPath) {
		for _, col := range columns {
			if !strings.HasPrefix(col.path, ".") {
				continue
			}
			if col.steps, col.whole = stepsOf(col.path); len(col.steps) > 0 {
				visit(v, col)
			}
		}
	})
}

// stepsOf reads the steps of a column's path, up to the first that depends on the object. Whole reports whether that is
// all of the path.
func stepsOf(path string) (steps []pathStep, whole bool) {
	parsed, err := jsonpath.Parse("column", "{"+path+"}")
	if err != nil || len(parsed.Root.Nodes) != 1 {
		return nil, false
	}
	list, ok := parsed.Root.Nodes[0].(*jsonpath.ListNode)
	if !ok {
		return nil, false
	}
	for i, n := range list.Nodes {
		switch n := n.(type) {
		case *jsonpath.FieldNode:
			if n.Value == "" && i == 0 && len(list.Nodes) == 1 {
				return nil, false // "." is the object itself
			}
			steps = append(steps, pathStep{member: n.Value})
		case *jsonpath.ArrayNode:
			steps = append(steps, pathStep{elements: true, several: !takesOne(n)})
		case *jsonpath.FilterNode:
			return append(steps, pathStep{elements: true}), false
		default:
			return steps, false
		}
	}
	return steps, true
}

// takesOne reports whether a path takes one item of a list: [0], [0:1], or the last as [-1:].
func takesOne(n *jsonpath.ArrayNode) bool {
	start, end := n.Params[0], n.Params[1]
	if !end.Known {
		return start.Value == -1
	}
	return end.Value-start.Value == 1
}

// cellProblem says what a column of a type shows for values that it does not print; "" when it prints them.
func cellProblem(column string, value destination) string {
	printed := map[string]string{"integer": "integer number", "number": "integer number", "boolean": "boolean", "date": "string"}[column]
	switch {
	case printed != "" && !slices.Contains(strings.Fields(printed), value.typ):
		return "the cell stays empty; " + columnRemedy(value)
	case column == "date" && value.format != "" && value.format != "date-time":
		return "the cell shows <invalid>; write type: string"
	}
	return ""
}

// columnRemedy is what to do about a column of a type that does not print a value.
func columnRemedy(value destination) string {
	if value.typ == "object" || value.typ == "array" {
		return "point jsonPath at a single value"
	}
	return "write type: " + value.typ
}

// liesAhead reports whether a field is named after a time to come. A date is shown by duration.HumanDuration of
// k8s.io/apimachinery, which shows what is more than a second ahead as <invalid>.
func liesAhead(field string) bool {
	return timeToCome().MatchString(strings.ToUpper(field[:min(1, len(field))])+field[min(1, len(field)):]) && !strings.HasPrefix(field, "last")
}

var timeToCome = text.Pattern(`(Deadline|Expires?|Expiry|Expiration|Until|NotAfter|Next|Renewal|Due)([A-Z]|$)`)

// single reports whether the list that a path leads to has one item at most.
func single(v crd.APIVersion, path []pathStep) bool {
	s := v.Root()
	for i := 0; i < len(path) && s != nil; i++ {
		s, _ = descend(s, path[i])
	}
	if s == nil {
		return false
	}
	most, bounded := numberAt(s, "maxItems")
	return bounded && most <= 1
}

func describeDestination(r destination) string {
	if r.typ == "string" && r.format != "" {
		return "a string of format " + r.format
	}
	return words.Article(r.typ)
}

// otherSpelling reports whether a column has a path under the name that the other API version has for it.
func otherSpelling(c *crd.CRD, v crd.APIVersion, path string) bool {
	field := map[string]string{"jsonPath": "JSONPath", "JSONPath": "jsonPath"}[c.ColumnPathField()]
	return slices.ContainsFunc(crd.Items(v.Columns.Node), func(n *yaml.Node) bool { return crd.StringAt(crd.Deref(n), field) == path })
}
