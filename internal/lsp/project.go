package lsp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A project is the files that have a configuration in common. They are one run of `crdlift lint`, and one of `crdlift validate`.
type project struct {
	dir    string // that of the configuration, or the folder of the workspace; "" for a document that is no file
	top    string // of the repository or, where there is none, the folder of the workspace; "" for neither
	config *lint.Config
	linter rules.Linter // of CRDs
	read   *lint.Config // as the file has it, without the client's settings
	errs   []error      // of the configuration, the last one without errors being in force then

	generation     *generation  // that it is of
	publishPending atomic.Bool  // it is to be published
	publishTook    atomic.Int64 // how long that was the last time, in nanoseconds
	looking        atomic.Bool  // its roles are being looked for

	inGo []*lint.Finding // what has to be fixed in files in Go; held by publishing
}

// settings are what the client configures, beside the configuration file. They win over it, as flags do.
type settings struct {
	Preset            string `json:"preset"`
	KubernetesVersion string `json:"kubernetesVersion"`
	MinSeverity       string `json:"minSeverity"`
	Fields            string `json:"fields"` // fieldsOff where another server completes and explains them
}

// fieldsOff is the setting by which no field of a CRD or a custom resource is completed or explained.
const fieldsOff = "off"

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

// isSettings reports whether a file has the known findings of a project, or its configuration extends the file, or may do so.
func (p *projects) isSettings(path string) (is bool) {
	p.now.Load().byConfig.Range(func(_, one any) bool {
		of := one.(*project)
		is = filepath.ToSlash(config.BaselinePath(of.config)) == path || len(of.errs) > 0 && worktree.IsManifest(path) ||
			slices.ContainsFunc(of.config.Files, func(f lint.ConfigFile) bool { return filepath.ToSlash(f.Path) == path && path != of.config.Path })
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

// project is that of a file.
func (s *server) project(doc uri.URI) *project {
	dir := ""
	if doc.IsFile() {
		dir = filepath.Dir(doc.FsPath())
	} else if roots := s.workspace.folders(); len(roots) > 0 {
		dir = roots[0]
	}
	now := s.projects.now.Load()
	if known, is := now.byDir.Load(dir); is {
		return known.(*project)
	}
	home := s.workspace.rootAbove(dir)
	path := s.findConfig(dir, home)
	switch {
	case path != "":
		home = filepath.Dir(path)
	case home == "":
		home = dir
	}
	p := s.projectOf(now, path, home)
	now.byDir.Store(dir, p)
	return p
}

// projectOf is the project of the configuration at a path, or of a folder without any. Several goroutines may make it, of which the
// first wins.
func (s *server) projectOf(of *generation, path, home string) *project {
	key := cmp.Or(path, home)
	known, is := of.byConfig.Load(key)
	if !is {
		known, _ = of.byConfig.LoadOrStore(key, s.newProject(of, home, path))
	}
	return known.(*project)
}

// isLate reports whether files are taken for those of another project that a configuration is for.
func (s *server) isLate(path string) (late bool) {
	s.projects.now.Load().byDir.Range(func(dir, one any) bool {
		late = one.(*project).config.Path != filepath.ToSlash(path) && s.findConfig(dir.(string), s.workspace.rootAbove(dir.(string))) == path
		return !late
	})
	return late
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
func (s *server) newProject(of *generation, dir, path string) *project {
	p := &project{dir: dir, config: &lint.Config{}, generation: of}
	if dir != "" {
		p.top = cmp.Or(worktree.TopOf(dir), s.workspace.rootAbove(dir))
	}
	if path != "" {
		p.load(s, path)
	}
	if err := of.settings.apply(p.config); err != nil {
		s.logf("the editor's settings of crdlift: %v", err)
	}
	if unknown := config.UnknownKubernetes(p.config); unknown != "" {
		s.logf("%s", unknown)
	}
	baseline, err := readBaseline(p.config)
	if err != nil {
		s.logf("baseline: %v", err)
	}
	p.linter = rules.Linter{Options: lint.Options{Config: p.config, Baseline: baseline, KeepAll: true}} // each has its place in the editor
	if !p.config.Go.Off && dir != "" {
		p.linter.Go = rules.FindGoTypes(dir, config.GoFolders(p.config)...)
		p.linter.Go.UseModuleCache(gotypes.ModuleCache())
		if around, err := repository.AroundFolder(dir, p.config.Roles.Set); err == nil { // else it is gone
			p.linter.Roles = around.Role
		}
	}
	return p
}

// load reads the configuration. With errors, the last one without is in force, or the defaults.
func (p *project) load(s *server, path string) {
	c, err := s.readConfig(path)
	if err != nil {
		p.errs = text.Separate(err)
		good, _ := s.projects.good.Load(path)
		last, _ := good.(lint.Config)
		last.Path = filepath.ToSlash(path)
		p.config = &last
		return
	}
	s.projects.good.Store(path, *c)
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
