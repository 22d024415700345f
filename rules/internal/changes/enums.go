package changes

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// judgeNewEnum looks at enums where there were none.
func judgeNewEnum(_ *engine.Pass, c *compare.Change) *remark {
	if c.Field != "enum" || c.Effect != compare.Tightens || c.Item != "" {
		return nil
	}
	found := refusalOf(c.Node, c.Field)
	if found.severity == lint.Off {
		return nil
	}
	var values []string
	for _, v := range c.New.([]any) {
		values = append(values, words.JSONOf(v))
	}
	return found.say("%s: enum %s added{in}; %s", fieldOf(c, ""), text.Names(values), found.consequence("other values are")).lasting(c, "")
}

// manyValues are more than anybody accepts one by one: they are told in one finding, at the first of them. Its path stands
// for exactly these values: who accepted them has not accepted others.
const manyValues = 500

// eachValue reports the values that enums got or lost, each in a finding of its own. What there is to say of a field is
// made from values of it, in JSON.
func eachValue(p *engine.Pass, kind compare.Kind, about func(*compare.Change) func(values []string) *remark) {
	values := slices.DeleteFunc(slices.Clone(schemaChanges(p)), func(c *compare.Change) bool {
		return c.Field != "enum" || c.Item == "" || c.Kind != kind || valueOfEnum(c) == nil // null is never accepted by an enum
	})
	var all []*remark
	for _, changes := range crds.Grouped(values, func(c *compare.Change) *compare.Node { return c.Node }) {
		values := make([]string, len(changes))
		for i, c := range changes {
			values[i] = words.JSONOf(valueOfEnum(c))
		}
		of, among := about(changes[0]), digest(values)
		if len(values) > manyValues {
			r := of(values)
			r.old, r.new = valuesOf(changes)
			r.set = setOf(values)
			all = append(all, r.about(changes[0]))
			continue
		}
		for i, c := range changes {
			r := of(values[i : i+1])
			r.of, r.item, r.among = of, values[i], among
			all = append(all, r.about(c))
		}
	}
	remarks(p, all) // without those of severity Off
}

// valueOfEnum is the value of an enum that a change is about.
func valueOfEnum(c *compare.Change) any {
	if c.Kind == compare.Removed {
		return c.Old
	}
	return c.New
}

// valuesOf are the values of enums that changes are about, as those of the old and of the new side.
func valuesOf(changes []*compare.Change) (old, new any) {
	all := make([]any, len(changes))
	for i, c := range changes {
		all[i] = valueOfEnum(c)
	}
	if changes[0].Kind == compare.Removed {
		return all, nil
	}
	return nil, all
}

// valuesOfField says of values of an enum, in JSON, that they are such.
func valuesOfField(values []string) text.Text {
	return text.Sprintf("enum %s %s", text.Verb(len(values), "value", "values"), text.Names(values))
}

// setOf names a set of values in a path, in whatever order they stand.
func setOf(values []string) string {
	return fmt.Sprintf("%d values, %s", len(values), digest(slices.Sorted(slices.Values(values))))
}

// digest is a short text that is the same for the same texts.
func digest(texts []string) string {
	h := fnv.New64a()
	for _, text := range texts {
		io.WriteString(h, text+"\n")
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
