package engine

import (
	"regexp"

	"github.com/crdlift/crdlift/lint"
)

// A Compatibility says how severe findings about the change of an API may be, by what the API promises: at most so much
// for a version of its stability, and at most Status for what is below `status`, which controllers write and users read.
// A member that is nil stands for its default.
type Compatibility struct{ Alpha, Beta, Stable, Status *lint.Severity }

// The defaults follow the deprecation policy of Kubernetes: an alpha version may change in any release.
const (
	defaultAlpha  = lint.Info
	defaultBeta   = lint.Error
	defaultStable = lint.Error
	defaultStatus = lint.Warning
)

var (
	alphaVersion = regexp.MustCompile(`^v[0-9]+alpha[0-9]+$`)
	betaVersion  = regexp.MustCompile(`^v[0-9]+beta[0-9]+$`)
)

// Limit is how severe a finding about the change of a version may be; Off when there is to be none. A version whose name
// is not one of Kubernetes' counts as stable. Below says that the finding is about a field below status.
func (c *Compatibility) Limit(version string, below bool) lint.Severity {
	limit := or(c.Stable, defaultStable)
	switch {
	case alphaVersion.MatchString(version):
		limit = or(c.Alpha, defaultAlpha)
	case betaVersion.MatchString(version):
		limit = or(c.Beta, defaultBeta)
	}
	if below {
		limit = min(limit, or(c.Status, defaultStatus))
	}
	return limit
}

func or(s *lint.Severity, otherwise lint.Severity) lint.Severity {
	if s == nil {
		return otherwise
	}
	return *s
}
