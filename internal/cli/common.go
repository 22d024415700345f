package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// Flags are what the flags say that commands have in common. Those that a command does not have are as if they were not given.
type Flags struct {
	about                 string // what the command is about; "" for CRDs as they are
	configFile            string // "" to look for it, configOff for none
	preset                string
	rules, only           []string
	kubernetesVersion     string
	failOnText            string
	minSeverityText       string
	outputNames           []string
	outputs               outputs // what those say
	quiet, allowEmpty     bool
	templates             string // templatesOff to pass Helm templates over
	kustomize             string // the folder whose build is linted, in place of paths
	against               string
	exact                 bool
	baseline, newBaseline string
	cache                 string // a folder; "" for none
	goTypes               string

	skip string // absolute path of a folder to pass over: the one that is written to

	// Known once the configuration is read.
	failOn      lint.Severity // Off for never
	minSeverity lint.Severity // of reported findings; above lint.Error for none
	baselines   []reserved    // once there is a linter
}

// What commands are about, in the words of messages.
const (
	aboutChanges     = "changes"
	aboutObjects     = "custom resources"
	aboutConversions = "conversions"
)

// The words that flags take beside others.
const (
	configOff    = "off"
	templatesOff = "off"
	goAuto       = "auto"
	goOff        = "off"
)

// never is what --fail-on and --min-severity take beside severities.
var never = lint.Never.String()

// readConfig reads the configuration, over which the flags have the last word.
func (f *Flags) readConfig() (*lint.Config, error) {
	c, err := f.readConfigFile()
	if err != nil {
		return nil, err
	}
	if f.preset != "" {
		preset, _ := lint.ParsePreset(f.preset) // which the flag has checked
		c.CommandLine.Preset = &preset
	}
	if err := f.severities(c); err != nil {
		return nil, err
	}
	if f.kubernetesVersion != "" {
		if c.KubernetesVersion, err = lint.ParseKubernetesVersion(f.kubernetesVersion); err != nil {
			return nil, usageError{"--kubernetes-version: " + err.Error(), ""}
		}
	}
	f.levels(c)
	return c, nil
}

// readConfigFile reads the configuration file, if there is one.
func (f *Flags) readConfigFile() (*lint.Config, error) {
	if f.configFile == configOff {
		return &lint.Config{}, nil
	}
	path := f.configFile
	if path == "" {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		if path, err = config.Find(here); err != nil || path == "" {
			return &lint.Config{}, err
		}
	}
	src, err := readSettings(path, f.configFile == "")
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", unread(err))
	}
	return config.Read(shown(path), src, rules.All())
}

// readSettings reads a configuration or a baseline, which was found or named on the command line.
func readSettings(path string, found bool) ([]byte, error) {
	read := worktree.ReadNamed
	if found {
		read = worktree.ReadFound
	}
	src, err := read(path, int64(defaultMaxFileSize))
	switch {
	case errors.Is(err, worktree.ErrIrregular):
		err = fmt.Errorf("%s is not a regular file", path)
	case errors.Is(err, worktree.ErrLeadsAway):
		err = fmt.Errorf("%s is a link to a file outside of the repository; name its target on the command line", shown(path))
	case errors.Is(err, worktree.ErrTooLarge):
		err = fmt.Errorf("%s is larger than %s", path, defaultMaxFileSize)
	}
	return src, err
}

// severities puts --rule into the configuration.
func (f *Flags) severities(c *lint.Config) error {
	forced := map[string]lint.Severity{}
	for _, text := range f.rules {
		glob, name, ok := strings.Cut(text, "=")
		if !ok {
			return usageError{fmt.Sprintf("--rule %s: write RULE=SEVERITY", text), "--only RULE,... runs only these rules."}
		}
		ids, err := matching(c, glob)
		if err != nil {
			return err
		}
		severity, err := lint.ParseSeverity(name)
		if err != nil {
			return usageError{"--rule " + glob + ": " + err.Error(), ""}
		}
		for _, id := range ids {
			forced[id] = severity
		}
	}
	c.CommandLine.Rules = forced
	return nil
}

// levels puts --fail-on and --min-severity into the configuration. Findings that make a run fail are reported whatever
// --min-severity is: a failure without a visible reason would not help.
func (f *Flags) levels(c *lint.Config) {
	c.FailOn = level(f.failOnText, c.FailOn)
	c.MinSeverity = level(f.minSeverityText, c.MinSeverity)
	f.failOn = cmp.Or(c.FailOn, lint.Error)
	f.minSeverity = min(cmp.Or(c.MinSeverity, lint.Info), f.failOn)
	if f.failOn == lint.Never {
		f.failOn = lint.Off
	}
}

// level returns the severity of a flag, or else that of the configuration.
func level(flag string, configured lint.Severity) lint.Severity {
	if flag == never {
		return lint.Never
	}
	if s, err := lint.ParseSeverity(flag); err == nil {
		return s
	}
	return configured
}
