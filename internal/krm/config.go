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
	// Lint configures the linter.
	Lint LintConfig `json:"lint,omitempty"`
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

func fromConfigMap(node *yaml.Node) (c *Config, wrong []error) {
	c = &Config{flags: true}
	data, wrong := dataOf(node)
	_, converts := data["convert"]
	for _, key := range slices.Sorted(maps.Keys(data)) {
		s := settingOf(key)
		if s == nil {
			keys := slices.Sorted(slices.Values(flagsOf(settings)))
			wrong = append(wrong, fmt.Errorf("functionConfig: data: unknown key %s; known here: %s", text.Misspelt(key, keys), strings.Join(keys, ", ")))
		} else if err := s.set(c, data[key]); err != nil {
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

// ruleList reads "names-duplicate=off, schema-float=warning".
func ruleList(c *Config, v string) error {
	c.Lint.Rules = map[string]string{}
	var wrong []string
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		id, severity, ok := strings.Cut(part, "=")
		if !ok {
			wrong = append(wrong, text.Quoted(part).Brief())
			continue
		}
		c.Lint.Rules[id] = severity
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s %s not RULE=SEVERITY", text.And(wrong), text.Verb(len(wrong), "is", "are"))
	}
	return nil
}

// severities are the linter's configuration and the severity from which findings fail the function (Off for never); the
// configuration is nil when nothing is to be linted. The words are checked already, and one that is missing is the default.
func (c *Config) severities() (config *lint.Config, failOn lint.Severity) {
	l := c.Lint
	if l.Disabled {
		return nil, lint.Off
	}
	config, failOn = &lint.Config{Rules: map[string]lint.Severity{}}, lint.Error
	config.Preset, _ = lint.ParsePreset(l.Preset)
	config.KubernetesVersion, _ = lint.ParseKubernetesVersion(l.KubernetesVersion)
	for id, word := range l.Rules {
		rule := rules.ByID(id)
		if rule.ID != id {
			config.Renamed = append(config.Renamed, id)
		}
		config.Rules[rule.ID], _ = lint.ParseSeverity(word)
	}
	if l.FailOn != "" {
		failOn, _ = lint.ParseSeverity(l.FailOn) // Off for never, which is not a severity
	}
	return config, failOn
}
