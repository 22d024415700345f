package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

const defaultingDocs = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting"

var _ = topic("defaults", "Defaults", slices.Concat(enforcedDefaults, defaultPractices)...)

// enforcedDefaults are about defaults that the API server refuses.
var enforcedDefaults = []*engine.Rule{
	{
		ID:       "default-in-v1beta1",
		Summary:  "defaults in v1beta1 manifests",
		Severity: lint.Error,
		Doc: `Defaults came with apiextensions.k8s.io/v1. Through v1beta1 a CustomResourceDefinition with defaults can be read and,
when it has them already, updated, but not created.

**What to do**: convert the manifest with ` + "`crdlift convert`" + `, or take the defaults out and let the controller apply them.

**When to ignore it**: when the CRD was created through v1 and is only ever updated with this manifest.

**Source**: ValidateCustomResourceDefinition of k8s.io/apiextensions-apiserver 0.21 ("cannot set default values in
apiextensions.k8s.io/v1beta1 CRDs"); ` + defaultingDocs,
		Run: func(p *engine.Pass) {
			if all := p.Refusals(); len(all) > 0 {
				first := slices.MinFunc(all, func(a, b engine.Refusal) int { return byLine(a.At, b.At) })
				message := "v1beta1 cannot create a CRD with defaults; convert it to apiextensions.k8s.io/v1"
				if n := len(all); n > 1 {
					message = fmt.Sprintf("v1beta1 cannot create a CRD with defaults, and this has %d; convert it to apiextensions.k8s.io/v1", n)
				}
				p.Refuse(first.At, message)
			}
			unconvertible(p, nil)
		},
	},
	{
		ID:       "default-requires-pruning",
		Summary:  "defaults in CRDs that keep unknown fields",
		Severity: lint.Error,
		Doc: `Defaults are applied by the same walk over the schema that prunes unknown fields, so the API server wants pruning on
wherever there are defaults.

**What to do**: remove ` + "`preserveUnknownFields: true`" + `, and mark the parts that may hold anything with
` + "`x-kubernetes-preserve-unknown-fields: true`" + `. Removing it changes what is stored: unknown fields of custom resources are dropped.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver; ` + defaultingDocs,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "the schema has defaults, which need pruning; remove preserveUnknownFields: true")
			f.Fix = &engine.Fix{Title: "remove preserveUnknownFields, so that unknown fields are pruned", Reveals: true, Apply: func(c *crd.CRD) bool {
				return len(repair.Remove(crd.Get(c.Node, "spec"), "preserveUnknownFields")) > 0
			}}
		}),
	},
	{
		ID:       "default-invalid",
		Summary:  "defaults that their own schema refuses",
		Severity: lint.Error,
		Doc: `A default is a value like any other and must be valid. The API server checks it as it is written: defaults of fields
below are not filled in first, so ` + "`default: {}`" + ` fails where the schema requires a field, even one that has a default itself.

**What to do**: correct the value, or the schema that it breaks. In the default of an object, write out its required fields.
With controller-gen the value stands in ` + "`+kubebuilder:default=`" + ` above the field.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateDefaults of k8s.io/apiextensions-apiserver (pkg/apiserver/schema/defaulting); KEP-575 "Defaulting for
Custom Resources".`,
		Run: perDefault(invalidDefault),
	},
	{
		ID:       "default-unknown-fields",
		Summary:  "defaults with fields that the schema does not have",
		Severity: lint.Error,
		Doc: `What a default adds would be pruned right away, so the API server refuses defaults that pruning changes. Usually a field is
misspelt, was renamed in the schema only, or the object lacks x-kubernetes-preserve-unknown-fields.

**What to do**: rename or remove the field, or declare it in the schema.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateDefaults of k8s.io/apiextensions-apiserver ("must not have unknown fields"); KEP-575.`,
		Run: perDefault(unknownInDefault),
	},
	{
		ID:       "default-in-metadata",
		Summary:  "defaults of metadata, apiVersion and kind that cannot be",
		Severity: lint.Error,
		Doc: `The API server fills in and validates metadata, apiVersion and kind of a custom resource itself; a schema cannot set
defaults there. In an embedded resource it can, when the result is a valid resource.

**What to do**: remove the default of the custom resource's own metadata. In an embedded resource, write a default with a
valid apiVersion, kind and metadata.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionOpenAPISchema (withForbiddenDefaults) and ValidateDefaults of
k8s.io/apiextensions-apiserver.`,
		Run: perDefault(defaultInMetadata),
	},
	{
		ID:       "default-violates-cel",
		Summary:  "defaults that an x-kubernetes-validations rule refuses",
		Severity: lint.Error,
		Doc: `Validation rules at a field, and below it, are evaluated for its default when the CustomResourceDefinition is created, also
as if the field came into being with it (rules with optionalOldSelf).

**What to do**: change the default or the rule so that they agree. A rule that guards optional fields with ` + "`has()`" + ` does
not fail for a default without them.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateDefaults of k8s.io/apiextensions-apiserver, which runs the rules by cel.NewValidator.`,
		Run: perDefault(defaultBreaksRule),
	},
}

// byLine orders places as they stand in the file.
func byLine(a, b crd.Place) int {
	if a.Node == nil || b.Node == nil {
		return 0
	}
	if a.Node.Line != b.Node.Line {
		return a.Node.Line - b.Node.Line
	}
	return a.Node.Column - b.Node.Column
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
	return text.Sprintf("the default of %s", short(d.Schema.FieldPath()))
}

// perDefault is enforced for errors about the values of defaults: those about one default are told together.
func perDefault(explain func(*engine.Pass, givenDefault)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		index := map[string]int{}
		var all []givenDefault
		for _, r := range p.Refusals() {
			path, _ := cutDefault(r.Field)
			i, known := index[path]
			if !known {
				i = len(all)
				index[path] = i
				all = append(all, defaultAt(p, path))
			}
			all[i].Errors = append(all[i].Errors, r)
		}
		for _, d := range all {
			explain(p, d)
		}
		unconvertible(p, func(p *engine.Pass, r engine.Refusal) {
			path, _ := cutDefault(r.Field)
			if d := defaultAt(p, path); d.Schema != nil {
				d.Errors = []engine.Refusal{r}
				explain(p, d)
			}
		})
	}
}

// defaultAt is the default that a path of the API server leads to; without a schema when there is none.
func defaultAt(p *engine.Pass, path string) givenDefault {
	s, _ := p.CRD.LocateSchema(path)
	return givenDefault{At: p.CRD.Locate(path), Schema: s}
}

// cutDefault divides the path of an error into that of the default it is about, and the way inside of the default.
func cutDefault(path string) (outer, inner string) {
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

// more says how many errors about the same default are not told.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return " (and " + text.Count(n, "more error") + ")"
}

// inside is a way into a default in a message.
func inside(inner string) text.Text {
	if inner == "" {
		return text.Text{}
	}
	return text.Sprintf(" at %s", short(inner))
}
