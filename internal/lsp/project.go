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

	gone           atomic.Bool  // the configuration is read again: another one has taken its place
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
	mu       sync.Mutex
	settings settings
	byDir    map[string]*project    // of the files in a folder
	byConfig map[string]*project    // by the configuration, or the folder where there is none
	good     map[string]lint.Config // the last ones without errors, by their paths
	times    int                    // how often all were forgotten
}

// forget has all configurations read again.
func (p *projects) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetAll()
}

func (p *projects) forgetAll() {
	for _, one := range p.byConfig {
		one.gone.Store(true)
	}
	p.byDir, p.byConfig = map[string]*project{}, map[string]*project{}
	p.times++
}

// set takes the client's settings, and reports whether they are others than before.
func (p *projects) set(to settings) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settings == to {
		return false
	}
	p.settings = to
	p.forgetAll()
	return true
}

// in is the project of the files in a folder, nil for none yet, and how often all were forgotten.
func (p *projects) in(dir string) (known *project, times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byDir[dir], p.times
}

// put notes the project of a folder, unless it was forgotten meanwhile.
func (p *projects) put(dir string, one *project, times int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times != times {
		return false
	}
	p.byDir[dir] = one
	return true
}

// isBaseline reports whether a file has the known findings of a project.
func (p *projects) isBaseline(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.byConfig {
		if filepath.ToSlash(config.BaselinePath(one.config)) == path {
			return true
		}
	}
	return false
}

// setGood notes the last configuration at a path that had no errors, nil for none.
func (p *projects) setGood(path string, c *lint.Config) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if delete(p.good, path); c != nil {
		p.good[path] = *c
	}
}

// at is the project of the configuration at a path; nil for one that was not asked for.
func (p *projects) at(path string) *project {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byConfig[path]
}
