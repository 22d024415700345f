package rules

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A remark is what a rule has to say about a change.
type remark struct {
	change   *compare.Change
	severity lint.Severity // at most
	format   string        // as wording.Sprintf has it; "{in}" is where the versions go
	args     []any

	field             string // of custom resources; "" for what no schema describes
	old, new, witness any    // nil where there is nothing to show
}

// say makes a remark of a severity.
func say(severity lint.Severity, format string, args ...any) *remark {
	return &remark{severity: severity, format: format, args: args}
}

// about completes a remark by what the change itself says.
func (r *remark) about(c *compare.Change) *remark {
	r.change = c
	if c.Node != nil && r.field == "" {
		member := ""
		if c.Field == "properties" || c.Field == "required" {
			member = c.Item
		}
		r.field = memberPath(c.Node.Path, member)
	}
	if r.old == nil && r.new == nil {
		r.old, r.new = shown(c.Old), shown(c.New)
	}
	return r
}

// shown is a value of a change for programs; schemas are too long to repeat.
func shown(v any) any {
	if _, ok := v.(*v1.JSONSchemaProps); ok {
		return nil
	}
	return v
}

// text is the remark, given where the versions go.
func (r *remark) text(in string) wording.Text {
	in = strings.ReplaceAll(in, "%", "%%")
	return wording.Sprintf(strings.Replace(r.format, "{in}", in, 1), r.args...)
}

// limit is how severe a remark may be under the configuration's compatibility.
func (r *remark) limit(p *lint.Pass) lint.Severity {
	below := r.field == "status" || strings.HasPrefix(r.field, "status.")
	return min(r.severity, limitOf(p, r.change.Version, below))
}

// limitOf is how severe findings about a version may be; about the CRD as a whole, without a version, as severe as those
// about one of the versions that clients used.
func limitOf(p *lint.Pass, version string, below bool) lint.Severity {
	c := &p.Config.Compatibility
	if version != "" {
		return c.Limit(version, below)
	}
	most := lint.Off
	for _, v := range comparison(p).Old.Spec.Versions {
		if v.Served || v.Storage {
			most = max(most, c.Limit(v.Name, below))
		}
	}
	return most
}

// fewRemarks are so many that each is worth an entry of its own where the same happened to many fields: such changes come
// along when a type that is used in many places does. Errors always are.
const fewRemarks = 3

// remarks reports what a rule says about changes. The same about several versions is one finding, at the first of them.
func remarks(p *lint.Pass, all []*remark) {
	type group struct {
		*remark
		severity lint.Severity
		versions []string
	}
	var groups []*group
	byText := map[string]*group{}
	for _, r := range all {
		severity := r.limit(p)
		if severity == lint.Off {
			continue
		}
		key := fmt.Sprint(severity, r.text(""))
		g := byText[key]
		if g == nil {
			g = &group{remark: r, severity: severity}
			byText[key] = g
			groups = append(groups, g)
		}
		if v := r.change.Version; v != "" && (len(g.versions) == 0 || g.versions[len(g.versions)-1] != v) {
			g.versions = append(g.versions, v)
		}
	}
	alike := map[string][]*lint.Finding{}
	var order []string
	for _, g := range groups {
		in := ""
		if len(g.versions) > 0 {
			in = " in " + strings.Join(g.versions, ", ")
		}
		f := p.Reportf(g.change.Is(), "%s", g.text(in)).AtMost(g.severity)
		f.Field, f.Versions, f.Old, f.New, f.Witness = g.field, g.versions, g.old, g.new, g.witness
		p.Was(f, g.change.Was(), "was here")
		if words := strings.Replace(f.Message, g.field, "", 1); f.Severity < lint.Error {
			if alike[words] == nil {
				order = append(order, words)
			}
			alike[words] = append(alike[words], f)
		}
	}
	for _, words := range order {
		if list := alike[words]; len(list) > fewRemarks {
			lint.Together(list)
		}
	}
}

// memberPath is the path of a field, or of a member of it.
func memberPath(path, member string) string {
	if member == "" {
		return path
	}
	if path != "" {
		path += "."
	}
	return path + member
}

// fieldOf names the field that a change is about, with a member of it where one is given.
func fieldOf(c *compare.Change, member string) wording.Text {
	if path := memberPath(c.Node.Path, member); path != "" {
		return short(path)
	}
	return wording.Sprintf("the resource")
}

// valueOf is a value in a message, as the manifest has it.
func valueOf(v any) wording.Text {
	switch v := v.(type) {
	case nil:
		return wording.Sprintf("none")
	case string:
		return quoted(v)
	}
	return wording.Value(jsonOf(v))
}

// jsonOf is a value as JSON, with numbers as a person writes them.
func jsonOf(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
