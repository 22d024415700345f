package carry

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// sameCauses reports whether the target version has nothing against an object, or the same as its own version has. If not, it notes
// what both have.
func (c *carrying) sameCauses(is *request.Outcome) bool {
	if c.was.Err != nil || is.Err != nil {
		return c.unproven(nil)
	}
	was, now := c.counting(c.was), c.counting(is)
	if slices.EqualFunc(was, now, func(a, b request.Cause) bool { return causeKey(a) == causeKey(b) }) {
		return true
	}
	c.refuse(c.From, was)
	c.refuse(c.To, now)
	return false
}

func (c *carrying) refuse(version string, causes []request.Cause) {
	for _, cause := range causes {
		c.out.Notes = append(c.out.Notes, Note{Rule: "migrate-refused", Path: cause.Path, Cause: &cause, Version: version})
	}
}

// causeKey is the same for causes that say the same of two versions.
func causeKey(c request.Cause) string {
	return fmt.Sprint(c.Stage, c.Path, c.Type, c.Missing, c.Keyword, c.Failure, c.ValidationRule().Rule)
}

// counting are the causes that count: not those of what a part leaves to the rest of the object, and not those of what stands for a
// placeholder.
func (c *carrying) counting(of *request.Outcome) (all []request.Cause) {
	for _, cause := range of.Causes {
		if !(c.part && isAbsence(cause)) && !c.stands.explain(cause) {
			all = append(all, cause)
		}
	}
	return all
}

// isAbsence reports whether a cause may be no more when the object is whole.
func isAbsence(c request.Cause) bool {
	return c.Missing || c.Stage == request.Rule || c.Stage == request.RulesNotRun ||
		slices.Contains([]string{"required", "minProperties"}, c.Keyword) || len(c.Needs()) > 0
}
