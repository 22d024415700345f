package krm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A setting is a setting of a functionConfig: by the name of the flag in the data of a ConfigMap, by its field below
// the spec of a CRDLift.
type setting struct {
	flag, field string
	allowed     []string                        // the allowed words; nil for a setting of another type
	word        func(*Config) *string           // where the word is
	read        func(c *Config, v string) error // reads the text of a ConfigMap; nil for a word as it is
}

var settings = append(settingsOfConvert(),
	setting{"lint", "lint.disabled", nil, nil, func(c *Config, v string) error {
		var on bool
		err := parseBool(v, &on)
		c.Lint.Disabled = !on
		return err
	}},
	setting{"preset", "lint.preset", lint.Presets(), func(c *Config) *string { return &c.Lint.Preset }, nil},
	setting{"rules", "lint.rules", nil, nil, ruleList},
	setting{"fail-on", "lint.failOn", []string{"error", "warning", "info", "never"}, func(c *Config) *string { return &c.Lint.FailOn }, nil},
	setting{"kubernetes-version", "lint.kubernetesVersion", nil, func(c *Config) *string { return &c.Lint.KubernetesVersion }, nil},
	setting{"output", "output", []string{outputItems, outputNone}, func(c *Config) *string { return &c.Output }, nil},
)

func settingsOfConvert() (all []setting) {
	for _, s := range policy.Settings() {
		one := setting{flag: s.Name, field: "convert." + s.Key, allowed: s.Words}
		switch {
		case s.Word == nil:
			one.read = func(c *Config, v string) error { return parseBool(v, s.Switch(c.converter())) }
		default:
			one.word = func(c *Config) *string { return s.Word(c.converter()) }
		}
		if s.Key == "to" {
			one.flag = "convert"
			one.read = func(c *Config, v string) error { c.converter().To = target(v); return nil }
		}
		all = append(all, one)
	}
	return all
}

// converter returns the options of the conversion. Who asks for them converts.
func (c *Config) converter() *policy.Options {
	if c.Convert == nil {
		c.Convert = &policy.Options{}
	}
	return c.Convert
}

// set sets the setting as a ConfigMap does.
func (s *setting) set(c *Config, v string) error {
	if s.read != nil {
		return s.read(c, v)
	}
	*s.word(c) = v
	return nil
}

// settingOf returns the setting that the command line has a flag for; nil when there is none.
func settingOf(flag string) *setting {
	if i := slices.Index(flagsOf(settings), flag); i >= 0 {
		return &settings[i]
	}
	return nil
}

func flagsOf(settings []setting) (flags []string) {
	for _, s := range settings {
		flags = append(flags, s.flag)
	}
	return flags
}

// key is how the functionConfig spells a setting, given as a flag.
func (c *Config) key(flag string) string {
	if c.flags {
		return "data." + flag
	}
	return "spec." + settingOf(flag).field
}

// check returns all words of the functionConfig that are none of those they can be, and what else is wrong in values that can
// be read.
func (c *Config) check() (wrong []error) {
	whole := *c // with options of a conversion
	for _, s := range settings {
		if s.allowed == nil {
			continue
		}
		if word := *s.word(&whole); word != "" && !slices.Contains(s.allowed, word) {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s", text.NotOneOf(c.key(s.flag), word, s.allowed)))
		}
	}
	severities := c.Lint.Rules
	for _, id := range slices.Sorted(maps.Keys(severities)) {
		if rules.ByID(id) == nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: there is no rule %s; 'crdlift explain' lists them", c.key("rules"), text.Misspelt(id, rules.All().IDs())))
		}
		if _, err := lint.ParseSeverity(severities[id]); err != nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: %s: %w", c.key("rules"), text.Quoted(id).Brief(), err))
		}
	}
	if version := c.Lint.KubernetesVersion; version != "" {
		if _, err := lint.ParseKubernetesVersion(version); err != nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: %w", c.key("kubernetes-version"), err))
		}
	}
	return wrong
}

// inKeys names the key of the functionConfig in the place of the flag that a message advises.
func (c *Config) inKeys(message string, advised policy.Choice) string {
	if advised.Name == "" {
		return message
	}
	return strings.ReplaceAll(message, advised.String(), c.key(advised.Name)+": "+cmp.Or(advised.Word, "true"))
}
