package lsp

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// project is that of a file.
func (s *server) project(doc uri.URI) *project {
	dir := ""
	if doc.IsFile() {
		dir = filepath.Dir(doc.FsPath())
	} else if roots := s.workspace.folders(); len(roots) > 0 {
		dir = roots[0]
	}
	for {
		known, times := s.projects.in(dir)
		if known != nil {
			return known
		}
		home := s.workspace.rootAbove(dir)
		path := s.findConfig(dir, home)
		switch {
		case path != "":
			home = filepath.Dir(path)
		case home == "":
			home = dir
		}
		p := s.projectOf(path, home)
		if s.projects.put(dir, p, times) {
			return p
		}
	}
}

// projectOf is the project of the configuration at a path, or of a folder without any. It is made without holding a lock, since
// that reads files, and may have something to say to the client.
func (s *server) projectOf(path, home string) *project {
	key := cmp.Or(path, home)
	p := &s.projects
	for {
		p.mu.Lock()
		known, times, settings := p.byConfig[key], p.times, p.settings
		p.mu.Unlock()
		if known != nil {
			return known
		}
		made := s.newProject(home, path, settings)
		p.mu.Lock()
		if known = p.byConfig[key]; known == nil && p.times == times {
			known, p.byConfig[key] = made, made
		}
		p.mu.Unlock()
		if known != nil {
			return known
		}
	}
}

// isLate reports whether files are taken for those of another project that a configuration is for.
func (s *server) isLate(path string) bool {
	p := &s.projects
	p.mu.Lock()
	others := maps.Clone(p.byDir)
	p.mu.Unlock()
	for dir, one := range others {
		if one.config.Path != filepath.ToSlash(path) && s.findConfig(dir, s.workspace.rootAbove(dir)) == path {
			return true
		}
	}
	return false
}

// findConfig is the path of the configuration for a folder: on the disk, or in an overlay, which may not be saved yet. It is "" for
// none.
func (s *server) findConfig(dir, home string) string {
	if dir == "" {
		return ""
	}
	path, err := config.Find(dir)
	if err != nil {
		s.logf("configuration: %v", err)
	}
	nearest := home
	if path != "" {
		path = filepath.Clean(path)
		nearest = filepath.Dir(path)
	}
	for _, doc := range s.overlays.list() {
		if !isConfiguration(doc) {
			continue
		}
		folder := filepath.Dir(doc.FsPath())
		if _, above := worktree.RelativeTo(folder, dir); above && len(folder) >= len(nearest) {
			path, nearest = doc.FsPath(), folder
		}
	}
	return path
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

// readConfig reads a configuration: that of the overlay if it is open.
func (s *server) readConfig(path string) (*lint.Config, error) {
	name := filepath.ToSlash(path)
	if snap := s.overlays.snapshot(uri.File(path)); snap != nil && snap.mapper != nil {
		return rules.ReadConfig(name, snap.text)
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

// judge judges the files of a project. It has a linter of its own, whose options may be set.
func (s *server) judge(p *project) *rules.Judge {
	linter := p.linter
	return &rules.Judge{Linter: &linter, Objects: func(use func(*rules.Objects)) { s.catalogue.use(use) }}
}
