// Package config reads the configuration, .crdlift.yaml, and applies it to files and rules. The values
// themselves are those of package lint.
//
// config.go has the queries of the linter, glob.go how paths and names are matched, and compatibility.go the
// limits of severities. file.go reads the file by strict.go, which reads the baseline, too, and print.go writes it.
package config

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/version"
	"github.com/crdlift/crdlift/lint"
)

// Severity returns a rule's severity under the configuration for a file; Off when it does not run.
func Severity(c *lint.Config, r *lint.Rule) lint.Severity {
	if len(c.Only) > 0 {
		return selected(c, r)
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
func selected(c *lint.Config, r *lint.Rule) lint.Severity {
	s, ok := c.Rules[r.ID]
	switch {
	case slices.Contains(c.Only, r.ID):
		return cmp.Or(s, r.Severity)
	case !r.HidesCRD:
		return lint.Off
	case ok:
		return s
	}
	return r.Severity
}

// UnknownKubernetes says so where the Kubernetes that the CRDs are for is newer than the one whose code checks them; "" where it is not.
func UnknownKubernetes(c *lint.Config) string {
	newest := version.NewestMinor()
	if newest == 0 || !c.KubernetesVersion.After(newest) {
		return ""
	}
	return fmt.Sprintf("Kubernetes %s is treated like 1.%d, which is the newest that crdlift knows; update crdlift, or ignore this", c.KubernetesVersion, newest)
}

// ForFile returns the configuration for one file: the overrides that match it, and the command line, are merged in. A
// preset that comes later replaces an earlier one; rules add up, and of two severities for one rule the later counts.
func ForFile(c *lint.Config, path string) *lint.Config {
	merged := *c
	merged.Overrides, merged.CommandLine = nil, lint.Override{}
	merged.Rules = maps.Clone(c.Rules)
	for _, o := range c.Overrides {
		if firstOf(c, o.Paths, path) != "" {
			apply(&merged, o)
		}
	}
	apply(&merged, c.CommandLine)
	return &merged
}

func apply(c *lint.Config, o lint.Override) {
	if o.Preset != nil {
		c.Preset = *o.Preset
	}
	if c.Rules == nil && len(o.Rules) > 0 {
		c.Rules = map[string]lint.Severity{}
	}
	maps.Copy(c.Rules, o.Rules)
}

// ExcludedBy returns the glob by which a file is skipped, wherever it was named; "" for a file that is not.
func ExcludedBy(c *lint.Config, path string) string { return firstOf(c, c.Exclude, path) }

// GoFolders returns the folders of the Go types, as the configuration file's own path is given; none to look around each
// manifest.
func GoFolders(c *lint.Config) (all []string) {
	for _, folder := range c.Go.Folders {
		all = append(all, filepath.Join(filepath.Dir(c.Path), filepath.FromSlash(folder)))
	}
	return all
}

// BaselinePath returns where the baseline file is, as the configuration file's own path is given; "" for none.
func BaselinePath(c *lint.Config) string {
	if c.Baseline == "" || filepath.IsAbs(c.Baseline) {
		return c.Baseline
	}
	return filepath.Join(filepath.Dir(c.Path), c.Baseline)
}
