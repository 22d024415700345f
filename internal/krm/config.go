package krm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// The kind of functionConfig that has the function's settings in fields. A ConfigMap has them as text.
const (
	configKind       = "CRDLift"
	configAPIVersion = "crdlift.github.io/v1"
)

// A Config is the spec of a functionConfig of kind CRDLift.
type Config struct {
	// Convert rewrites the CRDs among the items; nil leaves them as they are.
	Convert *policy.Options `json:"convert,omitempty"`
	// Lint configures the linter; nil means the recommended rules.
	Lint *LintConfig `json:"lint,omitempty"`
	// Output is "items" (all items come back, the default) or "none": for validators, which kustomize does not let
	// change anything.
	Output string `json:"output,omitempty"`

	flags bool // it is a ConfigMap, which names settings as the flags do
}

// What Config.Output may say.
const (
	outputItems = "items"
	outputNone  = "none"
)

// A LintConfig has the settings of `crdlift lint`.
type LintConfig struct {
	Disabled          bool              `json:"disabled,omitempty"`
	Preset            string            `json:"preset,omitempty"`
	Rules             map[string]string `json:"rules,omitempty"` // severities by rule id
	FailOn            string            `json:"failOn,omitempty"`
	KubernetesVersion string            `json:"kubernetesVersion,omitempty"`
}

// readConfig reads a functionConfig; none, or an empty one, asks for the defaults. The error is all that is wrong with it.
func readConfig(node *yaml.Node) (*Config, error) {
	if node == nil || crd.IsNull(node) || node.Kind == yaml.MappingNode && len(node.Content) == 0 {
		return &Config{}, nil
	}
	config, wrong := readKind(node)
	if config != nil {
		wrong = append(wrong, config.check()...)
	}
	return config, errors.Join(wrong...)
}

// readKind reads a functionConfig of either kind; nil for one of another.
func readKind(node *yaml.Node) (*Config, []error) {
	switch kind := crd.StringAt(node, "kind"); kind {
	case "ConfigMap":
		return fromConfigMap(node)
	case configKind:
		var whole struct {
			APIVersion string         `json:"apiVersion"`
			Kind       string         `json:"kind"`
			Metadata   map[string]any `json:"metadata"` // the host's business
			Spec       Config         `json:"spec"`
		}
		wrong := decode(node, &whole)
		if whole.APIVersion != configAPIVersion {
			wrong = append(wrong, fmt.Errorf("functionConfig: apiVersion %q is not %s", whole.APIVersion, configAPIVersion))
		}
		return &whole.Spec, wrong
	default:
		return nil, []error{fmt.Errorf("functionConfig: kind %s is neither ConfigMap nor %s", text.Misspelt(kind, []string{"ConfigMap", configKind}), configKind)}
	}
}

// mapKeys are the keys that a ConfigMap's data may have: the flags of the command line by their names.
var mapKeys = readersOfMap()

func readersOfMap() map[string]func(*Config, string) error {
	keys := map[string]func(*Config, string) error{
		"convert":            func(c *Config, v string) error { c.converter().To = target(v); return nil },
		"lint":               func(c *Config, v string) error { return lintSwitch(c.linter(), v) },
		"preset":             func(c *Config, v string) error { c.linter().Preset = v; return nil },
		"rules":              func(c *Config, v string) error { return ruleList(c.linter(), v) },
		"fail-on":            func(c *Config, v string) error { c.linter().FailOn = v; return nil },
		"kubernetes-version": func(c *Config, v string) error { c.linter().KubernetesVersion = v; return nil },
		"output":             func(c *Config, v string) error { c.Output = v; return nil },
	}
	for _, s := range policy.Settings() {
		switch {
		case s.Key == "to": // it is called convert
		case s.Word != nil:
			keys[s.Flag] = func(c *Config, v string) error { *s.Word(c.converter()) = v; return nil }
		default:
			keys[s.Flag] = func(c *Config, v string) error { return parseBool(v, s.Switch(c.converter())) }
		}
	}
	return keys
}

func (c *Config) converter() *policy.Options {
	if c.Convert == nil {
		c.Convert = &policy.Options{}
	}
	return c.Convert
}

func (c *Config) linter() *LintConfig {
	if c.Lint == nil {
		c.Lint = &LintConfig{}
	}
	return c.Lint
}

func fromConfigMap(node *yaml.Node) (c *Config, wrong []error) {
	c = &Config{flags: true}
	data, wrong := dataOf(node)
	_, converts := data["convert"]
	for _, key := range slices.Sorted(maps.Keys(data)) {
		set, known := mapKeys[key]
		if !known {
			keys := slices.Sorted(maps.Keys(mapKeys))
			wrong = append(wrong, fmt.Errorf("functionConfig: data: unknown key %s; known here: %s", text.Misspelt(key, keys), strings.Join(keys, ", ")))
			continue
		}
		if err := set(c, data[key]); err != nil {
			wrong = append(wrong, fmt.Errorf("functionConfig: data.%s: %w", key, err))
		}
	}
	switch {
	case c.Convert == nil:
	case !converts:
		wrong = append(wrong, fmt.Errorf("functionConfig: data has conversion options, but no target version; add convert: v1"))
	case c.Convert.To == "" && len(wrong) == 0: // else the settings of the conversion are still checked
		c.Convert = nil
	}
	return c, wrong
}

// dataOf returns the data of a ConfigMap. Hosts that create it from a command line quote words that are not strings to
// YAML; people do not, so any scalar is accepted.
func dataOf(node *yaml.Node) (data map[string]string, wrong []error) {
	data = map[string]string{}
	field := crd.Get(node, "data")
	if field == nil || crd.IsNull(field) {
		return data, nil
	}
	if field.Kind != yaml.MappingNode {
		return data, []error{errors.New("functionConfig: data must be a mapping of names to strings")}
	}
	for _, e := range crd.Entries(field) {
		value := crd.Deref(e.Value)
		if value.Kind != yaml.ScalarNode {
			wrong = append(wrong, fmt.Errorf("functionConfig: data.%s must be a string", e.Name))
			continue
		}
		data[e.Name] = value.Value
	}
	return data, wrong
}

// target reads the version to convert to; "false" and "" convert nothing, "true" to v1. Other words are for check.
func target(v string) policy.Target {
	switch v {
	case "false":
		return ""
	case "true":
		return policy.V1
	}
	return policy.Target(v)
}

func parseBool(v string, to *bool) error {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", v)
	}
	*to = b
	return nil
}

func lintSwitch(c *LintConfig, v string) error {
	var on bool
	if err := parseBool(v, &on); err != nil {
		return err
	}
	c.Disabled = !on
	return nil
}

// ruleList reads "names-duplicate=off, schema-float=warning".
func ruleList(c *LintConfig, v string) error {
	c.Rules = map[string]string{}
	var wrong []string
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		id, severity, ok := strings.Cut(part, "=")
		if !ok {
			wrong = append(wrong, text.Quoted(part).Brief())
			continue
		}
		c.Rules[id] = severity
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s %s not RULE=SEVERITY", text.And(wrong), text.Verb(len(wrong), "is", "are"))
	}
	return nil
}

// severities are the linter's configuration and the severity from which findings fail the function (Off for never); the
// configuration is nil when nothing is to be linted. The words are checked already.
func (c *Config) severities() (config *lint.Config, failOn lint.Severity) {
	l := c.linting()
	if l.Disabled {
		return nil, lint.Off
	}
	config, failOn = &lint.Config{Rules: map[string]lint.Severity{}}, lint.Error
	if l.Preset != "" {
		config.Preset, _ = lint.ParsePreset(l.Preset)
	}
	for id, word := range l.Rules {
		rule := rules.ByID(id)
		if rule.ID != id {
			config.Renamed = append(config.Renamed, id)
		}
		config.Rules[rule.ID], _ = lint.ParseSeverity(word)
	}
	if l.KubernetesVersion != "" {
		config.KubernetesVersion, _ = lint.ParseKubernetesVersion(l.KubernetesVersion)
	}
	switch l.FailOn {
	case "":
	case lint.Never.String():
		failOn = lint.Off
	default:
		failOn, _ = lint.ParseSeverity(l.FailOn)
	}
	return config, failOn
}
