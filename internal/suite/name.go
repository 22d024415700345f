package suite

import (
	"strings"

	"github.com/crdlift/crdlift/internal/request"
)

// Essential are the causes that a case has to name: not those that only say more of another one.
func Essential(causes []request.Cause) (all []request.Cause) {
	named := map[int]bool{}
	for i := range causes {
		named[i] = true
	}
	for _, c := range causes {
		if c.Stage != request.RulesNotRun && !follows(c, causes, named) {
			all = append(all, c)
		}
	}
	return all
}

// Name is what names a cause in a suite: the message of a rule if it has one, or else the place and the keyword.
func Name(c request.Cause) Expected {
	if c.Stage != request.Rule || c.Failure != request.NotMet {
		return Expected{Path: c.Path, By: ByOf(c)}
	}
	if c.Composed || c.Detail == "" || strings.HasPrefix(c.Detail, "failed rule: ") {
		return Expected{Path: c.Path, By: "rule", Rule: c.ValidationRule().Rule}
	}
	return Expected{Text: c.Detail}
}

// String is a cause as suites have it.
func (e Expected) String() string { return flow(e.value()) }
