package config

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// YAML returns the configuration as a file, which Read reads back. Keys that are not set are written as comments with
// their defaults. The command line's settings of rules are written as one more override for all files.
func YAML(c *lint.Config) []byte {
	p := &printer{}
	p.line("preset: %s", c.Preset)
	p.severities("", c.Rules, "each rule's own severity")
	overrides := c.Overrides
	if c.CommandLine.Preset != nil || len(c.CommandLine.Rules) > 0 {
		overrides = append(slices.Clone(overrides), lint.Override{Paths: []string{"**"}, Preset: c.CommandLine.Preset, Rules: c.CommandLine.Rules})
	}
	p.overrides(overrides)
	p.strings("", "paths", c.Paths)
	p.strings("", "exclude", c.Exclude)
	p.roles(c.Roles)
	p.ignores("", c.Ignores)
	p.value("", "kubernetesVersion", quoted(c.KubernetesVersion.String()), "the newest that crdlift knows")
	p.level("failOn", c.FailOn, lint.Error)
	p.level("minSeverity", c.MinSeverity, lint.Info)
	p.value("", "baseline", Scalar(c.Baseline), "none")
	p.compatibility(c.Compatibility)
	p.goTypes(c.Go)
	p.value("", "goLocation", string(c.GoLocation), "by the format")
	p.value("", "apply", string(c.Apply.Way), "any, and auto for what comes from a cluster")
	p.value("", "fieldManager", Scalar(c.Apply.Manager), "the one that managedFields show")
	p.validate(c.Validate)
	p.test(c.Test)
	p.line("convert:")
	for _, s := range policy.Settings() {
		switch {
		case s.Once:
		case s.Word != nil:
			p.value("  ", s.Key, *s.Word(&c.Convert), s.Default)
		default:
			p.line("  %s: %t", s.Key, *s.Switch(&c.Convert))
		}
	}
	if len(c.Files) > 0 {
		return withOrigins(p.Bytes(), c.Files)
	}
	return p.Bytes()
}

// A printer writes a configuration, in block style.
type printer struct{ bytes.Buffer }

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// value writes a key with its value, or the default in a comment.
func (p *printer) value(indent, key, value, standard string) {
	if value == "" {
		p.line("%s# %s: %s", indent, key, standard)
	} else {
		p.line("%s%s: %s", indent, key, value)
	}
}

// level writes a severity that findings can have, or its default in a comment.
func (p *printer) level(key string, s, standard lint.Severity) {
	word := ""
	if s != lint.Off {
		word = s.String()
	}
	p.value("", key, word, standard.String())
}

// heading writes the key of several entries, or the default in a comment where there are none.
func (p *printer) heading(indent, key string, entries int, standard string) {
	if entries == 0 {
		p.value(indent, key, "", standard)
	} else {
		p.line("%s%s:", indent, key)
	}
}

func (p *printer) strings(indent, key string, all []string) {
	p.heading(indent, key, len(all), "none")
	for _, s := range all {
		p.line("%s  - %s", indent, Scalar(s))
	}
}

func (p *printer) validate(v lint.Validate) {
	if v.Paths == nil && v.CRDs == nil && v.Unknown == nil && v.Missing == nil {
		p.value("", "validate", "", "paths and crds of the command line, fieldValidation strict, missingCRD ignore")
		return
	}
	p.line("validate:")
	p.strings("  ", "paths", v.Paths)
	p.strings("  ", "crds", v.CRDs)
	p.value("  ", "fieldValidation", word(fieldValidations, v.Unknown), fieldValidations[0].word)
	p.value("  ", "missingCRD", word(missingCRDs, v.Missing), missingCRDs[0].word)
}

func (p *printer) severities(indent string, rules map[string]lint.Severity, standard string) {
	p.heading(indent, "rules", len(rules), standard)
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		p.line("%s  %s: %s", indent, id, severityWord(rules[id]))
	}
}

func (p *printer) compatibility(c lint.Compatibility) {
	if c == (lint.Compatibility{}) {
		p.value("", "compatibility", "", fmt.Sprintf("alpha %s, beta %s, stable %s, status %s", defaultAlpha, defaultBeta, defaultStable, defaultStatus))
		return
	}
	p.line("compatibility:")
	p.limit("alpha", c.Alpha, defaultAlpha)
	p.limit("beta", c.Beta, defaultBeta)
	p.limit("stable", c.Stable, defaultStable)
	p.limit("status", c.Status, defaultStatus)
}

// goTypes writes where Go types are.
func (p *printer) goTypes(types lint.GoTypes) {
	switch {
	case types.Off:
		p.line(`go: "off"`)
	case len(types.Folders) > 0:
		p.strings("", "go", types.Folders)
	default:
		p.value("", "go", "", "auto")
	}
}

// limit writes a severity of compatibility, or its default in a comment.
func (p *printer) limit(key string, s *lint.Severity, standard lint.Severity) {
	word := ""
	if s != nil {
		word = severityWord(*s)
	}
	p.value("  ", key, word, standard.String())
}

// severityWord is a severity as YAML 1.1 reads it: a plain off would be a boolean.
func severityWord(s lint.Severity) string {
	if s == lint.Off {
		return `"off"`
	}
	return s.String()
}

func (p *printer) overrides(all []lint.Override) {
	p.heading("", "overrides", len(all), "none")
	for _, o := range all {
		p.line("  - paths:")
		for _, path := range o.Paths {
			p.line("      - %s", Scalar(path))
		}
		if o.Preset != nil {
			p.line("    preset: %s", *o.Preset)
		}
		if len(o.Rules) > 0 {
			p.severities("    ", o.Rules, "")
		}
	}
}

func (p *printer) ignores(indent string, all []lint.Ignore) {
	p.heading(indent, "ignore", len(all), "none")
	for _, i := range all {
		dash := "- "
		for _, m := range [][2]string{{"rule", i.Rule}, {"crd", i.CRD}, {"path", i.Path}, {"file", i.File}, {"reason", i.Reason}} {
			if m[1] != "" {
				p.line("%s  %s%s: %s", indent, dash, m[0], Scalar(m[1]))
				dash = "  "
			}
		}
	}
}

// Scalar writes a string so that YAML reads the same string, and nothing in it is obeyed by a terminal or by the runner
// of GitHub Actions.
func Scalar(s string) string {
	if s == "" || yaml11.PlainSafe(s) {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(yaml11.Quote(s), "##[", `\x23#[`) {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// quoted puts a text that is not empty in double quotes.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return yaml11.Quote(s)
}
