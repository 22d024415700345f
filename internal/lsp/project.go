package lsp

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A project is the files that have a configuration in common. They are one run of `crdlift lint`, and one of `crdlift validate`.
type project struct {
	dir    string // that of the configuration, or the folder of the workspace; "" for a document that is no file
	config *lint.Config
	linter rules.Linter // of CRDs
	read   *lint.Config // as the file has it, without the client's settings
	errs   []error      // of the configuration, the last one without errors being in force then

	generation     *generation  // that it is of
	publishPending atomic.Bool  // it is to be published
	publishTook    atomic.Int64 // how long that was the last time, in nanoseconds
}

// settings are what the client configures, beside the configuration file. They win over it, as flags do.
type settings struct {
	Preset            string `json:"preset"`
	KubernetesVersion string `json:"kubernetesVersion"`
	MinSeverity       string `json:"minSeverity"`
}

// settingsOf reads settings: those below "crdlift", or all of them. What is none counts as not set; found is false where there is
// nothing that could be settings of crdlift.
func settingsOf(options protocol.LSPAny) (s settings, found bool) {
	var below struct {
		Crdlift *settings `json:"crdlift"`
	}
	if json.Unmarshal(options, &below) == nil && below.Crdlift != nil {
		return *below.Crdlift, true
	}
	_ = json.Unmarshal(options, &s)
	return s, s != settings{}
}

// apply puts settings into a configuration, as flags would be.
func (s settings) apply(c *lint.Config) error {
	var preset lint.Preset
	err := parseSetting(s.Preset, lint.ParsePreset, &preset)
	if s.Preset != "" && err == nil {
		c.CommandLine.Preset = &preset
	}
	return errors.Join(err, parseSetting(s.KubernetesVersion, lint.ParseKubernetesVersion, &c.KubernetesVersion),
		parseSetting(s.MinSeverity, lint.ParseSeverity, &c.MinSeverity))
}

// parseSetting sets a value to that of a setting. It stays where the setting is "" or wrong.
func parseSetting[T any](setting string, parse func(string) (T, error), to *T) error {
	if setting == "" {
		return nil
	}
	value, err := parse(setting)
	if err == nil {
		*to = value
	}
	return err
}

// separate are the errors that were joined into one.
func separate(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// excludes reports whether the configuration excludes a file.
func (p *project) excludes(path string) bool { return config.ExcludedBy(p.config, path) != "" }

// projects are those that are known. Several goroutines may ask.
type projects struct {
	now  atomic.Pointer[generation]
	good sync.Map // the last configurations without errors, by their paths
}

// A generation is the projects until all configurations are read again.
type generation struct {
	settings settings
	byDir    sync.Map // of the files in a folder
	byConfig sync.Map // by the configuration, or the folder where there is none
}

// forget has all configurations read again.
func (p *projects) forget() {
	for {
		if now := p.now.Load(); p.now.CompareAndSwap(now, &generation{settings: now.settings}) {
			return
		}
	}
}

// set takes the client's settings, and reports whether they are others than before.
func (p *projects) set(to settings) bool {
	if p.now.Load().settings == to {
		return false
	}
	p.now.Store(&generation{settings: to})
	return true
}

// isBaseline reports whether a file has the known findings of a project.
func (p *projects) isBaseline(path string) (is bool) {
	p.now.Load().byConfig.Range(func(_, one any) bool {
		is = filepath.ToSlash(config.BaselinePath(one.(*project).config)) == path
		return !is
	})
	return is
}

// at is the project of the configuration at a path; nil for one that was not asked for.
func (p *projects) at(path string) *project {
	known, _ := p.now.Load().byConfig.Load(path)
	at, _ := known.(*project)
	return at
}
