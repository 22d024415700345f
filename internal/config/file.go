package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Name is the name of the configuration file.
const Name = ".crdlift.yaml"

// misnamed is a name that other tools would read; settings that silently do not hold are worse than an error.
const misnamed = ".crdlift.yml"

// Find looks for the configuration file in a folder and those above it, up to the root of the repository or of the
// file system. The path is relative when the folder is, and "" when there is no such file.
func Find(dir string) (path string, err error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		switch info, err := os.Stat(filepath.Join(absolute, Name)); {
		case err == nil && info.Mode().IsRegular():
			return filepath.Join(dir, Name), nil
		case err == nil && !info.IsDir(): // a pipe, or a link to a device: reading it might never end
			return "", fmt.Errorf("%s is not a regular file", filepath.Join(dir, Name))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if _, err := os.Stat(filepath.Join(absolute, misnamed)); err == nil {
			return "", fmt.Errorf("%s is not read; rename it to %s", filepath.Join(dir, misnamed), Name)
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

// Read reads a configuration file. Unknown keys, unknown rules and wrong values are errors: all of them are reported
// together, each a *lint.FileError in what errors.Join makes. The files that it extends are read as well, from the same source: what
// is read later wins, and a file is read after those that it extends.
func Read(path string, src []byte, rules lint.Rules) (*lint.Config, error) {
	return (*Source)(nil).Parse(path, src, rules)
}

// Parse is Read for a file of the source.
func (s *Source) Parse(path string, src []byte, rules lint.Rules) (*lint.Config, error) {
	absolute, _ := filepath.Abs(path) // else nothing is found relative to it
	home := &settingsFile{source: s, path: absolute, src: src}
	home.top = cmp.Or(worktree.TopOf(filepath.Dir(absolute)), filepath.Dir(absolute))
	x := &extension{config: &lint.Config{Path: path}, known: rules}
	x.add(path, home)
	if len(x.errs) > 0 {
		return nil, errors.Join(x.errs...)
	}
	for _, f := range x.read {
		if len(x.read) > 1 {
			x.config.Files = append(x.config.Files, lint.ConfigFile{Path: f.path, Label: f.label(), Text: f.src})
		}
	}
	return x.config, nil
}

// A reader knows the keys of the configuration file. docs/schema/config.json says the same to editors.
type reader struct {
	*Reader
	known   lint.Rules
	renamed *[]string // earlier ids of rules that were read
	*extension
}

func (r *reader) fields(c *lint.Config) []Member {
	return []Member{
		Key("extends", func(*yaml.Node) {}), // which is read before all others
		Key("preset", func(n *yaml.Node) { c.Preset = r.preset(n) }),
		Key("rules", func(n *yaml.Node) { c.Rules = merged(c.Rules, r.rules(n)) }),
		Key("overrides", func(n *yaml.Node) {
			r.List(n, "overrides", func(item *yaml.Node) { c.Overrides = append(c.Overrides, r.override(item)) })
		}),
		Key("paths", func(n *yaml.Node) { c.Paths = r.paths(n, "paths") }),
		Key("exclude", func(n *yaml.Node) { c.Exclude = append(c.Exclude, r.globs(n, "exclude")...) }),
		Key("roles", func(n *yaml.Node) { c.Roles = rolesOver(c.Roles, r.roles(n)) }),
		Key("ignore", func(n *yaml.Node) {
			r.List(n, "ignore", func(item *yaml.Node) { c.Ignores = append(c.Ignores, r.ignore(item)) })
		}),
		Key("kubernetesVersion", func(n *yaml.Node) { c.KubernetesVersion = r.kubernetesVersion(n) }),
		Key("failOn", func(n *yaml.Node) { c.FailOn = r.level(n, "failOn") }),
		Key("minSeverity", func(n *yaml.Node) { c.MinSeverity = r.level(n, "minSeverity") }),
		Key("baseline", func(n *yaml.Node) { c.Baseline = r.baseline(n) }),
		Key("compatibility", func(n *yaml.Node) { r.Mapping(n, "compatibility", r.compatibilityFields(&c.Compatibility)) }),
		Key("go", func(n *yaml.Node) { c.Go = r.goTypes(n) }),
		Key("goLocation", func(n *yaml.Node) {
			c.GoLocation = lint.GoLocation(r.Word(n, "goLocation", string(lint.GoRelated), string(lint.GoPrimary)))
		}),
		Key("apply", func(n *yaml.Node) { c.Apply.Way = lint.Way(r.Word(n, "apply", lint.Ways()...)) }),
		Key("fieldManager", func(n *yaml.Node) { c.Apply.Manager = r.Text(n, "fieldManager") }),
		Key("validate", func(n *yaml.Node) { r.Mapping(n, "validate", r.validateFields(&c.Validate)) }),
		Key("test", func(n *yaml.Node) { r.Mapping(n, "test", r.testFields(&c.Test)) }),
		Key("convert", func(n *yaml.Node) { r.Mapping(n, "convert", r.convertFields(&c.Convert)) }),
	}
}

func (r *reader) overrideFields(o *lint.Override) []Member {
	return []Member{
		Key("paths", func(n *yaml.Node) { o.Paths = r.globs(n, "paths") }),
		Key("preset", func(n *yaml.Node) { p := r.preset(n); o.Preset = &p }),
		Key("rules", func(n *yaml.Node) { o.Rules = r.rules(n) }),
	}
}

func (r *reader) ignoreFields(i *lint.Ignore) []Member {
	return []Member{
		Key("rule", func(n *yaml.Node) { i.Rule = r.ruleGlob(n) }),
		Key("crd", func(n *yaml.Node) { i.CRD = r.glob(n, "crd") }),
		Key("path", func(n *yaml.Node) { i.Path = r.Text(n, "path") }),
		Key("file", func(n *yaml.Node) { i.File = r.glob(n, "file") }),
		Key("reason", func(n *yaml.Node) { i.Reason = r.reason(n) }),
	}
}

func (r *reader) compatibilityFields(c *lint.Compatibility) []Member {
	severity := func(name string, to **lint.Severity) Member {
		return Key(name, func(n *yaml.Node) { s := r.severity(n, name); *to = &s })
	}
	return []Member{severity("alpha", &c.Alpha), severity("beta", &c.Beta), severity("stable", &c.Stable), severity("status", &c.Status)}
}

func (r *reader) convertFields(o *policy.Options) (all []Member) {
	for _, s := range policy.Settings() {
		switch {
		case s.Once:
		case s.Word != nil:
			all = append(all, Key(s.Key, func(n *yaml.Node) { *s.Word(o) = r.Word(n, s.Key, s.Words...) }))
		default:
			all = append(all, Key(s.Key, func(n *yaml.Node) { *s.Switch(o) = r.Flag(n, s.Key) }))
		}
	}
	return all
}

func (r *reader) validateFields(v *lint.Validate) []Member {
	return []Member{
		Key("paths", func(n *yaml.Node) { v.Paths = r.paths(n, "paths") }),
		Key("crds", func(n *yaml.Node) { v.CRDs = r.paths(n, "crds") }),
		Key("fieldValidation", func(n *yaml.Node) {
			v.Unknown = FieldValidation(r.Word(n, "fieldValidation", FieldValidations()...))
		}),
		Key("missingCRD", func(n *yaml.Node) { v.Missing = MissingCRD(r.Word(n, "missingCRD", MissingCRDs()...)) }),
	}
}

func (r *reader) override(n *yaml.Node) (o lint.Override) {
	before := r.Errors()
	r.Mapping(n, "an override", r.overrideFields(&o))
	switch {
	case r.Errors() > before: // one thing at a time
	case len(o.Paths) == 0:
		r.Fail(crd.FirstKey(n), "the override has no paths: it needs globs of the files it is for")
	case o.Preset == nil && len(o.Rules) == 0:
		r.Fail(crd.FirstKey(n), "the override changes nothing: it needs a preset or rules")
	}
	return o
}

func (r *reader) ignore(n *yaml.Node) (i lint.Ignore) {
	before := r.Errors()
	r.Mapping(n, "an ignore", r.ignoreFields(&i))
	switch {
	case r.Errors() > before:
	case i.Reason == "":
		r.Fail(crd.FirstKey(n), "the ignore has no reason: say why, for those who find it later")
	case i.Rule == "" && i.CRD == "" && i.Path == "" && i.File == "":
		r.Fail(crd.FirstKey(n), "the ignore hides everything: it needs a rule, crd, path or file")
	default:
		i.At, i.Shared = r.source(crd.FirstKey(n)), r.isShared()
	}
	return i
}

func (r *reader) reason(n *yaml.Node) string {
	written := r.Text(n, "reason")
	reason := text.OneLine(written)
	if written != "" && reason == "" {
		r.Fail(n, "reason is empty")
	}
	return reason
}

// baseline reads the path of the known findings. Those of a file that others extend would be findings of other files.
func (r *reader) baseline(n *yaml.Node) string {
	if r.isShared() {
		r.Fail(n, "a baseline belongs to one repository; name it in the configuration that extends this file")
	}
	return r.Text(n, "baseline")
}

// merged adds severities to those of the files that are extended.
func merged(before, own map[string]lint.Severity) map[string]lint.Severity {
	if before == nil {
		return own
	}
	maps.Copy(before, own)
	return before
}

// source returns the position of a key. For a file that is extended, it is that of the entry which does so: the configuration has no
// other place where users can do something about it.
func (r *reader) source(key *yaml.Node) lint.Source {
	if r.isShared() {
		return r.at
	}
	d := r.Document()
	line, column := d.Begin(key)
	return d.File.SourceAt(lint.Position{File: filepath.ToSlash(d.File.Path), Line: line, Column: column, EndLine: line, EndColumn: column + utf8.RuneCountInString(key.Value)})
}

func (r *reader) preset(n *yaml.Node) lint.Preset {
	p, _ := lint.ParsePreset(r.Word(n, "preset", lint.Presets()...))
	return p
}

// rules reads severities by rule id.
func (r *reader) rules(n *yaml.Node) map[string]lint.Severity {
	rules := map[string]lint.Severity{}
	r.Entries(n, "rules", func(key *yaml.Node, id string, value *yaml.Node) {
		if Wild(id) {
			r.Fail(key, "rules takes no globs such as %q: name each rule", id)
			return
		}
		rule := r.rule(id)
		if rule == nil {
			r.Fail(key, "there is no rule %s; `crdlift explain` lists them", text.Misspelt(id, r.known.IDs()))
			return
		}
		rules[rule.ID] = r.severity(crd.Deref(value), id)
	})
	return rules
}

// rule returns the rule of an id, and notes that the id is an earlier one; nil when there is none.
func (r *reader) rule(id string) *lint.Rule {
	rule := r.known.ByID(id)
	if rule != nil && rule.ID != id {
		*r.renamed = append(*r.renamed, id)
	}
	return rule
}

// severity reads a severity. YAML 1.1 reads a plain `off` as a boolean, and formatters write that as `false`.
func (r *reader) severity(n *yaml.Node, what string) lint.Severity {
	if k, v := yaml11.Resolve(n); k == yaml11.Bool && v == false {
		return lint.Off
	}
	s, _ := lint.ParseSeverity(r.Word(n, what, lint.Severities()...))
	return s
}

// level reads a severity that findings can have, or never.
func (r *reader) level(n *yaml.Node, what string) lint.Severity {
	word := r.Word(n, what, append(lint.Severities()[lint.Info:], lint.Never.String())...)
	if word == lint.Never.String() {
		return lint.Never
	}
	s, _ := lint.ParseSeverity(word)
	return s
}

// kubernetesVersion reads the text as written: as a number, 1.30 would be 1.3.
func (r *reader) kubernetesVersion(n *yaml.Node) lint.KubernetesVersion {
	if n.Kind != yaml.ScalarNode {
		r.Fail(n, "kubernetesVersion must be a version such as \"1.27\", not %s", Kind(n))
		return lint.KubernetesVersion{}
	}
	v, err := lint.ParseKubernetesVersion(n.Value)
	if err != nil {
		r.Fail(n, "kubernetesVersion: %v", err)
	}
	return v
}

func (r *reader) globs(n *yaml.Node, what string) (all []string) {
	r.List(n, what, func(item *yaml.Node) { all = append(all, r.glob(item, "a glob of "+what)) })
	return all
}

// paths reads globs of files below the folder of the configuration: the configuration of a pull request must not make
// --fix change files elsewhere.
func (r *reader) paths(n *yaml.Node, what string) (all []string) {
	r.List(n, what, func(item *yaml.Node) {
		glob := r.glob(item, "a glob of "+what)
		if glob != "" && !filepath.IsLocal(filepath.FromSlash(glob)) {
			r.Fail(item, "%q does not lie below the folder of the configuration; name it on the command line", glob)
			return
		}
		all = append(all, glob)
	})
	return all
}

// goTypes reads where Go types are: a word, or a list of folders. They are below the folder of the configuration for the
// same reason as paths.
func (r *reader) goTypes(n *yaml.Node) (types lint.GoTypes) {
	if n.Kind != yaml.SequenceNode {
		if k, v := yaml11.Resolve(n); k == yaml11.Bool && v == false { // what YAML 1.1 reads a plain off as
			return lint.GoTypes{Off: true}
		}
		return lint.GoTypes{Off: r.Word(n, "go", "auto", "off") == "off"}
	}
	if len(n.Content) == 0 {
		r.Fail(n, "go names no folder")
	}
	r.List(n, "go", func(item *yaml.Node) {
		folder := r.Text(item, "a folder of go")
		if folder != "" && !filepath.IsLocal(filepath.FromSlash(folder)) {
			r.Fail(item, "%q does not lie below the folder of the configuration; name it on the command line with --go", folder)
			return
		}
		types.Folders = append(types.Folders, folder)
	})
	return types
}

func (r *reader) glob(n *yaml.Node, what string) string {
	glob := r.Text(n, what)
	if !doublestar.ValidatePattern(glob) {
		r.Fail(n, "%s is not valid: %q has an unbalanced bracket", what, glob)
	}
	if alternatives(glob) > maxAlternatives {
		r.Fail(n, "%s has braces that expand to more than %d globs; write several", what, maxAlternatives)
	}
	return glob
}

func (r *reader) ruleGlob(n *yaml.Node) string {
	glob := r.glob(n, "rule")
	if rule := r.rule(glob); rule != nil {
		return rule.ID
	}
	if glob != "" && !slices.ContainsFunc(r.known.IDs(), func(id string) bool { return MatchName(glob, id) }) {
		if Wild(glob) {
			r.Fail(n, "no rule matches %q; `crdlift explain` lists them", glob)
		} else {
			r.Fail(n, "there is no rule %s; `crdlift explain` lists them", text.Misspelt(glob, r.known.IDs()))
		}
	}
	return glob
}
