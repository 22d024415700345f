package coverage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Minimum is what share of the constraints of some kinds is to be tested, in percent.
type Minimum []struct {
	Of      string // "rules", or "all"
	Percent int
}

// named are the words for them.
var named = map[string]string{
	string(Rule): "rules", string(Transition): "transition rules", string(Default): "defaults", string(Bound): "bounds", string(Enum): "enums",
	string(Pattern): "patterns", string(Format): "formats", string(Required): "required fields", "all": "constraints",
}

// ParseMinimum reads a minimum: "rules=100,all=60".
func ParseMinimum(written string) (m Minimum, err error) {
	for part := range strings.SplitSeq(written, ",") {
		name, percent, _ := strings.Cut(strings.TrimSpace(part), "=")
		if !slices.Contains(lint.Covered(), name) {
			return nil, fmt.Errorf("%s", text.NotOneOf("a kind of constraints", name, lint.Covered()))
		}
		n, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
		if err != nil || n < 0 || n > 100 {
			return nil, fmt.Errorf("%s needs a number from 0 to 100, such as %s=100", name, name)
		}
		m = append(m, struct {
			Of      string
			Percent int
		}{name, n})
	}
	return m, nil
}

// Below says in which kinds less is tested of a CRD than the minimum. Of those that are new alone, if these are meant.
func (m Minimum) Below(r *lint.Coverage, newOnly bool) (all []string) {
	for _, one := range m {
		f := FigureOf(r, func(c *lint.CoveredConstraint) bool {
			return (one.Of == "all" || c.Kind == one.Of) && (c.New || !newOnly)
		})
		if f.Percent() >= one.Percent {
			continue
		}
		what := named[one.Of]
		if newOnly {
			what = "new " + what
		}
		all = append(all, fmt.Sprintf("%s %s are tested, %d%%, and %d%% have to be", f, what, f.Percent(), one.Percent))
	}
	return all
}
