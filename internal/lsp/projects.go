package lsp

import (
	"cmp"
	"maps"
	"path/filepath"
	"sync"

	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

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
	p.byDir, p.byConfig = nil, nil
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

// project is that of a file.
func (s *server) project(at uri.URI) *project {
	dir := ""
	if at.IsFile() {
		dir = filepath.Dir(at.FsPath())
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
	if p.byDir == nil {
		p.byDir = map[string]*project{}
	}
	p.byDir[dir] = one
	return true
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
			if p.byConfig == nil {
				p.byConfig = map[string]*project{}
			}
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
	if p.good == nil {
		p.good = map[string]lint.Config{}
	}
	if delete(p.good, path); c != nil {
		p.good[path] = *c
	}
}

// findConfig is the path of the configuration for a folder: on the disk, or in a buffer, which may not be saved yet. It is "" for
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
	for _, at := range s.buffers.list() {
		if !isConfiguration(at) {
			continue
		}
		folder := filepath.Dir(at.FsPath())
		if _, above := worktree.RelativeTo(folder, dir); above && len(folder) >= len(nearest) {
			path, nearest = at.FsPath(), folder
		}
	}
	return path
}

// at is the project of the configuration at a path; nil for one that was not asked for.
func (p *projects) at(path string) *project {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byConfig[path]
}
