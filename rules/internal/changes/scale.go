package changes

import (
	"fmt"
	"math"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// The server checks with every write that the replicas which the scale subresource names are an integer from 0 to
// 2147483647, and that the selector is a text, whether or not they change.

// scalable are the values that the server accepts where the paths of the scale subresource lead to.
var scalable = map[string]string{"specReplicasPath": "0 to 2147483647", "statusReplicasPath": "0 to 2147483647", "labelSelectorPath": "a text"}

// judgeNewScale looks at a path of a scale subresource where there was none.
func judgeNewScale(p *engine.Pass, c *compare.Change, name string) *remark {
	field, severity := scaled(p, c, name)
	if severity == lint.Off {
		return nil
	}
	return newRemark(severity, "scale subresource added{in}; objects whose %s is not %s are rejected"+forever, text.Path(field), scalable[name]).
		advise(findThem)
}

// lastingScale adds to a remark about another path that objects may have there what refuses every write of them.
func (r *remark) lastingScale(p *engine.Pass, c *compare.Change, name string) *remark {
	field, severity := scaled(p, c, name)
	if severity == lint.Off {
		return r
	}
	for at := range p.CRD.Schemas() {
		if at.FieldPath() == field && !at.InJunctor() && ofVersion(p, at, c.Version) {
			r.blame = blame{at.Place, "where this is not " + scalable[name] + ", every write of the object is rejected" + forever + "; " + findThem}
		}
	}
	return r
}

// ofVersion reports whether a schema is one of a version.
func ofVersion(p *engine.Pass, s *crd.Schema, version string) bool {
	for _, v := range p.CRD.Versions() {
		if v.Name == version {
			return v.Schema.Node != nil && crd.Within(s.Path, v.Schema.Path)
		}
	}
	return false
}

// scaled is the field that a path of the scale subresource leads to, and how much there is to say of what objects may have
// in it: a negative number hardly occurs.
func scaled(p *engine.Pass, c *compare.Change, name string) (field string, severity lint.Severity) {
	old := oldVersion(p, c.Version)
	field = strings.TrimPrefix(fmt.Sprint(c.New), ".")
	if field == "" || old.Schema == nil || old.Schema.OpenAPIV3Schema == nil || p.CRD.Version != crd.V1 {
		return field, lint.Off
	}
	s := old.Schema.OpenAPIV3Schema
	for _, step := range strings.Split(field, ".") {
		below, declared := s.Properties[step]
		switch {
		case declared:
			s = &below
		case keeps(s) || comparison(p).Old.Spec.PreserveUnknownFields:
			return field, lint.Warning
		default:
			return field, lint.Off // nothing was stored there
		}
	}
	risk := riskOf(s)
	if name == "labelSelectorPath" && s.Type == "string" || name == "statusReplicasPath" && risk == lint.Info { // only controllers write a status
		return field, lint.Off
	}
	return field, risk
}

// riskOf is how much there is to say of replicas with a schema.
func riskOf(s *v1.JSONSchemaProps) lint.Severity {
	small := s.Format == "int32" || s.Maximum != nil && *s.Maximum <= math.MaxInt32
	switch {
	case s.Type != "integer":
		return lint.Warning
	case s.Minimum == nil || *s.Minimum < 0 || !small:
		return lint.Info
	}
	return lint.Off
}

func keeps(s *v1.JSONSchemaProps) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}
