package lsp

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/worktree"
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

	gone  atomic.Bool  // the configuration is read again: another one has taken its place
	waits atomic.Bool  // to be told of
	took  atomic.Int64 // how long that was the last time, in nanoseconds
}

// newProject reads the configuration at a path, "" for none.
func (s *server) newProject(dir, path string, with settings) *project {
	p := &project{dir: dir, config: &lint.Config{}}
	if path != "" {
		p.load(s, path)
	}
	if err := with.apply(p.config); err != nil {
		s.logf("the editor's settings of crdlift: %v", err)
	}
	baseline, err := readBaseline(p.config)
	if err != nil {
		s.logf("baseline: %v", err)
	}
	p.linter = rules.Linter{Options: lint.Options{Config: p.config, Baseline: baseline}}
	if !p.config.Go.Off && dir != "" {
		p.linter.Go = rules.FindGoTypes(dir, config.GoFolders(p.config)...)
		p.linter.Go.UseModuleCache(gotypes.ModuleCache())
	}
	return p
}

// load reads the configuration. With errors, the last one without is in force, or the defaults.
func (p *project) load(s *server, path string) {
	c, err := s.readConfig(path)
	if err != nil {
		p.errs = separate(err)
		s.projects.mu.Lock()
		last := s.projects.good[path]
		s.projects.mu.Unlock()
		last.Path = filepath.ToSlash(path)
		p.config = &last
		return
	}
	s.projects.setGood(path, c)
	effective := *c
	p.read, p.config = c, &effective
}

// readConfig reads a configuration: that of the buffer if it is open.
func (s *server) readConfig(path string) (*lint.Config, error) {
	name := filepath.ToSlash(path)
	if e := s.buffers.edition(uri.File(path)); e != nil && e.sheet != nil {
		return rules.ReadConfig(name, e.sheet.text)
	}
	src, err := worktree.ReadFound(path, maxSize)
	if err != nil {
		return nil, &lint.FileError{Path: name, Line: 1, Column: 1, Message: fmt.Sprintf("cannot be read: %v", err)}
	}
	return rules.ReadConfig(name, src)
}

// readBaseline reads the known findings; nil where the configuration names no file.
func readBaseline(c *lint.Config) (*lint.Baseline, error) {
	path := config.BaselinePath(c)
	if path == "" {
		return nil, nil
	}
	src, err := worktree.ReadFound(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there; 'crdlift lint --write-baseline' writes one", path)
	}
	if err != nil {
		return nil, err
	}
	return rules.ReadBaseline(filepath.ToSlash(path), src)
}

// apply puts settings into a configuration, as flags would be.
func (s settings) apply(c *lint.Config) error {
	var errs []error
	if s.Preset != "" {
		preset, err := lint.ParsePreset(s.Preset)
		if errs = append(errs, err); err == nil {
			c.CommandLine.Preset = &preset
		}
	}
	if s.KubernetesVersion != "" {
		version, err := lint.ParseKubernetesVersion(s.KubernetesVersion)
		if errs = append(errs, err); err == nil {
			c.KubernetesVersion = version
		}
	}
	if s.MinSeverity != "" {
		severity, err := lint.ParseSeverity(s.MinSeverity)
		if errs = append(errs, err); err == nil {
			c.MinSeverity = severity
		}
	}
	return errors.Join(errs...)
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
