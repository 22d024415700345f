package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func invalidDefault(p *engine.Pass, d givenDefault) {
	d.Errors = slices.DeleteFunc(d.placed(p), func(r engine.Refusal) bool { return d.followsFromType(p, r) || d.repeatsType(r) })
	if len(d.Errors) == 0 {
		return
	}
	// of an alternative that does not fit, what is wrong in it says more
	i := max(slices.IndexFunc(d.Errors, func(r engine.Refusal) bool { return !strings.Contains(r.Detail, "valid") }), 0)
	r := d.Errors[i]
	_, inner := cutDefault(r.Field)
	at := r.At
	if r.Type == field.ErrorTypeRequired {
		steps := crd.Steps(inner)
		parent, name := strings.TrimRight(strings.TrimSuffix(inner, steps[len(steps)-1]), ".["), steps[len(steps)-1]
		p.Refusef(at, "%s%s lacks %s, which is required; defaults of fields below it are not filled in first%s",
			d.of(), atInner(parent), text.Path(name), andMore(len(d.Errors)-1))
		return
	}
	p.Refusef(at, "%s%s %s%s", d.of(), atInner(inner), valueFault(r.Error), andMore(len(d.Errors)-1))
}

func unknownInDefault(p *engine.Pass, d givenDefault) {
	unknown := unknownPaths(d)
	at := d.At
	what := text.Sprintf("has fields that the schema does not")
	if len(unknown) > 0 {
		inside := append(crd.Steps(d.At.Path), crd.Steps(unknown[0])...)
		if parent, complete := p.CRD.Resolve(inside[:len(inside)-1]); complete {
			at = parent.KeyOf(inside[len(inside)-1])
		}
		what = text.Sprintf("has %s, which the schema does not", text.Names(unknown))
	}
	f := p.Refusef(at, "%s %s; the API server would prune it", d.of(), what)
	f.Fix = &engine.Fix{Title: "remove what the schema does not have from the default", Apply: func(c *crd.CRD) bool {
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
	_, inner := cutDefault(r.Field)
	switch r.Row {
	case apiserver.DefaultOfMetadata:
		p.Refuse(d.At, "metadata, apiVersion and kind of the custom resource take no defaults; remove this one")
	case apiserver.DefaultOfMetadataValues:
		p.Refuse(d.At, "a default inside additionalProperties of metadata is not possible; remove it")
	case apiserver.DefaultMetadataInvalid:
		detail := strings.TrimPrefix(r.Detail, "must result in valid metadata: ")
		p.Refusef(d.At, "%s does not make valid metadata of an embedded resource: %s", d.of(), metadataFault(detail))
	case apiserver.DefaultNotValidated:
		p.Refuse(r.At, "a default inside metadata cannot be checked; remove it")
	default:
		fault := metadataFault(r.Detail)
		if fault.String() == "" || r.Type == field.ErrorTypeRequired {
			fault = text.Sprintf("it must not be empty")
		}
		p.Refusef(r.At, "%s is no valid embedded resource, %s: %s%s", d.of(), text.Path(inner), fault, andMore(len(d.Errors)-1))
	}
}

// celFailure recognises a rule that did not come to a result, by the texts of validateExpressions of upstream.
var celFailure = regexp.MustCompile(`^rule compile|call arguments did not match|\w evaluating rule: |cost budget, no further|call cost exceeds limit|^runtime cost could not`)

func defaultBreaksRule(p *engine.Pass, d givenDefault) {
	r := d.Errors[0]
	_, inner := cutDefault(r.Field)
	where := text.Sprintf("%s%s", d.of(), atInner(inner))
	if celFailure.MatchString(r.Detail) {
		detail := strings.Replace(r.Detail, ": call arguments did not match a supported operator, function or macro signature for rule: ", " in ", 1)
		p.Refusef(r.At, "a validation rule fails to run on %s: %s%s", where, text.Foreign(detail), andMore(len(d.Errors)-1))
		return
	}
	rule, isRule := strings.CutPrefix(r.Detail, "failed rule: ")
	if isRule {
		p.Refusef(r.At, "%s breaks the rule %s%s", where, text.Foreign(rule), andMore(len(d.Errors)-1))
		return
	}
	p.Refusef(r.At, "%s breaks a validation rule: %s%s", where, text.Foreign(r.Detail), andMore(len(d.Errors)-1))
}
