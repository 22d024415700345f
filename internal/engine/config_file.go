package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ConfigName is the name of the configuration file.
const ConfigName = ".crdlift.yaml"

// FindConfig looks for the configuration file in a folder and those above it, up to the root of the repository or of the
// file system. The path is relative when the folder is, and "" when there is no such file.
func FindConfig(dir string) (path string, err error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		switch info, err := os.Stat(filepath.Join(absolute, ConfigName)); {
		case err == nil && info.Mode().IsRegular():
			return filepath.Join(dir, ConfigName), nil
		case err == nil && !info.IsDir(): // a pipe, or a link to a device: reading it might never end
			return "", fmt.Errorf("%s is not a regular file", filepath.Join(dir, ConfigName))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if _, err := os.Stat(filepath.Join(absolute, ".git")); err == nil { // a worktree's is a file
			return "", nil
		}
		above := filepath.Dir(absolute)
		if above == absolute {
			return "", nil
		}
		absolute, dir = above, filepath.Join(dir, "..")
	}
}

// ReadConfig reads a configuration file. Unknown keys, unknown rules and wrong values are errors: all of them are
// reported together, each a *FileError in what errors.Join makes.
func ReadConfig(path string, src []byte, rules []*Rule) (*Config, error) {
	c := &Config{Path: path}
	err := readStrictly(path, src, func(r *strictReader) []member {
		return (&configReader{r, ruleIDs(rules)}).fields(c)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ruleIDs are the ids of rules, with the engine's own.
func ruleIDs(rules []*Rule) []string {
	var ids []string
	for _, r := range slices.Concat(rules, OwnRules()) {
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// A configReader knows the keys of the configuration file. docs/schema/config.json says the same to editors.
type configReader struct {
	*strictReader
	ids []string
}

func (r *configReader) fields(c *Config) []member {
	return []member{
		{"preset", func(n *yaml.Node) { c.Preset = r.preset(n) }},
		{"rules", func(n *yaml.Node) { c.Rules = r.rules(n) }},
		{"overrides", func(n *yaml.Node) {
			r.list(n, "overrides", func(item *yaml.Node) { c.Overrides = append(c.Overrides, r.override(item)) })
		}},
		{"paths", func(n *yaml.Node) { c.Paths = r.paths(n) }},
		{"exclude", func(n *yaml.Node) { c.Exclude = r.globs(n, "exclude") }},
		{"ignore", func(n *yaml.Node) {
			r.list(n, "ignore", func(item *yaml.Node) { c.Ignores = append(c.Ignores, r.ignore(item)) })
		}},
		{"kubernetesVersion", func(n *yaml.Node) { c.KubernetesVersion = r.kubernetesVersion(n) }},
		{"failOn", func(n *yaml.Node) { c.FailOn = r.level(n, "failOn") }},
		{"minSeverity", func(n *yaml.Node) { c.MinSeverity = r.level(n, "minSeverity") }},
		{"baseline", func(n *yaml.Node) { c.Baseline = r.text(n, "baseline") }},
		{"compatibility", func(n *yaml.Node) { r.mapping(n, "compatibility", r.compatibilityFields(&c.Compatibility)) }},
		{"convert", func(n *yaml.Node) { r.mapping(n, "convert", r.convertFields(&c.Convert)) }},
	}
}

func (r *configReader) overrideFields(o *Override) []member {
	return []member{
		{"paths", func(n *yaml.Node) { o.Paths = r.globs(n, "paths") }},
		{"preset", func(n *yaml.Node) { p := r.preset(n); o.Preset = &p }},
		{"rules", func(n *yaml.Node) { o.Rules = r.rules(n) }},
	}
}

func (r *configReader) ignoreFields(i *Ignore) []member {
	return []member{
		{"rule", func(n *yaml.Node) { i.Rule = r.ruleGlob(n) }},
		{"crd", func(n *yaml.Node) { i.CRD = r.glob(n, "crd") }},
		{"path", func(n *yaml.Node) { i.Path = r.text(n, "path") }},
		{"file", func(n *yaml.Node) { i.File = r.glob(n, "file") }},
		{"reason", func(n *yaml.Node) { i.Reason = r.reason(n) }},
	}
}

func (r *configReader) compatibilityFields(c *Compatibility) []member {
	severity := func(name string, to **lint.Severity) member {
		return member{name, func(n *yaml.Node) { s := r.severity(n, name); *to = &s }}
	}
	return []member{severity("alpha", &c.Alpha), severity("beta", &c.Beta), severity("stable", &c.Stable), severity("status", &c.Status)}
}

// The words of convert's options. That package is above this one; a test keeps them in step.
var (
	policies      = []string{"exact", "idiomatic"}
	unknownFields = []string{"preserve", "root", "prune"}
	missingTypes  = []string{"preserve", "infer"}
)

func (r *configReader) convertFields(c *ConvertConfig) []member {
	return []member{
		{"policy", func(n *yaml.Node) { c.Policy = r.word(n, "policy", policies...) }},
		{"unknownFields", func(n *yaml.Node) { c.UnknownFields = r.word(n, "unknownFields", unknownFields...) }},
		{"missingTypes", func(n *yaml.Node) { c.MissingTypes = r.word(n, "missingTypes", missingTypes...) }},
		{"unapprovedAPI", func(n *yaml.Node) { c.UnapprovedAPI = r.flag(n, "unapprovedAPI") }},
		{"upgradeInPlace", func(n *yaml.Node) { c.UpgradeInPlace = r.flag(n, "upgradeInPlace") }},
		{"keepStatus", func(n *yaml.Node) { c.KeepStatus = r.flag(n, "keepStatus") }},
	}
}

func (r *configReader) override(n *yaml.Node) (o Override) {
	before := len(r.errors)
	r.mapping(n, "an override", r.overrideFields(&o))
	switch {
	case len(r.errors) > before: // one thing at a time
	case len(o.Paths) == 0:
		r.fail(firstKey(n), "the override has no paths: it needs globs of the files it is for")
	case o.Preset == nil && len(o.Rules) == 0:
		r.fail(firstKey(n), "the override changes nothing: it needs a preset or rules")
	}
	return o
}

func (r *configReader) ignore(n *yaml.Node) (i Ignore) {
	before := len(r.errors)
	r.mapping(n, "an ignore", r.ignoreFields(&i))
	switch {
	case len(r.errors) > before:
	case i.Reason == "":
		r.fail(firstKey(n), "the ignore has no reason: say why, for those who find it later")
	case i.Rule == "" && i.CRD == "" && i.Path == "" && i.File == "":
		r.fail(firstKey(n), "the ignore hides everything: it needs a rule, crd, path or file")
	default:
		i.unused = r.unused(firstKey(n))
	}
	return i
}

func (r *configReader) reason(n *yaml.Node) string {
	written := r.text(n, "reason")
	reason := text.OneLine(written)
	if written != "" && reason == "" {
		r.fail(n, "reason is empty")
	}
	return reason
}

// unused is a finding that the ignore that begins with a key hides nothing.
func (r *configReader) unused(key *yaml.Node) Finding {
	f := Finding{Rule: IgnoreUnusedRule, Message: "the ignore hides no finding of what it names; remove it"}
	line, column := r.document.Begin(key)
	path := filepath.ToSlash(r.document.File.Path)
	f.show(r.document.File, lint.Position{File: path, Line: line, Column: column, EndLine: line, EndColumn: column + utf8.RuneCountInString(key.Value)})
	return f
}

func (r *configReader) preset(n *yaml.Node) lint.Preset {
	p, _ := lint.ParsePreset(r.word(n, "preset", lint.Presets()...))
	return p
}

// rules reads severities by rule id.
func (r *configReader) rules(n *yaml.Node) map[string]lint.Severity {
	rules := map[string]lint.Severity{}
	r.entries(n, "rules", func(key *yaml.Node, id string, value *yaml.Node) {
		if wild(id) {
			r.fail(key, "rules takes no globs such as %q: name each rule", id)
			return
		}
		if !slices.Contains(r.ids, id) {
			r.fail(key, "there is no rule %s; `crdlift rules` lists them", text.Misspelt(id, r.ids))
			return
		}
		rules[id] = r.severity(crd.Deref(value), id)
	})
	return rules
}

// severity reads a severity. YAML 1.1 reads a plain `off` as a boolean, and formatters write that as `false`.
func (r *configReader) severity(n *yaml.Node, what string) lint.Severity {
	if k, v := yaml11.Resolve(n); k == yaml11.Bool && v == false {
		return lint.Off
	}
	s, _ := lint.ParseSeverity(r.word(n, what, lint.Severities()...))
	return s
}

// level reads a severity that findings can have, or never.
func (r *configReader) level(n *yaml.Node, what string) lint.Severity {
	word := r.word(n, what, append(lint.Severities()[lint.Info:], lint.Never.String())...)
	if word == lint.Never.String() {
		return lint.Never
	}
	s, _ := lint.ParseSeverity(word)
	return s
}

// kubernetesVersion takes what is written: as a number, 1.30 would be 1.3.
func (r *configReader) kubernetesVersion(n *yaml.Node) KubernetesVersion {
	if n.Kind != yaml.ScalarNode {
		r.fail(n, "kubernetesVersion must be a version such as \"1.27\", not %s", kind(n))
		return KubernetesVersion{}
	}
	v, err := ParseKubernetesVersion(n.Value)
	if err != nil {
		r.fail(n, "kubernetesVersion: %v", err)
	}
	return v
}

func (r *configReader) globs(n *yaml.Node, what string) (all []string) {
	r.list(n, what, func(item *yaml.Node) { all = append(all, r.glob(item, "a glob of "+what)) })
	return all
}

// paths reads globs of what lies below the folder of the configuration: that of a pull request must not have --fix repair
// what is elsewhere.
func (r *configReader) paths(n *yaml.Node) (all []string) {
	r.list(n, "paths", func(item *yaml.Node) {
		glob := r.glob(item, "a glob of paths")
		if glob != "" && !filepath.IsLocal(filepath.FromSlash(glob)) {
			r.fail(item, "%q does not lie below the folder of the configuration; name it on the command line", glob)
			return
		}
		all = append(all, glob)
	})
	return all
}

func (r *configReader) glob(n *yaml.Node, what string) string {
	glob := r.text(n, what)
	if !doublestar.ValidatePattern(glob) {
		r.fail(n, "%s is no glob: %q has a bracket without its partner", what, glob)
	}
	if alternatives(glob) > maxAlternatives {
		r.fail(n, "%s has braces that stand for more than %d globs; write several", what, maxAlternatives)
	}
	return glob
}

func (r *configReader) ruleGlob(n *yaml.Node) string {
	glob := r.glob(n, "rule")
	if glob != "" && !slices.ContainsFunc(r.ids, func(id string) bool { return matchName(glob, id) }) {
		if wild(glob) {
			r.fail(n, "no rule matches %q; `crdlift rules` lists them", glob)
		} else {
			r.fail(n, "there is no rule %s; `crdlift rules` lists them", text.Misspelt(glob, r.ids))
		}
	}
	return glob
}
