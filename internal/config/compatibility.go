package config

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// The defaults follow the deprecation policy of Kubernetes: an alpha version may change in any release.
const (
	defaultAlpha  = lint.Info
	defaultBeta   = lint.Error
	defaultStable = lint.Error
	defaultStatus = lint.Warning
)

var (
	alphaVersion = text.Pattern(`^v[0-9]+alpha[0-9]+$`)
	betaVersion  = text.Pattern(`^v[0-9]+beta[0-9]+$`)
)

// Limit returns how severe a finding about the change of a version may be; Off when there is to be none. A version whose name
// is not one of Kubernetes' counts as stable. Below is true of a finding about a field below status.
func Limit(c *lint.Compatibility, version string, below bool) lint.Severity {
	limit := or(c.Stable, defaultStable)
	switch {
	case alphaVersion().MatchString(version):
		limit = or(c.Alpha, defaultAlpha)
	case betaVersion().MatchString(version):
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
