package krm

import (
	"fmt"
	"maps"
	"regexp"
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
	allowed     []string             // the allowed words; nil for a setting of another type
	value       func(*Config) string // nil like allowed
}

// settings are those that a message may have to name.
var settings = append(settingsOfConvert(),
	setting{"preset", "lint.preset", named(lint.Recommended, lint.Strict, lint.All), func(c *Config) string { return c.linting().Preset }},
	setting{"rules", "lint.rules", nil, nil},
	setting{"fail-on", "lint.failOn", named(lint.Error, lint.Warning, lint.Info, lint.Never), func(c *Config) string { return c.linting().FailOn }},
	setting{"kubernetes-version", "lint.kubernetesVersion", nil, nil},
	setting{"output", "output", []string{outputItems, outputNone}, func(c *Config) string { return c.Output }},
)

func settingsOfConvert() (all []setting) {
	for _, s := range policy.Settings() {
		one := setting{flag: s.Flag, field: "convert." + s.Key, allowed: s.Words}
		if s.Key == "to" {
			one.flag = "convert"
		}
		if s.Word != nil {
			one.value = func(c *Config) string {
				if c.Convert == nil {
					return ""
				}
				return *s.Word(c.Convert)
			}
		}
		all = append(all, one)
	}
	return all
}

func named[T fmt.Stringer](all ...T) (texts []string) {
	for _, one := range all {
		texts = append(texts, one.String())
	}
	return texts
}

// linting returns the settings of rules in a functionConfig, if any.
func (c *Config) linting() LintConfig {
	if c.Lint == nil {
		return LintConfig{}
	}
	return *c.Lint
}

// key is how the functionConfig spells a setting, given as a flag.
func (c *Config) key(flag string) string {
	if c.flags {
		return "data." + flag
	}
	i := slices.IndexFunc(settings, func(s setting) bool { return s.flag == flag })
	return "spec." + settings[i].field
}

// check returns all words of the functionConfig that are none of those they can be, and what else is wrong in values that can
// be read.
func (c *Config) check() (wrong []error) {
	for _, s := range settings {
		if s.value == nil {
			continue
		}
		if word := s.value(c); word != "" && !slices.Contains(s.allowed, word) {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s", text.NotOneOf(c.key(s.flag), word, s.allowed)))
		}
	}
	severities := c.linting().Rules
	for _, id := range slices.Sorted(maps.Keys(severities)) {
		if rules.ByID(id) == nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: there is no rule %s; 'crdlift rules' lists them", c.key("rules"), text.Misspelt(id, rules.All().IDs())))
		}
		if _, err := lint.ParseSeverity(severities[id]); err != nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: %s: %w", c.key("rules"), text.Quoted(id).Brief(), err))
		}
	}
	if version := c.linting().KubernetesVersion; version != "" {
		if _, err := lint.ParseKubernetesVersion(version); err != nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: %s: %w", c.key("kubernetes-version"), err))
		}
	}
	return wrong
}

// flagged finds the flags of crdlift convert in messages.
var flagged = regexp.MustCompile(`--(` + strings.Join(flagsOfConvert(), "|") + `)\b(?:=([a-z]+))?`)

func flagsOfConvert() (flags []string) {
	for _, s := range settingsOfConvert() {
		flags = append(flags, s.flag)
	}
	return flags
}

// inKeys names the keys of the functionConfig in the place of the flags that a message advises.
func (c *Config) inKeys(message string) string {
	return flagged.ReplaceAllStringFunc(message, func(flag string) string {
		m := flagged.FindStringSubmatch(flag)
		if m[2] == "" {
			m[2] = "true"
		}
		return c.key(m[1]) + ": " + m[2]
	})
}
