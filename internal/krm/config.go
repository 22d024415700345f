package krm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/wording"
	"github.com/crdlift/crdlift/lint"
)

// The kind of functionConfig that has the function's settings in fields. A ConfigMap has them as text.
const (
	configKind       = "CRDLift"
	configAPIVersion = "crdlift.github.io/v1"
)

// A Config is what a functionConfig of kind CRDLift says below spec.
type Config struct {
	// Convert rewrites the CRDs among the items; nil leaves them as they are.
	Convert *ConvertConfig `json:"convert,omitempty"`
	// Lint says what to look for; nil stands for the recommended rules.
	Lint *LintConfig `json:"lint,omitempty"`
	// Output is "items" (all items come back, the default) or "none": for validators, which kustomize does not let
	// change anything.
	Output string `json:"output,omitempty"`
}

// What Config.Output may say.
const (
	outputItems = "items"
	outputNone  = "none"
)

// A ConvertConfig has the settings of `crdlift convert`, in the words of its flags.
type ConvertConfig struct {
	To             string `json:"to,omitempty"`
	Policy         string `json:"policy,omitempty"`
	UnknownFields  string `json:"unknownFields,omitempty"`
	MissingTypes   string `json:"missingTypes,omitempty"`
	OnLoss         string `json:"onLoss,omitempty"`
	UpgradeInPlace bool   `json:"upgradeInPlace,omitempty"`
	UnapprovedAPI  bool   `json:"unapprovedAPI,omitempty"`
	KeepStatus     bool   `json:"keepStatus,omitempty"`
}

// A LintConfig has the settings of `crdlift lint`.
type LintConfig struct {
	Disabled          bool              `json:"disabled,omitempty"`
	Preset            string            `json:"preset,omitempty"`
	Rules             map[string]string `json:"rules,omitempty"` // severities by rule id
	FailOn            string            `json:"failOn,omitempty"`
	KubernetesVersion string            `json:"kubernetesVersion,omitempty"`
}

// readConfig reads a functionConfig; none, or an empty one, asks for the defaults.
func readConfig(node *yaml.Node) (*Config, error) {
	if node == nil || crd.IsNull(node) || node.Kind == yaml.MappingNode && len(node.Content) == 0 {
		return &Config{}, nil
	}
	config, err := readKind(node)
	if err == nil && config.Output != "" && config.Output != outputItems && config.Output != outputNone {
		err = fmt.Errorf("functionConfig: output %q is neither %s nor %s", config.Output, outputItems, outputNone)
	}
	return config, err
}

func readKind(node *yaml.Node) (*Config, error) {
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
		if err := decode(node, &whole); err != nil {
			return nil, err
		}
		if whole.APIVersion != configAPIVersion {
			return nil, fmt.Errorf("functionConfig: apiVersion %q is not %s", whole.APIVersion, configAPIVersion)
		}
		return &whole.Spec, nil
	default:
		return nil, fmt.Errorf("functionConfig: kind %s is neither ConfigMap nor %s", wording.Misspelt(kind, []string{"ConfigMap", configKind}), configKind)
	}
}

// mapKeys are what a ConfigMap's data may hold: the flags of the command line by their names.
var mapKeys = map[string]func(*Config, string) error{
	"convert":            func(c *Config, v string) error { return toggle(v, func(to string) { c.converter().To = to }) },
	"policy":             func(c *Config, v string) error { c.converter().Policy = v; return nil },
	"unknown-fields":     func(c *Config, v string) error { c.converter().UnknownFields = v; return nil },
	"missing-types":      func(c *Config, v string) error { c.converter().MissingTypes = v; return nil },
	"on-loss":            func(c *Config, v string) error { c.converter().OnLoss = v; return nil },
	"upgrade-in-place":   func(c *Config, v string) error { return parseBool(v, &c.converter().UpgradeInPlace) },
	"unapproved-api":     func(c *Config, v string) error { return parseBool(v, &c.converter().UnapprovedAPI) },
	"keep-status":        func(c *Config, v string) error { return parseBool(v, &c.converter().KeepStatus) },
	"lint":               func(c *Config, v string) error { return lintSwitch(c.linter(), v) },
	"preset":             func(c *Config, v string) error { c.linter().Preset = v; return nil },
	"rules":              func(c *Config, v string) error { return ruleList(c.linter(), v) },
	"fail-on":            func(c *Config, v string) error { c.linter().FailOn = v; return nil },
	"kubernetes-version": func(c *Config, v string) error { c.linter().KubernetesVersion = v; return nil },
	"output":             func(c *Config, v string) error { c.Output = v; return nil },
}

func (c *Config) converter() *ConvertConfig {
	if c.Convert == nil {
		c.Convert = &ConvertConfig{}
	}
	return c.Convert
}

func (c *Config) linter() *LintConfig {
	if c.Lint == nil {
		c.Lint = &LintConfig{}
	}
	return c.Lint
}

func fromConfigMap(node *yaml.Node) (*Config, error) {
	c := &Config{}
	data, err := dataOf(node)
	if err != nil {
		return nil, err
	}
	_, converts := data["convert"]
	for _, key := range slices.Sorted(maps.Keys(data)) {
		set, known := mapKeys[key]
		if !known {
			keys := slices.Sorted(maps.Keys(mapKeys))
			return nil, fmt.Errorf("functionConfig: data: unknown key %s; known here: %s", wording.Misspelt(key, keys), strings.Join(keys, ", "))
		}
		if err := set(c, data[key]); err != nil {
			return nil, fmt.Errorf("functionConfig: data.%s: %w", key, err)
		}
	}
	if c.Convert != nil && (!converts || c.Convert.To == "") {
		if !converts {
			return nil, fmt.Errorf("functionConfig: data says how to convert, but not to what; add convert: v1")
		}
		c.Convert = nil
	}
	return c, nil
}

// dataOf is the data of a ConfigMap. Hosts that make it of a command line's words quote what is no string to YAML; people
// do not, so that any scalar will do.
func dataOf(node *yaml.Node) (map[string]string, error) {
	data := map[string]string{}
	field := crd.Get(node, "data")
	if field == nil || crd.IsNull(field) {
		return data, nil
	}
	if field.Kind != yaml.MappingNode {
		return nil, errors.New("functionConfig: data must be a mapping of names to strings")
	}
	for _, e := range crd.Entries(field) {
		value := crd.Deref(e.Value)
		if value.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("functionConfig: data.%s must be a string", e.Name)
		}
		data[e.Name] = value.Value
	}
	return data, nil
}

// toggle reads the version to convert to; "false" and "" convert nothing, "true" to v1.
func toggle(v string, set func(string)) error {
	switch v {
	case "", "false":
		set("")
	case "true":
		set(string(convert.V1))
	case string(convert.V1), string(convert.V1beta1):
		set(v)
	default:
		return fmt.Errorf("%q is not v1, v1beta1 or false", v)
	}
	return nil
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
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		id, severity, ok := strings.Cut(part, "=")
		if !ok {
			return fmt.Errorf("%q is not RULE=SEVERITY", part)
		}
		c.Rules[id] = severity
	}
	return nil
}

// options are the conversion's; nil when nothing is to be converted.
func (c *Config) options() (*convert.Options, error) {
	if c.Convert == nil {
		return nil, nil
	}
	opt := &convert.Options{
		To: convert.Version(c.Convert.To), Policy: convert.Policy(c.Convert.Policy),
		UnknownFields: convert.UnknownFields(c.Convert.UnknownFields), MissingTypes: convert.MissingTypes(c.Convert.MissingTypes),
		OnLoss: convert.OnLoss(c.Convert.OnLoss), UpgradeInPlace: c.Convert.UpgradeInPlace,
		UnapprovedAPI: c.Convert.UnapprovedAPI, KeepStatus: c.Convert.KeepStatus,
	}
	if err := opt.Check(); err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	return opt, nil
}

// rules are the linter's configuration and the severity from which findings fail the function (Off for never); the
// configuration is nil when nothing is to be linted.
func (c *Config) rules(known []*lint.Rule) (config *lint.Config, failOn lint.Severity, err error) {
	l := c.Lint
	if l == nil {
		l = &LintConfig{}
	}
	if l.Disabled {
		return nil, lint.Off, nil
	}
	config, failOn = &lint.Config{Rules: map[string]lint.Severity{}}, lint.Error
	if l.Preset != "" {
		if config.Preset, err = lint.ParsePreset(l.Preset); err != nil {
			return nil, 0, fmt.Errorf("functionConfig: preset: %w", err)
		}
	}
	var ids []string
	for _, r := range known {
		ids = append(ids, r.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(l.Rules)) {
		if !slices.Contains(ids, id) {
			return nil, 0, fmt.Errorf("functionConfig: rules: there is no rule %s; 'crdlift rules' lists them", wording.Misspelt(id, ids))
		}
		if config.Rules[id], err = lint.ParseSeverity(l.Rules[id]); err != nil {
			return nil, 0, fmt.Errorf("functionConfig: rules: %s: %w", id, err)
		}
	}
	if l.KubernetesVersion != "" {
		if config.KubernetesVersion, err = lint.ParseKubernetesVersion(l.KubernetesVersion); err != nil {
			return nil, 0, fmt.Errorf("functionConfig: kubernetesVersion: %w", err)
		}
	}
	switch l.FailOn {
	case "":
	case "never":
		failOn = lint.Off
	default:
		if failOn, err = lint.ParseSeverity(l.FailOn); err != nil {
			return nil, 0, fmt.Errorf("functionConfig: failOn: %w", err)
		}
	}
	return config, failOn, nil
}
