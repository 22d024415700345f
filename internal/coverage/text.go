package coverage

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Figure is how many are tested of those that count.
type Figure struct{ Tested, All int }

// Percent is the share, in whole numbers that are not rounded up; 100 of none.
func (f Figure) Percent() int {
	if f.All == 0 {
		return 100
	}
	return 100 * f.Tested / f.All
}

func (f Figure) String() string { return fmt.Sprintf("%d of %d", f.Tested, f.All) }

// FigureOf counts the constraints that are of interest; nil for all.
func FigureOf(r *lint.Coverage, is func(*lint.CoveredConstraint) bool) (f Figure) {
	for i := range r.Constraints {
		c := &r.Constraints[i]
		if c.State == Dead.String() || c.State == Ignored.String() || is != nil && !is(c) {
			continue
		}
		f.All++
		if c.State == Tested.String() {
			f.Tested++
		}
	}
	return f
}

func ofKind(k Kind) func(*lint.CoveredConstraint) bool {
	return func(c *lint.CoveredConstraint) bool { return c.Kind == string(k) }
}

// Text writes what is tested of a CRD as lines: the figures, then each constraint for which there is something to do.
func Text(w io.Writer, r *lint.Coverage) error {
	var out strings.Builder
	fmt.Fprintf(&out, "coverage of %s, %s %s: %s\n", r.File, r.CRD, strings.Join(r.Versions, ", "), Summary(r))
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, c := range r.Constraints {
		if c.Next != "" {
			fmt.Fprintf(table, "  %s:%d\t%s\t%s\n", r.File, c.Line, Title(&c), c.Next)
		}
	}
	_ = table.Flush() // a builder takes all
	_, err := io.WriteString(w, text.HarmlessLines(out.String()))
	return err
}

// Summary is the figures in a line.
func Summary(r *lint.Coverage) string {
	line := fmt.Sprintf("%s constraints", FigureOf(r, nil))
	if f := FigureOf(r, ofKind(Rule)); f.All > 0 {
		line += fmt.Sprintf(", rules %s", f)
	}
	if f := FigureOf(r, ofKind(Transition)); f.All > 0 {
		line += fmt.Sprintf(", transition rules %s", f)
	}
	var told Figure
	for i := range r.Constraints {
		c := &r.Constraints[i]
		told.All += len(c.Mutants)
		told.Tested += len(c.Mutants) - len(Alive(c))
	}
	if told.All > 0 {
		line += fmt.Sprintf(", mutants of tested rules %s", told)
	}
	if r.Sampled {
		line += ", a sample"
	}
	return line
}

// Title says what a constraint is.
func Title(c *lint.CoveredConstraint) string {
	switch Kind(c.Kind) {
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
		return untold(&c.CoveredConstraint)
	case c.Kind == Default:
		return "no case checks " + c.Field + " where it is not set"
	case c.State == Met && c.With > 0:
		return "what it rejects, " + text.Count(c.With, "other") + text.Verb(c.With, " rejects", " reject") + " as well; name each, or break this one alone"
	case c.State == Met:
		return "it rejects an object, and no case that passes would fail without it"
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

// untold says what there is to do about the mutants of a rule that is tested.
func untold(c *lint.CoveredConstraint) string {
	switch all := Alive(c); len(all) {
	case 0:
		return ""
	case 1:
		return "tested; no case distinguishes it from " + text.Reason(all[0]).Brief()
	default:
		return fmt.Sprintf("tested; no case distinguishes it from %s, and from %d more", text.Reason(all[0]).Brief(), len(all)-1)
	}
}

// Alive are the mutants of a rule that no case tells from it.
func Alive(c *lint.CoveredConstraint) (all []string) {
	for _, m := range c.Mutants {
		if !m.Told {
			all = append(all, m.Expression)
		}
	}
	return all
}
