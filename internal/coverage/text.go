package coverage

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/text"
)

// Text writes a report as lines: the figures, then each constraint for which there is something to do.
func (r *Report) Text(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "coverage of %s, %s %s: %s\n", r.Definition.Where().File, r.Definition.Name, strings.Join(r.Versions, ", "), r.Summary())
	var rows [][3]string
	for _, c := range r.Constraints {
		if next := c.Next(); next != "" {
			rows = append(rows, [3]string{fmt.Sprintf("%s:%d", c.At.File, c.At.Line), c.Title(), next})
		}
	}
	var wide [2]int
	for _, row := range rows {
		for i := range wide {
			wide[i] = max(wide[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(&out, "  %-*s  %-*s  %s\n", wide[0], row[0], wide[1], row[1], row[2])
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Summary is the figures in a line.
func (r *Report) Summary() string {
	line := r.Figure(nil).of() + " constraints"
	for _, part := range []struct {
		what  string
		kinds []Kind
	}{{"rules", []Kind{Rule}}, {"transition rules", []Kind{Transition}}} {
		if f := r.Figure(nil, part.kinds...); f.All > 0 {
			line += fmt.Sprintf(", %s %s", part.what, f.of())
		}
	}
	if f := r.Mutants(); f.All > 0 {
		line += ", mutants of tested rules " + f.of()
		if r.Sampled {
			line += ", a sample"
		}
	}
	return line
}

func (f Figure) of() string { return fmt.Sprintf("%d of %d", f.Tested, f.All) }

// Title says what the constraint is.
func (c *Constraint) Title() string {
	switch c.Kind {
	case Rule:
		return "rule"
	case Transition:
		return "transition rule"
	case Required, Bound, Format:
		return c.Keyword + ": " + text.Value(c.Value).Brief()
	case ListType:
		return "list type " + c.Value
	}
	return c.Keyword
}

// Next says what there is to do about the constraint; "" for nothing.
func (c *Constraint) Next() string {
	switch {
	case c.State == Dead:
		return "cannot be tested: " + c.Why
	case c.State == Ignored:
		return ""
	case c.State == Tested:
		if m := c.alive(); m != "" {
			return "tested; no case tells it from " + m
		}
		return ""
	case c.Kind == Default:
		return "no case looks at " + c.Field + " where it is not set"
	case c.State == Met && c.With > 0:
		return "what it rejects, " + text.Count(c.With, "other") + text.Verb(c.With, " rejects", " reject") + " as well; name each, or break this one alone"
	case c.State == Met:
		return "a case that it rejects would be rejected as expected without it, too"
	}
	return "no case " + c.broken() + c.reached()
}

// breaks are the words for what breaks a constraint.
var breaks = map[string]string{
	"enum": "has another value", "pattern": "has a text that does not match it", "minimum": "is below it", "maximum": "is above it",
	"minLength": "is shorter", "maxLength": "is longer", "minItems": "has fewer", "maxItems": "has more", "minProperties": "has fewer",
	"maxProperties": "has more", "x-kubernetes-list-type": "has an item twice", "x-kubernetes-validations": "is rejected by it",
}

// broken says what no case is or has.
func (c *Constraint) broken() string {
	if c.Kind == Required {
		return "lacks " + c.Field
	}
	return cmp.Or(breaks[c.Keyword], "breaks it")
}

// reached says what is accepted.
func (c *Constraint) reached() string {
	switch isRule := c.Rule >= 0; {
	case c.Kind == Required && c.State == Reached:
		return ""
	case c.State == Unreached && isRule:
		return "; no accepted object reaches it"
	case c.State == Unreached:
		return "; no accepted object has " + strings.TrimSuffix(c.Field, "."+c.Property)
	case c.Edge:
		return "; " + c.Value + " is accepted"
	case isRule:
		return "; " + text.Count(c.Accepted, "accepted object") + text.Verb(c.Accepted, " reaches it", " reach it")
	}
	return ""
}

// alive is the first mutant that no case tells from the rule.
func (c *Constraint) alive() string {
	first, more := "", 0
	for _, m := range c.Mutants {
		switch {
		case m.Told:
		case first == "":
			first = text.Reason(m.Expression).Brief()
		default:
			more++
		}
	}
	if more > 0 {
		first += fmt.Sprintf(", and from %d more", more)
	}
	return first
}
