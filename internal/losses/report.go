package losses

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/text"
)

// Report says what the conversion does to the objects of a CRD, in lines.
func (c *CRD) Report() (lines []string) {
	name := text.Value(c.Name).Brief()
	seen := text.Count(c.Objects, "object")
	switch {
	case c.Objects == 0 && c.Unjudged == 0:
		return []string{name + ": no objects were found"}
	case c.Losing > 0:
		lines = append(lines, fmt.Sprintf("%s: %d of %s %s fields", name, c.Losing, seen, text.Verb(c.Losing, "loses", "lose")))
		for _, f := range c.Fields {
			lines = append(lines, "  "+f.line())
		}
		lines = append(lines, "  "+c.remedy())
	case c.Objects > 0:
		lines = append(lines, fmt.Sprintf("%s: %s %s nothing%s", name, seen, text.Verb(c.Objects, "loses", "lose"), c.neitherDoes()))
	}
	if c.Unjudged > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s could not be checked: %s", name, text.Count(c.Unjudged, "object"), c.Why))
	}
	return lines
}

// line is a field with the places where it is.
func (f *Field) line() string {
	var at []string
	for _, pos := range f.First {
		at = append(at, fmt.Sprintf("%s:%d", pos.File, pos.Line))
	}
	line := fmt.Sprintf("%s, of %s", text.Path(f.Path).Brief(), text.Count(f.Objects, "object"))
	if len(at) > 0 {
		line += ": " + strings.Join(at, ", ")
	}
	if more := f.Objects - len(at); more > 0 && len(at) > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// remedy says what to choose for nothing to be lost.
func (c *CRD) remedy() string {
	if o, marks, ok := c.Instead(); ok {
		return fmt.Sprintf("%s loses nothing of these objects, with %s", settings(c.ways[0].options, o), count(marks))
	}
	return "every policy loses some of these: declare the fields in the schema, or remove them from the objects first"
}

// neitherDoes names a choice that marks less and loses nothing, either.
func (c *CRD) neitherDoes() string {
	if o, marks, ok := c.Instead(); ok {
		return fmt.Sprintf("; nor with %s, which adds %s rather than %d", settings(c.ways[0].options, o), count(marks), c.Marks())
	}
	return ""
}

func count(marks int) string {
	if marks == 0 {
		return "no marks"
	}
	return text.Count(marks, "mark")
}

// settings are those that lead from one choice to another.
func settings(from, to policy.Options) string {
	var all []string
	for _, s := range policy.Settings() {
		if s.Word != nil && *s.Word(&from) != *s.Word(&to) {
			all = append(all, policy.Choice{Name: s.Name, Word: *s.Word(&to)}.String())
		}
	}
	return text.And(all)
}
