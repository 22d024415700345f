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
			p.ReportCausef(c, "%s is required, and its null is dropped", words.PathName(c.Path)).Advise("write a value")
			return
		}
		p.ReportCausef(c, "%s is required", words.PathName(c.Path))
	}),
	crds.Following([]string{"object-type", "object-ambiguous-scalar"}, refusal("object-enum", "values that are not in the enum of the schema",
		explainObjectEnum)),
	crds.Following([]string{"object-type", "object-enum"}, refusal("object-format", "values that are not of the format that the schema names",
		func(p *objectpass.Pass, c *request.Cause) {
			format := words.FormatOf(c.Schema)
			f := p.ReportCausef(c, "%s must be of format %s", words.PathName(c.Path), format)
			if example := formatExamples[format]; example != "" {
				f.Advise("write a value such as " + example)
			}
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
			said = text.Sprintf("%s (%s)", said, text.Quoted(message))
		}
		f := p.ReportCausef(c, "a rule for %s %s: %s", words.PathName(c.Path), why, said)
		if strings.Contains(c.Detail, "no such key") {
			f.Advise("set the fields that the rule reads")
		}
	}),
	refusal("object-rule-cost", "objects that are too large for the validation rules", func(p *objectpass.Pass, c *request.Cause) {
		if c.Failure == request.TotalCost {
			p.ReportCausef(c, "the rules for %s cost more than the API server allows for an object, and others may not have run", words.PathName(c.Path)).Advise("make the object smaller")
			return
		}
		p.ReportCausef(c, "a rule for %s costs more than the API server allows", words.PathName(c.Path)).Advise(shorten(p, c.Path))
	}),
	check(lint.Info, "object-rules-not-run", "objects whose validation rules are not evaluated, as they are rejected before",
		refusing(func(p *objectpass.Pass, c *request.Cause) {
			p.Report(c.Path, "validation rules run once the other errors are fixed; fix those first")
		})),
}

// shorten is what to do about a value that is too large for a rule.
func shorten(p *objectpass.Pass, at request.Path) string {
	value, _ := at.In(p.Tree())
	switch value.(type) {
	case []any:
		return "shorten the list or its items"
	case string:
		return "shorten the text"
	}
	return "make the value smaller"
}

func explainObjectType(p *objectpass.Pass, c *request.Cause) {
	want := words.TypeOf(c.Schema)
	place, missing := p.Object.Locate(c.Path)
	f := p.ReportCausef(c, "%s %s", words.PathName(c.Path), schemaFault(c))
	if n := crd.Deref(place.Value); missing == 0 && n.Kind == yaml.ScalarNode && strings.Contains(want, "string") && c.Found != "null" {
		f.Advise("quote it")
	}
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
		p.ReportCausef(c, "%s %s an item before it, which the list does not allow", words.PathName(c.Path), what).Advise("remove one")
		return
	}
	p.ReportCausef(c, "%s %s %s, which the list does not allow", words.PathName(c.Path), what, words.PathName(list.To(request.Index(first)))).
		Advise("remove one")
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
	if len(c.Path) == 0 {
		return p.ReportCausef(c, "the object breaks a rule (%s)%s", text.Quoted(text.OneLine(message)), more)
	}
	return p.ReportCausef(c, "%s: %s%s", words.PathName(c.Path), text.Reason(message), more)
}

// formatExamples are values of formats that do not say how they are written.
var formatExamples = map[string]string{
	"byte": "aGVsbG8=", "cidr": "192.0.2.0/24", "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "datetime": "2026-01-31T12:00:00Z",
	"duration": "1h30m", "email": "name@example.com", "hostname": "www.example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"mac": "00:00:5e:00:53:01", "uri": "https://example.com/path", "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
