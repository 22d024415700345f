package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// enforcedDefaults are about defaults that the API server rejects.
var enforcedDefaults = []*engine.Rule{
	Check(lint.Error, "default-in-v1beta1", "defaults in v1beta1 manifests", func(p *engine.Pass) {
		if all := p.Refusals(); len(all) > 0 {
			first := slices.MinFunc(all, func(a, b engine.Refusal) int { return byPosition(a.At, b.At) })
			message := "v1beta1 cannot create a CRD with defaults; convert it to apiextensions.k8s.io/v1"
			if n := len(all); n > 1 {
				message = fmt.Sprintf("v1beta1 cannot create a CRD with defaults, and this has %d; convert it to apiextensions.k8s.io/v1", n)
			}
			p.Refuse(first.At, message)
		}
		unconvertible(p, nil)
	}),
	refusal("default-requires-pruning", "defaults in CRDs that keep unknown fields", func(p *engine.Pass, r engine.Refusal) {
		f := p.Refuse(r.At, "the schema has defaults, which need pruning; remove preserveUnknownFields: true")
		f.Fix = removeAt("remove preserveUnknownFields, so unknown fields are pruned", false, "spec.preserveUnknownFields")
		f.Fix.Reveals = true
	}),
	aboutDefault("default-invalid", "defaults that their own schema rejects", invalidDefault),
	aboutDefault("default-unknown-fields", "defaults with fields that the schema does not have", unknownInDefault),
	aboutDefault("default-in-metadata", "defaults of metadata, apiVersion and kind that cannot be", defaultInMetadata),
	aboutDefault("default-violates-cel", "defaults that an x-kubernetes-validations rule rejects", defaultBreaksRule),
}

func invalidDefault(p *engine.Pass, d givenDefault) {
	d.Errors = slices.DeleteFunc(d.placed(p), func(r engine.Refusal) bool { return d.followsFromType(p, r) || d.repeatsType(r) })
	if len(d.Errors) == 0 {
		return
	}
	// of an alternative that does not fit, what is wrong in it says more
	i := max(slices.IndexFunc(d.Errors, func(r engine.Refusal) bool { return !strings.Contains(r.Detail, "valid") }), 0)
	r := d.Errors[i]
	_, inner := CutDefault(r.Field)
	at := r.At
	if r.Type == field.ErrorTypeRequired {
		steps := crd.Steps(inner)
		parent, name := strings.TrimRight(strings.TrimSuffix(inner, steps[len(steps)-1]), ".["), steps[len(steps)-1]
		p.Refusef(at, "%s%s lacks %s, which is required, and nested defaults are not filled in first%s; add it",
			d.of(), words.AtInner(parent), text.Path(name), words.AndMore(len(d.Errors)-1))
		return
	}
	f := p.Refusef(at, "%s%s %s%s; correct it", d.of(), words.AtInner(inner), valueFault(r.Error), words.AndMore(len(d.Errors)-1))
	f.Fix = ofRightType(r, at)
}

// ofRightType is an unsafe fix of a default that means a value of the right type: "7" for an integer, or 7 for a string.
func ofRightType(r engine.Refusal, at crd.Place) *engine.Fix {
	m, n := typeFault().FindStringSubmatch(r.Detail), crd.Deref(at.Node)
	if r.Type != field.ErrorTypeTypeInvalid || m == nil || n == nil || n.Kind != yaml.ScalarNode || crd.IsNull(n) {
		return nil
	}
	plain, title := *n, "quote "+n.Value
	if quoteScalar(&plain); m[1] != "string" {
		plain.Style, plain.Tag, title = 0, "", "write "+n.Value+" without quotes"
	}
	if typ := repair.TypeOfValue(&plain); typ != m[1] && (typ != "integer" || m[1] != "number") {
		return nil
	}
	return &engine.Fix{Title: title, Apply: func(c *crd.CRD) bool {
		own, complete := c.Resolve(crd.Steps(at.Path))
		n := crd.Deref(own.Node)
		if !complete || n.Value != plain.Value || n.Style == plain.Style {
			return false
		}
		n.Style, n.Tag = plain.Style, plain.Tag
		return true
	}}
}

func unknownInDefault(p *engine.Pass, d givenDefault) {
	unknown := unknownPaths(d)
	at := d.At
	what := text.Sprintf("has fields that the schema does not declare")
	if len(unknown) > 0 {
		inside := append(crd.Steps(d.At.Path), crd.Steps(unknown[0])...)
		if parent, complete := p.CRD.Resolve(inside[:len(inside)-1]); complete {
			at = parent.KeyOf(inside[len(inside)-1])
		}
		what = text.Sprintf("has %s, which the schema does not declare", text.Names(unknown))
	}
	f := p.Refusef(at, "%s %s; correct the name, or declare the field", d.of(), what)
	f.Fix = &engine.Fix{Title: "remove fields from the default that the schema does not have", Apply: func(c *crd.CRD) bool {
		return each(unknown, func(inner string) bool {
			m, key := entryAt(c, d.At.Path+"."+inner)
			return len(layout.Remove(m, key)) > 0
		})
	}}
}

// unknownPaths are the paths, inside of a default, of what pruning takes out.
func unknownPaths(d givenDefault) []string {
	if d.Schema == nil {
		return nil
	}
	props, err := crd.DecodeSchema(d.Schema.Node)
	if err != nil || props.Default == nil {
		return nil
	}
	s, err := schema.NewStructural(props)
	if err != nil {
		return nil
	}
	return pruning.PruneWithOptions(runtime.DeepCopyJSONValue(s.Default.Object), s, s.XEmbeddedResource,
		schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

func defaultInMetadata(p *engine.Pass, d givenDefault) {
	r := d.Errors[0]
	_, inner := CutDefault(r.Field)
	switch r.Row {
	case apiserver.DefaultOfMetadata:
		p.Refuse(d.At, "metadata, apiVersion and kind of the custom resource cannot have defaults; remove this default")
	case apiserver.DefaultOfMetadataValues:
		p.Refuse(d.At, "additionalProperties of metadata cannot have defaults; remove this default")
	case apiserver.DefaultMetadataInvalid:
		detail := strings.TrimPrefix(r.Detail, "must result in valid metadata: ")
		p.Refusef(d.At, "%s is not valid metadata (%s); correct it", d.of(), MetadataFault(detail))
	case apiserver.DefaultNotValidated:
		p.Refuse(r.At, "a default inside metadata cannot be checked; remove it")
	default:
		fault := MetadataFault(r.Detail)
		if fault.String() == "" || r.Type == field.ErrorTypeRequired {
			fault = text.Sprintf("it must not be empty")
		}
		p.Refusef(r.At, "%s is not a valid embedded resource, %s: %s%s; correct it", d.of(), text.Path(inner), fault, words.AndMore(len(d.Errors)-1))
	}
}

// celFailure recognises a rule that did not come to a result, by the texts of validateExpressions of upstream.
var celFailure = text.Pattern(`^rule compile|call arguments did not match|\w evaluating rule: |cost budget, no further|call cost exceeds limit|^runtime cost could not`)

func defaultBreaksRule(p *engine.Pass, d givenDefault) {
	r := d.Errors[0]
	_, inner := CutDefault(r.Field)
	where := text.Sprintf("%s%s", d.of(), words.AtInner(inner))
	if celFailure().MatchString(r.Detail) {
		detail := strings.Replace(r.Detail, ": call arguments did not match a supported operator, function or macro signature for rule: ", " in ", 1)
		p.Refusef(r.At, "a validation rule fails to run on %s: \"%s\"%s; change the default or the rule", where, text.Foreign(detail), words.AndMore(len(d.Errors)-1))
		return
	}
	rule, isRule := strings.CutPrefix(r.Detail, "failed rule: ")
	if isRule {
		p.Refusef(r.At, "%s breaks the rule \"%s\"%s; change the default or the rule", where, text.Foreign(rule), words.AndMore(len(d.Errors)-1))
		return
	}
	p.Refusef(r.At, "%s breaks a validation rule: \"%s\"%s; change the default or the rule", where, text.Foreign(r.Detail), words.AndMore(len(d.Errors)-1))
}

// A givenDefault is one default with the API server's errors about it.
type givenDefault struct {
	At     crd.Place   // its value
	Schema *crd.Schema // the schema that it belongs to
	Errors []engine.Refusal
}

// of names the default in a message: "the default of spec.replicas".
func (d givenDefault) of() text.Text {
	if d.Schema == nil || d.Schema.FieldPath() == "" {
		return text.Sprintf("the default")
	}
	return text.Sprintf("the default of %s", text.Path(d.Schema.FieldPath()))
}

// placed are the errors about a default, with those that name the way inside of it in their text only moved there.
func (d givenDefault) placed(p *engine.Pass) []engine.Refusal {
	all := slices.Clone(d.Errors)
	for i, r := range all {
		m := checkedValue().FindStringSubmatch(r.Detail)
		if m == nil || m[1] == "" {
			continue
		}
		err := *r.Error
		err.Field += "." + m[1]
		all[i].Error = &err
		if at, complete := p.CRD.Resolve(append(crd.Steps(d.At.Path), crd.Steps(m[1])...)); complete {
			all[i].At = at
		}
	}
	return all
}

// repeatsType reports whether an error says of a number that its type cannot hold it, where another one says that it is
// not of the type: 1.5 is no integer, and out of the range of integers.
func (d givenDefault) repeatsType(r engine.Refusal) bool {
	return checkedValue().MatchString(r.Detail) && slices.ContainsFunc(d.Errors, func(other engine.Refusal) bool {
		_, inner := CutDefault(r.Field)
		_, its := CutDefault(other.Field)
		return other.Type == field.ErrorTypeTypeInvalid && its == inner
	})
}

// followsFromType reports whether an error says that a value is not of a type that does not exist, or not of the format
// beside one: without a type that it goes with, a format rejects every value.
func (d givenDefault) followsFromType(p *engine.Pass, r engine.Refusal) bool {
	m := typeFault().FindStringSubmatch(r.Detail)
	if r.Type != field.ErrorTypeTypeInvalid || m == nil || d.Schema == nil {
		return false
	}
	for s := range d.Schema.All() {
		if ofNoType(p, s) && (s.Type() == m[1] || s.Text("format") == m[1]) {
			return true
		}
	}
	return false
}

// aboutDefault is rejection for errors about the values of defaults: those about one default are told together.
func aboutDefault(id, summary string, explain func(*engine.Pass, givenDefault)) *engine.Rule {
	return Check(lint.Error, id, summary, func(p *engine.Pass) {
		for _, errors := range ordered.Grouped(p.Refusals(), defaultPath) {
			explain(p, defaultOf(p, errors...))
		}
		unconvertible(p, func(p *engine.Pass, r engine.Refusal) {
			if d := defaultOf(p, r); d.Schema != nil {
				explain(p, d)
			}
		})
	})
}

// defaultPath is the API server's path of the default that an error is about.
func defaultPath(r engine.Refusal) string {
	path, _ := CutDefault(r.Field)
	return path
}

// defaultOf is the default that errors are about; without a schema when there is none.
func defaultOf(p *engine.Pass, errors ...engine.Refusal) givenDefault {
	path := defaultPath(errors[0])
	s, _ := p.CRD.LocateSchema(path)
	return givenDefault{p.CRD.Locate(path), s, errors}
}

// CutDefault divides the path of an error into that of the default it is about, and the way inside of the default.
func CutDefault(path string) (outer, inner string) {
	const keyword = ".default"
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '.':
			end := i + len(keyword)
			if depth == 0 && strings.HasPrefix(path[i:], keyword) && (end == len(path) || path[end] == '.' || path[end] == '[') {
				return path[:end], strings.TrimPrefix(path[end:], ".")
			}
		}
	}
	return path, ""
}

// checkedValue is what upstream says of a number that its type or format cannot hold.
var checkedValue = text.Pattern(`^Checked value must be of type \w+ (?:with format \w+|\(default format\)) in (.*)$`)
