package run

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
	About                 string // what the command is about; "" for CRDs as they are
	ConfigFile            string // "" to look for it, configOff for none
	ConfigFrom            string // the revision to read it from, and what else hides findings; "" for the files that are there
	NoInline              bool   // comments in manifests ignore nothing
	Preset                string
	Rules, Only           []string
	Unasked               map[string]string // rules that never have findings, and the flag that says so
	KubernetesVersion     string
	FailOnText            string
	MinSeverityText       string
	OutputNames           []string
	Outputs               Outputs // what those say
	Quiet, AllowEmpty     bool
	Templates             string // templatesOff to pass Helm templates over
	Kustomize             string // the folder whose build is linted, in place of paths
	Against               string
	Require               string // what is needed, to compare with in place of Against
	Apply, FieldManager   string
	ForceConflicts        bool
	Exact                 bool
	AllFiles              bool // judge files alike, whatever they are to the repository
	Found                 bool // what is named is as if a walk had found it
	Copies                bool // name the copies of CRDs that have what is found
	Baseline, NewBaseline string
	Cache                 string // a folder; "" for none
	GoTypes               string

	Audits bool // the run looks at a dump of a cluster: it may have findings of any rule

	Skip string // absolute path of a folder to pass over: the one that is written to

	// Known once the configuration is read.
	FailOn      lint.Severity // Off for never
	MinSeverity lint.Severity // of reported findings; above lint.Error for none
	baselines   []reserved    // once there is a linter
	idleOnly    []string      // what --only names beside others and never has findings

	source *config.Source // of settings
}

// What commands are about, in the words of messages.
const (
	AboutChanges     = "changes"
	AboutObjects     = "custom resources"
	AboutConversions = "conversions"
	AboutSuites      = "tests of CRDs"
	AboutMigrations  = "the migration of custom resources"
)

// The words that flags accept next to others.
const (
	configOff    = "off"
	TemplatesOff = "off"
	goAuto       = "auto"
	GoOff        = "off"
)

// Never is what --fail-on and --min-severity accept next to severities.
var Never = lint.Never.String()

// ReadConfig reads the configuration, over which the flags have the last word.
func (f *Flags) ReadConfig() (*lint.Config, error) {
	c, err := f.ReadConfigFile()
	if err != nil {
		return nil, err
	}
	if f.Preset != "" {
		preset, _ := lint.ParsePreset(f.Preset) // which the flag has checked
		c.CommandLine.Preset = &preset
	}
	if err := f.severities(c); err != nil {
		return nil, err
	}
	if f.KubernetesVersion != "" {
		if c.KubernetesVersion, err = lint.ParseKubernetesVersion(f.KubernetesVersion); err != nil {
			return nil, UsageError("--kubernetes-version: "+err.Error(), "")
		}
	}
	f.levels(c)
	f.apply(c)
	return c, nil
}

// apply puts --apply, --field-manager and --force-conflicts into the configuration.
func (f *Flags) apply(c *lint.Config) {
	c.Apply.Way = cmp.Or(lint.Way(f.Apply), c.Apply.Way)
	c.Apply.Manager = cmp.Or(f.FieldManager, c.Apply.Manager)
	c.Apply.Force = f.ForceConflicts
}

// ReadConfigFile reads the configuration file, if there is one.
func (f *Flags) ReadConfigFile() (*lint.Config, error) {
	if err := f.openSource(); err != nil {
		return nil, err
	}
	if f.ConfigFile == configOff {
		return &lint.Config{}, nil
	}
	path := f.ConfigFile
	if path == "" {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		if path, err = f.source.Find(here); err != nil || path == "" {
			return &lint.Config{}, err
		}
	}
	src, err := f.readSettings(path, f.ConfigFile == "")
	if err != nil {
		return nil, UsageError(fmt.Sprintf("configuration: %v", Unread(err)), "correct that, or run without a configuration: --config off")
	}
	return f.source.Parse(Shown(path), src, rules.All())
}

// ReadSettings reads a configuration or a baseline, which was found or named on the command line.
func ReadSettings(path string, found bool) ([]byte, error) {
	read := worktree.ReadNamed
	if found {
		read = worktree.ReadFound
	}
	src, err := read(path, int64(defaultMaxFileSize))
	switch {
	case errors.Is(err, worktree.ErrIrregular):
		err = fmt.Errorf("%s is not a regular file", path)
	case errors.Is(err, worktree.ErrLeadsAway):
		err = fmt.Errorf("%s is a link to a file outside of the repository; name its target on the command line", Shown(path))
	case errors.Is(err, worktree.ErrTooLarge):
		err = fmt.Errorf("%s is larger than %s", path, defaultMaxFileSize)
	}
	return src, err
}

// severities puts --rule into the configuration.
func (f *Flags) severities(c *lint.Config) error {
	forced := map[string]lint.Severity{}
	for _, text := range f.Rules {
		glob, name, ok := strings.Cut(text, "=")
		if !ok {
			return UsageError(fmt.Sprintf("--rule %s: write RULE=SEVERITY, such as %[1]s=warning, or use --only %[1]s to run no other rule", text), "")
		}
		ids, err := matching(c, glob)
		if err != nil {
			return err
		}
		severity, err := lint.ParseSeverity(name)
		if err != nil {
			return UsageError("--rule "+glob+": "+err.Error(), "")
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
	c.FailOn = level(f.FailOnText, c.FailOn)
	c.MinSeverity = level(f.MinSeverityText, c.MinSeverity)
	f.FailOn = cmp.Or(c.FailOn, lint.Error)
	f.MinSeverity = min(cmp.Or(c.MinSeverity, lint.Info), f.FailOn)
	if f.FailOn == lint.Never {
		f.FailOn = lint.Off
	}
}

// level returns the severity of a flag, or else that of the configuration.
func level(flag string, configured lint.Severity) lint.Severity {
	if flag == Never {
		return lint.Never
	}
	if s, err := lint.ParseSeverity(flag); err == nil {
		return s
	}
	return configured
}
