package engine

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// A Config is what `.crdlift.yaml` and the command line say. The zero value is the default: the recommended rules at
// their own severities.
type Config struct {
	// Path is the configuration file, for messages; "" when there is none. Globs match paths relative to its folder, or
	// to the working directory without one.
	Path              string
	Preset            lint.Preset
	Rules             map[string]lint.Severity // by rule id; a rule named here runs whatever the preset
	Overrides         []Override               // for some files; later ones win
	Only              []string                 // ids of the rules to run, and of no others; all when empty
	CommandLine       Override                 // wins over all others; its Paths do not matter
	Paths             []string                 // globs of what is linted when the command line names nothing; relative to the folder
	Exclude           []string                 // globs of files that are passed over
	Ignores           []Ignore
	KubernetesVersion KubernetesVersion // the zero value stands for the newest
	FailOn            lint.Severity     // Error when Off, Never for no finding at all
	MinSeverity       lint.Severity     // of what is reported: Info when Off, Never for nothing
	Baseline          string            // path of the baseline file, relative to the configuration's folder; "" for none
	Compatibility     Compatibility
	Convert           ConvertConfig
}

// An Override changes rules for the files that match one of its globs.
type Override struct {
	Paths  []string
	Preset *lint.Preset // nil leaves it as it is
	Rules  map[string]lint.Severity
}

// An Ignore hides findings that all its members match, and says why. Empty members match all.
type Ignore struct {
	Rule   string // rule id or glob
	CRD    string // glob for metadata.name
	Path   string // glob for the path of the finding, such as "spec.versions[v1].schema.**"
	File   string // glob for the file
	Reason string

	unused Finding // to be reported if it is
}

// A ConvertConfig is the policy that conversions follow, in the words of `crdlift convert`'s flags. What is empty is
// left to convert's defaults.
type ConvertConfig struct {
	Policy, UnknownFields, MissingTypes       string
	UnapprovedAPI, UpgradeInPlace, KeepStatus bool
}

// A KubernetesVersion is a minor release of Kubernetes. The zero value stands for the newest that crdlift knows.
type KubernetesVersion struct{ Major, Minor int }

// ParseKubernetesVersion reads 1.27, v1.27 or 1.27.3.
func ParseKubernetesVersion(text string) (KubernetesVersion, error) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) == 2 || len(parts) == 3 {
		major, errMajor := strconv.Atoi(parts[0])
		minor, errMinor := strconv.Atoi(parts[1])
		if errMajor == nil && errMinor == nil && major == 1 && minor >= 0 {
			return KubernetesVersion{major, minor}, nil
		}
	}
	return KubernetesVersion{}, fmt.Errorf("%q is not a Kubernetes version such as 1.27", text)
}

// After says whether a release came after 1.minor. The zero value comes after none.
func (v KubernetesVersion) After(minor int) bool { return v.Minor > minor }

func (v KubernetesVersion) String() string {
	if v == (KubernetesVersion{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// Before says whether a release came before 1.minor. The zero value comes before none.
func (v KubernetesVersion) Before(minor int) bool {
	return v != (KubernetesVersion{}) && v.Minor < minor
}

// severity is a rule's severity under the configuration for a file; Off when it does not run.
func (c *Config) severity(r *Rule) lint.Severity {
	if len(c.Only) > 0 {
		return c.selected(r)
	}
	if s, ok := c.Rules[r.ID]; ok {
		return s
	}
	if r.Preset > c.Preset {
		return lint.Off
	}
	return r.Severity
}

// selected is a rule's severity where only some are to run: those do, whatever the preset and though they are off. What
// keeps a CRD from being found is told in any case, since no rule has looked at it.
func (c *Config) selected(r *Rule) lint.Severity {
	s, ok := c.Rules[r.ID]
	switch {
	case slices.Contains(c.Only, r.ID):
		return cmp.Or(s, r.Severity)
	case !r.HidesCRD():
		return lint.Off
	case ok:
		return s
	}
	return r.Severity
}

// forFile is the configuration for one file: the overrides that match it, and the command line, are merged in. A
// preset that comes later replaces an earlier one; rules add up, and of two severities for one rule the later counts.
func (c *Config) forFile(path string) *Config {
	merged := *c
	merged.Overrides, merged.CommandLine = nil, Override{}
	merged.Rules = maps.Clone(c.Rules)
	for _, o := range c.Overrides {
		if c.matches(o.Paths, path) {
			merged.apply(o)
		}
	}
	merged.apply(c.CommandLine)
	return &merged
}

func (c *Config) apply(o Override) {
	if o.Preset != nil {
		c.Preset = *o.Preset
	}
	if c.Rules == nil && len(o.Rules) > 0 {
		c.Rules = map[string]lint.Severity{}
	}
	maps.Copy(c.Rules, o.Rules)
}

// Excluded says whether a file is to be passed over, wherever it was named.
func (c *Config) Excluded(path string) bool { return c.ExcludedBy(path) != "" }

// ExcludedBy is the glob by which a file is to be passed over; "" for a file that is not.
func (c *Config) ExcludedBy(path string) string { return c.firstOf(c.Exclude, path) }

// BaselinePath is where the baseline file is, as the configuration file's own path is given; "" for none.
func (c *Config) BaselinePath() string {
	if c.Baseline == "" || filepath.IsAbs(c.Baseline) {
		return c.Baseline
	}
	return filepath.Join(filepath.Dir(c.Path), c.Baseline)
}
