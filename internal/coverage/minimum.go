package coverage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Minimum is what share is to be tested, in percent, of constraints of some kinds: of "rules", or of "all".
type Minimum map[string]int

// named are the words for them.
var named = map[string]string{
	string(Rule): "rules", string(Transition): "transition rules", string(Default): "defaults", string(Bound): "bounds", string(Enum): "enums",
	string(Pattern): "patterns", string(Format): "formats", string(Required): "required fields", "all": "constraints",
}

// ParseMinimum reads a minimum such as "rules=100,all=60"; nil for "".
func ParseMinimum(written string) (Minimum, error) {
	if written == "" {
		return nil, nil
	}
	m := Minimum{}
	for part := range strings.SplitSeq(written, ",") {
		name, percent, _ := strings.Cut(strings.TrimSpace(part), "=")
		if !slices.Contains(lint.Covered(), name) {
			return nil, fmt.Errorf("%s", text.NotOneOf("a kind of constraints", name, lint.Covered()))
		}
		n, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
		if err != nil || n < 0 || n > 100 {
			return nil, fmt.Errorf("%s needs a number from 0 to 100, such as %s=100", name, name)
		}
		m[name] = n
	}
	return m, nil
}

// Below says in which kinds less is tested of a CRD than the minimum. Of those that are new alone, if these are meant.
func (m Minimum) Below(r *lint.Coverage, newOnly bool) (all []string) {
	for _, kind := range lint.Covered() {
		f := FigureOf(r, func(c *lint.CoveredConstraint) bool {
			return (kind == "all" || c.Kind == kind) && (c.New || !newOnly)
		})
		if f.Percent() >= m[kind] {
			continue
		}
		what := named[kind]
		if newOnly {
			what = "new " + what
		}
		all = append(all, fmt.Sprintf("%s %s are tested, %d%%; %d%% are required", f, what, f.Percent(), m[kind]))
	}
	return all
}
