package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A configFile is the configuration file that the command line asks for; "" to look for it, configOff for none.
type configFile struct{ file string }

const configOff = "off"

func (f *configFile) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "config", "", "`FILE` the configuration; off for none (default: .crdlift.yaml in the working directory or above it)")
}

// configFlags are the flags that set configuration. They override the file.
type configFlags struct {
	configFile
	preset            string
	rules             []string
	failOnText        string
	minSeverityText   string
	kubernetesVersion string

	// Known once the configuration is read.
	failOn      lint.Severity // Off for never
	minSeverity lint.Severity // of reported findings; above lint.Error for none
}

// never is what --fail-on and --min-severity take beside severities.
var never = lint.Never.String()

func (f *configFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.configFile.add(cmd)
	addChoice(cmd, &f.preset, "preset", "", "set of rules to run (default recommended)", lint.Presets()...)
	flags.StringArrayVar(&f.rules, "rule", nil, "`RULE=SEVERITY` severity of the rules that match a name or glob, may be repeated: off, info, warning, error")
	complete(cmd, "rule", completeSeverities)
	addChoice(cmd, &f.failOnText, "fail-on", "", "lowest severity that makes the exit code 1 (default error)", "error", "warning", "info", never)
	addChoice(cmd, &f.minSeverityText, "min-severity", "", "lowest severity to report; findings that make the run fail are always reported (default info)", "error", "warning", "info", never)
	flags.StringVar(&f.kubernetesVersion, "kubernetes-version", "", "`VERSION` the oldest Kubernetes that the CRDs are for, such as 1.27")
}

// config is the effective configuration.
func (f *configFlags) config() (*lint.Config, error) {
	config, err := f.read()
	if err != nil {
		return nil, err
	}
	if f.preset != "" {
		preset, _ := lint.ParsePreset(f.preset) // which the flag has checked
		config.CommandLine.Preset = &preset
	}
	if err := f.severities(config); err != nil {
		return nil, err
	}
	if f.kubernetesVersion != "" {
		if config.KubernetesVersion, err = lint.ParseKubernetesVersion(f.kubernetesVersion); err != nil {
			return nil, usageError{"--kubernetes-version: " + err.Error(), ""}
		}
	}
	f.levels(config)
	return config, nil
}

// levels puts --fail-on and --min-severity into the configuration. Findings that make a run fail are reported whatever
// --min-severity is: a failure without a visible reason would not help.
func (f *configFlags) levels(config *lint.Config) {
	config.FailOn = level(f.failOnText, config.FailOn)
	config.MinSeverity = level(f.minSeverityText, config.MinSeverity)
	f.failOn = cmp.Or(config.FailOn, lint.Error)
	f.minSeverity = min(cmp.Or(config.MinSeverity, lint.Info), f.failOn)
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

// read reads the configuration file, if there is one.
func (f *configFile) read() (*lint.Config, error) {
	if f.file == configOff {
		return &lint.Config{}, nil
	}
	path := f.file
	if path == "" {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		if path, err = config.Find(here); err != nil || path == "" {
			return &lint.Config{}, err
		}
	}
	src, err := readSettings(path, f.file == "")
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
func (f *configFlags) severities(config *lint.Config) error {
	forced := map[string]lint.Severity{}
	for _, text := range f.rules {
		glob, name, ok := strings.Cut(text, "=")
		if !ok {
			return usageError{fmt.Sprintf("--rule %s: write RULE=SEVERITY", text), "--only RULE,... runs only these rules."}
		}
		ids, err := matching(config, glob)
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
	config.CommandLine.Rules = forced
	return nil
}

// matching returns the rules that match an id or a glob. An earlier id is recorded in the configuration.
func matching(config *lint.Config, glob string) ([]string, error) {
	if !strings.ContainsAny(glob, "*?[") {
		rule := rules.ByID(glob)
		if rule == nil {
			return nil, unknownRule(glob)
		}
		if rule.ID != glob {
			config.Renamed = append(config.Renamed, glob)
		}
		return []string{rule.ID}, nil
	}
	var ids []string
	for _, id := range ruleIDs() {
		if ok, err := path.Match(glob, id); err != nil {
			return nil, usageError{fmt.Sprintf("%q is not a valid glob: it has an unbalanced bracket", glob), ""}
		} else if ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, usageError{fmt.Sprintf("no rule matches %q", glob), listsRules}
	}
	return ids, nil
}

func configCommand(s *session) *cobra.Command {
	var f configFile
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the configuration as crdlift understands it: the file, and the defaults",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			effective, err := f.read()
			if err != nil {
				return err
			}
			_, err = s.stdout.Write(config.YAML(effective))
			return err
		},
	}
	f.add(cmd)
	return cmd
}
