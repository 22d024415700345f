package carry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/text"
	internalwebhook "github.com/crdlift/crdlift/internal/webhook"
)

// placeholder is what another program puts a value in the place of: `${NAME}`, `${NAME:=default}`.
var placeholder = text.Pattern(`\$\{[^{}]*\}`)

// A stand is a value in the place of one that has placeholders. No two are equal, but for booleans and what has to be one of few values.
type stand struct {
	at     request.Path
	to     []request.Path // where a webhook takes it
	text   string         // that is written
	value  any
	chosen bool // from few values, so that another may be treated in another way
}

type stands []stand

// substitute puts stand-ins into the object.
func (c *carrying) substitute() (all stands) {
	eachLeaf(c.object, nil, func(at request.Path, value any) {
		written, _ := value.(string)
		if len(at) == 1 || !strings.Contains(written, "${") || !placeholder().MatchString(written) {
			return // a way is found by apiVersion and kind
		}
		s := stand{at: slices.Clone(at), text: written}
		s.value = placeholder().ReplaceAllString(written, fmt.Sprintf("zz%dqq", len(all)))
		if loc := placeholder().FindStringIndex(written); loc[1]-loc[0] == len(written) {
			s.fit(c.from, len(all))
		}
		all = append(all, s)
	})
	for _, s := range all {
		s.at.Set(c.object, s.value)
	}
	return all
}

// fit chooses a value that the schema takes, as far as one can see, for a placeholder that is all that is written.
func (s *stand) fit(v *request.Version, nth int) {
	schema := v.Declared(s.at)
	switch {
	case schema == nil:
	case schema.ValueValidation != nil && len(schema.ValueValidation.Enum) > 0:
		s.value, s.chosen = schema.ValueValidation.Enum[0].Object, true
	case schema.Type == "boolean":
		s.value, s.chosen = true, true
	case schema.Type == "integer" || schema.Type == "number":
		n := int64(7001 + nth)
		if limits := schema.ValueValidation; limits != nil && limits.Maximum != nil {
			n = min(n, int64(*limits.Maximum)-int64(nth))
		}
		s.value = n
	}
}

// explain reports whether a cause may be none once there is a value in the place of a placeholder.
func (all stands) explain(c request.Cause) bool {
	combines := c.Stage == request.Rule || c.Stage == request.RulesNotRun || slices.Contains([]string{"anyOf", "oneOf", "not"}, c.Keyword)
	return slices.ContainsFunc(all, func(s stand) bool {
		return slices.ContainsFunc(append(s.to, s.at), func(at request.Path) bool { return at.Leads(c.Path) || combines && c.Path.Leads(at) })
	})
}

// restore puts placeholders back into the converted object. What is made of a stand-in is not to be written.
func (c *carrying) restore(w Object) {
	for _, s := range c.stands {
		for _, at := range append(s.to, s.at) {
			switch is, found := at.In(w); {
			case found && layout.Same(is, s.value):
				at.Set(w, s.text)
			case found && internalwebhook.IsScalar(is) && is != s.text:
				c.note("migrate-not-alike", s.at, text.Sprintf("the webhook changes the value of the placeholder; render the manifest first"))
			}
		}
	}
	encoded, err := json.Marshal(w)
	if len(c.stands) > 0 && !c.refused() && (err != nil || standIn().Match(encoded)) {
		c.note("migrate-not-alike", c.stands[0].at, text.Sprintf("the webhook changes the value of a placeholder; render the manifest first"))
	}
}

// standIn is what stands for a placeholder in a text.
var standIn = text.Pattern(`(?i)zz\d+qq`)
