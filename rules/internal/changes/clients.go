package changes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// clientRules are about what clients use besides the objects.
var clientRules = []*engine.Rule{
	judging("subresource-removed", "subresources that are gone", lint.Error, servedChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			name, ok := strings.CutPrefix(c.Field, "subresources.")
			if !ok || c.Kind != compare.Removed || name != "status" && name != "scale" && name != "scale.specReplicasPath" {
				return nil
			}
			name, _, _ = strings.Cut(name, ".")
			return newRemark(lint.Error, "the %s subresource was removed{in}; clients that use it get 404; restore it", name)
		}),
	judging("scale-path-changed", "scale subresources that are new or use other fields", lint.Warning, servedChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			name, ok := strings.CutPrefix(c.Field, "subresources.scale.")
			if ok && scales(newVersion(p, c.Version)) && !scales(oldVersion(p, c.Version)) {
				return judgeNewScale(p, c, name)
			}
			if !ok || c.Kind == compare.Added || c.Old == "" || !scales(oldVersion(p, c.Version)) || !scales(newVersion(p, c.Version)) {
				return nil
			}
			if c.Kind == compare.Removed {
				return newRemark(lint.Error, "%s of the scale subresource was removed{in}; %s", name, scaleEffects[name])
			}
			return newRemark(lint.Error, "%s of the scale subresource changed from %s to %s{in}; %s", name, words.ValueOf(c.Old), words.ValueOf(c.New), scaleEffects[name]).
				lastingScale(p, c, name)
		}),
	judging("status-subresource-added", "status subresources that are new", lint.Warning, servedChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "subresources.status" || c.Kind != compare.Added {
				return nil
			}
			return newRemark(lint.Error, "the status subresource was added{in}; a status written with the object is now dropped; write it to the subresource")
		}),
	judging("short-name-removed", "short names, categories and singular names that are gone", lint.Info, otherChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			switch {
			case stays(p, c.Field):
			case c.Kind == compare.Removed && c.Field == "spec.names.shortNames" && isName(p, c.Item):
			case c.Kind == compare.Removed && c.Field == "spec.names.shortNames":
				return newRemark(lint.Error, "the short name %s was removed; scripts that use it break; restore it", text.Quoted(c.Item))
			case c.Kind == compare.Removed && c.Field == "spec.names.categories":
				return newRemark(lint.Error, "the category %s was removed; scripts that use it break; restore it", text.Quoted(c.Item))
			case c.Field == "spec.names.singular" && !isName(p, fmt.Sprint(c.Old)):
				return newRemark(lint.Error, "the singular name changed from %s to %s; scripts that use the old one break; keep the old one as a short name", words.ValueOf(c.Old), words.ValueOf(c.New))
			}
			return nil
		}),
	judging("names-not-accepted", "new names that the API server never accepts, since the CRD has them already", lint.Warning, otherChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			singular, shortNames := notAccepted(comparison(p).Old.Spec.Names, comparison(p).New.Spec.Names)
			switch {
			case c.Field == "spec.names.shortNames" && slices.Contains(shortNames, c.Item):
				return newRemark(lint.Warning, "the short name %s was added, but the CRD has that name already; the API server accepts none of the new short names", text.Quoted(c.Item)).
					advise("remove it")
			case c.Field == "spec.names.singular" && singular:
				return newRemark(lint.Warning, "the singular name changed to %s, which is a short name of the CRD already; the API server does not accept it", words.ValueOf(c.New)).
					advise("remove the short name in a release before")
			}
			return nil
		}),
	judging("printer-column-removed", "printer columns that are gone", lint.Info, servedChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "additionalPrinterColumns" || c.Kind != compare.Removed {
				return nil
			}
			if c.Item == "Age" && len(newVersion(p, c.Version).AdditionalPrinterColumns) == 0 {
				return nil // it is what is shown where no columns are declared
			}
			return newRemark(lint.Error, "the printer column %s was removed{in}; scripts that parse kubectl's output may break; restore it if you have any", text.Quoted(c.Item))
		}),
	judging("selectable-field-removed", "fields that can no longer be selected by", lint.Warning, servedChanges,
		func(p *engine.Pass, c *compare.Change) *remark {
			if c.Field != "selectableFields" || c.Kind != compare.Removed {
				return nil
			}
			return newRemark(lint.Error, "the selectable field %s was removed{in}; clients that select by it get 400; restore it", text.Quoted(c.Item))
		}),
}

// scaleEffects are what it comes to that a path of the scale subresource is another one.
var scaleEffects = map[string]string{
	"specReplicasPath":   "kubectl scale and autoscalers set another field; restore it",
	"statusReplicasPath": "autoscalers read another field; restore it",
	"labelSelectorPath":  "autoscalers no longer find the pod selector; restore it",
}

func scales(v *v1.CustomResourceDefinitionVersion) bool {
	return v.Subresources != nil && v.Subresources.Scale != nil
}

// notAccepted is what the API server never accepts of a CRD's new names, where it accepted the old ones: whether the singular name, and
// which short names. A name that is accepted as one thing is in use, also for the CRD itself (calculateNamesAndConditions of
// NamingConditionController, which runs again as long as it accepts something).
func notAccepted(old, is v1.CustomResourceDefinitionNames) (singular bool, shortNames []string) {
	accepted := old
	for {
		inUse := append([]string{accepted.Plural, accepted.Singular}, accepted.ShortNames...)
		shortNames = slices.DeleteFunc(slices.Clone(is.ShortNames), func(name string) bool {
			return slices.Contains(accepted.ShortNames, name) || !slices.Contains(inUse, name)
		})
		before := accepted
		if singular = is.Singular != accepted.Singular && slices.Contains(inUse, is.Singular); !singular {
			accepted.Singular = is.Singular
		}
		if len(shortNames) == 0 {
			accepted.ShortNames = is.ShortNames
		}
		if accepted.Singular == before.Singular && slices.Equal(accepted.ShortNames, before.ShortNames) {
			return singular, shortNames
		}
	}
}

// isName reports whether kubectl still knows the resource by a name.
func isName(p *engine.Pass, name string) bool {
	n := comparison(p).New.Spec.Names
	return name == n.Plural || name == n.Singular || slices.Contains(n.ShortNames, name)
}

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

// lastingScale adds to a remark about another path that objects may have there what rejects every write of them.
func (r *remark) lastingScale(p *engine.Pass, c *compare.Change, name string) *remark {
	field, severity := scaled(p, c, name)
	if severity == lint.Off {
		return r
	}
	is := p.CRD.VersionNamed(c.Version)
	for at := range p.CRD.Schemas() {
		if at.FieldPath() == field && !at.InJunctor() && is != nil && is.Schema.Node != nil && crd.Within(at.Path, is.Schema.Path) {
			r.blame = blame{at.Place, "where this is not " + scalable[name] + ", every write of the object is rejected" + forever + "; " + findThem}
		}
	}
	return r
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
	switch risk := riskOf(s); {
	case name == "labelSelectorPath" && s.Type != "string":
		return field, lint.Warning
	case name == "labelSelectorPath", name == "statusReplicasPath" && risk == lint.Info: // only controllers write a status
		return field, lint.Off
	default:
		return field, risk
	}
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
