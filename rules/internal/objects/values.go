package objects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objectValues are about values that the schema rejects, and its validation rules.
var objectValues = []*engine.Rule{
	crds.Following([]string{"object-ambiguous-scalar"}, refusal("object-type", "values of another type than the schema says",
		explainObjectType)),
	refusal("object-required", "objects without a field that is required", func(p *objectpass.Pass, c *request.Cause) {
		if _, there := c.Path.In(p.Tree()); there {
			p.ReportCausef(c, "%s is required, and its null is dropped", words.PathName(c.Path))
			return
		}
		p.ReportCausef(c, "%s is required", words.PathName(c.Path))
	}),
	crds.Following([]string{"object-type", "object-ambiguous-scalar"}, refusal("object-enum", "values that are not in the enum of the schema",
		explainObjectEnum)),
	crds.Following([]string{"object-type", "object-enum"}, refusal("object-format", "values that are not of the format that the schema names",
		func(p *objectpass.Pass, c *request.Cause) {
			p.ReportCausef(c, "%s must be of format %s", words.PathName(c.Path), words.FormatOf(c.Schema))
		})),
	crds.Following([]string{"object-type", "object-enum"},
		refusal("object-constraint", "values that break another constraint of the schema, such as a pattern or a limit",
			func(p *objectpass.Pass, c *request.Cause) {
				p.ReportCausef(c, "%s %s", words.PathName(c.Path), words.ConstraintFault(c))
			})),
	refusal("object-list-duplicate", "items of a set or a map that are there already", explainListDuplicate),
	check(lint.Error, "object-rule", "objects that break a validation rule", func(p *objectpass.Pass) {
		refusing(func(p *objectpass.Pass, c *request.Cause) { explainObjectRule(p, c, "") })(p)
		for _, w := range p.Outcome().Warnings {
			if w.Kind == request.Ratcheted {
				explainObjectRule(p, w.Cause, "; the API server accepts the update, as it does not change this").AtMost(lint.Warning)
			}
		}
	}),
	refusal("object-rule-error", "objects for which a validation rule ends in an error", func(p *objectpass.Pass, c *request.Cause) {
		why := words.RuleError(c)
		said := words.RuleText(c) // the server says the message, if there is one; the expression has the field to add
		if message := c.ValidationRule().Message; message != "" {
			said = text.Sprintf("%s: %s", text.Reason(message), said)
		}
		p.ReportCausef(c, "a rule for %s %s: %s", words.PathName(c.Path), why, said)
	}),
	refusal("object-rule-cost", "objects that are too large for the validation rules", func(p *objectpass.Pass, c *request.Cause) {
		if c.Failure == request.TotalCost {
			p.ReportCausef(c, "the rules for %s cost more than the API server allows for an object, and others may not have run; make the object smaller", words.PathName(c.Path))
			return
		}
		p.ReportCausef(c, "a rule for %s costs more than the API server allows; make the value smaller: %s", words.PathName(c.Path), words.RuleText(c))
	}),
	check(lint.Info, "object-rules-not-run", "objects whose validation rules are not evaluated, as they are rejected before",
		refusing(func(p *objectpass.Pass, c *request.Cause) {
			p.Report(c.Path, "validation rules run once the other errors are fixed; fix those first")
		})),
}

func explainObjectType(p *objectpass.Pass, c *request.Cause) {
	want := words.TypeOf(c.Schema)
	hint := ""
	place, missing := p.Object.Locate(c.Path)
	if n := crd.Deref(place.Value); missing == 0 && n.Kind == yaml.ScalarNode && strings.Contains(want, "string") && c.Found != "null" {
		hint = "; quote it"
	}
	if c.Found == "" {
		p.ReportCausef(c, "%s must be %s%s", words.PathName(c.Path), want, hint)
		return
	}
	p.ReportCausef(c, "%s must be %s, but is %s%s", words.PathName(c.Path), want, words.TypeNamed(c.Found), hint)
}

func explainObjectEnum(p *objectpass.Pass, c *request.Cause) {
	if value, there := c.Path.In(p.Tree()); there && value == nil {
		p.ReportCausef(c, "%s must be one of %s, but is null, which no enum allows, even if it lists it", words.PathName(c.Path), words.EnumNames(c.Schema))
		return
	}
	p.ReportCausef(c, "%s must be one of %s", words.PathName(c.Path), words.EnumNames(c.Schema))
}

// explainListDuplicate reports an item that another one before it equals, as far as its list is concerned. Of a map, an item
// may be no object as well, which is of another type than its schema says.
func explainListDuplicate(p *objectpass.Pass, c *request.Cause) {
	last := len(c.Path) - 1
	list, nth := c.Path[:last], c.Path[last].Index
	what := "equals"
	var keys []string
	if s, _ := p.Schema(list); s.Text(crds.ListTypeKey) == "map" {
		keys = crd.Strings(s.Get(crds.MapKeysKey))
		what = "has the same " + text.And(keys) + " as"
	}
	items, _ := list.In(p.Tree())
	all, _ := items.([]any)
	firsts := engine.Memo(p, firstsKey{list.String()}, func() map[string]int {
		firsts := map[string]int{}
		for i, item := range slices.Backward(all) {
			firsts[listKey(item, keys)] = i
		}
		return firsts
	})
	first := nth
	if nth < len(all) {
		first = firsts[listKey(all[nth], keys)]
	}
	if first == nth { // but for defaults
		p.ReportCausef(c, "%s %s an item before it", words.PathName(c.Path), what)
		return
	}
	p.ReportCausef(c, "%s %s %s", words.PathName(c.Path), what, words.PathName(list.To(request.Index(first))))
}

// firstsKey is that of the first items of a list that are known by something.
type firstsKey struct{ list string }

// listKey is what an item of a list is known by: the values of some keys, or all of it.
func listKey(item any, keys []string) string {
	object, is := item.(map[string]any)
	if keys == nil || !is {
		return fmt.Sprintf("%#v", item)
	}
	return strings.Join(crds.Mapped(keys, func(key string) string { return fmt.Sprintf("%#v", object[key]) }), ",")
}

// explainObjectRule says what the author of a rule says to those who break it.
func explainObjectRule(p *objectpass.Pass, c *request.Cause, more string) *engine.Finding {
	message := strings.TrimSpace(c.Detail)
	if message == "" || strings.HasPrefix(message, "failed rule: ") {
		return p.ReportCausef(c, "%s breaks the rule %s%s", words.PathName(c.Path), words.RuleText(c), more)
	}
	return p.ReportCausef(c, "%s: %s%s", words.PathName(c.Path), text.Reason(message), more)
}
